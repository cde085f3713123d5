package frame

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Fuel, from the host's side: how it is granted, charged, and given back when the watch runs rows again.

// Fuel is what a run may use. It is granted and charged in the same portions as by closures (closures.Kernel), so
// that a budget ends at the same row. Portions follow one another without gaps: what a row uses beyond a portion belongs to
// the next one. So the state depends only on the fuel that the run has used, not on the steps in which it was used. The turn
// has used what its budget says, and Granted - *Left beyond that.
type Fuel struct {
	Granted int64  // of the current portion
	Left    *int64 // in the frame: what is left of the portion
	Spent   bool   // Refuel has returned false since the run began
	row     *int64 // in the frame: what was left when the last row began, if rows have inner loops (see abi.MissingFuel)
	budget  *sandbox.Budget
}

// NewFuel returns the fuel of a frame. Nothing is granted yet. left and row are its places in the frame.
func NewFuel(left, row *int64, b *sandbox.Budget) Fuel { return Fuel{Left: left, row: row, budget: b} }

// Grant begins a portion: up to [abi.Grain], or what the budget has left.
func (f *Fuel) Grant() {
	f.Granted = abi.Grain
	if limit := f.budget.Limit(); limit > 0 {
		f.Granted = max(0, min(abi.Grain, limit-f.budget.Used()))
	}
	*f.Left = f.Granted
}

// Refuel charges the portion, of which more is used than there was, and grants the next one. It returns false if the turn
// must end; then the portion is not charged, and no fuel is left.
func (f *Fuel) Refuel() bool {
	before := *f.Left
	if limit := f.budget.Limit(); limit > 0 && f.Used() > limit || !f.next() {
		f.Granted, *f.Left, f.Spent = 0, 0, true
		return false
	}
	for *f.Left < 0 && f.next() {
	}
	*f.row += *f.Left - before // so that the row has used as much as before
	return true
}

// next charges a portion and grants another one. It returns false if the turn was interrupted.
func (f *Fuel) next() bool {
	goes, left := f.budget.Charge(f.Granted), *f.Left
	f.Grant()
	*f.Left += left
	return goes
}

// Pay uses an amount for which the budget suffices: see Affords.
func (f *Fuel) Pay(n int64) {
	if *f.Left -= n; *f.Left < 0 {
		f.Refuel()
	}
}

// set makes left what is left, which must not be less than now. If that is more than the portion had, the budget gets
// portions back.
func (f *Fuel) set(left int64) {
	for left > f.Granted {
		f.budget.Refund(abi.Grain)
		left -= f.Granted
		f.Granted = abi.Grain
	}
	*f.Left = left
}

// Used returns what the turn has used so far.
func (f *Fuel) Used() int64 { return f.budget.Used() + f.Granted - *f.Left }

// Affords reports whether the budget suffices for an amount beyond what is used.
func (f *Fuel) Affords(n int64) bool {
	limit := f.budget.Limit()
	return limit == 0 || f.Used()+n <= limit
}

// End charges what was used of the last portion, and returns what the turn has used.
func (f *Fuel) End() int64 {
	f.budget.Charge(f.Granted - *f.Left)
	return f.budget.Used()
}

// Restore returns to the state in which Used returned used, Granted was granted, and *Left was left.
func (f *Fuel) Restore(used, granted, left int64) {
	f.budget.Refund(f.budget.Used() - (used - granted + left))
	f.Granted, *f.Left = granted, left
}
