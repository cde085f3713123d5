package packing

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Statements: for two rows as one (pair…), and for one row in scalar code (…Alone). Under a condition, pairs are assigned
// by masks: the new value in the lanes where the condition holds, the old one in the others. So both branches of an if run,
// which is correct because nothing in a packed body fails.

// pair writes two segments as one statement on vectors. They are alike: gain has not said never.
func (p *packer) pair(a, b segment) {
	switch a.Op {
	case ir.Store:
		s := p.fields[p.operandOf(a.I, a.Field, a.row)].slot
		s.dirty = true
		p.noteStore(a, b)
		if p.flips(a, b, s) {
			return
		}
		p.vectorOf(term{a.A, a.row}, term{b.A, b.row}, true)
		if s.typ == ecs.F32 {
			p.Vector(wasm.F32x4DemoteF64x2Zero)
			p.Vector(wasm.F64x2PromoteLowF32x4)
			p.cost += 2
		}
		p.assign(s)
		p.keepRaw(s)
	case ir.Set:
		p.pairSet(a, b)
	case ir.If:
		p.pairIf(a, b)
	default:
		abi.Refuse("a statement of two rows is not packed (%d)", a.Op)
	}
}

// pairSet writes two assignments of registers as one, and sets their marks.
func (p *packer) pairSet(a, b segment) {
	if a.Mark != b.Mark { // a pair with marks is one statement for two rows
		abi.Refuse("the marks of two registers are not side by side")
	}
	x, y := p.reg(a.A.Type, a.I, a.row), p.reg(b.A.Type, b.I, b.row)
	matters := a.A.Type == ir.Number && (p.e.SignMatters(a.I) || p.e.SignMatters(b.I))
	// The first assignment of a register without a mark is made without the condition: nothing reads what the lanes held before.
	first := !p.vars.known[x] && !p.vars.known[y] && a.Mark < 0
	if p.vars.locations[x].slot == nil {
		p.slotOfRegisters(x, y, a.A.Type)
	}
	p.vectorOf(term{a.A, a.row}, term{b.A, b.row}, matters)
	p.vars.known[x], p.vars.known[y] = true, true
	if s := p.vars.locations[x].slot; first {
		p.Set(s.local)
	} else {
		p.assign(s)
	}
	if a.Mark < 0 {
		return
	}
	h := p.vars.locations[p.reg(ir.Bool, a.Mark, a.row)]
	if !beside(h, p.vars.locations[p.reg(ir.Bool, b.Mark, b.row)]) {
		abi.Refuse("the marks of two registers are not side by side")
	}
	p.Get(p.hoistPair(isTrue, isTrue, false))
	p.assign(h.slot)
}

// isTrue is the constant true.
var isTrue = &ir.Expr{Op: ir.Const, Type: ir.Bool, N: 1}

// slotOfRegisters makes two registers the lanes of a new vector.
func (p *packer) slotOfRegisters(x, y operand, typ ir.Type) {
	s := &slot{local: p.Local(wasm.V128), n: 2, typ: ecs.F64, view: -1, mask: typ == ir.Bool}
	p.vars.locations[x], p.vars.locations[y] = location{s, 0}, location{s, 1}
}

// assign sets the lanes of a slot to the vector on the stack where the current condition holds.
func (p *packer) assign(s *slot) {
	if p.mask >= 0 {
		p.Get(s.local)
		p.Get(p.mask)
		p.Vector(wasm.V128Bitselect)
		p.cost += 2
	}
	p.Set(s.local)
}

// flips writes x = -x under a condition, which is one exclusive or; false, and nothing, for other assignments.
func (p *packer) flips(a, b segment, s *slot) bool {
	own := func(x segment) bool {
		n := x.Stmt.A
		return n.Op == ir.Neg && n.A.Op == ir.Load && p.field(n.A, x.row) == p.operandOf(x.I, x.Field, x.row)
	}
	if p.mask < 0 || s.mask || !own(a) || !own(b) {
		return false
	}
	sign := p.hoist("sign", wasm.V128, func() {
		p.I64(math.MinInt64)
		p.Vector(wasm.I64x2Splat)
	})
	p.Get(s.local)
	p.Get(p.mask)
	p.Get(sign)
	p.Vector(wasm.V128And)
	p.Vector(wasm.V128Xor)
	p.Set(s.local)
	p.keepRaw(s)
	p.cost += 2
	return true
}

// pairIf writes two ifs as one.
func (p *packer) pairIf(a, b segment) {
	test := p.Local(wasm.V128)
	p.vectorOf(term{a.A, a.row}, term{b.A, b.row}, false)
	p.Set(test)
	outer := p.mask
	p.mask = test
	if outer >= 0 {
		p.mask = p.Local(wasm.V128)
		p.Get(test)
		p.Get(outer)
		p.Vector(wasm.V128And)
		p.Set(p.mask)
		p.cost++
	}
	p.pairBody(a, b, a.Body, b.Body)
	if len(a.Else)+len(b.Else) > 0 {
		p.mask = p.Local(wasm.V128)
		if outer >= 0 {
			p.Get(outer)
			p.Get(test)
			p.Vector(wasm.V128AndNot)
		} else {
			p.Get(test)
			p.Vector(wasm.V128Not)
		}
		p.Set(p.mask)
		p.cost++
		p.pairBody(a, b, a.Else, b.Else)
	}
	p.mask = outer
}

