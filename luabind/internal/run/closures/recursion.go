package closures

import (
	"math/bits"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Functions that call themselves: ir.Recurse and ir.Again. The body is compiled once. An inner call keeps the registers and views
// of the outer one on a stack in the frame. Statements whose closures have memory of their own, such as loops over sources, take
// new memory where they may run inside themselves: see ir.Recurs.

// A stack has what the outer calls of functions that call themselves have kept, innermost last. deep is their number.
type stack struct {
	deep  int
	n     []float64
	b     []bool
	t     []string
	a     []anyRegister
	views []keptView
}

// A keptView is a view of an outer call.
type keptView struct {
	ptr      unsafe.Pointer
	location location
	box      boxed
}

// A called is the compiled body of an ir.Recurse.
type called struct {
	of   *ir.Stmt
	body step
}

// recurse compiles ir.Recurse.
func (c *compiler) recurse(s *ir.Stmt) step {
	in := &called{of: s}
	if c.called == nil {
		c.called = map[int]*called{}
	}
	c.called[s.I] = in
	body, here := c.sequence(s.Body), firstJump+s.I
	in.body = func(f *frame) int {
		if how := body(f); how != here {
			return how
		}
		return next
	}
	return in.body
}

// again compiles ir.Again.
func (c *compiler) again(s *ir.Stmt) step {
	in, price, calls := c.called[s.I], s.Price, s.Mark
	var locals, params [4][]int
	live := liveAfter(in.of, s)
	for _, p := range s.Recursion.Locals {
		if live[ir.Place{Used: true, Type: p.Type, Reg: p.Reg}] {
			locals[p.Type] = append(locals[p.Type], p.Reg)
		}
	}
	var numbers []numberFn
	var flags []boolFn
	var texts []textFn
	var refs []refFn
	for i, p := range s.Recursion.Params {
		params[p.Type] = append(params[p.Type], p.Reg)
		switch x := s.Args[i]; p.Type {
		case ir.Number:
			numbers = append(numbers, c.number(x))
		case ir.Bool:
			flags = append(flags, c.condition(x))
		case ir.Text:
			texts = append(texts, c.text(x))
		case ir.Any:
			refs = append(refs, c.ref(x, true))
		}
	}
	views := uint64(0)
	for _, view := range s.Recursion.Views {
		views |= 1 << view
	}
	return func(f *frame) int {
		if f.stack.deep+calls > ir.MostDeep || !f.burn(price) || !f.noteAll(f.dirty&views) {
			return stopped
		}
		k := &f.stack
		n, b, t, a, v, own := len(k.n), len(k.b), len(k.t), len(k.a), len(k.views), f.own&views
		for _, i := range locals[ir.Number] {
			k.n = append(k.n, f.n[i])
		}
		for _, i := range locals[ir.Bool] {
			k.b = append(k.b, f.b[i])
		}
		for _, i := range locals[ir.Text] {
			k.t = append(k.t, f.t[i])
		}
		for _, i := range locals[ir.Any] {
			k.a = append(k.a, f.a[i])
		}
		for left := views; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left) & (ir.MaxViews - 1)
			k.views = append(k.views, keptView{f.ptr[i], f.location[i], f.boxes[i]})
		}
		n1, b1, t1, a1 := len(k.n), len(k.b), len(k.t), len(k.a)
		for _, x := range numbers {
			k.n = append(k.n, x(f))
		}
		for _, x := range flags {
			k.b = append(k.b, x(f))
		}
		for _, x := range texts {
			k.t = append(k.t, x(f))
		}
		for _, x := range refs {
			var r anyRegister
			r.set(x(f))
			k.a = append(k.a, r)
		}
		how := stopped
		if !f.failed {
			for j, i := range params[ir.Number] {
				f.n[i] = k.n[n1+j]
			}
			for j, i := range params[ir.Bool] {
				f.b[i] = k.b[b1+j]
			}
			for j, i := range params[ir.Text] {
				f.t[i] = k.t[t1+j]
			}
			for j, i := range params[ir.Any] {
				f.a[i] = k.a[a1+j]
			}
			k.deep += calls
			how = in.body(f)
			k.deep -= calls
		}
		if how == next && !f.noteAll(f.dirty&views) {
			how = stopped
		}
		for j, i := range locals[ir.Number] {
			f.n[i] = k.n[n+j]
		}
		for j, i := range locals[ir.Bool] {
			f.b[i] = k.b[b+j]
		}
		for j, i := range locals[ir.Text] {
			f.t[i] = k.t[t+j]
		}
		for j, i := range locals[ir.Any] {
			f.a[i] = k.a[a+j]
		}
		j := v
		for left := views; left != 0; left &= left - 1 {
			i, kept := bits.TrailingZeros64(left)&(ir.MaxViews-1), &k.views[j]
			f.ptr[i], f.location[i], f.boxes[i] = kept.ptr, kept.location, kept.box
			j++
		}
		f.own = f.own&^views | own
		k.n, k.b, k.t, k.a, k.views = k.n[:n], k.b[:b], k.t[:t], k.a[:a], k.views[:v]
		return how
	}
}

// end forgets what the stack has pointed at.
func (k *stack) end() {
	clear(k.t[:cap(k.t)])
	clear(k.a[:cap(k.a)])
	clear(k.views[:cap(k.views)])
}
