package scalar

import "github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"

// What compiling may cost. It is limited by counts of steps and by what the code is made of, never by time: so a Program is
// refused on every machine, or on none. Whoever looks at an expression more than once spends a step each time.

// mostSteps is how many steps a Program may take, without packing. Beyond, it runs as closures. A step takes about 10 ns.
const mostSteps = 4_000_000

// cost estimates how long wazero takes to compile the function, in microseconds. It grows with the bytes of the function,
// and faster with its branches, with loops in loops and with the variables that change between them.
func (e *Emitter) cost() int {
	variables := e.p.Numbers + e.p.Bools + e.p.Texts + len(e.own.cells) + len(e.p.Refs)
	return len(e.Encoder) + e.Branches*(100+variables) + 3*e.Loops*(20+variables)
}

// Spend counts steps, and refuses the Program if there are too many.
func (e *Emitter) Spend(n int) {
	if e.steps -= n; e.steps < 0 {
		abi.Refuse("it takes too long to compile")
	}
}

// WithSteps counts the following steps apart, up to most of them, until the function that it returns is called.
func (e *Emitter) WithSteps(most int) (end func()) {
	steps := e.steps
	e.steps = most
	return func() { e.steps = steps }
}
