package machine

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
)

// Side exits. If only some rows reach what code cannot do, such as tables in fields, code is made of the rest of the body
// (emit.Hot). A row that reaches such a statement is restored, as a row that fails; closures, which have the whole body, do the row,
// and code goes on with the next one. Everything is as if closures had done all rows. What leaves so many rows of a walk that it cannot pay, even
// if code does all that are still to come, rests: closures do these rows, and all rows of some walks. So it does not matter where in a walk
// the rows are. The decision counts rows, so a run is the same each time.

// sideExits is what a Kernel knows of its side exits.
type sideExits struct {
	credit int  // what code has gained, less what exits have cost, in rows
	rests  int  // walks that closures still do
	poor   bool // it has rested, and no walk since then was better
	ran    int  // rows that the run had done at its last exit
	walk   int  // rows of the walk, as far as they are known when it begins
	stores bool // closures may store or move what code has a copy of

	// Of a run.
	opened bool // closures are ready for single rows
	ended  bool // closures have done the rest
	rows   int  // rows that closures have done
}

// Costs and gains, in rows. A row of code gains what closures take longer for it.
const (
	sideExitCost  = 9
	firstCredit   = 96
	mostCredit    = 1024
	restingWalks  = 32
	elementsWorth = 8 // elements of tables that are handed over and back in the time that a row gains
)

// doesHotPartOf says which Program the code does a part of, or the whole of.
func (k *Kernel) doesHotPartOf(whole *ir.Program) {
	k.whole = whole
	if k.exits.credit = firstCredit; len(k.unit.Calls) > 0 { // caches fill
		k.exits.credit = mostCredit
	}
	k.exits.stores = slices.ContainsFunc(k.whole.Refs, func(r ir.Ref) bool { return r.Stored }) ||
		slices.ContainsFunc(k.whole.Stores, func(t ir.Target) bool { return k.mirrorOf(k.whole.Components[t.View]) != nil }) ||
		slices.ContainsFunc(k.whole.Effects, func(e *ir.Effect) bool { return e.Now }) // rows move
	if k.whole != k.program {
		k.makeRest()
	}
}

// begin prepares a run.
func (x *sideExits) begin() { x.opened, x.ended, x.rows, x.ran = false, false, 0, 0 }

// may reports whether closures may do the row that has failed: they know more of the body than code, and there is fuel.
func (x *sideExits) may(k *Kernel) bool { return k.whole != k.program && !k.frame.Fuel.Spent }

// resting reports whether closures are to do the walk that begins.
func (x *sideExits) resting() bool {
	if x.rests == 0 {
		return false
	}
	x.rests--
	return true
}

// resting reports whether closures are to do the walk that begins.
func (k *Kernel) resting() bool {
	return !k.off.Has(without.Pace) && (k.exits.resting() || k.pace.resting())
}

// Rests reports whether code has left too many rows, so that closures do most walks.
func (k *Kernel) Rests() bool { return k.exits.poor }

// ByClosures returns how many rows of the last run closures have done.
func (k *Kernel) ByClosures() int { return k.exits.rows }

// goesOn counts a row that has reached a side exit, and gives its fuel back. It returns false if code is not to go on.
func (k *Kernel) goesOn() bool {
	k.frame.RefundRow()
	x := &k.exits
	x.credit += k.current.done - x.ran - sideExitCost - k.handedOver()/elementsWorth
	x.ran = k.current.done
	return !k.loses()
}

// loses reports whether the walk costs more than code can still gain in it. Then closures do the rest of it and the next walks.
func (k *Kernel) loses() bool {
	x := &k.exits
	if k.texts.cost <= x.credit+max(k.current.done, x.walk)-x.ran {
		return false
	}
	x.rest()
	return true
}

// rest lets closures do the next walks.
func (x *sideExits) rest() { x.credit, x.rests, x.poor = sideExitCost, restingWalks, true }

// handedOver returns how many elements of tables a side exit hands over.
func (k *Kernel) handedOver() (n int) {
	for i := range k.frame.Tables() {
		n += len(k.frame.Table(i).Values)
	}
	for i := range k.frame.Program.Keyed {
		n += k.frame.KnownKeys(i)
	}
	return n
}

// sideExit lets closures do the row that has failed, which run does. goesOn says that the walk goes on after the row.
func (k *Kernel) sideExit(w *ecs.World, run func() (kernel.Ending, bool)) (how kernel.Ending, goesOn bool) {
	k.lendToClosures()
	if !k.exits.opened {
		k.exits.opened = true
		k.rest.Open(w)
	}
	how, goesOn = run()
	k.frame.Fuel.Granted, *k.frame.Fuel.Left = k.rest.Fuel()
	k.frame.CopyOutputs(k.rest)
	if goesOn || !how.Leaves() {
		k.exits.rows++
		k.current.done++
		k.exits.ran++
	}
	switch {
	case how == kernel.Returned:
		k.frame.Results = append(k.frame.Results, k.rest.Results()...)
	case how == kernel.Starved:
		k.frame.Fuel.Spent = true
	}
	if !goesOn {
		return how, false
	}
	asksTexts := slices.ContainsFunc(k.program.Keyed, func(of ir.Keyed) bool { return of.Key == ir.Text })
	if asksTexts { // strings are asked for anew in these tables, so numbers that were given out before do not count
		k.texts.forget()
	}
	if k.exits.stores || asksTexts {
		k.forgetCopies()
	}
	k.frame.ForgetGrids()
	k.frame.LendRandom(w)
	if !k.frame.LendInputs() || !k.look(w) {
		k.outside.lost = true // closures do the rest
	}
	return how, true
}

// endExits is called at the end of a run.
func (k *Kernel) endExits() {
	if k.rest != nil && !k.exits.ended {
		k.rest.Close(k.exits.opened)
	}
	if !k.exits.ended {
		k.exits.poor = k.exits.poor && k.current.done == 0
		k.exits.credit = min(k.exits.credit+k.current.done-k.exits.ran-k.texts.cost, mostCredit)
		if k.exits.credit < 0 && !k.neverRests() { // the walk was left before its end
			k.exits.rest()
		}
	}
}

// SetPrinter sets what prints lines.
func (k *Kernel) SetPrinter(print func(line string)) {
	k.effects.PrintTo(print)
	if k.rest == nil {
		k.makeRest()
	}
	k.rest.SetPrinter(print)
}

// Closures returns the closures that do rows for code; nil if code does the whole Program.
func (k *Kernel) Closures() *closures.Kernel {
	if k.whole != k.program {
		return k.rest
	}
	return nil
}
