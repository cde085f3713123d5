package scalar

import (
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// Guards. Many bodies begin with tests, and do nothing for rows that fail them, which are most rows. For such bodies there
// is a batch that only runs the tests, and touches only the fields that they read. At the first row that passes, it leaves
// that row to the batch of a single row.

// guardRows is how many rows are tested in one batch.
const guardRows = 4

// guardWorth is the lowest price of a body whose tests are done first. Rows of cheaper bodies take no longer than their
// tests.
const guardWorth = 12

// A guard is one step of the tests: a register is set, or the row goes on if a condition holds, or if it does not.
type guard struct {
	set   *ir.Stmt
	test  *ir.Expr
	holds bool
}

// guardsOf appends the guards that a body begins with. label is that of the block whose end is the end of the row, 0 if
// there is none.
func (e *Emitter) guardsOf(body []*ir.Stmt, label int, list []guard) []guard {
	for i, s := range body {
		last := i == len(body)-1
		switch {
		case s.Op == ir.Set && s.Mark < 0 && s.A.Type != ir.Text && e.weight(s.A) < heavy && !e.isOutput(s):
			list = append(list, guard{set: s})
		case s.Op == ir.Block && last && label == 0:
			return e.guardsOf(s.Body, s.I, list)
		case s.Op != ir.If || len(s.Else) > 0 || e.weight(s.A) >= heavy:
			return list
		case len(s.Body) == 1 && s.Body[0].Op == ir.Jump && s.Body[0].I == label:
			list = append(list, guard{test: s.A})
		case last:
			return e.guardsOf(s.Body, label, append(list, guard{test: s.A, holds: true}))
		default:
			return list
		}
	}
	return list
}

// isOutput reports whether a statement sets the register of an output.
func (e *Emitter) isOutput(s *ir.Stmt) bool {
	for _, out := range e.p.Outputs {
		if out.Type == s.A.Type && out.Reg == s.I {
			return true
		}
	}
	return false
}

// guarded is the batch over rows that fail the tests; ok is false when the body does not begin with any.
func (e *Emitter) guarded() (t Batch, ok bool) {
	list := e.guardsOf(e.p.Body, 0, nil)
	for len(list) > 0 && list[len(list)-1].test == nil {
		list = list[:len(list)-1]
	}
	if len(list) == 0 || e.p.Price < guardWorth {
		return t, false
	}
	var cells []*Cell
	asked := map[int]bool{0: true}
	for _, g := range list {
		s := g.set
		if s == nil {
			s = &ir.Stmt{A: g.test}
		}
		abi.Walk([]*ir.Stmt{{A: s.A}}, func(*ir.Stmt) {}, func(x *ir.Expr) {
			switch x.Op {
			case ir.Load:
				asked[e.own.views[x.I]] = true
				if e.cached(x.I) {
					cells = append(cells, e.cell(x.I, x.Field))
				}
			case ir.Entity:
				asked[e.own.entities] = true
			}
		})
	}
	e.loop.guards = true
	return Batch{guardRows, func() {
		for i, w := range e.own.walkers {
			if asked[i] {
				e.touchOne(w, guardRows)
			}
		}
		for i := range guardRows {
			e.iter.row = i
			e.testRow(list, cells)
		}
		e.iter.row = 0
	}}, true
}

// testRow leaves the batch at the row at hand if the row passes the tests. The fuel of the rows that were not tested is
// given back.
func (e *Emitter) testRow(list []guard, cells []*Cell) {
	skip := e.Block()
	for _, c := range cells {
		e.load(c)
	}
	for _, g := range list {
		if g.set != nil {
			e.stmt(g.set)
			continue
		}
		e.Condition(g.test)
		if g.holds {
			e.Op(wasm.I32Eqz)
		}
		e.JumpIf(skip)
	}
	if e.iter.row > 0 {
		for _, w := range e.own.walkers {
			e.move(w, e.iter.row)
		}
	}
	e.refund(guardRows - e.iter.row)
	e.Jump(e.loop.giveUp)
	e.End()
}
