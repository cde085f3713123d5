package kernel

import "unsafe"

// text compiles an expression of type Text.
func (c *compiler) text(x *Expr) textual {
	switch x.Op {
	case Const:
		return func(*frame) string { return x.S }
	case Reg:
		return func(f *frame) string { return f.t[x.I] }
	case Load:
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
	case Select:
		test, a, b := c.condition(x.A), c.text(x.B), c.text(x.C)
		return func(f *frame) string {
			if test(f) {
				return a(f)
			}
			return b(f)
		}
	}
	panic("kernel: a text of unknown operation")
}
