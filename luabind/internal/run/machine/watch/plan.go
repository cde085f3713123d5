package watch

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/frame"
)

const (
	// Every is after how many calls the next one is watched, if the fuel that they used is worth it. It is a prime, so that it
	// does not always meet the same rows of a frame.
	Every = 1009

	mostRows = 64 // rows of a watched call

	// share is how much fuel has to be used for each unit that closures run again. They take some tens of times as long for
	// it as the quickest code.
	share     = 1 << 13
	callFuel  = 1 << 8  // fuel that a call itself counts for
	firstFuel = 1 << 16 // fuel of the rows of the first call, before which nothing was used
)

// Rows are the rows of one call.
type Rows struct {
	World  *ecs.World
	Cursor *ecs.Cursor    // on the first row; nil: events
	Events unsafe.Pointer // the first event
	Size   uintptr        // bytes of an event
	First  int            // row of the table; 0 for events
	N      int            // at most as many as Plan said
	Mask   uint64         // which of the N rows; 0: all
}

// Code is the kernel that is watched, as far as this package needs it. Package machine implements it.
type Code interface {
	// Call runs the code over some rows. It returns how that ended, and how many rows are done.
	Call(rows Rows) (status, done int)
	// Column returns the column of a view in the current table; nil if the table lacks it.
	Column(view int) *ecs.Column
	// ForgetCopies drops the copies of rows that the host has made for the code.
	ForgetCopies()
	// CarryOut writes to the world what records of the log say that code has stored in mirrors of columns.
	CarryOut()
	// Home returns the place in the world of what a record of the log is about, and whether it is a string; ok is false if code has
	// stored it in the world itself.
	Home(at uint32) (p unsafe.Pointer, text, ok bool)
}

// A Watch decides which calls of one kernel are watched, and watches them. It is off until Begin is called.
//
//	BeginRun, then for each call: Plan, and if that says so, Run in place of the call; EndRun
type Watch struct {
	frame   *frame.Frame
	report  func(*kernel.Difference) // nil: no call is watched
	every   int                      // 0: as often as it is worth; n: every n calls
	stopped bool                     // a difference was found

	wait    int    // calls until the next one that is watched
	calls   int64  // since the last one
	spent   int64  // fuel since then, up to the end of the last run
	from    int64  // fuel of the turn when the current run began, or when its last watched call was done
	count   uint64 // calls that were watched
	perRow  int64  // fuel that a row took in the last one; 0: there was none
	planned bool   // at is set
	at      int    // row of the table at which the next watched call begins

	rerun *rerun // made at the first watched call
}

// New returns a Watch for the kernel of a frame.
func New(f *frame.Frame) Watch { return Watch{frame: f} }

// Begin starts watching. report is told of the first difference; then the world is as it was before the rows that differ.
// every is 0, except in tests: n watches every n-th call, 1 all rows, and below 0 none.
func (w *Watch) Begin(report func(*kernel.Difference), every int) {
	w.report, w.every, w.wait = report, every, 1
	if every < 0 {
		w.report = nil
	}
}

// On reports whether calls are watched.
func (w *Watch) On() bool { return w.report != nil }

// Stop ends the use of the code: closures do all rows from now on.
func (w *Watch) Stop() { w.stopped = true }

// Stopped reports whether closures are to do all rows, because a difference was found.
func (w *Watch) Stopped() bool { return w.stopped }

// BeginRun is called when a run has got its first fuel; EndRun when its fuel is charged, with what the turn has used.
func (w *Watch) BeginRun()         { w.from = w.frame.Fuel.Used() }
func (w *Watch) EndRun(used int64) { w.spent += used - w.from }

// Skip counts calls that were made without Plan.
func (w *Watch) Skip(calls int) { w.wait -= calls }

// Plan returns how many of some rows the next call is for, and whether that call is watched. mask says which of the rows are
// meant, 0 all of them. For most calls it costs a subtraction.
func (w *Watch) Plan(row, rows int, mask uint64) (n int, watched bool) {
	if w.wait--; w.wait > 0 {
		return rows, false
	}
	if w.report == nil {
		w.wait = math.MaxInt
		return rows, false
	}
	w.calls += Every
	most := w.most()
	if most == 0 {
		w.wait = Every
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
		w.wait, w.calls = 1, w.calls-Every
		return ahead, false
	}
	w.planned = false
	return min(rows, most), true
}

// most returns how many rows may be watched now: as many as the fuel that was used since the last time is worth.
func (w *Watch) most() int {
	price := max(w.perRow, w.frame.Program.Price, 1)
	switch {
	case w.every > 0:
		return mostRows
	case w.count > 1:
		return int(min(mostRows, (w.spent+w.calls*callFuel)/(price*share)))
	case w.count == 0 && analysis.HasLoops(w.frame.Program): // what a row takes is known when one is done
		return 1
	}
	return int(max(1, min(mostRows, firstFuel/price)))
}

// Run runs the code over some rows, and closures as well. If they agree, same is true, and everything is as after any call.
// Otherwise everything that the call did is undone, the fuel that it used included, and the difference is reported.
func (w *Watch) Run(code Code, rows Rows) (status, done int, same bool) {
	if w.rerun == nil {
		w.rerun = newRerun(w.frame, code, rows.World)
	}
	t := w.rerun
	t.begin(rows)
	status, done = code.Call(rows)
	used := w.frame.Fuel.Used() - t.used
	if d := t.compare(status, done, used); d != nil {
		t.restore()
		w.Stop()
		w.report(d)
		return status, 0, false
	}
	w.done(done, used)
	return status, done, true
}

// done counts a call that was watched.
func (w *Watch) done(rows int, used int64) {
	w.count++
	w.calls, w.spent, w.from = 0, 0, w.frame.Fuel.Used()
	if rows > 0 {
		w.perRow = max(1, used/int64(rows))
	}
	w.wait = Every
	if w.every > 0 {
		w.wait = w.every
	} else if w.count == 1 { // the second one sees what the first one had no fuel for, or no rows
		w.wait = 1
	}
}

// lengthOf returns how many rows there are up to the n-th of a mask.
func lengthOf(mask uint64, n int) int {
	length := 0
	for ; n > 0 && mask != 0; n-- {
		length = bits.TrailingZeros64(mask) + 1
		mask &= mask - 1
	}
	return length
}

// FirstOf returns the part of a mask that is about the first n rows.
func FirstOf(mask uint64, n int) uint64 {
	if n < 64 {
		mask &= 1<<n - 1
	}
	return mask
}
