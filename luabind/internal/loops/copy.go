package loops

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// A copier copies statements. The copy shares no node with the original, as the passes that follow change nodes.
type copier struct {
	copies *copies // nil: any number
}

// copies bounds the nodes that are copied for kernels.
type copies struct {
	loop int // nodes that may still be copied for the loop at hand, with the functions it calls
	file int // likewise, for all loops of the file
}

// tooLarge is what a copier panics with when there are more nodes than it may copy.
type tooLarge struct{ at ast.PositionHolder }

// count counts nodes, and names that are declared.
func (c copier) count(at ast.PositionHolder, n int) {
	if c.copies == nil {
		return
	}
	c.copies.loop -= n
	c.copies.file -= n
	if min(c.copies.loop, c.copies.file) < 0 {
		panic(tooLarge{at})
	}
}

func (c copier) ident(name string, like ast.PositionHolder) ast.Expr {
	return at(&ast.IdentExpr{Value: name}, like)
}

func (c copier) block(stmts []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, st := range stmts {
		out = append(out, c.stmt(st))
	}
	return out
}

func (c copier) stmt(st ast.Stmt) ast.Stmt {
	c.count(st, 1)
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		c.count(st, len(st.Names))
		return at(&ast.LocalAssignStmt{Names: append([]string(nil), st.Names...), Exprs: c.exprs(st.Exprs)}, st)
	case *ast.AssignStmt:
		return at(&ast.AssignStmt{Lhs: c.exprs(st.Lhs), Rhs: c.exprs(st.Rhs)}, st)
	case *ast.FuncCallStmt:
		return at(&ast.FuncCallStmt{Expr: c.expr(st.Expr)}, st)
	case *ast.DoBlockStmt:
		return at(&ast.DoBlockStmt{Stmts: c.block(st.Stmts)}, st)
	case *ast.WhileStmt:
		return at(&ast.WhileStmt{Condition: c.expr(st.Condition), Stmts: c.block(st.Stmts)}, st)
	case *ast.RepeatStmt:
		return at(&ast.RepeatStmt{Condition: c.expr(st.Condition), Stmts: c.block(st.Stmts)}, st)
	case *ast.IfStmt:
		return at(&ast.IfStmt{Condition: c.expr(st.Condition), Then: c.block(st.Then), Else: c.block(st.Else)}, st)
	case *ast.NumberForStmt:
		loop := at(&ast.NumberForStmt{Name: st.Name, Init: c.expr(st.Init), Limit: c.expr(st.Limit), Stmts: c.block(st.Stmts)}, st)
		if st.Step != nil {
			loop.Step = c.expr(st.Step)
		}
		return loop
	case *ast.GenericForStmt:
		return at(&ast.GenericForStmt{Names: append([]string(nil), st.Names...), Exprs: c.exprs(st.Exprs), Stmts: c.block(st.Stmts)}, st)
	case *ast.ReturnStmt:
		return at(&ast.ReturnStmt{Exprs: c.exprs(st.Exprs)}, st)
	case *ast.BreakStmt:
		return at(&ast.BreakStmt{}, st)
	case *ast.LabelStmt:
		return at(&ast.LabelStmt{Name: st.Name}, st)
	case *ast.GotoStmt:
		return at(&ast.GotoStmt{Label: st.Label}, st)
	case *ast.FuncDefStmt:
		return st // kernels refuse it
	}
	panic(fmt.Sprintf("loops: a statement of type %T", st))
}

func (c copier) exprs(list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		out[i] = c.expr(e)
	}
	return out
}

func (c copier) expr(e ast.Expr) ast.Expr {
	c.count(e, 1)
	switch e := e.(type) {
	case *ast.TrueExpr:
		return at(&ast.TrueExpr{}, e)
	case *ast.FalseExpr:
		return at(&ast.FalseExpr{}, e)
	case *ast.NilExpr:
		return at(&ast.NilExpr{}, e)
	case *ast.NumberExpr:
		return at(&ast.NumberExpr{Value: e.Value}, e)
	case *ast.StringExpr:
		return at(&ast.StringExpr{Value: e.Value}, e)
	case *ast.IdentExpr:
		return c.ident(e.Value, e)
	case *ast.AttrGetExpr:
		return at(&ast.AttrGetExpr{Object: c.expr(e.Object), Key: c.expr(e.Key)}, e)
	case *ast.FuncCallExpr:
		call := at(&ast.FuncCallExpr{Method: e.Method, Args: c.exprs(e.Args), AdjustRet: e.AdjustRet}, e)
		if e.Func != nil {
			call.Func = c.expr(e.Func)
		} else {
			call.Receiver = c.expr(e.Receiver)
		}
		return call
	case *ast.TableExpr:
		t := at(&ast.TableExpr{}, e)
		for _, f := range e.Fields {
			field := &ast.Field{Value: c.expr(f.Value)}
			if f.Key != nil {
				field.Key = c.expr(f.Key)
			}
			t.Fields = append(t.Fields, field)
		}
		return t
	case *ast.LogicalOpExpr:
		return at(&ast.LogicalOpExpr{Operator: e.Operator, Lhs: c.expr(e.Lhs), Rhs: c.expr(e.Rhs)}, e)
	case *ast.RelationalOpExpr:
		return at(&ast.RelationalOpExpr{Operator: e.Operator, Lhs: c.expr(e.Lhs), Rhs: c.expr(e.Rhs)}, e)
	case *ast.StringConcatOpExpr:
		return at(&ast.StringConcatOpExpr{Lhs: c.expr(e.Lhs), Rhs: c.expr(e.Rhs)}, e)
	case *ast.ArithmeticOpExpr:
		return at(&ast.ArithmeticOpExpr{Operator: e.Operator, Lhs: c.expr(e.Lhs), Rhs: c.expr(e.Rhs)}, e)
	case *ast.UnaryMinusOpExpr:
		return at(&ast.UnaryMinusOpExpr{Expr: c.expr(e.Expr)}, e)
	case *ast.UnaryNotOpExpr:
		return at(&ast.UnaryNotOpExpr{Expr: c.expr(e.Expr)}, e)
	case *ast.UnaryLenOpExpr:
		return at(&ast.UnaryLenOpExpr{Expr: c.expr(e.Expr)}, e)
	case *ast.FunctionExpr, *ast.Comma3Expr:
		return e
	}
	panic(fmt.Sprintf("loops: an expression of type %T", e))
}

// at gives a made node the place of the one it stands for.
func at[T ast.PositionHolder](n T, like ast.PositionHolder) T {
	n.SetLine(like.Line())
	n.SetLastLine(like.LastLine())
	return n
}
