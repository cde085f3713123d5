package lower

import (
	"maps"
	"slices"

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
		if n.kept[register{viewRegister, s.I}] { // a later iteration uses the view, or what is after the loop
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
