package packing

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// The forms across. A vector holds the same number of two rows, so every statement of the body is written for two rows at
// once, and inner loops are possible if all rows run them equally often. Each statement is written for all rows of the
// batch before the next one: while one vector waits for a division or a square root, others are at work.

// wide writes the body of a form across. If rows can run out of fuel in an inner loop, the fuel and the outputs are saved
// first: see burnAll.
func (p *packer) wide(body []*ir.Stmt) {
	if p.program.Exact {
		p.Get(p.e.FuelRegister())
		p.I64(p.program.Price * int64(p.Rows))
		p.Op(wasm.I64Add)
		p.fuelWas = p.Local(wasm.I64)
		p.Set(p.fuelWas)
		p.outputs = p.e.SaveOutputs()
	}
	p.layRegisters()
	for _, s := range p.slots {
		p.load(s) // what is not needed the compiler leaves out
	}
	p.wideBody(body)
}

// layRegisters gives the registers that the body assigns their vectors, before the body is written: in a loop, a register
// may be read above the place in the text that assigns it. Counters of loops have none, because they are the same in all
// rows; carried registers have none, because they go from row to row.
func (p *packer) layRegisters() {
	counts := make([]bool, p.width())
	abi.Walk(p.body, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Count:
			counts[p.register(ir.Number, s.I)] = true
		case ir.Each:
			if entity := p.program.Queries[s.I].Entity; entity >= 0 {
				counts[p.register(ir.Number, entity)] = true
			}
		case ir.Set, ir.Store, ir.If, ir.Block:
		default:
			abi.Refuse("a statement of all rows is not packed (%d)", s.Op)
		}
	}, func(*ir.Expr) {})
	lay := func(typ ir.Type, n int) {
		for i := range n {
			if at := p.register(typ, i); p.vars.changes[at] && !p.vars.carried[at] && !counts[at] {
				for row := 0; row < p.Rows; row += 2 {
					p.slotOfRegisters(p.inRow(at, row), p.inRow(at, row+1), typ)
				}
			}
		}
	}
	lay(ir.Number, p.program.Numbers)
	lay(ir.Bool, p.program.Bools)
}

// wideBody writes statements for all rows of the batch. Those that use a carried register are written row by row.
func (p *packer) wideBody(body []*ir.Stmt) {
	for _, s := range body {
		switch {
		case s.Op == ir.Count:
			p.wideCount(s)
		case s.Op == ir.Each:
			p.wideEach(s)
		case p.meetsCarried(s):
			if p.branch > 0 {
				abi.Refuse("a loop of all rows uses a register that is carried from row to row")
			}
			for row := range p.Rows {
				p.writeAlone(segment{s, row})
			}
		default: // pair refuses what it does not know
			for row := 0; row < p.Rows; row += 2 {
				p.pair(segment{s, row}, segment{s, row + 1})
			}
		}
	}
}

// meetsCarried reports whether a statement reads or writes a register that is carried from row to row.
func (p *packer) meetsCarried(s *ir.Stmt) (meets bool) {
	abi.Walk([]*ir.Stmt{s}, func(s *ir.Stmt) {
		if s.Op == ir.Set {
			meets = meets || p.vars.carried[p.register(s.A.Type, s.I)] || s.Mark >= 0 && p.vars.carried[p.register(ir.Bool, s.Mark)]
		}
	}, func(x *ir.Expr) {
		if x.Op == ir.Reg {
			meets = meets || p.vars.carried[p.register(x.Type, x.I)]
		}
	})
	return meets
}

// wideCount writes a counting loop that has as many iterations in all rows. Others are refused.
func (p *packer) wideCount(s *ir.Stmt) {
	assigned := false
	abi.Walk(s.Body, func(in *ir.Stmt) {
		assigned = assigned || in.Op == ir.Set && in.A.Type == ir.Number && in.I == s.I || in.Op == ir.Count && in.I == s.I
	}, func(*ir.Expr) {})
	if assigned || !p.level(s.A) || !p.level(s.B) || !p.level(s.C) {
		abi.Refuse("rows run a loop differently often")
	}
	before := p.cost
	p.branch++
	defer func() {
		p.branch--
		p.cost = before + iterations(s)*(4+p.cost-before)
	}()
	if n := fixedIterations(s); n >= 0 && !reads(s.Body, s.I) {
		p.repeat(s, n)
		return
	}
	out := p.Block()
	p.vars.steady[s.I] = true
	p.e.Count(s, out, func(x int) {
		p.burnAll(s.Price)
		p.Get(x)
		p.Set(p.e.NumberRegister(s.I))
		p.wideBody(flat(s.Body))
	})
	delete(p.vars.steady, s.I)
	p.End()
}

