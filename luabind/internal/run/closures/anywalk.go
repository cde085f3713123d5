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
	body, price, i, j, memory, item, again := c.sequence(s.Body), s.Price, s.I, s.J, new(ecs.Value), new(luaItem), ir.Recurs(s)
	return func(f *frame) int {
		held := memory
		if again {
			held = new(ecs.Value)
		}
		in := list(f).Held(held)
		if f.failed || !in.IsTable() {
			return stopped
		}
		for n := 1.0; ; n++ {
			var v draft.Ref
			if in = in.Now(); in.Lua != nil {
				if v = item.raw(f, in.Lua, n); f.failed {
					return stopped
				}
			} else {
				v, _ = in.Item(n, keep)
			}
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

// An entriesMemory is the memory of an ir.Entries while it runs.
type entriesMemory struct {
	held ecs.Value
	walk draft.Walk
}

// entries compiles ir.Entries: a loop over pairs.
func (c *compiler) entries(s *ir.Stmt) step {
	list, keep := c.ref(s.A, true), c.p.Drafts && s.J >= 0
	body, price, i, j, memory, again := c.sequence(s.Body), s.Price, s.I, s.J, new(entriesMemory), ir.Recurs(s)
	pairs := c.luaEntries(s, body)
	return func(f *frame) int {
		m := memory
		if again {
			m = new(entriesMemory)
		}
		held, walk := &m.held, &m.walk
		in := list(f).Held(held)
		if f.failed || !in.IsTable() {
			return stopped
		}
		if in.Lua != nil {
			return pairs(f, in.Lua)
		}
		*walk = draft.Walk{}
		for {
			if in.Table != nil && in.Table.Escaped() {
				f.blames(putsWalked)
				return stopped
			}
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
