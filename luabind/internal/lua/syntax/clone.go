package syntax

import (
	"fmt"
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// Copies of trees. Package loops copies what it puts into a tree (template.go there), and the functions of other
// files that a loop uses. The copy has the positions of the original, so errors in it name lines of the source.

// A Cloner copies trees. A copy shares no node with the original, so either may be changed. Positions are kept. The
// zero value copies everything and binds nothing.
type Cloner struct {
	// Bindings, if not nil, bind the identifiers and declarations of the copy to the variables of the original.
	Bindings *Bindings

	// Stmt and Expr, if not nil, are called for each node before it is copied. What they return is used in the copy
	// instead of the node, and is not copied; nil means that the node is copied.
	Stmt func(ast.Stmt) ast.Stmt
	Expr func(ast.Expr) ast.Expr

	// Copied, if not nil, is called for each copy of an identifier, and of a node that may declare variables.
	Copied func(n, original ast.PositionHolder)
}

// Block copies a list of statements.
func (c *Cloner) Block(stmts []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, st := range stmts {
		out = append(out, c.Statement(st))
	}
	return out
}

// Statement copies a statement. It panics for one of an unknown kind.
func (c *Cloner) Statement(st ast.Stmt) ast.Stmt {
	if c.Stmt != nil {
		if other := c.Stmt(st); other != nil {
			return other
		}
	}
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		n := At(&ast.LocalAssignStmt{Names: slices.Clone(st.Names), Exprs: c.Expressions(st.Exprs)}, st)
		c.declares(n, st)
		return n
	case *ast.AssignStmt:
		return At(&ast.AssignStmt{Lhs: c.Expressions(st.Lhs), Rhs: c.Expressions(st.Rhs)}, st)
	case *ast.FuncCallStmt:
		return At(&ast.FuncCallStmt{Expr: c.Expression(st.Expr)}, st)
	case *ast.DoBlockStmt:
		return At(&ast.DoBlockStmt{Stmts: c.Block(st.Stmts)}, st)
	case *ast.WhileStmt:
		return At(&ast.WhileStmt{Condition: c.Expression(st.Condition), Stmts: c.Block(st.Stmts)}, st)
	case *ast.RepeatStmt:
		return At(&ast.RepeatStmt{Condition: c.Expression(st.Condition), Stmts: c.Block(st.Stmts)}, st)
	case *ast.IfStmt:
		return At(&ast.IfStmt{Condition: c.Expression(st.Condition), Then: c.Block(st.Then), Else: c.Block(st.Else)}, st)
	case *ast.NumberForStmt:
		n := At(&ast.NumberForStmt{Name: st.Name, Init: c.Expression(st.Init), Limit: c.Expression(st.Limit), Step: c.Expression(st.Step), Stmts: c.Block(st.Stmts)}, st)
		c.declares(n, st)
		return n
	case *ast.GenericForStmt:
		n := At(&ast.GenericForStmt{Names: slices.Clone(st.Names), Exprs: c.Expressions(st.Exprs), Stmts: c.Block(st.Stmts)}, st)
		c.declares(n, st)
		return n
	case *ast.FuncDefStmt:
		name := &ast.FuncName{Func: c.Expression(st.Name.Func), Receiver: c.Expression(st.Name.Receiver), Method: st.Name.Method}
		return At(&ast.FuncDefStmt{Name: name, Func: c.function(st.Func)}, st)
	case *ast.ReturnStmt:
		return At(&ast.ReturnStmt{Exprs: c.Expressions(st.Exprs)}, st)
	case *ast.BreakStmt:
		return At(&ast.BreakStmt{}, st)
	case *ast.LabelStmt:
		return At(&ast.LabelStmt{Name: st.Name}, st)
	case *ast.GotoStmt:
		return At(&ast.GotoStmt{Label: st.Label}, st)
	}
	panic(fmt.Sprintf("syntax: unknown statement %T", st))
}

// Expressions copies a list of expressions.
func (c *Cloner) Expressions(list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		out[i] = c.Expression(e)
	}
	return out
}

