package sandbox

import "math"

// Compiled loops. What a compiled loop is charged is an estimate of what the interpreter would count for the same rows. It
// may be too high, and must not end a turn that the interpreter would not end. So the budget of a turn with loops that may
// be compiled begins anew when it is used up, once, and the interpreter runs the rest of the turn. From there on at least
// as much is left as if the interpreter had run all of it, and an endless loop is ended all the same.

// Compile notes that a loop begins that may be compiled, and whether it may be so in this turn. In a call aside it may not, in any turn.
func (b *Budget) Compile(may bool) {
	if !b.apart && !b.nested {
		b.apart, b.caused, b.mayCause = true, b.used, b.bound()
	}
	b.compiles = b.compiles || may
}

// Interprets reports whether the interpreter is to run all loops of the rest of the turn.
func (b *Budget) Interprets() bool { return b.interprets }

// anew begins the budget anew. It returns false if there were no loops that may be compiled, or if it has begun anew before.
func (b *Budget) anew() bool {
	if !b.compiles || b.renewed >= 0 {
		return false
	}
	b.interprets, b.renewed = true, b.used
	b.limit = b.used + b.most()
	return true
}

// most is what Visit raises the rest to: what Reset was given, and after anew a little more, for the code outside the loops that hands
// rows over. A turn that is interpreted from its beginning does not run that.
func (b *Budget) most() int64 {
	if b.renewed >= 0 {
		return b.given + RowInstructions
	}
	return b.given
}

const (
	// mostLent limits loans, so that sums do not overflow.
	mostLent = 1 << 60
	// overdraft is how many times the instructions of the turn a compiled loop may use beyond what is left, so that it
	// comes to its end if its charge is too high. The budget begins anew then.
	overdraft = 3
)

// A Loan is what Lend has added to a budget.
type Loan struct {
	rest int64 // what was left before
	end  int64 // the limit without the overdraft
}

// Lend adds n instructions for the rows that a compiled loop visits, and an overdraft, until [Budget.TakeBack] is called
// with the result.
func (b *Budget) Lend(n int64) Loan {
	l := Loan{rest: b.limit - b.used}
	if b.limit < math.MaxInt64 && b.limit > 0 {
		l.end = b.limit + max(0, min(n, mostLent-b.limit))
		b.limit = l.end + max(0, min(overdraft*min(b.given, mostLent/overdraft), mostLent-l.end))
	}
	return l
}

// TakeBack ends a loan: what is left of it is taken away, so that the turn may use no more than before Lend.
func (b *Budget) TakeBack(l Loan) {
	switch {
	case b.limit == 0 || b.limit == math.MaxInt64 || b.renewed >= 0:
	case b.cause != nil: // the loop has passed a limit: the turn ends behind it
		b.limit = max(1, min(b.limit, b.used))
	case b.used <= l.end:
		b.limit = min(l.end, max(b.used, 0)+max(l.rest, 0))
	default:
		b.limit = b.used
		b.anew()
	}
}
