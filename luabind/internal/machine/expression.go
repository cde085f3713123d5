package machine

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/mathfn"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// holdConstants loads the constants of the body into locals: the compiler would
// build them anew at each use.
func (e *emitter) holdConstants() {
	hold := func(n float64) {
		bits := math.Float64bits(n)
		if _, ok := e.held[bits]; ok || len(e.constants) == mostConstants {
			return
		}
		l := e.Local(wasm.F64)
		e.held[bits] = l
		e.Get(argFrame)
		e.Memory(wasm.F64Load, e.layout.constants+8*uint32(len(e.constants)))
		e.Set(l)
		e.constants = append(e.constants, n)
	}
	hold(0)
	walk(e.p.Body, func(*kernel.Stmt) {}, func(x *kernel.Expr) {
		if x.Op == kernel.Const && x.Type == kernel.Number {
			hold(x.N)
		}
	})
}

func (e *emitter) constant(n float64) {
	if l, ok := e.held[math.Float64bits(n)]; ok {
		e.Get(l)
		return
	}
	e.F64(n)
}

// number writes an expression of type Number. Matters says that the sign of a zero
// does.
func (e *emitter) number(x *kernel.Expr, matters bool) {
	e.spend(1)
	if e.leaf != nil && e.leaf(x) {
		return
	}
	switch x.Op {
	case kernel.Const:
		e.constant(x.N)
	case kernel.Reg:
		e.Get(e.numbers[x.I])
	case kernel.Load:
		if !e.cached(x.I) {
			e.loadDirect(x)
			return
		}
		e.Get(e.cell(x.I, x.Field).local)
	case kernel.Entity:
		e.Get(e.walkers[e.entities].ptr)
		e.Memory(wasm.I64Load, uint32(e.row)*8)
		e.Op(wasm.F64ConvertI64S)
	case kernel.Select:
		e.condition(x.A)
		e.Then(wasm.F64)
		e.number(x.B, matters)
		e.Otherwise()
		e.number(x.C, matters)
		e.End()
	case kernel.Neg:
		e.number(x.A, matters)
		e.Op(wasm.F64Neg)
	case kernel.Min, kernel.Max:
		e.extreme(x, matters)
	case kernel.Call:
		e.number(x.A, operandMatters(x, 0, matters))
		if code := mathfn.Inline(x.Func); code != nil {
			e.Op(code...)
			return
		}
		if x.B != nil {
			e.number(x.B, operandMatters(x, 1, matters))
		}
		e.Call(e.m.MathIndex(x.Func))
	case kernel.Element:
		e.element(x)
	case kernel.Random:
		e.draw(x)
	case kernel.Add, kernel.Sub, kernel.Mul, kernel.Div, kernel.Mod, kernel.Pow:
		e.number(x.A, operandMatters(x, 0, matters))
		e.number(x.B, operandMatters(x, 1, matters))
		switch x.Op {
		case kernel.Mod:
			e.Call(e.m.MathIndex("%"))
		case kernel.Pow:
			e.Call(e.m.MathIndex("^"))
		default:
			e.Op(wasm.F64Add + byte(x.Op-kernel.Add))
		}
		if matters && !e.signs.cleanly(x, false) {
			e.constant(0)
			e.Op(wasm.F64Add)
		}
	default:
		refuse("it has an expression without code (%d)", x.Op)
	}
}

// extreme is the smaller or larger of two: the first, unless the second is beyond
// it. That is what pmin and pmax do, lane by lane; f64.min differs for NaN, and an
// if would have to be guessed.
func (e *emitter) extreme(x *kernel.Expr, matters bool) {
	e.number(x.A, matters)
	e.Vector(wasm.F64x2Splat)
	e.number(x.B, matters)
	e.Vector(wasm.F64x2Splat)
	if x.Op == kernel.Min {
		e.Vector(wasm.F64x2PMin)
	} else {
		e.Vector(wasm.F64x2PMax)
	}
	e.lowLane()
}

// lowLane takes the first number of a vector. The compiler's f64x2.extract_lane
// copies it into a register whose other half it keeps, and so makes it wait for
// what was there before.
func (e *emitter) lowLane() {
	e.Vector(wasm.I64x2ExtractLane)
	e.Op(0, wasm.F64ReinterpretI64)
}

// condition writes an expression of type Bool: 1 or 0.
func (e *emitter) condition(x *kernel.Expr) {
	e.spend(1)
	if e.leaf != nil && e.leaf(x) {
		return
	}
	switch x.Op {
	case kernel.Const:
		v := int32(0)
		if x.N != 0 {
			v = 1
		}
		e.I32(v)
	case kernel.Reg:
		e.Get(e.bools[x.I])
	case kernel.Load:
		if !e.cached(x.I) {
			e.loadDirect(x)
			return
		}
		e.Get(e.cell(x.I, x.Field).local)
	case kernel.Present:
		if !e.optional(x.I) {
			e.I32(1)
			return
		}
		e.present(x.I)
		e.Op(wasm.I32Eqz, wasm.I32Eqz)
	case kernel.Alive, kernel.Has, kernel.Tagged:
		e.asks(x)
	case kernel.Not:
		e.condition(x.A)
		e.Op(wasm.I32Eqz)
	case kernel.And, kernel.Or:
		e.both(x)
	case kernel.Equal:
		if e.sameHandle(x) {
			return
		}
		switch x.A.Type {
		case kernel.Bool:
			e.condition(x.A)
			e.condition(x.B)
			e.Op(wasm.I32Eq)
		case kernel.Text:
			e.text(x.A)
			e.text(x.B)
			e.Op(wasm.I32Eq)
		case kernel.Number:
			e.compare(x, wasm.F64Eq)
		}
	case kernel.Less:
		e.compare(x, wasm.F64Lt)
	case kernel.LessEqual:
		e.compare(x, wasm.F64Le)
	default:
		refuse("it has a condition without code (%d)", x.Op)
	}
}

func (e *emitter) compare(x *kernel.Expr, op byte) {
	e.number(x.A, false)
	e.number(x.B, false)
	e.Op(op)
}

// both is and, or. Where the right operand is cheap and does nothing else it is
// worked out in any case: that costs less than a branch.
func (e *emitter) both(x *kernel.Expr) {
	e.condition(x.A)
	if e.weight(x.B) <= 8 {
		e.condition(x.B)
		if x.Op == kernel.And {
			e.Op(wasm.I32And)
		} else {
			e.Op(wasm.I32Or)
		}
		return
	}
	e.Then(wasm.I32)
	if x.Op == kernel.And {
		e.condition(x.B)
		e.Otherwise()
		e.I32(0)
	} else {
		e.I32(1)
		e.Otherwise()
		e.condition(x.B)
	}
	e.End()
}

// heavy is the weight of what can fail or has an effect.
const heavy = 1000

// weight is roughly how many instructions an expression takes; many where it can
// fail or has an effect.
func (e *emitter) weight(x *kernel.Expr) int {
	e.spend(1)
	n := 0
	switch x.Op {
	case kernel.Const, kernel.Reg, kernel.Entity, kernel.Present:
		return 1
	case kernel.Load:
		if e.optional(x.I) {
			return heavy
		}
		return 1
	case kernel.Add, kernel.Sub, kernel.Mul, kernel.Neg, kernel.Less, kernel.LessEqual, kernel.Equal, kernel.Not, kernel.And, kernel.Or:
		n = 1
	default:
		return heavy
	}
	for _, a := range [...]*kernel.Expr{x.A, x.B, x.C} {
		if a != nil {
			n += e.weight(a)
		}
	}
	return n
}
