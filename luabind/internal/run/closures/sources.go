package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Loops over the sources of one entity in a relation, or over its targets: ir.Sources. They run inside one row of the query loop.

// sources compiles ir.Sources. The list of sources is complete before the first iteration, as in the interpreter, and costs
// 1 for each. A dead entity has no sources.
func (c *compiler) sources(s *ir.Stmt) step {
	target, relation, risky := c.number(s.A), s.J, c.fails(s.A)
	body, price, entity := c.sequence(s.Body), s.Price, s.I
	var list []ecs.Entity
	return func(f *frame) int {
		to := handle(target(f))
		if risky && f.failed {
			return stopped
		}
		list = ir.Listed(list[:0], f.world, relation, to)
		if !f.burn(int64(len(list))) {
			return stopped
		}
		for _, e := range list {
			if !f.burn(price) {
				return stopped
			}
			if entity >= 0 {
				f.n[entity] = numberOf(e)
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
