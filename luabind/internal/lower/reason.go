package lower

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// A Reason says why a loop is interpreted, where, and what to change so that it is compiled.
type Reason struct {
	File   string // that the line is in, "" for that of the loop
	Line   int
	Text   string
	Advice Advice

	whole bool // the line is that of the loop, whatever was being looked at
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

// within is deferred while the body of a function is looked at: a reason that panics out of it is one of the function's file.
func within(f *Function) {
	if f.File == "" {
		return
	}
	if x := recover(); x != nil {
		if r, ok := x.(*Reason); ok && r.File == "" && !r.whole {
			r.File = f.File
		}
		panic(x)
	}
}

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
