package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// What belongs to one call of a function that calls itself (recursion.go): the registers and views that a call inside it keeps.
// This looks at the finished body, when all of it has been lowered.

// kept sets for each function that calls itself which registers and views belong to one call of it. Registers of inputs and
// outputs, and those that were there before, belong to all calls.
func (c *lowerer) kept() {
	shared := map[register]bool{}
	for _, in := range c.p.Inputs {
		shared[register{in.Type, in.Reg}] = in.Used || shared[register{in.Type, in.Reg}]
	}
	for _, out := range c.p.Outputs {
		shared[register{out.Type, out.Reg}], shared[register{ir.Bool, out.Mark}] = true, true
	}
	eachStmt(c.p.Body, func(s *ir.Stmt) {
		if s.Op != ir.Recurse {
			return
		}
		r, seen := s.Recursion, map[register]bool{}
		add := func(t ir.Type, i int) {
			if at := (register{t, i}); i >= r.First[t] && !shared[at] && !seen[at] && !slices.Contains(r.Values, ir.Place{Used: true, Type: t, Reg: i}) {
				seen[at] = true
				r.Locals = append(r.Locals, ir.Place{Used: true, Type: t, Reg: i})
			}
		}
		for _, p := range r.Params {
			add(p.Type, p.Reg)
		}
		eachStmt(s.Body, func(s *ir.Stmt) {
			for _, i := range c.viewsOf(s) {
				if i >= r.FirstView && !slices.Contains(r.Views, i) {
					r.Views = append(r.Views, i)
				}
			}
			for _, x := range placesOf(ir.RegistersOf(c.p, s)) {
				add(x.Type, x.reg)
			}
		})
	})
}

// viewsOf lists the views that a statement sets, without those that statements in it set.
func (c *lowerer) viewsOf(s *ir.Stmt) (list []int) {
	if s.Op == ir.Look {
		return []int{s.I}
	}
	if s.Op == ir.Each {
		q := c.p.Queries[s.I]
		for i := range q.Views {
			list = append(list, q.First+i)
		}
	}
	return list
}

// placesOf lists registers.
func placesOf(places []ir.Place) (list []register) {
	for _, p := range places {
		list = append(list, register{p.Type, p.Reg})
	}
	return list
}
