package kernel

// loop compiles the loops over conditions and numbers.
func (c *compiler) loop(s *Stmt) step {
	c.exact = true
	switch s.Op {
	case While:
		return c.while(s)
	case Repeat:
		return c.repeat(s)
	case Count:
		return c.count(s)
	}
	panic("kernel: a loop of unknown operation")
}

func (c *compiler) while(s *Stmt) step {
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

func (c *compiler) repeat(s *Stmt) step {
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

func (c *compiler) count(s *Stmt) step {
	from, to, by, i := c.number(s.A), c.number(s.B), c.number(s.C), s.I&(mostRegisters-1)
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
