package syntax

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// The walks that know nothing of scopes: what is directly below a node, and a search. Code that changes trees uses
// them, because they give pointers to the parts.

// Children calls expr for each expression directly below an expression, in the order of the source, and block for
// the body of a function. They may write through the pointers to replace a part. It panics for a node of an unknown
// kind.
func Children(e ast.Expr, expr func(*ast.Expr), block func(*[]ast.Stmt)) {
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
		panic(fmt.Sprintf("syntax: unknown expression %T", e))
	}
}

// Parts is [Children] for a statement. For a function definition it gives the name and the body, not the function
// expression itself.
func Parts(st ast.Stmt, expr func(*ast.Expr), block func(*[]ast.Stmt)) {
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
		panic(fmt.Sprintf("syntax: unknown statement %T", st))
	}
}

// A Step says how [Search] continues after a node.
type Step uint8

// The steps.
const (
	Deeper Step = iota // with the nodes inside this one
	Past               // with the node after this one
	Found              // not at all
)

// Search calls look for the statements and expressions below stmts in the order of the source, each before those
// inside it, until look returns [Found]. It reports whether that happened. For a function definition look gets the
// statement, and not the function expression in it.
func Search(stmts []ast.Stmt, look func(ast.PositionHolder) Step) bool {
	found := false
	var expr func(*ast.Expr)
	var block func(*[]ast.Stmt)
	deeper := func(n ast.PositionHolder) bool {
		step := Past
		if !found {
			step = look(n)
		}
		found = found || step == Found
		return step == Deeper
	}
	expr = func(e *ast.Expr) {
		if deeper(*e) {
			Children(*e, expr, block)
		}
	}
	block = func(b *[]ast.Stmt) {
		for _, st := range *b {
			if found {
				return
			}
			if deeper(st) {
				Parts(st, expr, block)
			}
		}
	}
	block(&stmts)
	return found
}

// At gives a new node the lines of the node that it replaces, and returns it.
func At[T ast.PositionHolder](n T, like ast.PositionHolder) T {
	n.SetLine(like.Line())
	n.SetLastLine(like.LastLine())
	return n
}
