package kernel

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// A Probe is told how a condition of a Program came out, each time it is evaluated: If,
// While and the like, and the parts of and, or, not. Of two numbers that are compared,
// distance is their difference, and 0 otherwise. rows are where the views of the loop
// are, valid until it returns.
type Probe func(x *Expr, is bool, distance float64, rows []unsafe.Pointer)

// Probed makes a kernel that does what that of Closures does, a little slower, and tells
// a probe of the conditions.
func (p *Program) Probed(b *sandbox.Budget, probe Probe) *Kernel {
	c := newCompiler(p)
	c.probe = probe
	return c.kernel(p, b)
}

func (c *compiler) probed(x *Expr) logical {
	probe, views := c.probe, c.p.Views
	compared := x.Op == Less || x.Op == LessEqual || x.Op == Equal && x.A.Type == Number
	if !compared {
		test := c.test(x)
		return func(f *frame) bool {
			is := test(f)
			probe(x, is, 0, f.ptr[:views])
			return is
		}
	}
	op, a, b := x.Op, c.number(x.A), c.number(x.B)
	return func(f *frame) bool {
		v, w := a(f), b(f)
		var is bool
		switch op {
		case Less:
			is = v < w
		case LessEqual:
			is = v <= w
		default: // Equal: see compared
			is = v == w
		}
		probe(x, is, v-w, f.ptr[:views])
		return is
	}
}
