package machine

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// Instructions on vectors, after opVector.
const (
	vecLoad         = 0x00
	vecStore        = 0x0b
	vecI64x2Splat   = 0x12
	vecI64x2Replace = 0x1e
	vecF64x2Lane    = 0x21
	vecF64x2Replace = 0x22
	vecEqual        = 0x47
	vecLess         = 0x49
	vecLessEqual    = 0x4b
	vecNot          = 0x4d
	vecAnd          = 0x4e
	vecAndNot       = 0x4f
	vecOr           = 0x50
	vecXor          = 0x51
	vecBitselect    = 0x52
	vecLoad64Zero   = 0x5d
	vecDemote       = 0x5e
	vecPromote      = 0x5f
	vecBits         = 0x64 // i8x16.bitmask
	vecNarrow16     = 0x65 // i8x16.narrow_i16x8_s
	vecNarrow32     = 0x85 // i16x8.narrow_i32x4_s
	vecCeil         = 0x74
	vecFloor        = 0x75
	vecAbs          = 0xec
	vecNeg          = 0xed
	vecSqrt         = 0xef
	vecAdd          = 0xf0
	vecDiv          = 0xf3
	vecMul          = 0xf2
)

// vectorCalls are the functions of math that are instructions. The second operand
// of one is a constant.
var vectorCalls = map[string]*struct {
	op uint32
	by float64
}{
	"abs": {op: vecAbs}, "ceil": {op: vecCeil}, "floor": {op: vecFloor}, "sqrt": {op: vecSqrt},
	"deg": {vecDiv, math.Pi / 180}, "rad": {vecMul, math.Pi / 180},
}

// vectorOf puts the vector of two values on the stack.
func (p *packer) vectorOf(a, b term, matters bool) {
	if p.uniform(a.Expr) && p.uniform(b.Expr) {
		p.get(p.hoistPair(a.Expr, b.Expr, matters))
		return
	}
	if g := p.gainOf(a, b); a.Type == kernel.Number && (g == -3 || g == -1 && p.same(a, b)) && !p.beside(a, b) {
		p.gather(a, b, matters)
		return
	}
	p.cost += opCost(a.Expr)
	switch a.Op {
	case kernel.Load:
		if !p.within(a.I) {
			p.get(p.others[other{a.I, a.Field.Offset}])
			return
		}
		p.get(p.fields[p.field(a.Expr, a.row)].local)
	case kernel.Reg:
		p.get(p.regs[p.reg(a.Type, a.I, a.row)].local)
	case kernel.Neg:
		p.vectorOf(a.a(), b.a(), matters)
		p.vector(vecNeg)
	case kernel.Add, kernel.Sub, kernel.Mul, kernel.Div:
		p.vectorOf(a.a(), b.a(), operandMatters(a.Expr, 0, matters))
		p.vectorOf(a.b(), b.b(), operandMatters(a.Expr, 1, matters))
		p.vector(vecAdd + uint32(a.Op-kernel.Add))
		if matters && !(p.signs.cleanly(a.Expr, false) && p.signs.cleanly(b.Expr, false)) {
			p.get(p.zero())
			p.vector(vecAdd)
			p.cost++
		}
	case kernel.Min, kernel.Max:
		p.vectorOf(a.a(), b.a(), matters)
		p.vectorOf(a.b(), b.b(), matters)
		p.vector(vecF64x2PMin + uint32(a.Op-kernel.Min))
	case kernel.Call:
		p.vectorOf(a.a(), b.a(), operandMatters(a.Expr, 0, matters))
		c := vectorCalls[a.Func]
		if c.by != 0 {
			by := &kernel.Expr{Op: kernel.Const, N: c.by}
			p.get(p.hoistPair(by, by, false))
		}
		p.vector(c.op)
	case kernel.Select:
		p.vectorOf(a.b(), b.b(), matters)
		p.vectorOf(a.c(), b.c(), matters)
		p.vectorOf(a.a(), b.a(), false)
		p.vector(vecBitselect)
	case kernel.Less:
		p.operands(a, b, vecLess)
	case kernel.LessEqual:
		p.operands(a, b, vecLessEqual)
	case kernel.And:
		p.operands(a, b, vecAnd)
	case kernel.Or:
		p.operands(a, b, vecOr)
	case kernel.Equal:
		if a.A.Type == kernel.Bool {
			p.operands(a, b, vecXor)
			p.vector(vecNot)
			return
		}
		p.operands(a, b, vecEqual)
	case kernel.Not:
		p.vectorOf(a.a(), b.a(), false)
		p.vector(vecNot)
	default:
		refuse("an operation is not packed (%d)", a.Op)
	}
}

func (p *packer) operands(a, b term, op uint32) {
	p.vectorOf(a.a(), b.a(), false)
	p.vectorOf(a.b(), b.b(), false)
	p.vector(op)
}

// beside reports whether two terms are lanes of a slot.
func (p *packer) beside(a, b term) bool {
	switch {
	case a.Op != b.Op:
	case a.Op == kernel.Load:
		if !p.within(a.I) {
			return true
		}
		return beside(p.fields[p.field(a.Expr, a.row)], p.fields[p.field(b.Expr, b.row)])
	case a.Op == kernel.Reg:
		return beside(p.regs[p.reg(a.Type, a.I, a.row)], p.regs[p.reg(b.Type, b.I, b.row)])
	}
	return false
}

// gather puts two numbers that are computed one by one into a vector. It begins
// with zeros: a splat would wait for what was in the register before.
func (p *packer) gather(a, b term, matters bool) {
	p.cost += 3
	if p.same(a, b) {
		n := p.local(f64)
		p.one(a, matters)
		p.set(n)
		p.get(p.zero())
		p.get(n)
		p.lane(vecF64x2Replace, 0)
		p.get(n)
		p.lane(vecF64x2Replace, 1)
		return
	}
	p.get(p.zero())
	p.one(a, matters)
	p.lane(vecF64x2Replace, 0)
	p.one(b, matters)
	p.lane(vecF64x2Replace, 1)
}

// one puts the number of one row on the stack.
func (p *packer) one(t term, matters bool) {
	p.row = t.row
	p.cost += exprCost(t.Expr)
	p.number(t.Expr, matters)
}
