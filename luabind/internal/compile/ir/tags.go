package ir

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// Tags returns the tags that the body sets, and those that it removes, at once: not by commands. Both are sorted, each
// tag once.
func (p *Program) Tags() (set, removed []ecs.TagID) {
	Expressions(p.Body, func(e *Expr) {
		if e.Op == Tag {
			set = append(set, ecs.TagID(e.ID))
		} else if e.Op == Untag {
			removed = append(removed, ecs.TagID(e.ID))
		}
	})
	for _, list := range []*[]ecs.TagID{&set, &removed} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return set, removed
}