// repeat writes a loop of n iterations whose counter is not used. All of them are paid for at once.
func (p *packer) repeat(s *ir.Stmt, n int) {
	if n == 0 {
		return
	}
	p.burnAll(s.Price * int64(n))
	left := p.Local(wasm.I32)
	p.I32(int32(n))
	p.Set(left)
	top := p.Loop()
	p.wideBody(flat(s.Body))
	p.Get(left)
	p.I32(1)
	p.Op(wasm.I32Sub)
	p.Tee(left)
	p.e.Again(top)
}

// fixedIterations returns how often a loop between constants runs; -1 for other loops, and for more than 500 iterations,
// which are not paid for at once.
func fixedIterations(s *ir.Stmt) int {
	if n, ok := analysis.CountIterations(s); ok && n <= 500 {
		return int(n)
	}
	return -1
}

// reads reports whether a body reads a register of type Number.
func reads(body []*ir.Stmt, reg int) (found bool) {
	abi.Walk(body, func(*ir.Stmt) {}, func(x *ir.Expr) {
		found = found || x.Op == ir.Reg && x.Type == ir.Number && x.I == reg
	})
	return found
}

// An other is a field of the row that a query within stands on.
type other struct {
	view   int
	offset uintptr
}

// wideEach writes a query within. Its rows are the same for all rows of the batch, so each of their fields is loaded once,
// into both lanes of a vector.
func (p *packer) wideEach(s *ir.Stmt) {
	before := p.cost
	p.branch++
	sub := &p.program.Queries[s.I]
	if sub.Entity >= 0 {
		p.vars.steady[sub.Entity] = true
	}
	p.e.EachTable(s, func(rows, entity int) {
		p.e.EachRow(s, rows, entity, func() { p.burnAll(s.Price) }, func() {
			abi.Walk(s.Body, func(*ir.Stmt) {}, func(x *ir.Expr) {
				if x.Op == ir.Load && x.I >= sub.First && x.I < sub.First+sub.Views {
					p.loadOther(x)
				}
			})
			p.wideBody(flat(s.Body))
		})
	})
	p.branch--
	p.cost = before + iterations(s)*(4+p.cost-before)
}

// loadOther loads a field of the row of a query within.
func (p *packer) loadOther(x *ir.Expr) {
	key := other{x.I, x.Field.Offset}
	if p.others[key] != 0 {
		return
	}
	l := p.Local(wasm.V128)
	p.others[key] = l
	p.cost += 3
	switch {
	case x.Type == ir.Bool:
		p.I64(0)
		p.e.LoadElsewhere(x)
		p.Op(wasm.I64ExtendI32U, wasm.I64Sub)
		p.Vector(wasm.I64x2Splat)
	case x.Field.Type == ecs.F64:
		p.VectorMemory(wasm.V128Load64Zero, p.e.Reach(x.I, x.Field))
		p.e.LoadElsewhere(x)
		p.lane(wasm.F64x2ReplaceLane, 1)
	default:
		n := p.Local(wasm.F64)
		p.e.LoadElsewhere(x)
		p.Set(n)
		p.Get(p.zero())
		for lane := range byte(2) {
			p.Get(n)
			p.lane(wasm.F64x2ReplaceLane, lane)
		}
	}
	p.Set(l)
}

// level reports whether an expression has the same value in all rows of the batch, at the place that is being written.
func (p *packer) level(x *ir.Expr) bool {
	switch {
	case x == nil, x.Op == ir.Const:
		return true
	case x.Op == ir.Reg:
		return p.unvarying(x)
	case x.Op == ir.Load, x.Op == ir.Entity:
		return false
	}
	return p.level(x.A) && p.level(x.B) && p.level(x.C)
}

// burnAll pays for an iteration in all rows. If the fuel does not suffice, outputs and fuel are restored, and the rows are
// done one by one.
func (p *packer) burnAll(price int64) {
	p.Get(p.e.FuelRegister())
	p.I64(price * int64(p.Rows))
	p.Op(wasm.I64Sub)
	p.Tee(p.e.FuelRegister())
	p.I64(0)
	p.Op(wasm.I64LtS)
	p.Then(wasm.Void)
	p.e.RestoreOutputs(p.outputs)
	p.Get(p.fuelWas)
	p.Set(p.e.FuelRegister())
	p.Jump(p.e.NextBatch())
	p.End()
}
