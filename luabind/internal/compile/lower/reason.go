package lower

import (
	"fmt"
	"strconv"
	"unicode/utf8"

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
func (r *Reason) Error() string { return fmt.Sprintf("%s (%s)", r.Text, r.At()) }

// At returns the place of a reason, as messages show it.
func (r *Reason) At() string { return PlaceOf(r.File, r.Line) }

// PlaceOf returns a line as messages show it.
func PlaceOf(file string, line int) string {
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

// refuseTarget refuses an assignment to something that a kernel cannot assign.
func refuseTarget(at ast.PositionHolder) {
	if e, ok := at.(ast.Expr); ok {
		advice := AssignAfter
		if get, ok := e.(*ast.AttrGetExpr); ok && keyOf(get) == "" {
			advice = intoLists
		}
		refuseWith(at, advice, "assigns %s, which is no local, field, resource or number in a table", inSource(e))
	}
	refuseWith(at, AssignAfter, "assigns something else than a local, a field, a resource or a number in a table")
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
	call, ok := e.(*ast.FuncCallExpr)
	switch {
	case !ok:
		return objectText(e)
	case call.Func == nil:
		return objectText(call.Receiver) + ":" + call.Method
	}
	return objectText(call.Func)
}

// objectText returns what is indexed or called as the source has it: in parentheses where Lua wants them.
func objectText(e ast.Expr) string {
	switch e.(type) {
	case *ast.IdentExpr, *ast.AttrGetExpr, *ast.FuncCallExpr:
		return inSource(e)
	}
	return "(" + inSource(e) + ")"
}

// mostWritten is the longest text in quotes that a reason repeats.
const mostWritten = 20

// inSource returns an expression as the source has it, with … for what a reason need not repeat.
func inSource(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return e.Value
	case *ast.NumberExpr:
		return e.Value
	case *ast.StringExpr:
		if utf8.RuneCountInString(e.Value) > mostWritten {
			return `"…"`
		}
		return strconv.Quote(e.Value)
	case *ast.FunctionExpr:
		return "function…"
	case *ast.UnaryLenOpExpr:
		return "#" + objectText(e.Expr)
	case *ast.LogicalOpExpr:
		return operandIn(e.Lhs, e.Operator, false) + " " + e.Operator + " " + operandIn(e.Rhs, e.Operator, true)
	case *ast.ArithmeticOpExpr:
		return operandIn(e.Lhs, e.Operator, false) + " " + e.Operator + " " + operandIn(e.Rhs, e.Operator, true)
	case *ast.Comma3Expr:
		return "..."
	case *ast.FuncCallExpr:
		if len(e.Args) == 0 {
			return callee(e) + "()"
		}
		return callee(e) + "(…)"
	case *ast.AttrGetExpr:
		if key, ok := e.Key.(*ast.StringExpr); ok {
			if isName(key.Value) {
				return objectText(e.Object) + "." + key.Value
			}
			return fmt.Sprintf("%s[%q]", objectText(e.Object), key.Value)
		}
		return objectText(e.Object) + "[" + inSource(e.Key) + "]"
	}
	return "…"
}

// binds says how strongly an operator binds, as in the grammar of Lua.
var binds = map[string]int{"or": 1, "and": 2, "+": 3, "-": 3, "*": 4, "/": 4, "%": 4, "^": 5}

// operandIn is inSource for an operand of an operator, in parentheses where the source has them.
func operandIn(e ast.Expr, operator string, right bool) string {
	inner := ""
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		inner = e.Operator
	case *ast.ArithmeticOpExpr:
		inner = e.Operator
	}
	text := inSource(e)
	if inner != "" && (binds[inner] < binds[operator] || binds[inner] == binds[operator] && right == (operator != "^")) {
		return "(" + text + ")"
	}
	return text
}

// isName reports whether a key can stand after a dot.
func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
