package lint

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Operands that may be tables with operators of their own: these take anything as the other operand.

// operators are the metamethods of arithmetic, of .. and of #, and what the name of one may be made of.
var operators = []string{"__", "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__concat", "__len"}

// namesOperator reports whether a file has the name of an operator.
func (f *file) namesOperator() bool {
	found := false
	f.Chunk.Visit(syntax.Visitor{
		Stmt: func(st ast.Stmt) {
			if def, ok := st.(*ast.FuncDefStmt); ok {
				get, _ := def.Name.Func.(*ast.AttrGetExpr)
				found = found || slices.Contains(operators, def.Name.Method) || get != nil && slices.Contains(operators, member(get))
			}
		},
		Expr: func(e ast.Expr) {
			text, ok := e.(*ast.StringExpr)
			found = found || ok && slices.Contains(operators, text.Value)
		},
	})
	return found
}

// overloaded reports whether an operand may have operators of its own: some file has such tables, or the operand may come from anywhere.
func (c *checker) overloaded(f *file, list []ast.Expr) bool {
	return slices.ContainsFunc(list, func(e ast.Expr) bool {
		return c.value(f, e).sort == unknown && (f.metatables || c.operators || f.foreign(e))
	})
}

// foreign reports whether an expression is made of a parameter of a function that others call.
func (f *file) foreign(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IdentExpr:
		v := f.Chunk.Bindings.Of(e)
		if v == nil || v.Kind != syntax.Parameter {
			return v != nil && v.Kind == syntax.Local && !v.Assigned && v.Value != nil && f.foreign(v.Value)
		}
		fn := v.Node.(*ast.FunctionExpr)
		if _, all := f.names.Calls(v); all || f.names.Entry(fn) != "" {
			return false
		}
		to := f.names.Argument(fn)
		if to == nil || to.Method == "" {
			return true
		}
		on := f.names.Of(to.Receiver)
		_, ours := on.Object()
		return !ours || !f.holds(on)
	case *ast.ArithmeticOpExpr:
		return f.foreign(e.Lhs) || f.foreign(e.Rhs)
	case *ast.StringConcatOpExpr:
		return f.foreign(e.Lhs) || f.foreign(e.Rhs)
	case *ast.UnaryLenOpExpr:
		return f.foreign(e.Expr)
	case *ast.UnaryMinusOpExpr:
		return f.foreign(e.Expr)
	case *ast.LogicalOpExpr:
		return f.foreign(e.Lhs) || f.foreign(e.Rhs)
	case *ast.AttrGetExpr:
		return f.foreign(e.Object)
	case *ast.FuncCallExpr:
		return e.Func != nil && f.foreign(e.Func) || e.Receiver != nil && f.foreign(e.Receiver)
	}
	return false
}
