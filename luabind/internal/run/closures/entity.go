package closures

import (
	"math/bits"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Components and tags of any entity, found by handle. Components are read and written in their columns; stores are
// logged in the undo log. Tags change at once, so that later expressions of the row see the change; it is logged,
// too.

// look compiles ir.Look: it sets a view to a component of an entity, and for a view that is stored also where that
// is. Before the view moves on, the row that it has stored is noted for stamping.
func (c *compiler) look(s *ir.Stmt) step {
	e, ref := c.number(s.A), c.p.Refs[s.I-c.p.Views]
	finder, view, bit := c.finder(ref.Component), s.I&(ir.MaxViews-1), uint64(1)<<s.I
	if !ref.Stored {
		return func(f *frame) int {
			f.ptr[view] = f.finders[finder].Find(handle(e(f))).Memory
			return next
		}
	}
	return func(f *frame) int {
		to := handle(e(f))
		if f.dirty&bit != 0 && !f.note(view) {
			return stopped
		}
		at := f.finders[finder].Find(to)
		f.ptr[view], f.location[view] = at.Memory, location{finder, at.Table, at.Row}
		f.own &^= bit
		if at.Memory != nil && at.Table >= 0 {
			f.own |= bit
		}
		return next
	}
}

// note adds the row of a view to those that are stamped when the current row is done. It returns false when there
// are too many.
func (f *frame) note(view int) bool {
	s := f.location[view]
	f.dirty &^= 1 << view
	if n := len(f.writes); n == 0 || f.writes[n-1] != s {
		f.writes = append(f.writes, s)
	}
	return len(f.writes) <= mostUndone
}

// noteAll calls note for several views, one bit each.
func (f *frame) noteAll(views uint64) bool {
	ok := true
	for ; views != 0; views &= views - 1 {
		ok = f.note(bits.TrailingZeros64(views)) // the rows become more: when there are too many, there are at the end
	}
	return ok
}

// entityTest compiles Alive, Has, Tagged, Tag and Untag.
func (c *compiler) entityTest(x *ir.Expr) boolFn {
	a := c.number(x.A)
	switch x.Op {
	case ir.Alive:
		return func(f *frame) bool { return f.world.Alive(handle(a(f))) }
	case ir.Has:
		i := c.finder(ecs.ComponentID(x.ID))
		return func(f *frame) bool { return f.finders[i].Find(handle(a(f))).Memory != nil }
	case ir.Tagged:
		i := c.tag(x.ID)
		return func(f *frame) bool { return f.sets[i].Has(handle(a(f))) }
	case ir.Tag:
		i := c.tag(x.ID)
		return func(f *frame) bool {
			set, e := f.sets[i], handle(a(f))
			had := set.Has(e)
			lives, err := set.TryTag(e)
			f.failed = f.failed || err != nil
			if lives && !had {
				f.flipped(set, e, -1)
			}
			return lives
		}
	case ir.Untag:
		i := c.tag(x.ID)
		return func(f *frame) bool {
			set, e := f.sets[i], handle(a(f))
			place := ecs.Raw.TagPlace(set, e)
			if place < 0 {
				return false
			}
			set.Untag(e)
			f.flipped(set, e, place)
			return true
		}
	}
	panic("closures: a question of unknown operation")
}

// flipped logs the change of a tag. place is the entity's position among the members before; -1 if it did not have
// the tag. A full log fails the row.
func (f *frame) flipped(set ecs.TagSet, e ecs.Entity, place int) {
	f.undo.tags = append(f.undo.tags, flipped{set, e, place})
	f.failed = f.failed || len(f.undo.tags) > mostUndone
}
