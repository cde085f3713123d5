package lower

import (
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// For which near entities the body of a loop does something: see nearfilter.go. The walk goes through the statements
// in order. It keeps what registers hold, and under which conditions a statement is reached, in terms of the found
// entity and of what does not change. Whatever it does not understand counts as a condition that holds.

// acts returns a condition that holds whenever the statements do something, given that the conditions in when hold;
// nil if it is not known when they do.
func (n *nearLoop) acts(body []*ir.Stmt, when []*ir.Expr) *ir.Expr {
	out := never()
	for i, s := range body {
		if s.Op == ir.If {
			c := n.truth(s.A)
			x := either(n.fails(s.A), n.branch(s, c, when))
			if leaves := leavesBlock(s.Body); leaves && c.no != nil { // what follows is only reached otherwise
				x = either(x, all(c.no, n.acts(body[i+1:], n.and(when, c.no))))
				return either(out, x)
			} else if leaves {
				return either(out, either(x, n.acts(body[i+1:], when)))
			}
			out = either(out, x)
			continue
		}
		out = either(out, n.statement(s, when))
		if s.Op == ir.Jump {
			break
		}
	}
	n.end = when
	return out
}

// and returns conditions with one more.
func (n *nearLoop) and(when []*ir.Expr, x *ir.Expr) []*ir.Expr {
	return append(slices.Clip(when), conjuncts(x)...)
}

// leavesBlock reports whether statements end with a jump or with the end of the loop.
func leavesBlock(body []*ir.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	switch body[len(body)-1].Op {
	case ir.Jump, ir.Break, ir.Return, ir.Leave:
		return true
	default:
		return false
	}
}

// branch is acts for both branches of an if.
func (n *nearLoop) branch(s *ir.Stmt, c truth, when []*ir.Expr) *ir.Expr {
	before := state{numbers: maps.Clone(n.numbers), bools: maps.Clone(n.bools)}
	looked := maps.Clone(n.looked)
	then := all(c.yes, n.acts(s.Body, n.and(when, c.yes)))
	behind := state{when: conjuncts(c.yes), numbers: n.numbers, bools: n.bools}
	n.numbers, n.bools = before.numbers, before.bools
	lookedThen := n.looked
	n.looked = looked
	other := all(c.no, n.acts(s.Else, n.and(when, c.no)))
	for view := range n.looked {
		n.looked[view] = n.looked[view] && lookedThen[view]
	}
	ends := []state{{when: conjuncts(c.no), numbers: n.numbers, bools: n.bools}}
	if !leavesBlock(s.Body) {
		ends = append(ends, behind)
	}
	if leavesBlock(s.Else) {
		ends = ends[1:]
	}
	if len(ends) > 0 {
		n.merge(ends)
	}
	return either(then, other)
}

// merge sets what is known at a place that is reached from several others.
func (n *nearLoop) merge(ends []state) {
	numbers, bools := map[int]*ir.Expr{}, map[int]truth{}
	for reg, x := range ends[0].numbers {
		if !slices.ContainsFunc(ends, func(s state) bool { return !equal(s.numbers[reg], x) }) {
			numbers[reg] = x
		}
	}
	for reg := range ends[0].bools {
		t, known := truth{never(), never()}, true
		for _, s := range ends {
			b, ok := s.bools[reg]
			known = known && ok
			t.yes = either(t.yes, all(join(s.when), b.yes))
			t.no = either(t.no, all(join(s.when), b.no))
		}
		if known {
			bools[reg] = t
		}
	}
	n.numbers, n.bools = numbers, bools
}

// statement is acts for one statement that is no if.
func (n *nearLoop) statement(s *ir.Stmt, when []*ir.Expr) *ir.Expr {
	switch s.Op {
	case ir.Set:
		return n.assign(s, when)
	case ir.Look:
		if n.kept[register{viewRegister, s.I}] { // a later iteration uses the view, or what is behind the loop
			return nil
		}
		n.looked[s.I] = n.lookups[s.I] == 1 && s.A.Op == ir.Reg && s.A.I == n.loop.I && n.p.Refs[s.I-n.p.Views].Query < 0
		return n.fails(s.A)
	case ir.Jump:
		if _, within := n.jumps[s.I]; !within { // it leaves the loop
			return nil
		}
		n.jumps[s.I] = append(n.jumps[s.I], state{when, maps.Clone(n.numbers), maps.Clone(n.bools)})
		return never()
	case ir.Block:
		looked := maps.Clone(n.looked)
		out := n.acts(s.Body, when)
		if jumps := n.jumps[s.I]; s.I != 0 && len(jumps) > 0 {
			if !leavesBlock(s.Body) {
				jumps = append(jumps, state{n.end, n.numbers, n.bools})
			}
			n.merge(jumps)
			for view := range n.looked {
				n.looked[view] = n.looked[view] && looked[view]
			}
			n.jumps[s.I] = nil
		}
		return out
	default: // it stores, records, or is a loop of its own
		eachStmt([]*ir.Stmt{s}, func(s *ir.Stmt) {
			for _, r := range setBy(n.p, s) {
				n.forget(r)
			}
			if s.Op == ir.Look {
				n.looked[s.I] = false
			}
		})
		return nil
	}
}

// forget notes that a register holds something unknown.
func (n *nearLoop) forget(r register) {
	switch r.Type {
	case ir.Number:
		delete(n.numbers, r.reg)
		n.refute(n.noMinimum, r.reg)
		n.refute(n.noMaximum, r.reg)
	case ir.Bool:
		delete(n.bools, r.reg)
	case ir.Text, ir.Any:
	}
}

// refute adds a register to those that are not monotone.
func (n *nearLoop) refute(list map[int]bool, reg int) {
	if !list[reg] {
		list[reg], n.refuted = true, true
	}
}

// assign is statement for an assignment. It only counts if somebody uses the value later.
func (n *nearLoop) assign(s *ir.Stmt, when []*ir.Expr) *ir.Expr {
	out := n.fails(s.A)
	if s.Mark >= 0 {
		n.bools[s.Mark] = truth{nil, never()}
		if n.kept[register{ir.Bool, s.Mark}] {
			delete(n.bools, s.Mark)
			out = nil
		}
	}
	r := register{s.A.Type, s.I}
	switch {
	case n.kept[r]:
		if s.A.Type == ir.Number {
			n.monotone(s, when)
		}
		return nil
	case s.A.Type == ir.Number:
		if x := n.value(s.A); x != nil {
			n.numbers[s.I] = x
		} else {
			delete(n.numbers, s.I)
		}
	case s.A.Type == ir.Bool:
		n.bools[s.I] = n.truth(s.A)
	}
	return out
}

// monotone notes whether an assignment to a register that is kept may make it larger, or smaller.
func (n *nearLoop) monotone(s *ir.Stmt, when []*ir.Expr) {
	x, reg := n.value(s.A), &ir.Expr{Op: ir.Reg, I: s.I}
	holds := func(form func(small, large *ir.Expr) bool) bool { // comparison gives all of them this form
		return x != nil && slices.ContainsFunc(when, func(c *ir.Expr) bool {
			return c.Op == ir.Not && (c.A.Op == ir.Less || c.A.Op == ir.LessEqual) && form(c.A.B, c.A.A)
		})
	}
	if !holds(func(small, large *ir.Expr) bool { return equal(small, x) && equal(large, reg) }) {
		n.refute(n.noMinimum, s.I)
	}
	if !holds(func(small, large *ir.Expr) bool { return equal(large, x) && equal(small, reg) }) {
		n.refute(n.noMaximum, s.I)
	}
}

// value returns a number in terms of the found entity and of what does not change; nil if that is not possible. A
// register that only becomes smaller, or larger, stands for itself.
func (n *nearLoop) value(x *ir.Expr) *ir.Expr {
	switch x.Op {
	case ir.Const, ir.Entity:
		return x
	case ir.Reg:
		switch {
		case x.Type != ir.Number:
			return nil
		case !n.set[register{x.Type, x.I}], n.kept[register{x.Type, x.I}] && !(n.noMinimum[x.I] && n.noMaximum[x.I]):
			return x
		}
		return n.numbers[x.I]
	case ir.Load:
		if n.readable(x) {
			return x
		}
		return nil
	case ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.Min, ir.Max, ir.Div, ir.Call:
		if x.Op == ir.Call && x.Func != "sqrt" && x.Func != "abs" && x.Func != "floor" {
			return nil
		}
		out := *x
		out.A = n.value(x.A)
		if x.B != nil {
			out.B = n.value(x.B)
		}
		if out.A == nil || x.B != nil && out.B == nil {
			return nil
		}
		cheap := x.Op == ir.Add || x.Op == ir.Sub || x.Op == ir.Mul
		for _, a := range [...]*ir.Expr{out.A, out.B} {
			if n.usesLoads(a) || !cheap && n.varies(a) || n.usesKept(a) {
				return nil
			}
		}
		if out.A == x.A && out.B == x.B {
			return x
		}
		return &out
	default:
		return nil
	}
}

// readable reports whether a field can be read before the loop begins: nothing stores it until the loop has ended,
// and reading it does not fail, except that the component is missing.
func (n *nearLoop) readable(x *ir.Expr) bool {
	f := x.Field
	switch f.Type {
	case ecs.I64, ecs.U64, ecs.String, ecs.TableField:
		return false
	}
	id := n.componentOf(x.I)
	if x.I < n.p.Views {
		return n.p.Optional&(1<<x.I) == 0 && !n.changes(n.loop.Body, id, f)
	}
	// Components of found entities are looked up once for all rows of a call.
	return n.looked[x.I] && !n.changes(n.p.Body, id, f) && !slices.ContainsFunc(n.p.Refs, func(r ir.Ref) bool { return r.Stored && r.Component == id })
}

// usesLoads reports whether a value is read from a component of the found entity.
func (n *nearLoop) usesLoads(x *ir.Expr) bool {
	return x != nil && (x.Op == ir.Load && x.I >= n.p.Views || n.usesLoads(x.A) || n.usesLoads(x.B) || n.usesLoads(x.C))
}

// varies reports whether a value depends on the found entity.
func (n *nearLoop) varies(x *ir.Expr) bool {
	return x != nil && (x.Op == ir.Reg && x.Type == ir.Number && (x.I == n.loop.I || x.I == n.loop.J) || n.usesLoads(x) || n.varies(x.A) || n.varies(x.B) || n.varies(x.C))
}

// usesKept reports whether a value depends on a register that the body sets for later.
func (n *nearLoop) usesKept(x *ir.Expr) bool {
	return x != nil && (x.Op == ir.Reg && n.set[register{x.Type, x.I}] && n.kept[register{x.Type, x.I}] || n.usesKept(x.A) || n.usesKept(x.B) || n.usesKept(x.C))
}

// truth returns what is known of a condition.
func (n *nearLoop) truth(x *ir.Expr) truth {
	known := truth{x, negated(x)}
	switch x.Op {
	case ir.Const:
		return truth{constant(x.N != 0), constant(x.N == 0)}
	case ir.Not:
		t := n.truth(x.A)
		return truth{t.no, t.yes}
	case ir.And:
		a, b := n.truth(x.A), n.truth(x.B)
		return truth{all(a.yes, b.yes), either(a.no, all(a.yes, b.no))}
	case ir.Or:
		a, b := n.truth(x.A), n.truth(x.B)
		return truth{either(a.yes, all(a.no, b.yes)), all(a.no, b.no)}
	case ir.Reg:
		if !n.set[register{ir.Bool, x.I}] {
			return known
		}
		if t, ok := n.bools[x.I]; ok {
			return t
		}
	case ir.Present:
		if x.I < n.p.Views || n.looked[x.I] {
			return known
		}
	case ir.Load:
		if n.readable(x) {
			return known
		}
	case ir.Alive:
		if x.A.Op == ir.Reg && x.A.I == n.loop.I { // nothing dies while the loop runs
			return truth{nil, never()}
		}
	case ir.Tagged:
		if x.A.Op == ir.Reg && x.A.I == n.loop.I && !n.flipsTag(x.ID) {
			return known
		}
	case ir.Equal, ir.Less, ir.LessEqual:
		return n.comparison(x)
	default:
		return truth{}
	}
	return truth{}
}

// comparison is truth for a comparison of numbers. A comparison with a register that only becomes smaller holds now
// if it holds later, when the register is on the larger side; likewise for one that only becomes larger. These are
// written as negations, which hold for a register that is NaN now and a number later.
func (n *nearLoop) comparison(x *ir.Expr) truth {
	if x.A.Type != ir.Number {
		return truth{}
	}
	out := x
	switch a, b := n.value(x.A), n.value(x.B); {
	case a == nil || b == nil:
		return truth{}
	case a != x.A || b != x.B:
		copied := *x
		copied.A, copied.B = a, b
		out = &copied
	}
	left, right := n.usesKept(out.A), n.usesKept(out.B)
	switch {
	case !left && !right:
		return truth{out, negated(out)}
	case left && right || x.Op == ir.Equal:
		return truth{}
	}
	turned := *out
	turned.A, turned.B = out.B, out.A
	if turned.Op = ir.Less; out.Op == ir.Less {
		turned.Op = ir.LessEqual
	}
	t := truth{not(&turned), not(out)}
	if left && n.noMaximum[out.A.I] || right && n.noMinimum[out.B.I] {
		t.yes = nil
	}
	distance := func(x *ir.Expr) bool { return x.Op == ir.Reg && x.I == n.loop.J } // it is not NaN
	if left && (n.noMinimum[out.A.I] || !distance(out.B)) || right && (n.noMaximum[out.B.I] || !distance(out.A)) {
		t.no = nil
	}
	return t
}

// fails returns a condition that holds whenever evaluating an expression fails or has an effect.
func (n *nearLoop) fails(x *ir.Expr) *ir.Expr {
	if x == nil {
		return never()
	}
	if x.A != nil && x.A.Type == ir.Any {
		return nil
	}
	switch x.Op {
	case ir.And:
		return either(n.fails(x.A), all(n.truth(x.A).yes, n.fails(x.B)))
	case ir.Or:
		return either(n.fails(x.A), all(n.truth(x.A).no, n.fails(x.B)))
	case ir.Load:
		switch {
		case x.Field.Type == ecs.I64 || x.Field.Type == ecs.U64:
			return nil
		case x.I < n.p.Views && n.p.Optional&(1<<x.I) == 0:
			return never()
		case x.I >= n.p.Views:
			if ref := n.p.Refs[x.I-n.p.Views]; ref.Query >= 0 && !ref.Optional {
				return never()
			}
		}
		return n.truth(&ir.Expr{Op: ir.Present, Type: ir.Bool, I: x.I}).no
	case ir.Element, ir.Lookup, ir.Item, ir.As, ir.Length, ir.Join, ir.Shown, ir.Random, ir.Tag, ir.Untag:
		return nil
	case ir.HasKey:
		if x.Member >= 0 {
			return nil
		}
	default:
		return either(n.fails(x.A), either(n.fails(x.B), n.fails(x.C)))
	}
	return n.fails(x.A)
}
