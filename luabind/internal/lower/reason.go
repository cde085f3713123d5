package lower

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// A Reason says why a loop is interpreted, where, and what to change so that it is compiled.
type Reason struct {
	Line   int
	Text   string
	Advice Advice
}

// Error returns the reason with its line, without the advice.
func (r *Reason) Error() string { return fmt.Sprintf("%s (line %d)", r.Text, r.Line) }

// refuse ends both steps with a reason that needs no advice: see refuseWith.
func refuse(at ast.PositionHolder, format string, args ...any) { refuseWith(at, "", format, args...) }

// refuseWith ends both steps: it panics with the reason, and caught recovers it.
func refuseWith(at ast.PositionHolder, advice Advice, format string, args ...any) {
	panic(&Reason{Line: at.Line(), Text: fmt.Sprintf(format, args...), Advice: advice})
}

// caught recovers the panic of refuseWith and sets *reason. It is called by defer.
func caught(reason **Reason) {
	if r := recover(); r != nil {
		x, ok := r.(*Reason)
		if !ok {
			panic(r)
		}
		*reason = x
	}
}

// keyOf returns the key of an index if it is a string in the source; "" otherwise.
func keyOf(get *ast.AttrGetExpr) string {
	if key, ok := get.Key.(*ast.StringExpr); ok {
		return key.Value
	}
	return ""
}

// callee returns what a call calls, as the source has it.
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
