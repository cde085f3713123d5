package sandbox

import "math"

// What a turn causes: its observers, and the commands that are applied after it. From its first loop on that may be compiled, this is
// counted apart from what the turn uses itself, because what compiled loops are charged is an estimate (loan.go). So what a turn causes
// ends it at the same place, whatever is compiled.

// Cause counts n instructions of what the turn has caused. It reports whether the turn may continue.
func (b *Budget) Cause(n int64) bool {
	used := b.charged()
	*used += min(n, math.MaxInt64/2-*used)
	if used == &b.caused && b.caused > b.mayCause && b.cause == nil {
		b.spend(ErrInstructions)
	}
	return b.settle()
}

// charged is what pays for what is caused.
func (b *Budget) charged() *int64 {
	if b.apart {
		return &b.caused
	}
	return &b.used
}

// Raise adds RowInstructions to what the turn may cause, for something that it has paid for and that may be as much as a row. If saved
// is false, no more is left than at the beginning.
func (b *Budget) Raise(saved bool) {
	limit := &b.limit
	if b.apart {
		limit = &b.mayCause
	}
	if *limit >= mostLent || *limit <= 0 {
		return
	}
	more := *limit + RowInstructions
	if !saved {
		more = max(*limit, min(more, *b.charged()+b.given))
	}
	*limit = more
}

// Calls aside, of observers, have an account of their own.

// An Allowance is what all calls of [State.Aside] with it may use within one turn.
type Allowance struct {
	given, left int64 // instructions
	bytes       int64 // of Lua values
	passed      bool
}

// Allow returns an allowance for a turn: as much as the turn was given.
func (b *Budget) Allow() Allowance {
	a := Allowance{given: b.given, left: b.given, bytes: b.allocates}
	if b.given == 0 {
		a.given, a.left = math.MaxInt64, math.MaxInt64
	}
	return a
}

// Raise adds RowInstructions for a call, as a row of a loop does, so that a large world ends no observer. If saved is false, no
// more is left than at the beginning.
func (a *Allowance) Raise(saved bool) {
	if a.left < mostLent {
		a.left += RowInstructions
	}
	if !saved {
		a.left = min(a.left, a.given)
	}
}

// Passed reports whether a call has passed it.
func (a *Allowance) Passed() bool { return a.passed }

// suspend begins an account for a call within the turn, which costs price, and returns that of the turn, which goes on with
// resume. The call may use what is left of the allowance. The turn stays the same, so the watchdog can interrupt it. All loops of the
// call are to be interpreted.
func (b *Budget) suspend(a *Allowance, price int64) (outer account) {
	outer = b.account
	b.account = account{used: price, limit: max(a.left, 1), given: outer.given, renewed: -1, nested: true, allocations: math.MaxInt64}
	if b.allocates > 0 {
		b.allocations = a.bytes
	}
	return outer
}

// resume goes on with the account of the turn. The allowance and the turn pay for what the call has used.
func (b *Budget) resume(a *Allowance, outer account) {
	used, bytes := b.used, int64(0)
	a.left -= used
	if b.allocates > 0 {
		bytes, a.bytes = a.bytes-b.allocations, b.allocations
	}
	if b.cause == ErrAllocations {
		bytes++ // it has asked for more than there was
	}
	a.passed = a.passed || b.cause == ErrInstructions || b.cause == ErrAllocations
	b.account = outer
	b.observers += used
	b.Cause(used)
	b.Allocate(bytes)
}
