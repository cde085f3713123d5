package machine

import (
	"maps"

	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// Flips of tags are records like effects, made by the host after the call. A loop
// that asks for a tag which it flips ends the call after each row that has flipped
// one, so that the next row finds it flipped. A row that asks after it has flipped
// is for closures.

// flips reports whether an expression is the flip of a tag.
func flips(x *kernel.Expr) bool { return x.Op == kernel.Tag || x.Op == kernel.Untag }

// flip records the flip of a tag.
func (e *emitter) flip(s *kernel.Stmt) {
	to := e.local(f64)
	e.number(s.A.A, false)
	e.set(to)
	e.roomLeft()
	e.get(e.ring)
	e.i32(number(&e.emits, s))
	e.memory(opI32Store, 0)
	e.get(e.ring)
	e.get(to)
	e.memory(opF64Store, 8)
	e.get(e.ring)
	e.i32(16)
	e.op(opI32Add)
	e.set(e.ring)
	if e.flipped != 0 {
		e.i32(1)
		e.set(e.flipped)
	}
}

// flippedBefore ends the call in front of a row when one before it has flipped a tag
// that the loop asks for.
func (e *emitter) flippedBefore() {
	if e.flipped == 0 {
		return
	}
	e.get(e.flipped)
	e.then(void)
	e.leave(filled, 0, 0)
	e.end()
}

// An asking is what statements ask of tags that were flipped.
type asking struct {
	flipped map[uint32]bool
	found   bool // they ask for one
}

// asksFlipped reports whether a row asks for a tag that rows before it may have
// flipped, and whether it does after it has flipped that itself.
func asksFlipped(p *kernel.Program) (asks, late bool) {
	a := &asking{flipped: map[uint32]bool{}}
	a.body(p.Body)
	late, a.found = a.found, false
	a.body(p.Body)
	return a.found, late
}

func (a *asking) body(list []*kernel.Stmt) {
	for _, s := range list {
		a.exprs(s)
		switch s.Op {
		case kernel.If:
			before := maps.Clone(a.flipped)
			a.body(s.Body)
			then := a.flipped
			a.flipped = before
			a.body(s.Else)
			maps.Copy(a.flipped, then)
		case kernel.While, kernel.Repeat, kernel.Count, kernel.Each, kernel.Near: // the second turn as the first has flipped
			for range 2 {
				a.body(s.Body)
				a.exprs(s)
			}
		default:
			a.body(s.Body)
		}
	}
}

func (a *asking) exprs(s *kernel.Stmt) {
	visit := func(x *kernel.Expr) {
		switch {
		case flips(x):
			a.flipped[x.ID] = true
		case x.Op == kernel.Tagged:
			a.found = a.found || a.flipped[x.ID]
		}
	}
	alone := *s
	alone.Body, alone.Else = nil, nil
	walk([]*kernel.Stmt{&alone}, func(*kernel.Stmt) {}, visit)
}
