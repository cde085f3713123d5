package machine

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// A check before first use cannot see all data, so code is also watched while it
// runs: at its first call on live rows, and then at about every 1,000th, closures do
// up to 64 of the rows as well, and all that both did is compared. When that is not
// the same, the rows are put back, somebody is told, and closures do these rows and
// all that follow, of this run and of later ones. So of what such a call has
// computed nothing reaches the world.
//
// The call stands between what comes before and what is made of it: see
// [Kernel.watched]. Which calls are watched depends on nothing but the calls and the
// fuel they used, so it is the same in each run and on each machine, whatever the
// clock says; and the world ends the same as without watching.

const (
	watchEvery  = 1009 // calls; a prime, so that it does not always meet the same rows of a frame
	mostWatched = 64   // rows of a call

	// watchShare is how much fuel is used for each unit of it that closures do again.
	// Closures take some tens of times as long for it as the quickest code.
	watchShare = 1 << 13
	callFuel   = 1 << 8  // what a call itself counts for
	firstFuel  = 1 << 16 // of the first rows, which nothing was used before
)

// watch is what a Kernel needs to be watched.
type watch struct {
	report func(*kernel.Difference) // nil: it is not watched
	every  int                      // calls; 0: as often as they are worth it
	off    bool                     // a difference was found: closures do all

	wait    int    // calls until the next one that is watched
	calls   int64  // since the last one
	spent   int64  // fuel since then, up to the end of the last run
	from    int64  // fuel of the turn when the run at hand began, or its last watched call was done
	count   uint64 // calls that were watched
	perRow  int64  // fuel that a row took there; 0: none was
	planned bool   // at has been set
	at      int    // row of the table from where on

	twin *twin // made when the first call is watched
}

// Watch is that of [kernel.Watched].
func (k *Kernel) Watch(report func(*kernel.Difference)) {
	k.watch.report, k.watch.wait = report, 1
	if k.watch.every = watchedEvery; watchedEvery < 0 {
		k.watch.report = nil
	}
}

// watchedEvery is for tests: see WatchForTest.
var watchedEvery int

// WatchForTest sets how often kernels are watched that are made from then on: every
// so many calls, wherever the rows are; all rows, for 1; never, below 0. restore sets
// that back.
func WatchForTest(every int) (restore func()) {
	was := watchedEvery
	watchedEvery = every
	return func() { watchedEvery = was }
}

// plan says how many of rows that are to be done come before or in the next call,
// and whether that one is to be watched. It costs a subtraction for most calls.
func (k *Kernel) plan(row, rows int, mask uint64) (n int, watched bool) {
	w := &k.watch
	if w.wait--; w.wait > 0 {
		return rows, false
	}
	if w.report == nil {
		w.wait = math.MaxInt
		return rows, false
	}
	w.calls += watchEvery
	most := w.most(k)
	if most == 0 {
		w.wait = watchEvery
		return rows, false
	}
	if mask != 0 {
		return min(rows, lengthOf(mask, most)), true
	}
	if !w.planned && w.count > 0 && rows > most && w.every != 1 {
		// Somewhere among the rows, the last ones included.
		h := w.count * 0x9e3779b97f4a7c15
		w.planned, w.at = true, row+int((h>>32)%uint64(rows-most+1))
	}
	if ahead := w.at - row; w.planned && ahead > 0 && ahead < rows {
		w.wait, w.calls = 1, w.calls-watchEvery
		return ahead, false
	}
	w.planned = false
	return min(rows, most), true
}

// most is how many rows may be watched now: as many as the fuel is worth that was
// used since.
func (w *watch) most(k *Kernel) int {
	price := max(w.perRow, k.program.Price, 1)
	switch {
	case w.every > 0:
		return mostWatched
	case w.count > 1:
		return int(min(mostWatched, (w.spent+w.calls*callFuel)/(price*watchShare)))
	case w.count == 0 && loops(k.program): // what a row takes shows when it is done
		return 1
	}
	return int(max(1, min(mostWatched, firstFuel/price)))
}

