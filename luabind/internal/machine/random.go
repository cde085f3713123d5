package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
)

// Random numbers are made by the code itself: the generator of [ecs.Random], whose state lies in the frame meanwhile. A row that has drawn
// keeps the state it began with there, too, for the case that it is put back.

// lendRandom brings the running system's stream into the frame.
func (k *Kernel) lendRandom(w *ecs.World) {
	if k.program.Random {
		k.random = w.Random()
		*k.stream = ecs.Raw.RandomState(k.random)
	}
}

// returnRandom makes the stream go on from where code has left it.
func (k *Kernel) returnRandom() {
	if k.random != nil {
		ecs.Raw.PutBackRandom(k.random, *k.stream)
		k.random = nil
	}
}

// Where the parts of a state are, and the one that the row began with.
const (
	streamHigh   = 0
	streamLow    = 8
	streamBefore = 16
	streamSize   = 32
)

// random64 puts 64 random bits on the stack.
func (e *emitter) random64() {
	e.get(e.drawn)
	e.op(opI32Eqz)
	e.then(void)
	e.copyStream(streamBefore, 0)
	e.i32(1)
	e.set(e.drawn)
	e.end()
	high, low := e.local(i64), e.local(i64)
	for _, part := range [...]struct {
		local int
		at    uint32
	}{{high, streamHigh}, {low, streamLow}} {
		e.get(argFrame)
		e.memory(opI64Load, e.layout.random+part.at)
		e.set(part.local)
	}
	e.multiplyHigh(low, e.known(ecs.PCGMulLo))
	e.get(high)
	e.wide(ecs.PCGMulLo)
	e.op(opI64Mul, opI64Add)
	e.get(low)
	e.wide(ecs.PCGMulHi)
	e.op(opI64Mul, opI64Add)
	e.wide(ecs.PCGIncHi)
	e.op(opI64Add)
	e.get(low)
	e.wide(ecs.PCGMulLo)
	e.op(opI64Mul)
	e.wide(ecs.PCGIncLo)
	e.op(opI64Add)
	e.tee(low)
	e.wide(ecs.PCGIncLo)
	e.op(opI64LtU, opI64ExtendI32U, opI64Add) // the carry
	e.set(high)
	e.get(argFrame)
	e.get(high)
	e.memory(opI64Store, e.layout.random+streamHigh)
	e.get(argFrame)
	e.get(low)
	e.memory(opI64Store, e.layout.random+streamLow)
	shifted := func(by int64) {
		e.get(high)
		e.get(high)
		e.i64(by)
		e.op(opI64ShrU, opI64Xor)
	}
	shifted(32)
	e.wide(ecs.PCGMix)
	e.op(opI64Mul)
	e.set(high)
	shifted(48)
	e.get(low)
	e.i64(1)
	e.op(opI64Or, opI64Mul)
}

// wide is an unsigned constant.
func (e *emitter) wide(n uint64) { e.i64(int64(n)) }

// A factor is a number of 64 bits: it puts its lower and its upper half on the stack. upper is nil where that is 0.
type factor struct{ lower, upper func() }

// known is a constant as a factor.
func (e *emitter) known(n uint64) factor {
	f := factor{lower: func() { e.wide(n & (1<<32 - 1)) }}
	if n>>32 != 0 {
		f.upper = func() { e.wide(n >> 32) }
	}
	return f
}

// halves is a number in a local as a factor.
func (e *emitter) halves(x int) factor {
	lower, upper := e.local(i64), e.local(i64)
	e.get(x)
	e.i64(1<<32 - 1)
	e.op(opI64And)
	e.set(lower)
	e.get(x)
	e.i64(32)
	e.op(opI64ShrU)
	e.set(upper)
	return factor{func() { e.get(lower) }, func() { e.get(upper) }}
}

// multiplyHigh puts the upper 64 bits of the product of a local and a factor on the stack.
func (e *emitter) multiplyHigh(x int, by factor) {
	a, middle := e.halves(x), e.local(i64)
	half := func() {
		e.i64(32)
		e.op(opI64ShrU)
	}
	a.upper()
	by.lower()
	e.op(opI64Mul)
	a.lower()
	by.lower()
	e.op(opI64Mul)
	half()
	e.op(opI64Add)
	if by.upper == nil {
		half()
		return
	}
	e.tee(middle)
	half()
	a.upper()
	by.upper()
	e.op(opI64Mul, opI64Add)
	a.lower()
	by.upper()
	e.op(opI64Mul)
	e.get(middle)
	e.i64(1<<32 - 1)
	e.op(opI64And, opI64Add)
	half()
	e.op(opI64Add)
}

// copyStream copies a state within the frame.
func (e *emitter) copyStream(to, from uint32) {
	for at := uint32(0); at < 16; at += 8 {
		e.get(argFrame)
		e.get(argFrame)
		e.memory(opI64Load, e.layout.random+from+at)
		e.memory(opI64Store, e.layout.random+to+at)
	}
}

// undraw takes back what a row drew that is put back.
func (e *emitter) undraw() {
	if !e.p.Random {
		return
	}
	e.get(e.drawn)
	e.then(void)
	e.copyStream(0, streamBefore)
	e.end()
}
