package packing

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/scalar"
)

// The choice of a packing. Both forms are written on trial, which tells what they cost, and taken back; the cheaper one
// becomes the batch, unless single rows are cheaper. So what a form cannot do is not listed anywhere: the attempt refuses.

// A Form is a packing: it says which statements become statements on vectors, and when they run.
type Form struct {
	// Cold moves statements under conditions after the batch, where they run only if a condition holds in one of its rows: see
	// cold.go.
	Cold bool
}

// Forms are both forms, in the order in which they are tried. Of equally cheap ones the first is taken.
var Forms = []Form{{}, {Cold: true}}

const (
	rowsOfBatch = 4 // rows of a batch
	window      = 2 // in how many consecutive rows statements are looked for that are alike
)

// mostPacking is how many steps of compiling the choice of a form may take. Beyond, the packer refuses, and rows are done
// one by one.
const mostPacking = 800_000

// batchCost is what a batch costs beside its rows: its share of the row loop.
const batchCost = 8

// Choose returns the batch of the cheaper form; false if single rows are cheaper, or nothing can be packed. anyway takes a
// form even if single rows are cheaper: for tests.
func Choose(e *scalar.Emitter, forms []Form, anyway bool) (scalar.Batch, bool) {
	body, ok := packable(e)
	if !ok {
		return scalar.Batch{}, false
	}
	defer e.WithSteps(mostPacking)()
	best, found := math.Inf(1), -1
	for i, f := range forms {
		cost := 0
		if !e.Try(func() { cost = pack(e, f, body) }) {
			continue
		}
		each := float64(cost) / rowsOfBatch
		if each < best && (anyway || each < float64(plainCost(e, body))) {
			best, found = each, i
		}
	}
	if found < 0 {
		return scalar.Batch{}, false
	}
	return scalar.Batch{Rows: rowsOfBatch, Emit: func() {
		defer e.WithSteps(mostPacking)()
		pack(e, forms[found], body)
	}}, true
}
