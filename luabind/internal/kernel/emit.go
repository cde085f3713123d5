package kernel

// A giver computes a value of any type.
type giver struct {
	typ Type
	n   numeric
	b   logical
	t   textual
}

func (c *compiler) giver(x *Expr) giver {
	g := giver{typ: x.Type}
	switch x.Type {
	case Bool:
		g.b = c.condition(x)
	case Text:
		g.t = c.text(x)
	case Number:
		g.n = c.number(x)
	}
	return g
}

func (c *compiler) givers(list []*Expr) (out []giver) {
	for _, x := range list {
		out = append(out, c.giver(x))
	}
	return out
}

func (g *giver) give(f *frame) (n float64, s string) {
	switch g.typ {
	case Number:
		n = g.n(f)
	case Text:
		s = g.t(f)
	default:
		if g.b(f) {
			n = 1
		}
	}
	return n, s
}

// emit records an effect.
func (c *compiler) emit(s *Stmt) step {
	args, effect, i := c.givers(s.Args), s.Effect, s.I
	plain := func(f *frame) int {
		values := f.effects.add(len(args))
		for i := range args {
			values[i].N, values[i].S = args[i].give(f)
		}
		e, ok := f.effects.record(effect, len(args))
		if !ok {
			return stopped
		}
		if i >= 0 {
			f.n[i] = numberOf(e)
		}
		return next
	}
	return c.guarded(plain, s.Args...)
}

// leave is Return.
func (c *compiler) leave(s *Stmt) step {
	args := c.givers(s.Args)
	risky := false
	for _, x := range s.Args {
		risky = c.fails(x) || risky
	}
	return func(f *frame) int {
		f.results = f.results[:0]
		for i := range args {
			n, text := args[i].give(f)
			f.results = append(f.results, Result{args[i].typ, n, text})
		}
		if risky && f.failed {
			return stopped
		}
		return returned
	}
}