// pairBody writes the statements under two conditions, which are paired in their order.
func (p *packer) pairBody(a, b segment, x, y []*ir.Stmt) {
	x, y = flat(x), flat(y)
	if len(x) != len(y) {
		abi.Refuse("two rows do different statements")
	}
	for i := range x {
		p.pair(segment{x[i], a.row}, segment{y[i], b.row})
	}
}

// writeAlone writes a statement for one row.
func (p *packer) writeAlone(x segment) {
	p.at(x.row)
	p.cost += exprCost(x.A)
	switch x.Op {
	case ir.Set:
		p.setAlone(x)
	case ir.Store:
		p.noteStore(x)
		p.putLane(p.fields[p.operandOf(x.I, x.Field, x.row)], func() {
			if x.A.Type == ir.Bool {
				p.e.Condition(x.A)
			} else {
				p.e.Number(x.A, true)
			}
		})
	case ir.If:
		p.cost += 2
		p.e.Condition(x.A)
		p.Then(wasm.Void)
		p.branch++
		p.block(segmentsOf(x.Body, x.row), false)
		if len(x.Else) > 0 {
			p.Otherwise()
			p.block(segmentsOf(x.Else, x.row), false)
		}
		p.branch--
		p.End()
	default:
		abi.Refuse("a statement of one row is not packed (%d)", x.Op)
	}
}

func segmentsOf(body []*ir.Stmt, row int) (out []segment) {
	for _, s := range flat(body) {
		out = append(out, segment{s, row})
	}
	return out
}

// setAlone writes the assignment of a register in one row, and sets its mark.
func (p *packer) setAlone(x segment) {
	p.putRegister(x.A.Type, x.I, x.row, func() {
		if x.A.Type == ir.Bool {
			p.e.Condition(x.A)
		} else {
			p.e.Number(x.A, p.e.SignMatters(x.I))
		}
	})
	if x.Mark >= 0 {
		p.putRegister(ir.Bool, x.Mark, x.row, func() { p.I32(1) })
	}
}

// putRegister assigns a register of one row, wherever it is kept. write puts the value on the stack.
func (p *packer) putRegister(typ ir.Type, i, row int, write func()) {
	at := p.reg(typ, i, row)
	switch {
	case p.vars.locations[at].slot != nil:
		p.putLane(p.vars.locations[at], write)
	case p.vars.carried[at] && typ == ir.Bool:
		write()
		p.Set(p.e.BoolRegister(i))
	case p.vars.carried[at]:
		write()
		p.Set(p.e.NumberRegister(i))
	default:
		write()
		p.Set(p.alone(at, typ))
	}
	p.vars.known[at] = true
}

// zero returns a local with a vector of zeros.
func (p *packer) zero() int {
	return p.hoist("zero", wasm.V128, func() {
		p.I64(0)
		p.Vector(wasm.I64x2Splat)
	})
}

// hoistPair returns a local with a vector of two values that are the same in all rows of a call.
func (p *packer) hoistPair(a, b *ir.Expr, matters bool) int {
	if a.Type == ir.Text || b.Type == ir.Text {
		abi.Refuse("strings are not packed")
	}
	return p.hoist(pairName(a, b, matters), wasm.V128, func() {
		leaf := p.withoutLeaf()
		defer leaf()
		if a.Type == ir.Bool {
			p.I64(0)
			p.Vector(wasm.I64x2Splat)
			for i, x := range []*ir.Expr{a, b} {
				p.I64(0)
				p.e.Condition(x)
				p.Op(wasm.I64ExtendI32U, wasm.I64Sub)
				p.lane(wasm.I64x2ReplaceLane, byte(i))
			}
			return
		}
		p.e.Number(a, matters)
		p.Vector(wasm.F64x2Splat)
		if !bytes.Equal(appendText(nil, a), appendText(nil, b)) {
			p.e.Number(b, matters)
			p.lane(wasm.F64x2ReplaceLane, 1)
		}
	})
}

// withoutLeaf makes the emitter write fields and registers itself, until the function it returns is called.
func (p *packer) withoutLeaf() func() {
	return p.e.WithLeaf(nil)
}

// pairName is the key of two values in one vector: see hoist.
func pairName(a, b *ir.Expr, matters bool) string {
	name := appendText(appendText(nil, a), b)
	if matters {
		name = append(name, 1)
	}
	return string(name)
}

// appendText appends a text for an expression. Different expressions have different texts.
func appendText(b []byte, x *ir.Expr) []byte {
	if x == nil {
		return append(b, 0)
	}
	b = append(b, 1, byte(x.Op), byte(x.Type))
	b = binary.AppendVarint(b, int64(x.I))
	b = binary.AppendUvarint(b, math.Float64bits(x.N))
	b = append(append(b, x.Func...), 0)
	b = append(binary.AppendUvarint(b, uint64(len(x.S))), x.S...)
	return appendText(appendText(appendText(b, x.A), x.B), x.C)
}
