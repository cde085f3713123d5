package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Fast code for the most common statement: field = field + field * register, as in pos.x = pos.x + vel.dx * dt. If
// a body begins with such statements and nothing can interfere, they are computed for many rows at once, before the
// rest of the body.

// A product is such a statement: the field at offset at of view to = the field at a of view from + the field at b
// of view by * number register reg.
type product struct {
	to, from, by int     // views
	at, a, b     uintptr // offsets of the fields
	reg          int
	bit          uint64 // the bit of view to
}

// product recognizes a statement as a product. ok is false for other statements.
func (c *compiler) product(s *ir.Stmt) (p product, ok bool) {
	if s.Op != ir.Store || s.Field.Type != ecs.F64 || c.maybe(s.I) {
		return p, false
	}
	sum := s.A
	if sum.Op != ir.Add || !c.isF64(sum.A) || sum.B.Op != ir.Mul || !c.isF64(sum.B.A) || sum.B.B.Op != ir.Reg {
		return p, false
	}
	return product{
		to: c.view(s.I), from: c.view(sum.A.I), by: c.view(sum.B.A.I),
		at: s.Field.Offset, a: sum.A.Field.Offset, b: sum.B.A.Field.Offset,
		reg: sum.B.B.I & (ir.MaxRegisters - 1), bit: 1 << s.I,
	}, true
}

// fused compiles a product to one closure. It returns nil for other statements.
func (c *compiler) fused(s *ir.Stmt) step {
	p, ok := c.product(s)
	if !ok {
		return nil
	}
	return func(f *frame) int {
		*f.f64(p.to, p.at) = *f.f64(p.from, p.a) + (float64(*f.f64(p.by, p.b)*f.n[p.reg]) + 0) + 0
		f.dirty |= p.bit
		return next
	}
}

// pair compiles two successive products to one closure. It returns nil for other statements.
func (c *compiler) pair(s, t *ir.Stmt) step {
	p, ok := c.product(s)
	q, also := c.product(t)
	if !ok || !also || !c.within(s.I) || !c.within(t.I) {
		return nil
	}
	bits := p.bit | q.bit
	return func(f *frame) int {
		*f.f64(p.to, p.at) = *f.f64(p.from, p.a) + (float64(*f.f64(p.by, p.b)*f.n[p.reg]) + 0) + 0
		*f.f64(q.to, q.at) = *f.f64(q.from, q.a) + (float64(*f.f64(q.by, q.b)*f.n[q.reg]) + 0) + 0
		f.dirty |= bits
		return next
	}
}

// leading returns the products at the beginning of the body, if they may be computed for many rows before the rest
// of the body runs for any of them. The conditions are that no row ever has to be restored, and that the rest
// neither breaks the loop nor assigns a register of the products.
func (c *compiler) leading() (list []product) {
	if c.exact {
		return nil
	}
	body := c.p.Body
	for len(list) < len(body) {
		p, ok := c.product(body[len(list)])
		if !ok {
			break
		}
		list = append(list, p)
	}
	if !steady(body[len(list):], list) {
		return nil
	}
	return list
}

// steady reports whether statements neither break the loop nor assign a register of the products.
func steady(body []*ir.Stmt, list []product) bool {
	for _, s := range body {
		if s.Op == ir.Break || !steady(s.Body, list) || !steady(s.Else, list) {
			return false
		}
		for _, p := range list {
			if s.Op == ir.Set && s.A.Type == ir.Number && s.I == p.reg {
				return false
			}
		}
	}
	return true
}

// ahead is the number of rows for which products are computed before the rest of the body runs. Their fields fit in
// the first-level cache.
const ahead = 128

// multiply computes the products for n rows, beginning with the one that the views are set to. It does not move the
// views.
func (k *Kernel) multiply(n int) {
	f := &k.frame
	for i := range k.products {
		p := &k.products[i]
		to, a, b := unsafe.Pointer(f.f64(p.to, p.at)), unsafe.Pointer(f.f64(p.from, p.a)), unsafe.Pointer(f.f64(p.by, p.b))
		width, wa, wb, x := k.stride[p.to], k.stride[p.from], k.stride[p.by], f.n[p.reg]
		var at, ata, atb uintptr
		for range n {
			*(*float64)(unsafe.Add(to, at)) = *(*float64)(unsafe.Add(a, ata)) + (float64(*(*float64)(unsafe.Add(b, atb))*x) + 0) + 0
			at, ata, atb = at+width, ata+wa, atb+wb
		}
	}
}
