package machine

import "github.com/ecsrun/ecsrun/luabind/internal/machine/abi"

// What compiling a loop may take is bounded by steps that are counted, and by what the code is made of: so it is refused, or not, alike on
// every machine. Whoever looks at an expression more often than once spends a step each time.

// A step takes some 10 ns.
const (
	mostSteps   = 4_000_000 // of a Program, packing aside: beyond, it runs as closures
	mostPacking = 800_000   // of the choice of a form: beyond, rows are done number by number
)

// What wazero takes for a function grows with the bytes of it, and faster with its branches, with loops within each other and with the
// variables that have another value at each of them. A unit of cost is about a microsecond.
const (
	mostCost       = 120_000 // of a function: beyond, the loop runs as closures
	mostPackedCost = 50_000  // of one with packed batches: beyond, rows are done number by number
)

// cost is about what compiling the function takes.
func (e *emitter) cost() int {
	variables := e.p.Numbers + e.p.Bools + e.p.Texts + len(e.cells) + len(e.p.Refs)
	return len(e.Encoder) + e.Branches*(100+variables) + 3*e.Loops*(20+variables)
}

// spend counts steps, and refuses what takes too many.
func (e *emitter) spend(n int) {
	if e.steps -= n; e.steps < 0 {
		abi.Refuse("it takes too long to compile")
	}
}

// apart counts the steps that follow by themselves, up to a number of them, until the function it returns is called.
func (e *emitter) apart(most int) (end func()) {
	steps := e.steps
	e.steps = most
	return func() { e.steps = steps }
}
