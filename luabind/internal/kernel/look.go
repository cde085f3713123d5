package kernel

import "github.com/ecsrun/ecsrun/ecs"

// look sets a view to a component of any entity.
func (c *compiler) look(s *Stmt) step {
	e, ref := c.number(s.A), c.p.Refs[s.I-c.p.Views]
	finder, view, bit := c.finder(ref.Component), s.I&(mostViews-1), uint64(1)<<s.I
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

// note remembers to stamp the row of a view when the row of the loop is done;
// false when that is too much.
func (f *frame) note(view int) bool {
	s := f.location[view]
	f.dirty &^= 1 << view
	if n := len(f.writes); n == 0 || f.writes[n-1] != s {
		f.writes = append(f.writes, s)
	}
	return len(f.writes) <= mostUndone
}

// near walks the entities that were near when it begins.
func (c *compiler) near(s *Stmt) step {
	type found struct{ entity, d2 float64 }
	x, y, radius := c.number(s.A), c.number(s.B), c.number(s.C)
	body, price, risky := c.sequence(s.Body), s.Price, c.fails(s.A) || c.fails(s.B) || c.fails(s.C)
	grid, i, j := s.Grid, s.I, s.J
	var list []found
	add := func(e ecs.Entity, d2 float64) bool {
		list = append(list, found{numberOf(e), d2})
		return true
	}
	return func(f *frame) int {
		ax, ay, r := x(f), y(f), radius(f)
		if risky && f.failed {
			return stopped
		}
		if grid.Ready() != nil {
			return stopped
		}
		list = list[:0]
		grid.Near(ax, ay, r, add)
		if !f.burn(int64(len(list))) {
			return stopped
		}
		for _, at := range list {
			if !f.burn(price) {
				return stopped
			}
			if i >= 0 {
				f.n[i] = at.entity
			}
			if j >= 0 {
				f.n[j] = at.d2
			}
			if how := body(f); how == broken {
				return next
			} else if how != next {
				return how
			}
		}
		return next
	}
}
