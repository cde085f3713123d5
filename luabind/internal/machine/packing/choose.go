package packing

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/scalar"
)

// A Form says which numbers of the rows of a batch lie side by side in vectors of
// two.
type Form struct {
	// Rows is how many rows a batch has: 4 or 8.
	Rows int
	// Across pairs a number of one row with the same one of the next. Otherwise it is
	// fields that lie side by side in memory, and what is computed alike from such.
	Across bool
	// Flat takes the fields of a component in the order of memory, whether the second one
	// belongs to the next row or not. Otherwise a pair is of one row.
	Flat bool
	// Window is how many rows are looked at at a time for statements that are alike.
	Window int
	// Cold leaves out what stands under conditions as long as none of the rows of
	// the batch meets one.
	Cold bool
}

// Forms are those that code may have.
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

// doubled is the form of twice as many rows.
func (f Form) doubled() Form {
	f.Rows *= 2
	return f
}

// mostPacking is how many steps the choice of a form may take: beyond, rows are done number by number.
const mostPacking = 800_000

// batchCost is what a batch costs beside its rows.
const batchCost = 8

// mostDoubled is the cost of a row beyond which eight of them at a time are no
// quicker than four, and only take longer to compile. Loops within the rows of a
// form across are the same code for however many.
const mostDoubled = 24

// Choose returns the batch that does rows by vectors; false when none is quicker than
// row by row. Which form is the best shows with four rows: more of them cost as much each,
// but for what a batch costs by itself. anyway takes one even if it is slower.
func Choose(e *scalar.Emitter, forms []Form, anyway bool) (scalar.Batch, bool) {
	if !packable(e) {
		return scalar.Batch{}, false
	}
	defer e.WithSteps(mostPacking)()
	best, found := float64(plainCost(e)), Form{}
	if anyway {
		best = math.Inf(1)
	}
	for i, f := range forms {
		if f.Rows == 8 && slices.ContainsFunc(forms[:i], func(g Form) bool { return g.doubled() == f }) {
			continue
		}
		cost, ok := try(e, f)
		if !ok {
			continue
		}
		each := cost / float64(f.Rows)
		twice := (f.Across || each <= mostDoubled) && slices.Contains(forms, f.doubled())
		if twice {
			f = f.doubled()
			each -= batchCost / float64(f.Rows)
		}
		if each < best {
			best, found = each, f
		}
	}
	if found.Rows == 0 {
		return scalar.Batch{}, false
	}
	return scalar.Batch{Rows: found.Rows, Emit: func() {
		defer e.WithSteps(2 * mostPacking)() // the form that was tried may have half the rows
		pack(e, found)
	}}, true
}

// try tells what a batch of a form costs, and leaves nothing behind; false when the form cannot be had.
func try(e *scalar.Emitter, f Form) (cost float64, ok bool) {
	ok = e.Try(func() { cost = float64(pack(e, f)) })
	return cost, ok
}

// packable reports whether a body is made of what can be packed at all.
func packable(e *scalar.Emitter) bool {
	p := e.Program()
	ok := e.OwnRowsOnly() && p.Texts == 0
	for _, ref := range p.Refs {
		ok = ok && ref.Query >= 0 && !ref.Optional
	}
	abi.Walk(p.Body, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Set, ir.If, ir.Count, ir.Each:
		case ir.Block:
			// A jump would have been met.
		case ir.Store:
			ok = ok && (s.Field.Type == ecs.F64 || s.Field.Type == ecs.F32 || s.Field.Type == ecs.Bool)
		default:
			ok = false
		}
	}, func(x *ir.Expr) {
		switch x.Op {
		case ir.Const, ir.Reg, ir.Load, ir.Entity, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.Less, ir.LessEqual,
			ir.Equal, ir.Not, ir.And, ir.Or, ir.Select, ir.Min, ir.Max:
		case ir.Call:
			ok = ok && vectorCalls[x.Func] != nil
		default:
			ok = false
		}
	})
	return ok
}
