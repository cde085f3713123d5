// Package pcg writes the code of the random number generator of package ecs, a PCG with 128 bits of state. Compiled rows draw
// the same numbers as [ecs.Random], in the same order. It is used by package scalar.
//
// While a kernel runs, the state of the system's stream lies in the frame: the host copies it in and out. Beside it is the
// state that the row at hand began with. A row that fails takes back what it drew.
package pcg

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// A Generator writes the code that draws numbers in one function.
type Generator struct {
	*wasm.Function
	state uint32 // offset of the state in the frame
	drawn int    // local: whether the row has drawn a number; 0: no row was begun yet
}

// New returns a generator for a function whose frame has the state at an offset.
func New(f *wasm.Function, state uint32) *Generator { return &Generator{Function: f, state: state} }

// BeginRow writes what stands at the start of a row that may draw.
func (e *Generator) BeginRow() {
	if e.drawn == 0 {
		e.drawn = e.Local(wasm.I32)
	}
	e.I32(0)
	e.Set(e.drawn)
}

// UndoRow writes code that restores the state that the row began with, if the row has drawn.
func (e *Generator) UndoRow() {
	e.Get(e.drawn)
	e.Then(wasm.Void)
	e.copyState(0, abi.StreamBefore)
	e.End()
}

// copyState copies a state within the frame; to and from are offsets from the state.
func (e *Generator) copyState(to, from uint32) {
	for at := uint32(0); at < 16; at += 8 {
		e.Get(abi.ArgFrame)
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I64Load, e.state+from+at)
		e.Memory(wasm.I64Store, e.state+to+at)
	}
}

// Bits writes code that puts 64 random bits on the stack and advances the state. The state that the row began with is
// saved before its first draw.
func (e *Generator) Bits() {
	e.Get(e.drawn)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.copyState(abi.StreamBefore, 0)
	e.I32(1)
	e.Set(e.drawn)
	e.End()
	high, low := e.Local(wasm.I64), e.Local(wasm.I64)
	for _, part := range [...]struct {
		local int
		at    uint32
	}{{high, abi.StreamHigh}, {low, abi.StreamLow}} {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I64Load, e.state+part.at)
		e.Set(part.local)
	}
	e.multiplyHigh(low, e.constant(ecs.PCGMulLo))
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
	e.Memory(wasm.I64Store, e.state+abi.StreamHigh)
	e.Get(abi.ArgFrame)
	e.Get(low)
	e.Memory(wasm.I64Store, e.state+abi.StreamLow)
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

// Below writes code that puts a random whole number below n on the stack, as [ecs.Random] makes it. Draws that would make some numbers
// more likely than others are rejected.
func (e *Generator) Below(n uint64) {
	x, threshold := e.Local(wasm.I64), -n%n
	top := e.Loop()
	e.Bits()
	e.Set(x)
	if threshold > 0 {
		e.Get(x)
		e.wide(n)
		e.Op(wasm.I64Mul)
		e.wide(threshold)
		e.Op(wasm.I64LtU)
		e.Then(wasm.Void)
		e.Jump(top)
		e.End()
	}
	e.End()
	e.multiplyHigh(x, e.constant(n))
}

// BelowLocal is Below for a number in a local of 64 bits, which is not 0.
func (e *Generator) BelowLocal(n int) {
	x, low := e.Local(wasm.I64), e.Local(wasm.I64)
	top := e.Loop()
	e.Bits()
	e.Tee(x)
	e.Get(n)
	e.Op(wasm.I64Mul)
	e.Tee(low)
	e.Get(n)
	e.Op(wasm.I64LtU)
	e.Then(wasm.Void)
	e.Get(low)
	e.I64(0)
	e.Get(n)
	e.Op(wasm.I64Sub)
	e.Get(n)
	e.Op(wasm.I64RemU, wasm.I64LtU)
	e.Then(wasm.Void)
	e.Jump(top)
	e.End()
	e.End()
	e.End()
	e.multiplyHigh(x, e.halves(n))
}
