package packing

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Expressions on vectors: two terms of the same shape become one computation.

// vectorCalls are the functions of math that are one instruction on vectors. by, if it is not 0, is the constant second
// operand.
var vectorCalls = map[string]*struct {
	op uint32
	by float64
}{
	"abs": {op: wasm.F64x2Abs}, "ceil": {op: wasm.F64x2Ceil}, "floor": {op: wasm.F64x2Floor}, "sqrt": {op: wasm.F64x2Sqrt},
	"deg": {wasm.F64x2Div, math.Pi / 180}, "rad": {wasm.F64x2Mul, math.Pi / 180},
}

// vectorOf puts the vector of the values of two terms on the stack. matters says that the sign of a zero makes a
// difference. The terms are of one type, and gainOf has not said never.
func (p *packer) vectorOf(a, b term, matters bool) {
	if p.uniform(a.Expr) && p.uniform(b.Expr) {
		p.Get(p.hoistPair(a.Expr, b.Expr, matters))
		return
	}
	if g := p.gainOf(a, b); a.Type == ir.Number && (g == -3 || g == -1 && p.same(a, b)) && !p.beside(a, b) {
		p.gather(a, b, matters)
		return
	} else if p.reduces(a, b, g) {
		p.reduce(a, b, matters)
		return
	}
	p.cost += opCost(a.Expr)
	switch a.Op {
	case ir.Load:
		p.Get(p.fields[p.field(a.Expr, a.row)].local)
	case ir.Reg:
		p.Get(p.vars.locations[p.reg(a.Type, a.I, a.row)].local)
	case ir.Neg:
		p.vectorOf(a.a(), b.a(), matters)
		p.Vector(wasm.F64x2Neg)
	case ir.Add, ir.Sub, ir.Mul, ir.Div:
		p.vectorOf(a.a(), b.a(), analysis.OperandMatters(a.Expr, 0, matters))
		p.vectorOf(a.b(), b.b(), analysis.OperandMatters(a.Expr, 1, matters))
		p.Vector(wasm.F64x2Add + uint32(a.Op-ir.Add))
		if matters && !(p.e.NeverNegativeZero(a.Expr) && p.e.NeverNegativeZero(b.Expr)) {
			p.Get(p.zero())
			p.Vector(wasm.F64x2Add)
			p.cost++
		}
	case ir.Min, ir.Max:
		p.vectorOf(a.a(), b.a(), matters)
		p.vectorOf(a.b(), b.b(), matters)
		p.Vector(wasm.F64x2PMin + uint32(a.Op-ir.Min))
	case ir.Call:
		p.vectorOf(a.a(), b.a(), analysis.OperandMatters(a.Expr, 0, matters))
		c := vectorCalls[a.Func]
		if c.by != 0 {
			by := &ir.Expr{Op: ir.Const, N: c.by}
			p.Get(p.hoistPair(by, by, false))
		}
		p.Vector(c.op)
	case ir.Select:
		p.vectorOf(a.b(), b.b(), matters)
		p.vectorOf(a.c(), b.c(), matters)
		p.vectorOf(a.a(), b.a(), false)
		p.Vector(wasm.V128Bitselect)
	case ir.Less:
		p.operands(a, b, wasm.F64x2Lt)
	case ir.LessEqual:
		p.operands(a, b, wasm.F64x2Le)
	case ir.And:
		p.operands(a, b, wasm.V128And)
	case ir.Or:
		p.operands(a, b, wasm.V128Or)
	case ir.Equal:
		if a.A.Type == ir.Bool {
			p.operands(a, b, wasm.V128Xor)
			p.Vector(wasm.V128Not)
			return
		}
		p.operands(a, b, wasm.F64x2Eq)
	case ir.Not:
		p.vectorOf(a.a(), b.a(), false)
		p.Vector(wasm.V128Not)
	default:
		abi.Refuse("an operation is not packed (%d)", a.Op)
	}
}