// Expression copies an expression; nil becomes nil. It panics for one of an unknown kind.
func (c *Cloner) Expression(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	if c.Expr != nil {
		if other := c.Expr(e); other != nil {
			return other
		}
	}
	switch e := e.(type) {
	case *ast.TrueExpr:
		return At(&ast.TrueExpr{}, e)
	case *ast.FalseExpr:
		return At(&ast.FalseExpr{}, e)
	case *ast.NilExpr:
		return At(&ast.NilExpr{}, e)
	case *ast.NumberExpr:
		return At(&ast.NumberExpr{Value: e.Value}, e)
	case *ast.StringExpr:
		return At(&ast.StringExpr{Value: e.Value}, e)
	case *ast.Comma3Expr:
		return At(&ast.Comma3Expr{AdjustRet: e.AdjustRet}, e)
	case *ast.IdentExpr:
		n := At(&ast.IdentExpr{Value: e.Value}, e)
		if c.Bindings != nil && c.Bindings.idents[e] != nil {
			c.Bindings.idents[n] = c.Bindings.idents[e]
		}
		if c.Copied != nil {
			c.Copied(n, e)
		}
		return n
	case *ast.AttrGetExpr:
		return At(&ast.AttrGetExpr{Object: c.Expression(e.Object), Key: c.Expression(e.Key)}, e)
	case *ast.FuncCallExpr:
		return At(&ast.FuncCallExpr{
			Func: c.Expression(e.Func), Receiver: c.Expression(e.Receiver), Method: e.Method, Args: c.Expressions(e.Args), AdjustRet: e.AdjustRet,
		}, e)
	case *ast.TableExpr:
		t := At(&ast.TableExpr{}, e)
		for _, f := range e.Fields {
			t.Fields = append(t.Fields, &ast.Field{Key: c.Expression(f.Key), Value: c.Expression(f.Value)})
		}
		return t
	case *ast.LogicalOpExpr:
		return At(&ast.LogicalOpExpr{Operator: e.Operator, Lhs: c.Expression(e.Lhs), Rhs: c.Expression(e.Rhs)}, e)
	case *ast.RelationalOpExpr:
		return At(&ast.RelationalOpExpr{Operator: e.Operator, Lhs: c.Expression(e.Lhs), Rhs: c.Expression(e.Rhs)}, e)
	case *ast.StringConcatOpExpr:
		return At(&ast.StringConcatOpExpr{Lhs: c.Expression(e.Lhs), Rhs: c.Expression(e.Rhs)}, e)
	case *ast.ArithmeticOpExpr:
		return At(&ast.ArithmeticOpExpr{Operator: e.Operator, Lhs: c.Expression(e.Lhs), Rhs: c.Expression(e.Rhs)}, e)
	case *ast.UnaryMinusOpExpr:
		return At(&ast.UnaryMinusOpExpr{Expr: c.Expression(e.Expr)}, e)
	case *ast.UnaryNotOpExpr:
		return At(&ast.UnaryNotOpExpr{Expr: c.Expression(e.Expr)}, e)
	case *ast.UnaryLenOpExpr:
		return At(&ast.UnaryLenOpExpr{Expr: c.Expression(e.Expr)}, e)
	case *ast.FunctionExpr:
		return c.function(e)
	}
	panic(fmt.Sprintf("syntax: unknown expression %T", e))
}

// function copies a function expression, with the bindings of its parameters.
func (c *Cloner) function(fn *ast.FunctionExpr) *ast.FunctionExpr {
	params := &ast.ParList{HasVargs: fn.ParList.HasVargs, Names: slices.Clone(fn.ParList.Names)}
	n := At(&ast.FunctionExpr{ParList: params, Stmts: c.Block(fn.Stmts)}, fn)
	c.declares(n, fn)
	if c.Bindings != nil && c.Bindings.functions[fn] != nil {
		c.Bindings.functions[n] = c.Bindings.functions[fn]
	}
	return n
}

// declares binds the declarations of a copied node to the variables of the original.
func (c *Cloner) declares(n, original ast.PositionHolder) {
	if c.Bindings != nil && c.Bindings.declared[original] != nil {
		c.Bindings.declared[n] = c.Bindings.declared[original]
	}
	if c.Copied != nil {
		c.Copied(n, original)
	}
}
