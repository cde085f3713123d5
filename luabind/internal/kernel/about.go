package kernel

import (
	"math"

	"github.com/ecsrun/ecsrun/ecs"
)

// about compiles what is asked of an entity, and the flips of its tags. Flips are
// made at once, so that whoever asks in the same row sees them.
func (c *compiler) about(x *Expr) logical {
	a := c.number(x.A)
	switch x.Op {
	case Alive:
		return func(f *frame) bool { return f.world.Alive(handle(a(f))) }
	case Has:
		i := c.finder(ecs.ComponentID(x.ID))
		return func(f *frame) bool { return f.finders[i].Find(handle(a(f))).Memory != nil }
	case Tagged:
		i := c.tag(x.ID)
		return func(f *frame) bool { return f.sets[i].Has(handle(a(f))) }
	case Tag:
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
	case Untag:
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
	panic("kernel: a question of unknown operation")
}

// flipped remembers the flip of a tag.
func (f *frame) flipped(set ecs.TagSet, e ecs.Entity, place int) {
	f.undo.tags = append(f.undo.tags, flipped{set, e, place})
	f.failed = f.failed || len(f.undo.tags) > mostUndone
}

// draw compiles a random number.
func (c *compiler) draw(x *Expr) numeric {
	c.draws, c.exact = true, true
	if x.A == nil {
		return func(f *frame) float64 { return f.random.Float64() }
	}
	lo, hi := c.number(&Expr{Op: Const, N: 1}), c.number(x.A)
	if x.B != nil {
		lo, hi = hi, c.number(x.B)
	}
	return func(f *frame) float64 {
		from, to := whole64(lo(f)), whole64(hi(f))
		if from > to {
			f.failed = true
			return 0
		}
		return f.random.Between(float64(from), float64(to))
	}
}

// whole64 is a bound as the libraries take it: cut to a whole number.
func whole64(v float64) int64 {
	switch {
	case v != v:
		return 0
	case v >= math.MaxInt64:
		return math.MaxInt64
	case v <= math.MinInt64:
		return math.MinInt64
	}
	return int64(v)
}
