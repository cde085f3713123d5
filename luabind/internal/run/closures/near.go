package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Loops over near entities: ir.Near.

// A found is an entity of the list that such a loop walks.
type found struct{ entity, d2 float64 }

// near compiles ir.Near. The list of entities is complete before the first iteration, because the body may change
// tags or fields. It costs 1 for each entity, or, if the loop has a filter, 1 for each point of the cells in reach.
func (c *compiler) near(s *ir.Stmt) step {
	x, y, radius := c.number(s.A), c.number(s.B), c.number(s.C)
	body, price, risky := c.sequence(s.Body), s.Price, c.fails(s.A) || c.fails(s.B) || c.fails(s.C)
	grid, i, j := s.Grid, s.I, s.J
	lookUp, holds := c.filter(s)
	var memory []found
	add := func(e ecs.Entity, d2 float64) bool {
		memory = append(memory, found{numberOf(e), d2})
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
		memory = memory[:0]
		grid.Near(ax, ay, r, add)
		list := memory
		cost := len(list)
		if holds != nil {
			cost = ecs.Raw.PointsInReach(grid, ax, ay, r)
		}
		if !f.burn(int64(cost)) {
			return stopped
		}
		enter := func(at found) {
			if i >= 0 {
				f.n[i] = at.entity
			}
			if j >= 0 {
				f.n[j] = at.d2
			}
		}
		if holds != nil {
			kept := list[:0]
			for _, at := range list {
				enter(at)
				for _, look := range lookUp {
					look(f)
				}
				if holds(f) {
					kept = append(kept, at)
				}
				f.failed = false // a missing component is no failure here
			}
			list = kept
		}
		for _, at := range list {
			if !f.burn(price) {
				return stopped
			}
			enter(at)
			if how := body(f); how == broken {
				return next
			} else if how != next {
				return how
			}
		}
		return next
	}
}

// filter compiles the filter of a loop: steps that look up the views that it reads, and the condition. Both are nil
// if there is none.
func (c *compiler) filter(s *ir.Stmt) (lookUp []step, holds boolFn) {
	x := s.Filter()
	if x == nil {
		return nil, nil
	}
	var views []int
	var collect func(x *ir.Expr)
	collect = func(x *ir.Expr) {
		if x == nil {
			return
		}
		if (x.Op == ir.Load || x.Op == ir.Present) && !c.within(x.I) {
			if n := len(views); place(&views, x.I) == n {
				lookUp = append(lookUp, c.look(&ir.Stmt{Op: ir.Look, I: x.I, A: &ir.Expr{Op: ir.Reg, I: s.I}}))
			}
		}
		collect(x.A)
		collect(x.B)
		collect(x.C)
	}
	collect(x)
	return lookUp, c.condition(x)
}
