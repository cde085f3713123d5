package analysis

import (
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Tags that change while a row runs. Code records changes of tags and the host performs them after the call, so
// code must not ask for a tag that may have been changed since: see AsksFlipped.

// An asking walks a body in the order of execution, and finds questions for tags that may have changed by then.
type asking struct {
	flipped map[uint32]bool       // tags that may have changed before this place
	within  map[*ir.Stmt][]uint32 // for each loop: the tags that it changes
	found   bool                  // a question for a changed tag was found
}

// AsksFlipped reports whether a row asks for a tag that rows before it may have changed (asks), and whether it does
// so for a tag that the row itself may have changed before (late).
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

// collect returns the tags that statements change, and keeps those of each loop.
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

// body walks statements.
func (a *asking) body(list []*ir.Stmt) {
	for _, s := range list {
		if s.Price > 0 { // a loop: an iteration may come after another one
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

// exprs walks the expressions of one statement.
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
