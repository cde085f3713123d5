package ir

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// Tags returns the tags that the body sets, and those that it removes, at once: not by commands. Both are sorted, each
// tag once.
func (p *Program) Tags() (set, removed []ecs.TagID) {
	var expr func(e *Expr)
	expr = func(e *Expr) {
		if e == nil {
			return
		}
		if e.Op == Tag {
			set = append(set, ecs.TagID(e.ID))
		} else if e.Op == Untag {
			removed = append(removed, ecs.TagID(e.ID))
		}
		expr(e.A)
		expr(e.B)
		expr(e.C)
	}
	var body func(list []*Stmt)
	body = func(list []*Stmt) {
		for _, s := range list {
			expr(s.A)
			expr(s.B)
			expr(s.C)
			for _, a := range s.Args {
				expr(a)
			}
			body(s.Body)
			body(s.Else)
		}
	}
	body(p.Body)
	for _, list := range []*[]ecs.TagID{&set, &removed} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return set, removed
}
