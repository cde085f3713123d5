package lower

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// Reasons: why a loop is interpreted. Both steps refuse by a panic with a Reason, which Prepare and Lower recover;
// so code in between needs no error returns.

// A Reason says why a loop is interpreted, where, and what to change so that it is compiled.
type Reason struct {
	File   string // the file of the line; "" for the file of the loop
	Line   int
	Text   string
	Advice Advice

	whole  bool // the reason is about the whole loop, so an exit does not help
	placed bool // File is that of the function in which the reason came up
}

// Error returns the reason with its line, without the advice.
func (r *Reason) Error() string { return fmt.Sprintf("%s (%s)", r.Text, place(r.File, r.Line)) }

// place returns a line as messages show it.
func place(file string, line int) string {
	if file != "" {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("line %d", line)
}

// within must be deferred while the body of a function is walked: it sets the file of a reason that comes up there. The
// functions that call this one, which may be those of other files, leave it as it is.
func within(f *Function) {
	if x := recover(); x != nil {
		if r, ok := x.(*Reason); ok && !r.placed && !r.whole {
			r.File, r.placed = f.File, true
		}
		panic(x)
	}
}

// refuse is refuseWith without advice.
func refuse(at ast.PositionHolder, format string, args ...any) { refuseWith(at, "", format, args...) }

// refuseWith refuses the loop: it panics with a reason for the line of at.
func refuseWith(at ast.PositionHolder, advice Advice, format string, args ...any) {
	panic(&Reason{Line: at.Line(), Text: fmt.Sprintf(format, args...), Advice: advice})
}

// caught must be deferred. It recovers the panic of refuseWith, and sets *reason.
func caught(reason **Reason) {
	if r := recover(); r != nil {
		x, ok := r.(*Reason)
		if !ok {
			panic(r)
		}
		*reason = x
	}
}

// keyOf returns the key of an index expression if it is a constant string; "" otherwise.
func keyOf(get *ast.AttrGetExpr) string {
	if key, ok := get.Key.(*ast.StringExpr); ok {
		return key.Value
	}
	return ""
}

// callee returns the name of what a call calls, as the source has it.
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
