package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// Random numbers are made by the code itself: the generator of [ecs.Random], whose state lies in the frame meanwhile. A row that has drawn
// keeps the state it began with there, too, for the case that it is put back.

// random64 puts 64 random bits on the stack.
func (e *Emitter) random64() {
	e.Get(e.iter.drawn)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.copyStream(abi.StreamBefore, 0)
	e.I32(1)
	e.Set(e.iter.drawn)
	e.End()
	high, low := e.Local(wasm.I64), e.Local(wasm.I64)
	for _, part := range [...]struct {
		local int
		at    uint32
	}{{high, abi.StreamHigh}, {low, abi.StreamLow}} {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I64Load, e.layout.Random+part.at)
		e.Set(part.local)
	}
	e.multiplyHigh(low, e.known(ecs.PCGMulLo))
	e.Get(high)
	e.wide(ecs.PCGMulLo)
	e.Op(wasm.I64Mul, wasm.I64Add)
	e.Get(low)
	e.wide(ecs.PCGMulHi)
	e.Op(wasm.I64Mul, wasm.I64Add)
	e.wide(ecs.PCGIncHi)
	e.Op(wasm.I64Add)
	e.Get(low)
	e.wide(ecs.PCGMulLo)
	e.Op(wasm.I64Mul)
	e.wide(ecs.PCGIncLo)
	e.Op(wasm.I64Add)
	e.Tee(low)
	e.wide(ecs.PCGIncLo)
	e.Op(wasm.I64LtU, wasm.I64ExtendI32U, wasm.I64Add) // the carry
	e.Set(high)
	e.Get(abi.ArgFrame)
	e.Get(high)
	e.Memory(wasm.I64Store, e.layout.Random+abi.StreamHigh)
	e.Get(abi.ArgFrame)
	e.Get(low)
	e.Memory(wasm.I64Store, e.layout.Random+abi.StreamLow)
	shifted := func(by int64) {
		e.Get(high)
		e.Get(high)
		e.I64(by)
		e.Op(wasm.I64ShrU, wasm.I64Xor)
	}
	shifted(32)
	e.wide(ecs.PCGMix)
	e.Op(wasm.I64Mul)
	e.Set(high)
	shifted(48)
	e.Get(low)
	e.I64(1)
	e.Op(wasm.I64Or, wasm.I64Mul)
}

// wide is an unsigned constant.
func (e *Emitter) wide(n uint64) { e.I64(int64(n)) }

// A factor is a number of 64 bits: it puts its lower and its upper half on the stack. upper is nil where that is 0.
type factor struct{ lower, upper func() }

// known is a constant as a factor.
func (e *Emitter) known(n uint64) factor {
	f := factor{lower: func() { e.wide(n & (1<<32 - 1)) }}
	if n>>32 != 0 {
		f.upper = func() { e.wide(n >> 32) }
	}
	return f
}

// halves is a number in a local as a factor.
func (e *Emitter) halves(x int) factor {
	lower, upper := e.Local(wasm.I64), e.Local(wasm.I64)
	e.Get(x)
	e.I64(1<<32 - 1)
	e.Op(wasm.I64And)
	e.Set(lower)
	e.Get(x)
	e.I64(32)
	e.Op(wasm.I64ShrU)
	e.Set(upper)
	return factor{func() { e.Get(lower) }, func() { e.Get(upper) }}
}

// multiplyHigh puts the upper 64 bits of the product of a local and a factor on the stack.
func (e *Emitter) multiplyHigh(x int, by factor) {
	a, middle := e.halves(x), e.Local(wasm.I64)
	half := func() {
		e.I64(32)
		e.Op(wasm.I64ShrU)
	}
	a.upper()
	by.lower()
	e.Op(wasm.I64Mul)
	a.lower()
	by.lower()
	e.Op(wasm.I64Mul)
	half()
	e.Op(wasm.I64Add)
	if by.upper == nil {
		half()
		return
	}
	e.Tee(middle)
	half()
	a.upper()
	by.upper()
	e.Op(wasm.I64Mul, wasm.I64Add)
	a.lower()
	by.upper()
	e.Op(wasm.I64Mul)
	e.Get(middle)
	e.I64(1<<32 - 1)
	e.Op(wasm.I64And, wasm.I64Add)
	half()
	e.Op(wasm.I64Add)
}

// copyStream copies a state within the frame.
func (e *Emitter) copyStream(to, from uint32) {
	for at := uint32(0); at < 16; at += 8 {
		e.Get(abi.ArgFrame)
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I64Load, e.layout.Random+from+at)
		e.Memory(wasm.I64Store, e.layout.Random+to+at)
	}
}

// undraw takes back what a row drew that is put back.
func (e *Emitter) undraw() {
	if !e.p.Random {
		return
	}
	e.Get(e.iter.drawn)
	e.Then(wasm.Void)
	e.copyStream(0, abi.StreamBefore)
	e.End()
}
