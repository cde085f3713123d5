package machine

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// pair writes two statements as one.
func (p *packer) pair(a, b piece) {
	switch a.Op {
	case kernel.Store:
		s := p.fields[p.spotOf(a.I, a.Field, a.row)].slot
		s.dirty = true
		p.noteStore(a, b)
		if p.flips(a, b, s) {
			return
		}
		p.vectorOf(term{a.A, a.row}, term{b.A, b.row}, true)
		if s.typ == ecs.F32 {
			p.vector(vecDemote)
			p.vector(vecPromote)
			p.cost += 2
		}
		p.assign(s)
		p.keepRaw(s)
	case kernel.Set:
		x, y := p.reg(a.A.Type, a.I, a.row), p.reg(b.A.Type, b.I, b.row)
		matters := a.A.Type == kernel.Number && (p.signs.matter[a.I] || p.signs.matter[b.I])
		h := p.regs[x]
		p.vectorOf(term{a.A, a.row}, term{b.A, b.row}, matters)
		if h.slot != nil {
			p.assign(h.slot)
			return
		}
		s := &slot{local: p.local(v128), n: 2, typ: ecs.F64, view: -1, mask: a.A.Type == kernel.Bool}
		p.regs[x], p.regs[y] = home{s, 0}, home{s, 1}
		p.known[x], p.known[y] = true, true
		p.set(s.local)
	case kernel.If:
		p.pairIf(a, b)
	}
}

// assign puts the vector on the stack into a slot, where the condition holds.
func (p *packer) assign(s *slot) {
	if p.mask >= 0 {
		p.get(s.local)
		p.get(p.mask)
		p.vector(vecBitselect)
		p.cost += 2
	}
	p.set(s.local)
}

// flips writes the change of a sign where the condition holds; false for all else.
func (p *packer) flips(a, b piece, s *slot) bool {
	own := func(x piece) bool {
		n := x.Stmt.A
		return n.Op == kernel.Neg && n.A.Op == kernel.Load && p.field(n.A, x.row) == p.spotOf(x.I, x.Field, x.row)
	}
	if p.mask < 0 || s.mask || !own(a) || !own(b) {
		return false
	}
	sign := p.hoist("sign", v128, func() {
		p.i64(math.MinInt64)
		p.vector(vecI64x2Splat)
	})
	p.get(s.local)
	p.get(p.mask)
	p.get(sign)
	p.vector(vecAnd)
	p.vector(vecXor)
	p.set(s.local)
	p.keepRaw(s)
	p.cost += 2
	return true
}

func (p *packer) pairIf(a, b piece) {
	test := p.local(v128)
	p.vectorOf(term{a.A, a.row}, term{b.A, b.row}, false)
	p.set(test)
	outer := p.mask
	p.mask = test
	if outer >= 0 {
		p.mask = p.local(v128)
		p.get(test)
		p.get(outer)
		p.vector(vecAnd)
		p.set(p.mask)
		p.cost++
	}
	for i := range a.Body {
		p.pair(piece{a.Body[i], a.row}, piece{b.Body[i], b.row})
	}
	if len(a.Else) > 0 {
		p.mask = p.local(v128)
		if outer >= 0 {
			p.get(outer)
			p.get(test)
			p.vector(vecAndNot)
		} else {
			p.get(test)
			p.vector(vecNot)
		}
		p.set(p.mask)
		p.cost++
		for i := range a.Else {
			p.pair(piece{a.Else[i], a.row}, piece{b.Else[i], b.row})
		}
	}
	p.mask = outer
}

// writeAlone writes a statement for one row.
func (p *packer) writeAlone(x piece) {
	p.row = x.row
	p.cost += exprCost(x.A)
	switch x.Op {
	case kernel.Set:
		p.setAlone(x)
	case kernel.Store:
		p.noteStore(x)
		p.putLane(p.fields[p.spotOf(x.I, x.Field, x.row)], func() {
			if x.A.Type == kernel.Bool {
				p.condition(x.A)
			} else {
				p.number(x.A, true)
			}
		})
	case kernel.If:
		p.cost += 2
		p.condition(x.A)
		p.then(void)
		p.branch++
		p.block(piecesOf(x.Body, x.row), false)
		if len(x.Else) > 0 {
			p.otherwise()
			p.block(piecesOf(x.Else, x.row), false)
		}
		p.branch--
		p.end()
	default:
		refuse("a statement of one row is not packed (%d)", x.Op)
	}
}

func piecesOf(body []*kernel.Stmt, row int) (out []piece) {
	for _, s := range flat(body) {
		out = append(out, piece{s, row})
	}
	return out
}

func (p *packer) setAlone(x piece) {
	at := p.reg(x.A.Type, x.I, x.row)
	write := func() {
		if x.A.Type == kernel.Bool {
			p.condition(x.A)
		} else {
			p.number(x.A, p.signs.matter[x.I])
		}
	}
	h := p.regs[at]
	switch {
	case h.slot != nil:
		p.putLane(h, write)
		return
	case p.carried[at] && x.A.Type == kernel.Bool:
		write()
		p.set(p.bools[x.I])
	case p.carried[at]:
		write()
		p.set(p.numbers[x.I])
	default:
		p.known[at] = true
		write()
		p.set(p.alone(at, x.A.Type))
	}
	if x.Mark >= 0 {
		p.i32(1)
		p.set(p.bools[x.Mark])
	}
}

// zero is a local of two zeros.
func (p *packer) zero() int {
	return p.hoist("zero", v128, func() {
		p.i64(0)
		p.vector(vecI64x2Splat)
	})
}

// hoistPair is a local with two values that are the same for all rows of a call.
func (p *packer) hoistPair(a, b *kernel.Expr, matters bool) int {
	return p.hoist(pairName(a, b, matters), v128, func() {
		leaf := p.asUsual()
		defer leaf()
		if a.Type == kernel.Bool {
			p.i64(0)
			p.vector(vecI64x2Splat)
			for i, x := range []*kernel.Expr{a, b} {
				p.i64(0)
				p.condition(x)
				p.op(opI64ExtendI32U, opI64Sub)
				p.lane(vecI64x2Replace, byte(i))
			}
			return
		}
		p.number(a, matters)
		p.vector(vecF64x2Splat)
		if !bytes.Equal(appendText(nil, a), appendText(nil, b)) {
			p.number(b, matters)
			p.lane(vecF64x2Replace, 1)
		}
	})
}

// asUsual turns the packer's registers off until the returned function is called.
func (p *packer) asUsual() func() {
	leaf := p.emitter.leaf
	p.emitter.leaf = nil
	return func() { p.emitter.leaf = leaf }
}

// pairName is the name of two values in one vector.
func pairName(a, b *kernel.Expr, matters bool) string {
	name := appendText(appendText(nil, a), b)
	if matters {
		name = append(name, 1)
	}
	return string(name)
}

// appendText appends a name for an expression: different ones have different names.
func appendText(b []byte, x *kernel.Expr) []byte {
	if x == nil {
		return append(b, 0)
	}
	b = append(b, 1, byte(x.Op), byte(x.Type))
	b = binary.AppendVarint(b, int64(x.I))
	b = binary.AppendUvarint(b, math.Float64bits(x.N))
	b = append(append(b, x.Func...), 0)
	return appendText(appendText(appendText(b, x.A), x.B), x.C)
}
