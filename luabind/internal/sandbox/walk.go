package sandbox

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// children calls expr for each expression directly below an expression, in the
// order of the source, and block for the body of a function. The pointers may be
// written through.
func children(e ast.Expr, expr func(*ast.Expr), block func(*[]ast.Stmt)) {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		expr(&e.Object)
		expr(&e.Key)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			if f.Key != nil {
				expr(&f.Key)
			}
			expr(&f.Value)
		}
	case *ast.FuncCallExpr:
		if e.Func != nil {
			expr(&e.Func)
		} else {
			expr(&e.Receiver)
		}
		for i := range e.Args {
			expr(&e.Args[i])
		}
	case *ast.LogicalOpExpr:
		expr(&e.Lhs)
		expr(&e.Rhs)
	case *ast.RelationalOpExpr:
		expr(&e.Lhs)
		expr(&e.Rhs)
	case *ast.StringConcatOpExpr:
		expr(&e.Lhs)
		expr(&e.Rhs)
	case *ast.ArithmeticOpExpr:
		expr(&e.Lhs)
		expr(&e.Rhs)
	case *ast.UnaryMinusOpExpr:
		expr(&e.Expr)
	case *ast.UnaryNotOpExpr:
		expr(&e.Expr)
	case *ast.UnaryLenOpExpr:
		expr(&e.Expr)
	case *ast.FunctionExpr:
		block(&e.Stmts)
	case *ast.TrueExpr, *ast.FalseExpr, *ast.NilExpr, *ast.NumberExpr, *ast.StringExpr, *ast.Comma3Expr, *ast.IdentExpr:
	default:
		panic(fmt.Sprintf("sandbox: unknown expression %T", e))
	}
}

// parts is children for a statement. Of a function definition it gives the name
// and the body, not the function expression itself.
func parts(st ast.Stmt, expr func(*ast.Expr), block func(*[]ast.Stmt)) {
	switch st := st.(type) {
	case *ast.AssignStmt:
		for i := range st.Lhs {
			expr(&st.Lhs[i])
		}
		for i := range st.Rhs {
			expr(&st.Rhs[i])
		}
	case *ast.LocalAssignStmt:
		for i := range st.Exprs {
			expr(&st.Exprs[i])
		}
	case *ast.FuncCallStmt:
		expr(&st.Expr)
	case *ast.DoBlockStmt:
		block(&st.Stmts)
	case *ast.WhileStmt:
		expr(&st.Condition)
		block(&st.Stmts)
	case *ast.RepeatStmt:
		block(&st.Stmts)
		expr(&st.Condition)
	case *ast.IfStmt:
		expr(&st.Condition)
		block(&st.Then)
		block(&st.Else)
	case *ast.NumberForStmt:
		expr(&st.Init)
		expr(&st.Limit)
		if st.Step != nil {
			expr(&st.Step)
		}
		block(&st.Stmts)
	case *ast.GenericForStmt:
		for i := range st.Exprs {
			expr(&st.Exprs[i])
		}
		block(&st.Stmts)
	case *ast.FuncDefStmt:
		if st.Name.Func != nil {
			expr(&st.Name.Func)
		} else {
			expr(&st.Name.Receiver)
		}
		block(&st.Func.Stmts)
	case *ast.ReturnStmt:
		for i := range st.Exprs {
			expr(&st.Exprs[i])
		}
	case *ast.BreakStmt, *ast.LabelStmt, *ast.GotoStmt:
	default:
		panic(fmt.Sprintf("sandbox: unknown statement %T", st))
	}
}

// hasClosure: somewhere below stmts a function is made.
func hasClosure(stmts []ast.Stmt) bool {
	found := false
	var expr func(*ast.Expr)
	var block func(*[]ast.Stmt)
	expr = func(e *ast.Expr) {
		if _, ok := (*e).(*ast.FunctionExpr); ok {
			found = true
		}
		if !found {
			children(*e, expr, block)
		}
	}
	block = func(b *[]ast.Stmt) {
		for _, st := range *b {
			if _, ok := st.(*ast.FuncDefStmt); ok {
				found = true
			}
			if found {
				return
			}
			parts(st, expr, block)
		}
	}
	block(&stmts)
	return found
}

// at gives a made node the place of the one it stands for.
func at[T ast.PositionHolder](n T, like ast.PositionHolder) T {
	n.SetLine(like.Line())
	n.SetLastLine(like.LastLine())
	return n
}
