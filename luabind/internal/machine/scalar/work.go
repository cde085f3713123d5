package scalar

import "github.com/ecsrun/ecsrun/luabind/internal/machine/abi"

// What compiling a loop may take is bounded by steps that are counted, and by what the code is made of: so it is refused, or not, alike on
// every machine. Whoever looks at an expression more often than once spends a step each time.

// mostSteps is how many steps a Program may take, packing aside: beyond, it runs as closures. A step takes some 10 ns.
const mostSteps = 4_000_000

// cost is about what compiling the function takes. What wazero takes grows with the bytes of a function, and faster with
// its branches, with loops within each other and with the variables that have another value at each of them.
func (e *Emitter) cost() int {
	variables := e.p.Numbers + e.p.Bools + e.p.Texts + len(e.own.cells) + len(e.p.Refs)
	return len(e.Encoder) + e.Branches*(100+variables) + 3*e.Loops*(20+variables)
}

// Spend counts steps, and refuses what takes too many.
func (e *Emitter) Spend(n int) {
	if e.steps -= n; e.steps < 0 {
		abi.Refuse("it takes too long to compile")
	}
}

// WithSteps counts the steps that follow by themselves, up to a number of them, until the function it returns is called.
func (e *Emitter) WithSteps(most int) (end func()) {
	steps := e.steps
	e.steps = most
	return func() { e.steps = steps }
}
