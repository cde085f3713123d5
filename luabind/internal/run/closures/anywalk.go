package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
)

// Loops over the items and the entries of a table of type Any.

// items compiles ir.Items: a loop over ipairs.
func (c *compiler) items(s *ir.Stmt) step {
	list, keep := c.ref(s.A, true), c.p.Drafts && s.J >= 0
	body, price, i, j, held := c.sequence(s.Body), s.Price, s.I, s.J, new(ecs.Value)
	return func(f *frame) int {
		in := list(f).Held(held)
		if f.failed || !in.IsTable() {
			return stopped
		}
		for n := 1.0; ; n++ {
			v, _ := in.Item(n, keep)
			if v.IsNil() {
				return next
			}
			if !f.burn(price) {
				return stopped
			}
			f.n[i] = n
			if j >= 0 {
				f.a[j].set(v)
			}
			if how := body(f); how == broken {
				return next
			} else if how != next {
				return how
			}
		}
	}
}

// entries compiles ir.Entries: a loop over pairs.
func (c *compiler) entries(s *ir.Stmt) step {
	list, keep := c.ref(s.A, true), c.p.Drafts && s.J >= 0
	body, price, i, j, held, walk := c.sequence(s.Body), s.Price, s.I, s.J, new(ecs.Value), new(draft.Walk)
	return func(f *frame) int {
		in := list(f).Held(held)
		if f.failed || !in.IsTable() {
			return stopped
		}
		*walk = draft.Walk{}
		for {
			v, more, ok := walk.Next(in, keep)
			if !ok {
				return stopped
			}
			if !more {
				return next
			}
			if !f.burn(price) {
				return stopped
			}
			f.a[i].set(draft.Ref{Value: &walk.Key})
			if j >= 0 {
				f.a[j].set(v)
			}
			if how := body(f); how == broken {
				return next
			} else if how != next {
				return how
			}
		}
	}
}