// done notes that a call was watched.
func (w *watch) done(k *Kernel, rows int, used int64) {
	w.count++
	w.calls, w.spent, w.from = 0, 0, k.usedFuel()
	if rows > 0 {
		w.perRow = max(1, used/int64(rows))
	}
	w.wait = watchEvery
	if w.every > 0 {
		w.wait = w.every
	} else if w.count == 1 { // the second one sees what the first one had no fuel for, or no rows
		w.wait = 1
	}
}

// loops reports whether there are loops within a body.
func loops(p *ir.Program) (found bool) {
	abi.Walk(p.Body, func(s *ir.Stmt) { found = found || s.Price > 0 }, func(*ir.Expr) {})
	return found
}

// lengthOf is how many rows a mask covers up to the n-th of it.
func lengthOf(mask uint64, n int) int {
	length := 0
	for ; n > 0 && mask != 0; n-- {
		length = bits.TrailingZeros64(mask) + 1
		mask &= mask - 1
	}
	return length
}

// firstOf is the mask of the first n rows of one.
func firstOf(mask uint64, n int) uint64 {
	if n < 64 {
		mask &= 1<<n - 1
	}
	return mask
}

// miscompiled, unless it is nil, changes what a call of a kernel that is watched has
// left, as wrong code would: for tests.
var miscompiled func(k *Kernel, row, done int)

// MiscompileForTest lets code store other numbers in a field of type f64 of a view
// than it computes, or leave them in the variables that it assigns when view is -1,
// until restore is called.
func MiscompileForTest(view int, field string, wrong func(float64) float64) (restore func()) {
	miscompiled = func(k *Kernel, row, done int) {
		if view < 0 {
			for _, out := range k.program.Outputs {
				if out.Type == ir.Number {
					k.SetNumber(out.Reg, wrong(k.Number(out.Reg)))
				}
			}
			return
		}
		for _, t := range k.program.Stores {
			if t.View != view || t.Field.Name != field {
				continue
			}
			w := k.unit.Views[view]
			for i := row; i < row+done; i++ {
				p := (*float64)(k.memory.At(k.base[w] + uint32(i)*k.unit.Walkers[w].Stride + uint32(t.Field.Offset)))
				*p = wrong(*p)
			}
		}
	}
	return func() { miscompiled = nil }
}

// A batch is some rows that a call is for.
type callRows struct {
	world  *ecs.World
	cursor *ecs.Cursor    // on the first row; nil: events
	events unsafe.Pointer // the first one
	size   uintptr        // of an event
	first  int            // row of the table; number of the event
	n      int
	mask   uint64 // which of the n; 0: all
}

// call runs the code over the rows.
func (b *callRows) call(k *Kernel) (status, done int) {
	if b.cursor == nil {
		return k.rows(0, b.n)
	}
	return k.some(b.first, b.n, b.mask)
}

// runs reports whether code does row i of the batch, unless it stops before.
func (b *callRows) runs(k *Kernel, i int) bool {
	return !k.unit.Sparse || b.mask>>i&1 != 0
}

// watched runs the code over some rows, and closures as well. What code has done is
// still in its frame, its ring and its log, where it is compared, but for the values
// of rows: those are taken out while the closures run.
//
//	code runs                 values of rows as code left them
//	they are taken out        as they were before
//	closures run              as closures left them: compared
//	that is taken back        as they were before
//	they are put in again     as code left them: compared with what else closures stored
//
// When all is the same, the caller goes on as after any call. When it is not, all
// that the call did is put back, the fuel it used included.
func (k *Kernel) watched(b callRows) (status, done int, same bool) {
	w := &k.watch
	if w.twin == nil {
		w.twin = newTwin(k, b.world)
	}
	t := w.twin
	t.begin(k, b)
	status, done = b.call(k)
	used := k.usedFuel() - t.used
	if d := t.compare(k, status, done, used); d != nil {
		t.putBack(k)
		w.off = true
		w.report(d)
		return status, 0, false
	}
	w.done(k, done, used)
	return status, done, true
}

// usedFuel is what the turn has used so far.
func (k *Kernel) usedFuel() int64 { return k.budget.Used() + k.granted - *k.fuel }
