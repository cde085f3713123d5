package packing

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/machine/scalar"
)

// The choice of a packing. Every form is written on trial, which tells what it costs, and taken back; the cheapest one
// becomes the batch, unless single rows are cheaper. So what a form cannot do is not listed anywhere: the attempt refuses.

// A Form is a packing: it says which numbers of the rows of a batch lie side by side in vectors of two.
type Form struct {
	// Rows is how many rows a batch has: 4 or 8.
	Rows int
	// Across pairs each number of a row with the same number of the next row. Otherwise pairs are fields that lie side by side
	// in memory, and numbers that are computed alike from such pairs.
	Across bool
	// Flat pairs the fields of a component in the order of memory, even if the second one belongs to the next row. Otherwise both
	// are of one row.
	Flat bool
	// Window is in how many consecutive rows statements are looked for that are alike: 1 or 2.
	Window int
	// Cold moves statements under conditions behind the batch, where they run only if a condition holds in one of its rows: see
	// cold.go.
	Cold bool
}

// Forms are all forms, in the order in which they are tried. Of equally cheap ones the first is taken.
var Forms = []Form{
	{Rows: 4, Window: 1},
	{Rows: 4, Window: 2},
	{Rows: 4, Window: 2, Flat: true},
	{Rows: 4, Window: 1, Cold: true},
	{Rows: 4, Window: 2, Cold: true},
	{Rows: 4, Window: 2, Across: true},
	{Rows: 8, Window: 1},
	{Rows: 8, Window: 2},
	{Rows: 8, Window: 2, Flat: true},
	{Rows: 8, Window: 1, Cold: true},
	{Rows: 8, Window: 2, Cold: true},
	{Rows: 8, Window: 2, Across: true},
}

// doubled returns the form with twice as many rows.
func (f Form) doubled() Form {
	f.Rows *= 2
	return f
}

// mostPacking is how many steps of compiling the choice of a form may take. Beyond, the packer refuses, and rows are done
// one by one.
const mostPacking = 800_000

// batchCost is what a batch costs beside its rows: its share of the row loop.
const batchCost = 8

// mostDoubled is the largest cost of a row with which batches of eight rows are tried. With dearer rows they are no quicker
// than batches of four, and take longer to compile. A form across is an exception: the code of its inner loops does not
// grow with the rows.
const mostDoubled = 24

// Choose returns the batch of the cheapest form; false if single rows are cheaper, or nothing can be packed. A form is
// tried with four rows; eight of them cost as much each, except for batchCost. anyway takes a form even if single rows are
// cheaper: for tests.
func Choose(e *scalar.Emitter, forms []Form, anyway bool) (scalar.Batch, bool) {
	rows, ok := reduce(e, false)
	all, okAll := reduce(e, true)
	defer e.WithSteps(mostPacking)()
	best, found, of := math.Inf(1), Form{}, batchBody{}
	for i, f := range forms {
		if f.Rows == 8 && slices.ContainsFunc(forms[:i], func(g Form) bool { return g.doubled() == f }) {
			continue
		}
		body, can := rows, ok
		if f.Across {
			body, can = all, okAll
		}
		if !can {
			continue
		}
		cost, ok := try(e, f, body)
		if !ok {
			continue
		}
		each := cost / float64(f.Rows)
		twice := (f.Across || each <= mostDoubled) && slices.Contains(forms, f.doubled())
		if twice {
			f = f.doubled()
			each -= batchCost / float64(f.Rows)
		}
		if !anyway && each >= float64(plainCost(e, body.list)) {
			continue
		}
		// A branch with a loop may not be rare: a batch that does it is better than one that is given up.
		if found.Rows == 0 || of.leaving && !body.leaving || of.leaving == body.leaving && each < best {
			best, found, of = each, f, body
		}
	}
	if found.Rows == 0 {
		return scalar.Batch{}, false
	}
	return scalar.Batch{Rows: found.Rows, Emit: func() {
		defer e.WithSteps(2 * mostPacking)() // the form that was tried may have half the rows
		pack(e, found, of)
	}, Leaving: of.leaving}, true
}

// try returns what a batch of a form costs, and takes back what it wrote; false if the form refuses.
func try(e *scalar.Emitter, f Form, body batchBody) (cost float64, ok bool) {
	ok = e.Try(func() { cost = float64(pack(e, f, body)) })
	return cost, ok
}
