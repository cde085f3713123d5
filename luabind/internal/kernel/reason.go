package kernel

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// A Reason says why a loop is interpreted, and where.
type Reason struct {
	Line int
	Text string
}

func (r *Reason) Error() string { return fmt.Sprintf("%s (line %d)", r.Text, r.Line) }

// refuse ends the look at a loop for a reason.
func refuse(at ast.PositionHolder, format string, args ...any) {
	panic(&Reason{at.Line(), fmt.Sprintf(format, args...)})
}

// caught turns what refuse raised into a value.
func caught(reason **Reason) {
	if r := recover(); r != nil {
		x, ok := r.(*Reason)
		if !ok {
			panic(r)
		}
		*reason = x
	}
}

// keyOf is the constant name of an index, "" if it is none.
func keyOf(get *ast.AttrGetExpr) string {
	if key, ok := get.Key.(*ast.StringExpr); ok {
		return key.Value
	}
	return ""
}

// callee is what a call calls, as the source has it.
func callee(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		if e.Func == nil {
			return callee(e.Receiver) + ":" + e.Method
		}
		return callee(e.Func)
	case *ast.IdentExpr:
		return e.Value
	case *ast.AttrGetExpr:
		if key, ok := e.Key.(*ast.StringExpr); ok {
			return callee(e.Object) + "." + key.Value
		}
	}
	return "a function"
}
