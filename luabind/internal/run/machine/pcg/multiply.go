package pcg

import "github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"

// Products of 64-bit numbers with 128 bits. WebAssembly has no instruction for them, so they are computed from
// products of 32-bit halves.

// wide pushes an unsigned constant on the stack.
func (e *Generator) wide(n uint64) { e.I64(int64(n)) }

// A factor is a number of 64 bits as two functions, which put its lower and its upper half on the stack. upper is nil if the
// upper half is 0.
type factor struct{ lower, upper func() }

func (e *Generator) constant(n uint64) factor {
	f := factor{lower: func() { e.wide(n & (1<<32 - 1)) }}
	if n>>32 != 0 {
		f.upper = func() { e.wide(n >> 32) }
	}
	return f
}

// halves splits the number in a local into a factor, whose halves are kept in locals.
func (e *Generator) halves(x int) factor {
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

// multiplyHigh puts the upper 64 bits of the 128-bit product of a local and a factor on the stack.
func (e *Generator) multiplyHigh(x int, by factor) {
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
