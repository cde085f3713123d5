package emit

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
)

// The hot part of a body. Code cannot do every statement: tables of any content and new strings are for closures. If only some
// rows reach such statements, code does the others. In the Program for code an ir.Leave stands in the place of such a
// statement; closures, which have the whole Program, do the rows that reach it (machine/sideexit.go).

// Hot returns the Program for code, and what was cut out of it. It returns nil for the Program if code can do the whole, and if each
// row reaches what it cannot do, which is then the first of the cuts.
func Hot(p *ir.Program) (*ir.Program, []Cut) {
	asks := abi.CallsOnTexts(p)
	if vet(p) == nil && !spawns(p.Body) && !asks {
		return nil, nil
	}
	h := hot{vetting: vettingOf(p), fields: fieldsOf(p)}
	body := h.block(p.Body)
	if analysis.Leaves(body) {
		return nil, h.cuts
	}
	out := *p
	out.Body, out.Exact, out.Anys, out.TableFields, out.Drafts = body, true, 0, false, false
	if out.SideExits = true; abi.CallsOnTexts(&out) {
		out.Anys = p.Anys
	}
	out.Inputs, out.Outputs = slices.Clone(p.Inputs), nil
	for i, in := range out.Inputs {
		if in.Type == ir.Any {
			out.Inputs[i] = ir.Place{}
		}
	}
	for _, o := range p.Outputs {
		if o.Type != ir.Any {
			out.Outputs = append(out.Outputs, o)
		}
	}
	stores(&out)
	return &out, h.cuts
}

// stores sets what a Program says of its stores to what its body does.
func stores(p *ir.Program) {
	of := map[ir.Target]bool{}
	refs := slices.Clone(p.Refs)
	for i := range refs {
		refs[i].Stored = false
	}
	abi.Walk(p.Body, func(s *ir.Stmt) {
		switch {
		case s.Op != ir.Store:
		case s.I >= p.Views:
			refs[s.I-p.Views].Stored = true
		default:
			of[ir.Target{View: s.I, Field: s.Field}] = true
		}
	}, func(*ir.Expr) {})
	p.Refs = refs
	p.Stores = slices.DeleteFunc(slices.Clone(p.Stores), func(t ir.Target) bool { return !of[ir.Target{View: t.View, Field: t.Field}] })
}

// spawns reports whether a body uses an entity that it has queued the spawn of.
func spawns(body []*ir.Stmt) (is bool) {
	abi.Walk(body, func(s *ir.Stmt) { is = is || spawned(s) }, func(*ir.Expr) {})
	return is
}

// spawned is spawns for one statement.
func spawned(s *ir.Stmt) bool { return s.Op == ir.Emit && s.I >= 0 }

// A hot makes the hot part of a Program.
type hot struct {
	vetting
	fields map[int]*ecs.Field // by register: the field of type table that it is a copy of
	cuts   []Cut
	behind []*ir.Stmt // what follows the current statement in its block
	at     *ir.Stmt   // the innermost statement around here of which the place in the source is known
}

// can reports whether code can do what ask looks at.
func (h *hot) can(ask func()) bool {
	var err error
	func() {
		defer abi.Refused(&err)
		ask()
	}()
	return err == nil
}

// does reports whether code can do an expression.
func (h *hot) does(x *ir.Expr) bool {
	return x == nil || h.can(func() { abi.WalkOwn(&ir.Stmt{A: x}, h.knownExpr) })
}

// leave cuts a statement. x is the expression that code cannot do; nil if it is the statement itself.
func (h *hot) leave(s *ir.Stmt, x *ir.Expr) []*ir.Stmt {
	c := h.cut(s, x)
	if c.File, c.Line = s.File, s.Line; c.Line == 0 && h.at != nil {
		c.File, c.Line = h.at.File, h.at.Line
	}
	if !slices.Contains(h.cuts, c) {
		h.cuts = append(h.cuts, c)
	}
	return []*ir.Stmt{{Op: ir.Leave, File: s.File, Line: s.Line}}
}

// block makes the hot part of some statements. Nothing follows a statement that is cut.
func (h *hot) block(body []*ir.Stmt) (out []*ir.Stmt) {
	defer func(behind []*ir.Stmt) { h.behind = behind }(h.behind)
	for i, s := range body {
		h.behind = body[i+1:]
		out = append(out, h.statement(s)...)
		if n := len(out); n > 0 && out[n-1].Op == ir.Leave {
			break
		}
	}
	return out
}

