package closures

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Statements. A statement becomes a step, which says how it ended. loop.go and each.go have inner loops, store.go
// stores of fields, emit.go effects and returns, entity.go what concerns other entities, table.go and keyed.go Lua
// tables and resources.

// sequence compiles statements that run one after the other. The first one that does not end with next ends the
// sequence.
func (c *compiler) sequence(body []*ir.Stmt) step {
	var list []step
	var of []*ir.Stmt
	for i := 0; i < len(body); i++ {
		of = append(of, body[i])
		if i+1 < len(body) {
			if both := c.pair(body[i], body[i+1]); both != nil {
				list = append(list, both)
				i++
				continue
			}
		}
		list = append(list, c.statement(body[i]))
	}
	if n := len(list) - 1; n >= 0 && stops(of[n]) {
		list[n] = noting(list[n], of[n])
	}
	return chain(list, of)
}

// stops reports whether a statement without a body looks at tables, and so may stop the row without an expression that fails. What
// noting costs is little beside what it does.
func stops(s *ir.Stmt) bool {
	switch s.Op {
	case ir.Invoke, ir.Make, ir.PutItem, ir.Insert, ir.Remove, ir.Sort, ir.Untouched:
		return true
	default:
		return false
	}
}

// noting returns a step that notes its statement if it stops the row.
func noting(s step, of *ir.Stmt) step {
	return func(f *frame) int {
		how := s(f)
		if how == stopped {
			f.stops(of)
		}
		return how
	}
}

// chain makes one step of several, which are those of some statements. Short lists are the most common, and have no loop.
func chain(list []step, of []*ir.Stmt) step {
	switch len(list) {
	case 0:
		return func(*frame) int { return next }
	case 1:
		return list[0]
	case 2:
		a, b := list[0], list[1]
		return func(f *frame) int {
			if how := a(f); how != next {
				return f.ends(how, of[0])
			}
			return b(f)
		}
	case 3:
		a, b, c := list[0], list[1], list[2]
		return func(f *frame) int {
			if how := a(f); how != next {
				return f.ends(how, of[0])
			}
			if how := b(f); how != next {
				return f.ends(how, of[1])
			}
			return c(f)
		}
	}
	return func(f *frame) int {
		for i, s := range list {
			if how := s(f); how != next {
				return f.ends(how, of[i])
			}
		}
		return next
	}
}

// statement compiles one statement. Those in the second switch change something that has to be restored or
// performed later, so they make the Program exact.
func (c *compiler) statement(s *ir.Stmt) step {
	c.now = s
	switch s.Op {
	case ir.Set:
		return c.set(s)
	case ir.Store:
		return c.guarded(c.store(s), s.A)
	case ir.If:
		return c.branch(s)
	case ir.While, ir.Repeat, ir.Count:
		return c.loop(s)
	case ir.Break:
		return func(*frame) int { return broken }
	case ir.Leave:
		return func(f *frame) int { return f.ends(stopped, s) }
	case ir.Jump:
		how := firstJump + s.I
		return func(*frame) int { return how }
	case ir.Block:
		body, here := c.sequence(s.Body), firstJump+s.I
		return func(f *frame) int {
			if how := body(f); how != here {
				return how
			}
			return next
		}
	}
	c.exact = true
	switch s.Op {
	case ir.Do:
		return c.guarded(c.do(s.A), s.A)
	case ir.Look:
		return c.guarded(c.look(s), s.A)
	case ir.Untouched:
		return c.guarded(c.untouched(s), s.A)
	case ir.Put:
		return c.guarded(c.put(s), s.A, s.B)
	case ir.PutKey:
		return c.guarded(c.putKey(s), s.A, s.B)
	case ir.Make:
		return c.guarded(c.makeTable(s), s.Args...)
	case ir.PutItem:
		return c.guarded(c.putItem(s), s.A, s.B, s.C)
	case ir.Insert:
		return c.guarded(c.insert(s), s.A, s.B, s.C)
	case ir.Remove:
		return c.guarded(c.remove(s), s.A, s.B)
	case ir.Sort:
		return c.guarded(c.sort(s), s.A)
	case ir.Invoke:
		return c.guarded(c.invoke(s), s.Args...)
	case ir.Items:
		return c.items(s)
	case ir.Entries:
		return c.entries(s)
	case ir.Fit:
		return c.guarded(c.fit(s), s.A)
	case ir.Emit:
		return c.emit(s)
	case ir.Each:
		return c.each(s)
	case ir.Near:
		return c.near(s)
	case ir.Sources:
		return c.sources(s)
	case ir.Return:
		return c.leave(s)
	}
	panic("closures: a statement of unknown operation")
}

// set compiles ir.Set, with its mark.
func (c *compiler) set(s *ir.Stmt) step {
	i, mark := s.I&(ir.MaxRegisters-1), s.Mark&(ir.MaxRegisters-1)
	var plain step
	switch s.A.Type {
	case ir.Bool:
		v := c.condition(s.A)
		plain = func(f *frame) int { f.b[i] = v(f); return next }
	case ir.Text:
		v := c.text(s.A)
		plain = func(f *frame) int { f.t[s.I] = v(f); return next }
	case ir.Any:
		v := c.ref(s.A, true)
		plain = func(f *frame) int { f.a[s.I].set(v(f)); return next }
	case ir.Number:
		v := c.number(s.A)
		plain = func(f *frame) int { f.n[i] = v(f); return next }
	}
	plain = c.guarded(plain, s.A)
	if s.Mark < 0 {
		return plain
	}
	return func(f *frame) int {
		how := plain(f) // the expression may read the mark
		f.b[mark] = true
		return how
	}
}

// do compiles ir.Do: an expression that is evaluated for its effect.
func (c *compiler) do(x *ir.Expr) step {
	switch x.Type {
	case ir.Bool:
		v := c.condition(x)
		return func(f *frame) int { v(f); return next }
	case ir.Text:
		v := c.text(x)
		return func(f *frame) int { v(f); return next }
	case ir.Any:
		v := c.ref(x, false)
		return func(f *frame) int { v(f); return next }
	case ir.Number:
		v := c.number(x)
		return func(f *frame) int { v(f); return next }
	}
	panic("closures: a value of unknown type")
}

// branch compiles ir.If.
func (c *compiler) branch(s *ir.Stmt) step {
	test, then, other := c.condition(s.A), c.sequence(s.Body), c.sequence(s.Else)
	switch {
	case c.fails(s.A):
		return func(f *frame) int {
			switch is := test(f); {
			case f.failed:
				return f.ends(stopped, s)
			case is:
				return then(f)
			}
			return other(f)
		}
	case len(s.Else) == 0:
		return func(f *frame) int {
			if test(f) {
				return then(f)
			}
			return next
		}
	}
	return func(f *frame) int {
		if test(f) {
			return then(f)
		}
		return other(f)
	}
}
