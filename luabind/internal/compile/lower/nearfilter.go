package lower

import (
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// The filter of a loop over near entities: the last step of lowering. Most bodies of such loops do nothing for most
// entities: they ask for a component, a side, a tag, or for a smaller distance than the best so far. The filter is a
// condition that holds for every entity for which the body does anything. Back ends test it while they list the near
// entities, so that the loop only visits those for which it holds. nearacts.go finds it; this file has what it finds
// out before: what the body changes, and which registers are its own.
//
// The condition is evaluated before the first iteration. It therefore only uses what the loop does not change, with
// one exception: "d2 < best" where each assignment to best makes it smaller. What fails later would have failed
// then.

// mostFiltered is how many operations a filter has at most. A longer one would cost more than it saves.
const mostFiltered = 24

// filterNears gives a filter to the loops over near entities among some statements.
func (c *lowerer) filterNears(body []*ir.Stmt) {
	for _, s := range body {
		c.filterNears(s.Body)
		c.filterNears(s.Else)
		if s.Op != ir.Near || s.I < 0 && s.J < 0 || onlyClosures(s.Body) {
			continue
		}
		noMinimum, noMaximum := map[int]bool{}, map[int]bool{}
		for range 4 { // registers are given up that turn out not to be monotone
			n := newNearLoop(c.p, c.flips, s)
			n.noMinimum, n.noMaximum = noMinimum, noMaximum
			x := n.acts(s.Body, nil)
			if !n.refuted {
				if x != nil && filters(x) && operations(x) <= mostFiltered {
					s.Args = []*ir.Expr{x}
				}
				break
			}
		}
	}
}

// closureStatements are the statements that only closures know.
var closureStatements = []ir.StmtOp{ir.Make, ir.PutItem, ir.Insert, ir.Remove, ir.Sort, ir.Invoke, ir.Items, ir.Entries, ir.Sources}

// onlyClosures reports whether some statements use tables or functions that only closures know. A loop with them has no
// filter.
func onlyClosures(body []*ir.Stmt) (is bool) {
	eachStmt(body, func(s *ir.Stmt) {
		is = is || slices.Contains(closureStatements, s.Op)
	})
	return is
}

// filters reports whether a condition is worth testing: it asks for more than that some components are there.
func filters(x *ir.Expr) bool {
	return x.Op != ir.Const && (x.Op != ir.Present && x.Op != ir.And || x.Op == ir.And && (filters(x.A) || filters(x.B)))
}

func operations(x *ir.Expr) int {
	if x == nil {
		return 0
	}
	return 1 + operations(x.A) + operations(x.B) + operations(x.C)
}

// A nearLoop is a loop over near entities whose filter is looked for, and what is known at the statement at hand.
type nearLoop struct {
	p     *ir.Program
	loop  *ir.Stmt
	flips []ecs.TagID // tags that the Program changes

	set     map[register]bool // registers that the body sets
	kept    map[register]bool // of these, those whose values are used in a later iteration or after the loop
	lookups map[int]int       // by view: the statements of the body that look it up
	looked  map[int]bool      // views that are now a component of the found entity
	numbers map[int]*ir.Expr  // values of the number registers that the body sets, as far as they are known
	bools   map[int]truth     // what is known of the values of such boolean registers
	jumps   map[int][]state   // by label of a block in the body: what was known at each jump to it
	end     []*ir.Expr        // conditions that hold at the end of the statements that were walked last

	noMinimum, noMaximum map[int]bool // number registers that are not known to become smaller only, or larger only
	refuted              bool         // a register was added to these
}

// viewRegister is the type of a register that stands for a view: ir.Look sets it.
const viewRegister ir.Type = 255

// A truth is what is known of a condition: conditions that hold whenever it holds, and whenever it does not hold.
// nil is the condition that always holds.
type truth struct{ yes, no *ir.Expr }

// A state is what is known at one place of the body.
type state struct {
	when    []*ir.Expr // conditions that hold there
	numbers map[int]*ir.Expr
	bools   map[int]truth
}

func newNearLoop(p *ir.Program, flips []ecs.TagID, s *ir.Stmt) *nearLoop {
	n := &nearLoop{
		p: p, loop: s, flips: flips, set: map[register]bool{}, kept: map[register]bool{}, looked: map[int]bool{}, lookups: map[int]int{},
		numbers: map[int]*ir.Expr{}, bools: map[int]truth{}, jumps: map[int][]state{},
	}
	eachStmt(s.Body, func(s *ir.Stmt) {
		for _, r := range setBy(p, s) {
			n.set[r] = true
		}
		if s.Op == ir.Look {
			n.lookups[s.I]++
		}
		if s.Op == ir.Block {
			n.jumps[s.I] = nil
		}
	})
	within, all := map[register]int{}, map[register]int{}
	countReads(s.Body, within)
	countReads(p.Body, all)
	for r, times := range all {
		if times > within[r] {
			n.kept[r] = true
		}
	}
	for _, out := range p.Outputs {
		n.kept[register{out.Type, out.Reg}] = true
		if out.Mark >= 0 {
			n.kept[register{ir.Bool, out.Mark}] = true
		}
	}
	e := &exposure{p: p, found: n.kept, jumps: map[int]definite{}}
	e.statements(s.Body, definite{})
	return n
}

// eachStmt calls visit for statements and those within them.
func eachStmt(body []*ir.Stmt, visit func(*ir.Stmt)) {
	for _, s := range body {
		visit(s)
		eachStmt(s.Body, visit)
		eachStmt(s.Else, visit)
	}
}

// setBy returns the registers that a statement sets itself.
func setBy(p *ir.Program, s *ir.Stmt) (list []register) {
	add := func(t ir.Type, reg int) {
		if reg >= 0 {
			list = append(list, register{t, reg})
		}
	}
	switch s.Op {
	case ir.Set:
		add(s.A.Type, s.I)
		add(ir.Bool, s.Mark)
	case ir.Fit:
		add(s.A.Type, s.I)
	case ir.Count, ir.Emit:
		add(ir.Number, s.I)
	case ir.Near:
		add(ir.Number, s.I)
		add(ir.Number, s.J)
	case ir.Each:
		add(ir.Number, p.Queries[s.I].Entity)
	case ir.Look:
		add(viewRegister, s.I)
	case ir.Store, ir.If, ir.While, ir.Repeat, ir.Break, ir.Jump, ir.Block, ir.Do, ir.Put, ir.PutKey, ir.Return, ir.Leave:
	default:
		panic("lower: a statement of unknown operation")
	}
	return list
}

// eachRead calls visit for the registers that the expressions of a statement read, and for the views that it uses.
func eachRead(s *ir.Stmt, visit func(register)) {
	var in func(x *ir.Expr)
	in = func(x *ir.Expr) {
		if x == nil {
			return
		}
		switch x.Op {
		case ir.Reg:
			visit(register{x.Type, x.I})
		case ir.Load, ir.Present:
			visit(register{viewRegister, x.I})
		case ir.Const, ir.Entity, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.Pow, ir.Neg, ir.Less, ir.LessEqual, ir.Equal, ir.Not, ir.And, ir.Or, ir.Select, ir.Call, ir.Min, ir.Max,
			ir.Alive, ir.Has, ir.Tagged, ir.Element, ir.Exists, ir.Lookup, ir.Item, ir.As, ir.Wrap, ir.Truth, ir.Length, ir.Join, ir.Shown, ir.HasKey, ir.Related, ir.Pair, ir.Random, ir.Tag, ir.Untag:
		default:
			panic("lower: an expression of unknown operation")
		}
		in(x.A)
		in(x.B)
		in(x.C)
	}
	for _, x := range append([]*ir.Expr{s.A, s.B, s.C}, s.Args...) {
		in(x)
	}
	if s.Op == ir.Store {
		visit(register{viewRegister, s.I})
	}
}

func countReads(body []*ir.Stmt, times map[register]int) {
	eachStmt(body, func(s *ir.Stmt) { eachRead(s, func(r register) { times[r]++ }) })
}

// An exposure finds the registers that an iteration may read before it sets them.
type exposure struct {
	p     *ir.Program
	found map[register]bool
	jumps map[int]definite // by label: what is set at every jump to it
}

// definite are registers that are set at some place. nil: the place is never reached.
type definite map[register]bool

// both returns what is set in both cases.
func both(a, b definite) definite {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out := definite{}
	for r := range a {
		if b[r] {
			out[r] = true
		}
	}
	return out
}

// statements returns what is set after some statements.
func (e *exposure) statements(body []*ir.Stmt, now definite) definite {
	for _, s := range body {
		if now == nil {
			return nil
		}
		now = e.statement(s, now)
	}
	return now
}

// statement returns what is set after a statement.
func (e *exposure) statement(s *ir.Stmt, now definite) definite {
	read := func() {
		eachRead(s, func(r register) {
			if !now[r] {
				e.found[r] = true
			}
		})
	}
	if s.Op != ir.Repeat { // its condition comes last
		read()
	}
	switch s.Op {
	case ir.If:
		return both(e.statements(s.Body, maps.Clone(now)), e.statements(s.Else, maps.Clone(now)))
	case ir.Block:
		end := e.statements(s.Body, now)
		if s.I != 0 {
			end = both(end, e.jumps[s.I])
			delete(e.jumps, s.I)
		}
		return end
	case ir.Jump:
		e.jumps[s.I] = both(e.jumps[s.I], maps.Clone(now))
		return nil
	case ir.Break, ir.Return, ir.Leave:
		return nil
	case ir.While, ir.Count, ir.Each, ir.Near:
		inner := maps.Clone(now)
		for _, r := range setBy(e.p, s) {
			inner[r] = true
		}
		e.statements(s.Body, inner)
		return now
	case ir.Repeat:
		before := now
		if now = e.statements(s.Body, maps.Clone(now)); now == nil {
			now = before
		}
		read()
		return before
	case ir.Set, ir.Store, ir.Do, ir.Look, ir.Put, ir.PutKey, ir.Fit, ir.Emit:
		for _, r := range setBy(e.p, s) {
			now[r] = true
		}
		return now
	default:
		panic("lower: a statement of unknown operation")
	}
}

// changes reports whether statements store a field of a component, through any view.
func (n *nearLoop) changes(body []*ir.Stmt, id ecs.ComponentID, f *ecs.Field) (found bool) {
	eachStmt(body, func(s *ir.Stmt) {
		if s.Op == ir.Store && n.componentOf(s.I) == id && (f == nil || s.Field.Offset == f.Offset) {
			found = true
		}
	})
	return found
}

func (n *nearLoop) componentOf(view int) ecs.ComponentID {
	if view < n.p.Views {
		return n.p.Components[view]
	}
	return n.p.Refs[view-n.p.Views].Component
}

// flipsTag reports whether the Program changes a tag.
func (n *nearLoop) flipsTag(id uint32) bool { return slices.Contains(n.flips, ecs.TagID(id)) }
