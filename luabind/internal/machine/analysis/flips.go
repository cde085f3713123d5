package analysis

import (
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// An asking finds out, statement by statement in the order of the body, whether a tag is asked for that may be flipped by then.
type asking struct {
	flipped map[uint32]bool       // tags that may be flipped at this place
	within  map[*ir.Stmt][]uint32 // by loop: the tags that it flips
	found   bool                  // a flipped tag is asked for
}

// AsksFlipped reports whether a row asks for a tag that rows before it may have
// flipped, and whether it does after it has flipped that itself.
func AsksFlipped(p *ir.Program) (asks, late bool) {
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
		abi.WalkOwn(s, func(x *ir.Expr) {
			if abi.FlipsTag(x) && !slices.Contains(here, x.ID) {
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
		if s.Price > 0 { // a loop: its first iteration may come after others
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
	abi.WalkOwn(s, func(x *ir.Expr) {
		switch {
		case abi.FlipsTag(x):
			a.flipped[x.ID] = true
		case x.Op == ir.Tagged:
			a.found = a.found || a.flipped[x.ID]
		}
	})
}
