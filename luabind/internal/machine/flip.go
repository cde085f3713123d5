package machine

import (
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// Flips of tags are records like effects, made by the host after the call. A loop
// that asks for a tag which it flips ends the call after each row that has flipped
// one, so that the next row finds it flipped. A row that asks after it has flipped
// is for closures.

// flips reports whether an expression is the flip of a tag.
func flips(x *ir.Expr) bool { return x.Op == ir.Tag || x.Op == ir.Untag }

// flip records the flip of a tag.
func (e *emitter) flip(s *ir.Stmt) {
	to := e.Local(wasm.F64)
	e.number(s.A.A, false)
	e.Set(to)
	e.roomLeft()
	e.Get(e.ring)
	e.I32(number(&e.emits, s))
	e.Memory(wasm.I32Store, 0)
	e.Get(e.ring)
	e.Get(to)
	e.Memory(wasm.F64Store, 8)
	e.Get(e.ring)
	e.I32(16)
	e.Op(wasm.I32Add)
	e.Set(e.ring)
	if e.flipped != 0 {
		e.I32(1)
		e.Set(e.flipped)
	}
}

// flippedBefore ends the call in front of a row when one before it has flipped a tag
// that the loop asks for.
func (e *emitter) flippedBefore() {
	if e.flipped == 0 {
		return
	}
	e.Get(e.flipped)
	e.Then(wasm.Void)
	e.leave(filled, 0, 0)
	e.End()
}

// An asking finds out, statement by statement in the order of the body, whether a tag is asked for that may be flipped by then.
type asking struct {
	flipped map[uint32]bool       // tags that may be flipped at this place
	within  map[*ir.Stmt][]uint32 // by loop: the tags that it flips
	found   bool                  // a flipped tag is asked for
}

// asksFlipped reports whether a row asks for a tag that rows before it may have
// flipped, and whether it does after it has flipped that itself.
func asksFlipped(p *ir.Program) (asks, late bool) {
	a := &asking{flipped: map[uint32]bool{}, within: map[*ir.Stmt][]uint32{}}
	if len(a.collect(p.Body)) == 0 {
		return false, false
	}
	a.body(p.Body)
	late, a.found = a.found, false
	a.body(p.Body)
	return a.found, late
}

// collect lists the tags that statements flip, and notes those of each loop.
func (a *asking) collect(list []*ir.Stmt) (tags []uint32) {
	for _, s := range list {
		here := append(a.collect(s.Body), a.collect(s.Else)...)
		walkOwn(s, func(x *ir.Expr) {
			if flips(x) && !slices.Contains(here, x.ID) {
				here = append(here, x.ID)
			}
		})
		if s.Price > 0 {
			a.within[s] = here
		}
		for _, id := range here {
			if !slices.Contains(tags, id) {
				tags = append(tags, id)
			}
		}
	}
	return tags
}

func (a *asking) body(list []*ir.Stmt) {
	for _, s := range list {
		if s.Price > 0 { // a loop: its first turn is looked at as if others had been before
			for _, id := range a.within[s] {
				a.flipped[id] = true
			}
		}
		a.exprs(s)
		if s.Op != ir.If {
			a.body(s.Body)
			continue
		}
		before := maps.Clone(a.flipped)
		a.body(s.Body)
		then := a.flipped
		a.flipped = before
		a.body(s.Else)
		maps.Copy(a.flipped, then)
	}
}

func (a *asking) exprs(s *ir.Stmt) {
	walkOwn(s, func(x *ir.Expr) {
		switch {
		case flips(x):
			a.flipped[x.ID] = true
		case x.Op == ir.Tagged:
			a.found = a.found || a.flipped[x.ID]
		}
	})
}