// statement makes the hot part of a statement.
func (h *hot) statement(s *ir.Stmt) []*ir.Stmt {
	if s.Op == ir.Untouched || h.unused(s) { // rows that change structure at once are left before
		return nil
	}
	if s.Line > 0 {
		defer func(at *ir.Stmt) { h.at = at }(h.at)
		h.at = s
	}
	if spawned(s) || !h.can(func() { h.knownStmt(s) }) {
		return h.leave(s, nil)
	}
	switch s.Op {
	case ir.If:
		return h.test(s, s.A, func() []*ir.Stmt { return h.block(s.Body) }, func() []*ir.Stmt { return h.block(s.Else) })
	case ir.Set:
		return h.set(s, s.A)
	default: // one that knownStmt knows: with expressions, and perhaps a body
		for _, x := range append([]*ir.Expr{s.A, s.B, s.C}, s.Args...) {
			if !h.typed(s, x) || !h.does(x) {
				return h.leave(s, x)
			}
		}
		if len(s.Body) == 0 {
			return []*ir.Stmt{s}
		}
		out := *s
		out.Body = h.block(s.Body)
		return []*ir.Stmt{&out}
	}
}

// test makes the hot part of an If with the condition x. Of "a and b", code decides the rows in which a does not hold, even if it
// cannot do b; likewise of "a or b".
func (h *hot) test(s *ir.Stmt, x *ir.Expr, then, other func() []*ir.Stmt) []*ir.Stmt {
	if h.does(x) {
		return []*ir.Stmt{h.choice(s, x, then(), other())}
	}
	rest := func() []*ir.Stmt { return h.leave(s, x) }
	switch x.Op {
	case ir.Not:
		return h.test(s, x.A, other, then)
	case ir.And:
		if h.does(x.A) {
			return []*ir.Stmt{h.choice(s, x.A, rest(), other())}
		}
		return h.test(s, x.A, rest, other)
	case ir.Or:
		if h.does(x.A) {
			return []*ir.Stmt{h.choice(s, x.A, then(), rest())}
		}
		return h.test(s, x.A, then, rest)
	default:
		return rest()
	}
}

func (h *hot) choice(s *ir.Stmt, x *ir.Expr, then, other []*ir.Stmt) *ir.Stmt {
	return &ir.Stmt{Op: ir.If, A: x, Body: then, Else: other, File: s.File, Line: s.Line}
}

// set makes the hot part of a Set of the value x: code chooses what it can do, and leaves the rows that need the other value.
func (h *hot) set(s *ir.Stmt, x *ir.Expr) []*ir.Stmt {
	to := func(x *ir.Expr) func() []*ir.Stmt {
		return func() []*ir.Stmt { return h.set(s, x) }
	}
	constant := func(n float64) func() []*ir.Stmt { return to(&ir.Expr{Op: ir.Const, Type: ir.Bool, N: n}) }
	if x.Type == ir.Any || !h.does(x) {
		switch {
		case x.Type == ir.Any || !h.does(x.A):
			return h.leave(s, x)
		case x.Op == ir.Select:
			return h.test(s, x.A, to(x.B), to(x.C))
		case x.Op == ir.And:
			return h.test(s, x.A, to(x.B), constant(0))
		case x.Op == ir.Or:
			return h.test(s, x.A, constant(1), to(x.B))
		}
		return h.leave(s, x)
	}
	out := *s
	out.A = x
	return []*ir.Stmt{&out}
}

// unused reports whether code need not do a statement, because only statements that are cut use the register that it sets, no later
// row does, and it cannot fail.
func (h *hot) unused(s *ir.Stmt) bool {
	if s.Op != ir.Set || s.A.Type != ir.Any || s.Mark >= 0 || slices.ContainsFunc(h.p.Outputs, func(o ir.Output) bool { return o.Type == ir.Any && o.Reg == s.I }) {
		return false
	}
	x := s.A
	if x.Op == ir.Wrap {
		x = x.A
	}
	switch x.Op {
	case ir.Const, ir.Reg:
		return true
	case ir.Load:
		return x.I < h.p.Views && h.p.Optional&(1<<x.I) == 0
	default:
		return false
	}
}