// operands puts the vectors of both operands on the stack, and writes an instruction on them.
func (p *packer) operands(a, b term, op uint32) {
	p.vectorOf(a.a(), b.a(), false)
	p.vectorOf(a.b(), b.b(), false)
	p.Vector(op)
}

// beside reports whether two terms are the two lanes of one slot.
func (p *packer) beside(a, b term) bool {
	switch {
	case a.Op != b.Op:
	case a.Op == ir.Load:
		return beside(p.fields[p.field(a.Expr, a.row)], p.fields[p.field(b.Expr, b.row)])
	case a.Op == ir.Reg:
		return beside(p.vars.locations[p.reg(a.Type, a.I, a.row)], p.vars.locations[p.reg(b.Type, b.I, b.row)])
	}
	return false
}

// gather puts a vector of two numbers on the stack that are computed one by one. It starts from zeros, because a splat
// waits for what was in the register before.
func (p *packer) gather(a, b term, matters bool) {
	p.cost += 3
	if p.same(a, b) {
		if h, ok := p.laneOf(a); ok {
			p.twice(h)
			return
		}
		n := p.Local(wasm.F64)
		p.one(a, matters)
		p.Set(n)
		p.Get(p.zero())
		p.Get(n)
		p.lane(wasm.F64x2ReplaceLane, 0)
		p.Get(n)
		p.lane(wasm.F64x2ReplaceLane, 1)
		return
	}
	p.Get(p.zero())
	p.one(a, matters)
	p.lane(wasm.F64x2ReplaceLane, 0)
	p.one(b, matters)
	p.lane(wasm.F64x2ReplaceLane, 1)
}

// laneOf returns where a field or a register is, if it is a number in a vector of two.
func (p *packer) laneOf(t term) (h location, ok bool) {
	switch {
	case t.Op == ir.Load:
		h = p.fields[p.field(t.Expr, t.row)]
	case t.Op == ir.Reg && p.vars.changes[p.register(t.Type, t.I)]:
		h = p.vars.locations[p.reg(t.Type, t.I, t.row)]
	}
	return h, h.slot != nil && h.n == 2 && !h.mask
}

// twice puts a vector with one lane of a slot in both lanes on the stack.
func (p *packer) twice(h location) {
	p.Get(h.local)
	p.Get(h.local)
	if h.lane == 0 {
		p.e.LowLane()
		p.lane(wasm.F64x2ReplaceLane, 1)
	} else {
		p.lane(wasm.F64x2ExtractLane, 1)
		p.lane(wasm.F64x2ReplaceLane, 0)
	}
}

// reduce puts the vector of the values of two terms on the stack, of which each is one operation on two numbers that lie side by side: the
// operands of each become a vector, and the vectors change lanes.
func (p *packer) reduce(a, b term, matters bool) {
	var v [2]int
	for i, t := range [...]term{a, b} {
		v[i] = p.Local(wasm.V128)
		p.vectorOf(t.a(), t.b(), analysis.OperandMatters(t.Expr, 0, matters) || analysis.OperandMatters(t.Expr, 1, matters))
		p.Set(v[i])
	}
	p.Get(v[0])
	p.Get(v[1])
	p.e.LowLane()
	p.lane(wasm.F64x2ReplaceLane, 1)
	p.Get(v[1])
	p.Get(v[0])
	p.lane(wasm.F64x2ExtractLane, 1)
	p.lane(wasm.F64x2ReplaceLane, 0)
	p.Vector(wasm.F64x2Add + uint32(a.Op-ir.Add))
	p.cost += reduceCost + opCost(a.Expr)
	if matters && !(p.e.NeverNegativeZero(a.Expr) && p.e.NeverNegativeZero(b.Expr)) {
		p.Get(p.zero())
		p.Vector(wasm.F64x2Add)
		p.cost++
	}
}

// one puts the number of one row on the stack, in scalar code.
func (p *packer) one(t term, matters bool) {
	p.at(t.row)
	p.cost += exprCost(t.Expr)
	p.e.Number(t.Expr, matters)
}
