package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
)

// Values of any type, and texts.

// The kinds of closures. A step returns how its statement ended: next, broken and so on (frame.go).
type (
	numberFn func(*frame) float64
	boolFn   func(*frame) bool
	textFn   func(*frame) string
	refFn    func(*frame) draft.Ref
	step     func(*frame) int
)

// A valueFn computes a value of type typ. Only the function for this type is set.
type valueFn struct {
	typ ir.Type
	n   numberFn
	b   boolFn
	t   textFn
	a   refFn
}

// valueFn compiles an expression of any type.
func (c *compiler) valueFn(x *ir.Expr) valueFn {
	g := valueFn{typ: x.Type}
	switch x.Type {
	case ir.Any: // a table for a field; outputs are not of this type
		g.a = c.ref(x, false)
	case ir.Bool:
		g.b = c.condition(x)
	case ir.Text:
		g.t = c.text(x)
	case ir.Number:
		g.n = c.number(x)
	}
	return g
}

// valueFns compiles several expressions.
func (c *compiler) valueFns(list []*ir.Expr) (out []valueFn) {
	for _, x := range list {
		out = append(out, c.valueFn(x))
	}
	return out
}

// eval returns the value, which is not of type Any: n for a number or a boolean (0 or 1), s for a string.
func (g *valueFn) eval(f *frame) (n float64, s string) {
	switch g.typ {
	case ir.Number:
		n = g.n(f)
	case ir.Text:
		s = g.t(f)
	default:
		if g.b(f) {
			n = 1
		}
	}
	return n, s
}

// text compiles an expression of type Text.
func (c *compiler) text(x *ir.Expr) textFn {
	switch x.Op {
	case ir.Const:
		return func(*frame) string { return x.S }
	case ir.Reg:
		return func(f *frame) string { return f.t[x.I] }
	case ir.Load:
		view, at := c.view(x.I), x.Field.Offset
		if !c.maybe(x.I) {
			return func(f *frame) string { return *(*string)(unsafe.Add(f.ptr[view], at)) }
		}
		return func(f *frame) string {
			if f.ptr[view] == nil {
				f.failed = true
				return ""
			}
			return *(*string)(unsafe.Add(f.ptr[view], at))
		}
	case ir.Lookup:
		return c.lookupText(x)
	case ir.As:
		return c.asText(x)
	case ir.Join, ir.Shown:
		return c.joined(x)
	case ir.Select:
		test, a, b := c.condition(x.A), c.text(x.B), c.text(x.C)
		return func(f *frame) string {
			if test(f) {
				return a(f)
			}
			return b(f)
		}
	}
	panic("closures: a text of unknown operation")
}
