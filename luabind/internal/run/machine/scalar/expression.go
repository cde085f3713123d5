package scalar

import (
	"fmt"
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/mathfn"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Expressions of a row. Numbers are float64, conditions are 0 or 1 in 32 bits. Results must be those of the interpreter,
// bit for bit; package kernel has the rules, signs.go of package analysis when a result needs +0.

// holdConstants loads the numbers of the body into locals, up to [abi.MostConstants] of them. 0 is always among them.
func (e *Emitter) holdConstants() {
	hold := func(n float64) {
		bits := math.Float64bits(n)
		if _, ok := e.consts.held[bits]; ok || len(e.consts.constants) == abi.MostConstants {
			return
		}
		l := e.Local(wasm.F64)
		e.consts.held[bits] = l
		e.Get(abi.ArgFrame)
		e.Memory(wasm.F64Load, e.layout.Constants+8*uint32(len(e.consts.constants)))
		e.Set(l)
		e.consts.constants = append(e.consts.constants, n)
	}
	hold(0)
	abi.Walk(e.p.Body, func(*ir.Stmt) {}, func(x *ir.Expr) {
		if x.Op == ir.Const && x.Type == ir.Number {
			hold(x.N)
		}
	})
}

// constant puts a number on the stack.
func (e *Emitter) constant(n float64) {
	if l, ok := e.consts.held[math.Float64bits(n)]; ok {
		e.Get(l)
		return
	}
	e.F64(n)
}

// Number puts the value of an expression of type Number on the stack. matters says that the sign of a zero makes a
// difference.
func (e *Emitter) Number(x *ir.Expr, matters bool) {
	e.Spend(1)
	if e.iter.leaf != nil && e.iter.leaf(x) {
		return
	}
	switch x.Op {
	case ir.Const:
		e.constant(x.N)
	case ir.Reg:
		e.Get(e.regs.numbers[x.I])
	case ir.Load:
		if !e.cached(x.I) {
			e.LoadElsewhere(x)
			return
		}
		e.Get(e.cell(x.I, x.Field).local)
	case ir.Entity:
		e.Get(e.own.walkers[e.own.entities].Ptr)
		e.Memory(wasm.I64Load, uint32(e.iter.row)*8)
		e.Op(wasm.F64ConvertI64S)
	case ir.Select:
		e.Condition(x.A)
		e.Then(wasm.F64)
		e.onlyHere(func() { e.Number(x.B, matters) })
		e.Otherwise()
		e.onlyHere(func() { e.Number(x.C, matters) })
		e.End()
	case ir.Neg:
		e.Number(x.A, matters)
		e.Op(wasm.F64Neg)
	case ir.Min, ir.Max:
		e.extreme(x, matters)
	case ir.Call:
		e.Number(x.A, analysis.OperandMatters(x, 0, matters))
		if code := mathfn.Inline(x.Func); code != nil {
			e.Op(code...)
			return
		}
		if code, ok := bitCode[x.Func]; ok {
			e.wholeBits()
			e.Number(x.B, false)
			e.wholeBits()
			e.Op(code, wasm.F64ConvertI32S)
			return
		}
		if x.B != nil {
			e.Number(x.B, analysis.OperandMatters(x, 1, matters))
		}
		e.Call(e.m.MathIndex(x.Func))
	case ir.Element:
		e.element(x)
	case ir.Lookup:
		e.lookup(x)
	case ir.Random:
		e.draw(x)
	case ir.Related:
		e.related(x)
	case ir.As:
		e.as(x)
	case ir.Length:
		e.lengthOfText(x)
	case ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.Pow:
		e.Number(x.A, analysis.OperandMatters(x, 0, matters))
		e.Number(x.B, analysis.OperandMatters(x, 1, matters))
		switch x.Op {
		case ir.Mod:
			e.Call(e.m.MathIndex("%"))
		case ir.Pow:
			e.Call(e.m.MathIndex("^"))
		default:
			e.Op(wasm.F64Add + byte(x.Op-ir.Add))
		}
		if matters && !e.signs.NeverNegativeZero(x, false) {
			e.constant(0)
			e.Op(wasm.F64Add)
		}
	default:
		abi.Refuse("it has an expression without code (%d)", x.Op)
	}
}

// bitCode has the instructions of the library bit, for two integers of 32 bits.
var bitCode = map[string]byte{
	"bit.band": wasm.I32And, "bit.bor": wasm.I32Or, "bit.bxor": wasm.I32Xor, "bit.lshift": wasm.I32Shl, "bit.rshift": wasm.I32ShrU,
	"bit.arshift": wasm.I32ShrS, "bit.rol": wasm.I32Rotl, "bit.ror": wasm.I32Rotr,
}

// wholeBits replaces a whole number on the stack by its lowest 32 bits.
func (e *Emitter) wholeBits() {
	e.Saturating(wasm.I64TruncSatF64S)
	e.Op(wasm.I32WrapI64)
}

// extreme puts the smaller or larger of two numbers on the stack: the first one, unless the second is beyond it. pmin and
// pmax do that, lane by lane; f64.min treats NaN otherwise, and the processor would have to predict an if.
func (e *Emitter) extreme(x *ir.Expr, matters bool) {
	e.Number(x.A, matters)
	e.Vector(wasm.F64x2Splat)
	e.Number(x.B, matters)
	e.Vector(wasm.F64x2Splat)
	if x.Op == ir.Min {
		e.Vector(wasm.F64x2PMin)
	} else {
		e.Vector(wasm.F64x2PMax)
	}
	e.LowLane()
}

// LowLane replaces the vector on the stack by its first number. The compiler's f64x2.extract_lane copies it into a register
// whose other half is kept, and so waits for what was there before.
func (e *Emitter) LowLane() {
	e.Vector(wasm.I64x2ExtractLane)
	e.Op(0, wasm.F64ReinterpretI64)
}

// Condition puts the value of an expression of type Bool on the stack: 1 or 0.
func (e *Emitter) Condition(x *ir.Expr) {
	e.Spend(1)
	if e.iter.leaf != nil && e.iter.leaf(x) {
		return
	}
	switch x.Op {
	case ir.Const:
		v := int32(0)
		if x.N != 0 {
			v = 1
		}
		e.I32(v)
	case ir.Reg:
		e.Get(e.regs.bools[x.I])
	case ir.Load:
		if !e.cached(x.I) {
			e.LoadElsewhere(x)
			return
		}
		e.Get(e.cell(x.I, x.Field).local)
	case ir.Present:
		if !e.optional(x.I) {
			e.I32(1)
			return
		}
		e.present(x.I)
		e.Op(wasm.I32Eqz, wasm.I32Eqz)
	case ir.Alive, ir.Has, ir.Tagged:
		e.asks(x)
	case ir.Exists:
		e.exists(x)
	case ir.Lookup:
		e.lookup(x)
	case ir.HasKey:
		e.hasKey(x)
	case ir.As:
		e.as(x)
	case ir.Truth:
		e.isTrue(x)
	case ir.Not:
		e.Condition(x.A)
		e.Op(wasm.I32Eqz)
	case ir.And, ir.Or:
		e.both(x)
	case ir.Select:
		e.Condition(x.A)
		e.Then(wasm.I32)
		e.onlyHere(func() { e.Condition(x.B) })
		e.Otherwise()
		e.onlyHere(func() { e.Condition(x.C) })
		e.End()
	case ir.Equal:
		if e.sameHandle(x) {
			return
		}
		switch x.A.Type {
		case ir.Any:
			e.sameResult(x)
		case ir.Bool:
			e.Condition(x.A)
			e.Condition(x.B)
			e.Op(wasm.I32Eq)
		case ir.Text:
			e.text(x.A)
			e.text(x.B)
			e.Op(wasm.I32Eq)
		case ir.Number:
			e.compare(x, wasm.F64Eq)
		}
	case ir.Less:
		e.compare(x, wasm.F64Lt)
	case ir.LessEqual:
		e.compare(x, wasm.F64Le)
	default:
		abi.Refuse("it has a condition without code (%d)%s", x.Op, e.inSource())
	}
}

// inSource returns the line of the statement that is being written, for a refusal: " (line 3)"; "" if it is not known.
func (e *Emitter) inSource() string {
	switch s := e.at; {
	case s == nil:
		return ""
	case s.File == "":
		return fmt.Sprintf(" (line %d)", s.Line)
	default:
		return fmt.Sprintf(" (%s:%d)", s.File, s.Line)
	}
}

func (e *Emitter) compare(x *ir.Expr, op byte) {
	e.Number(x.A, false)
	e.Number(x.B, false)
	e.Op(op)
}

// both is and, or. Where the right operand is cheap and does nothing else it is
// worked out in any case: that costs less than a branch.
func (e *Emitter) both(x *ir.Expr) {
	e.Condition(x.A)
	if e.weight(x.B) <= 8 {
		e.Condition(x.B)
		if x.Op == ir.And {
			e.Op(wasm.I32And)
		} else {
			e.Op(wasm.I32Or)
		}
		return
	}
	e.Then(wasm.I32)
	if x.Op == ir.And {
		e.onlyHere(func() { e.Condition(x.B) })
		e.Otherwise()
		e.I32(0)
	} else {
		e.I32(1)
		e.Otherwise()
		e.onlyHere(func() { e.Condition(x.B) })
	}
	e.End()
}

// heavy is the weight of what can fail or has an effect.
const heavy = 1000

// weight is roughly how many instructions an expression takes; many where it can
// fail or has an effect.
func (e *Emitter) weight(x *ir.Expr) int {
	e.Spend(1)
	n := 0
	switch x.Op {
	case ir.Const, ir.Reg, ir.Entity, ir.Present:
		return 1
	case ir.Load:
		if e.optional(x.I) {
			return heavy
		}
		return 1
	case ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.Less, ir.LessEqual, ir.Equal, ir.Not, ir.And, ir.Or:
		n = 1
	default:
		return heavy
	}
	for _, a := range [...]*ir.Expr{x.A, x.B, x.C} {
		if a != nil {
			n += e.weight(a)
		}
	}
	return n
}
