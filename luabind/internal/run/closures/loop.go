package closures

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Inner loops that do not walk a query: while, repeat, numeric for, and world:near. Each iteration is charged
// before it runs, so that no loop runs on without budget.

// loop compiles While, Repeat and Count.
func (c *compiler) loop(s *ir.Stmt) step {
	c.exact = true
	switch s.Op {
	case ir.While:
		return c.while(s)
	case ir.Repeat:
		return c.repeat(s)
	case ir.Count:
		return c.count(s)
	}
	panic("closures: a loop of unknown operation")
}

// while compiles ir.While.
func (c *compiler) while(s *ir.Stmt) step {
	test, body, price, risky := c.condition(s.A), c.sequence(s.Body), s.Price, c.fails(s.A)
	return func(f *frame) int {
		for test(f) {
			if risky && f.failed || !f.burn(price) {
				return stopped
			}
			if how := body(f); how == broken {
				return next
			} else if how != next {
				return how
			}
		}
		if risky && f.failed {
			return stopped
		}
		return next
	}
}

// repeat compiles ir.Repeat. The condition is evaluated after the body and sees its registers.
func (c *compiler) repeat(s *ir.Stmt) step {
	body, price := c.sequence(s.Body), s.Price
	test, risky := c.condition(s.A), c.fails(s.A)
	return func(f *frame) int {
		for {
			if !f.burn(price) {
				return stopped
			}
			if how := body(f); how == broken {
				return next
			} else if how != next {
				return how
			}
			is := test(f)
			if risky && f.failed {
				return stopped
			}
			if is {
				return next
			}
		}
	}
}

// count compiles ir.Count. As in the interpreter, the counter begins at (from-step)+step and is increased by adding
// the step, which decides its bits.
func (c *compiler) count(s *ir.Stmt) step {
	from, to, by, i := c.number(s.A), c.number(s.B), c.number(s.C), s.I&(ir.MaxRegisters-1)
	body, price, risky := c.sequence(s.Body), s.Price, c.fails(s.A) || c.fails(s.B) || c.fails(s.C)
	return func(f *frame) int {
		x, limit, width := from(f), to(f), by(f)
		if risky && f.failed {
			return stopped
		}
		for x = x - width + 0; ; {
			x = x + width + 0
			if !(width > 0 && x <= limit || width <= 0 && x >= limit) {
				return next
			}
			if !f.burn(price) {
				return stopped
			}
			f.n[i] = x
			if how := body(f); how == broken {
				return next
			} else if how != next {
				return how
			}
		}
	}
}
