package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// A budget limits how much a turn of a script may compute. The interpreters count instructions in it, library
// functions charge for long work, query loops add instructions for the rows they visit, and a watchdog outside can
// interrupt it. The result of the count is the same in every run; that of a watchdog is not.

// The reasons why a turn is stopped. errors.Is finds them through any number of Lua calls, coroutines and pcalls.
// A script cannot catch them.
var (
	ErrInstructions = errors.New("the instruction limit was passed") // the same on every machine
	ErrTime         = errors.New("the time limit was passed")        // by a watchdog; not repeatable
	ErrMemory       = errors.New("the memory limit was passed")      // by a watchdog; not repeatable
	ErrAllocations  = errors.New("the allocation limit was passed")  // the same on every machine
)

// A Budget bounds one turn of a script: a number of VM instructions, counted
// exactly, and whatever a watchdog outside adds with [Budget.Interrupt].
//
// It is a [context.Context] because that is what gopher-lua asks before each
// instruction: Done counts, and answers with a closed channel from the
// instruction on that is one too many. From then on the budget stays spent, so a
// script that catches the error in a loop cannot run on; [Budget.Reset] starts
// the next turn. Library functions that work long for one instruction charge
// for it.
//
// All methods but Interrupt, InterruptTurn and Turn belong to the goroutine that runs the
// State. The zero Budget is unlimited and ready.
type Budget struct {
	account
	turn        atomic.Uint64
	interrupted atomic.Pointer[interrupt] // set by the watchdog, read before every instruction
	stop        atomic.Bool               // interrupted may be set; for package interp
	sealed      bool                      // see Seal
	allocates   int64                     // what allocations is at Reset
	stores      map[*lua.FunctionProto][]bool
}

// An account is what a call has used, and what it may use. A call that has its own within a turn puts that of the turn
// aside: see State.Aside.
type account struct {
	used        int64 // instructions since Reset
	limit       int64 // 0: none. It grows: see Visit, Lend and anew
	given       int64 // what Reset was given
	cause       error // why it is spent; nil while it is not
	coroutines  int   // created since Reset
	allocations int64 // bytes of Lua values that may still be made
	compiles    bool  // see Compile
	interprets  bool  // compiled loops may not run any more
	renewed     int64 // what was used when it began anew; -1 before
	apart       bool  // a loop has begun that may be compiled: see Compile
	caused      int64 // then: what was used before, and what the turn has caused since
	mayCause    int64 // then: how much that may be
	observers   int64 // those of calls aside
	nested      bool  // it is that of a call aside
}

type interrupt struct {
	turn   uint64
	reason error
}

var closedChan = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Reset starts a turn of that many instructions; 0 or less means no limit.
// An Interrupt that was meant for an earlier turn has no effect on this one.
func (b *Budget) Reset(instructions int64) {
	b.turn.Add(1)
	if b.interrupted.Load() != nil { // a store that others must see costs more than the comparison
		b.interrupted.Store(nil)
	}
	if b.stop.Load() {
		b.stop.Store(false)
	}
	if instructions <= 0 {
		instructions = math.MaxInt64
	}
	b.account, b.sealed = account{limit: instructions, given: instructions, renewed: -1, allocations: math.MaxInt64}, false
	if b.allocates > 0 {
		b.allocations = b.allocates
	}
}

// LimitAllocations sets how many bytes of Lua values each turn may make, from the next Reset on; 0 or less means no
// limit. Package interp has the prices.
func (b *Budget) LimitAllocations(bytes int64) { b.allocates = max(0, bytes) }

// Allocate counts n bytes of new Lua values. It reports whether the limit allows them. If not, the budget is spent.
func (b *Budget) Allocate(n int64) bool {
	if b.allocations >= n {
		b.allocations -= n
		return true
	}
	if b.allocates == 0 && b.cause == nil && b.allocations >= 0 { // a Budget that was never Reset has no limit
		b.allocations = math.MaxInt64
		return true
	}
	if b.settle() {
		b.allocations = 0
		b.spend(ErrAllocations)
	}
	return false
}

// spend ends the turn: no instruction is left.
func (b *Budget) spend(cause error) {
	b.cause, b.limit = cause, max(1, min(b.bound(), b.used))
}

// AllocationsLeft returns how many bytes the turn may still make.
func (b *Budget) AllocationsLeft() int64 {
	if b.allocates == 0 {
		return math.MaxInt64
	}
	return b.allocations
}

// Allocations returns where the budget keeps the bytes that the turn may still make, for package interp.
func (b *Budget) Allocations() *int64 { return &b.allocations }

// Stores is interp.ConstructorStores, found once for each function.
func (b *Budget) Stores(p *lua.FunctionProto) []bool {
	stores, known := b.stores[p]
	if !known {
		if b.stores == nil {
			b.stores = map[*lua.FunctionProto][]bool{}
		}
		stores = interp.ConstructorStores(p)
		b.stores[p] = stores
	}
	return stores
}

// forget drops what Stores has found for the functions for which gone is true.
func (b *Budget) forget(gone func(p *lua.FunctionProto) bool) {
	for p := range b.stores {
		if gone(p) {
			delete(b.stores, p)
		}
	}
}

// Used returns the number of instructions of this turn so far, including charges by library functions, without those of what it has
// caused.
func (b *Budget) Used() int64 { return b.used }

// Limit returns how many instructions the turn may use at present, 0 for no limit: what Reset was given, plus what
// rows have added.
func (b *Budget) Limit() int64 {
	if b.limit == math.MaxInt64 {
		return 0
	}
	return b.limit
}

// Turn returns the number of the turn, for InterruptTurn. It may be called from any goroutine.
func (b *Budget) Turn() uint64 { return b.turn.Load() }

// Interrupt ends the running turn before its next instruction; the turn fails with
// reason (wrap [ErrTime] or [ErrMemory], so that the caller can tell). Safe from
// any goroutine. The first reason counts.
func (b *Budget) Interrupt(reason error) { b.InterruptTurn(b.turn.Load(), reason) }

// End is Interrupt by what runs within the turn: not one instruction more is made, by whichever interpreter.
func (b *Budget) End(reason error) {
	b.Interrupt(reason)
	if !b.settle() {
		b.limit = max(1, min(b.bound(), b.used))
	}
}

// InterruptTurn is Interrupt for the turn of that number only: a watchdog that measured
// one turn cannot hit the next one by coming late.
func (b *Budget) InterruptTurn(turn uint64, reason error) {
	if reason == nil {
		reason = ErrTime
	}
	b.interrupted.CompareAndSwap(nil, &interrupt{turn: turn, reason: reason})
	b.stop.Store(true)
}

// reserve is more than the instructions of a function behind its last loop.
const reserve = 4096

// spares reports whether the budget suffices for the rest of a function behind its last loop, once the turn has used so
// much.
func (b *Budget) spares(used int64) bool { return b.bound()-reserve >= used }

// Seal makes the rest of the turn one that no watchdog ends. When the loop that runs is over, the turn will have used so
// much, and only the rest of the function around the loop is left. Seal reports false, and does nothing, if the turn is
// to end already, or if the budget might not suffice. Reset ends it.
func (b *Budget) Seal(used int64) bool {
	if !b.spares(used) || b.limit > 0 && b.given < reserve || !b.settle() { // it may begin anew: see TakeBack
		return false
	}
	b.sealed = true
	return true
}

// Spent returns why the turn was stopped, nil while it may continue.
func (b *Budget) Spent() error {
	b.settle()
	return b.cause
}

// SpentText says which limit was passed: a number of instructions, or what
// [Budget.Interrupt] was given. Empty while the turn may run on.
func (b *Budget) SpentText() string {
	switch err := b.Spent(); err {
	case nil:
		return ""
	case ErrAllocations:
		return fmt.Sprintf("more than %s bytes of strings, tables, functions and coroutines were made (limits.allocations)", syntax.Grouped(b.allocates))
	case ErrInstructions:
		text := fmt.Sprintf("more than %s instructions (limits.instructions)", syntax.Grouped(b.given))
		if used := b.charged(); b.observers > *used/2 && (used == &b.used || *used > b.mayCause) {
			text += ", most of them in observers"
		}
		return text
	default:
		return cut(err.Error())
	}
}

// RowInstructions is the number of instructions that each row visited by a query loop adds to the budget.
const RowInstructions = 1000

// Visit adds RowInstructions for a row that the interpreter visits, but never raises what is left above what the turn
// began with. So an endless loop within a row is ended as soon as one outside.
func (b *Budget) Visit() {
	if b.limit < math.MaxInt64 && b.limit > 0 {
		b.limit = max(b.limit, min(b.limit+RowInstructions, b.used+b.most()))
	}
}

// What a turn causes: its observers, and the commands that are applied behind it. From its first loop on that may be compiled, this is
// counted apart from what the turn uses itself, because what compiled loops are charged is an estimate (see below). So what a turn causes
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

// most is what Visit raises the rest to: what Reset was given, and after anew a little more, for the code around the loops that hands
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
	case b.used <= l.end || b.cause != nil:
		b.limit = min(l.end, max(b.used, 0)+max(l.rest, 0))
	default:
		b.limit = b.used
		b.anew()
	}
}

// Charge counts n more instructions, for work done outside of the VM. It reports whether the turn may continue.
func (b *Budget) Charge(n int64) bool {
	if n > 0 {
		b.used += min(n, math.MaxInt64/2-b.used)
	}
	return b.used <= b.bound() && b.interrupted.Load() == nil || b.settle()
}

// covers counts n instructions of a function that was not called, if the turn may use them all and no watchdog wants to end it.
// Otherwise it counts nothing, and the function has to be called.
func (b *Budget) covers(n int64) bool {
	if b.used+n > b.bound() || b.stop.Load() {
		return false
	}
	b.used += n
	return true
}

// Refund takes back the charge for work that was undone and will be done again. A spent budget stays spent.
func (b *Budget) Refund(n int64) { b.used = max(0, b.used-max(0, n)) }

func (b *Budget) bound() int64 {
	if b.limit == 0 {
		return math.MaxInt64
	}
	return b.limit
}

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

// Counters returns the addresses of the count and of its limit, for package interp, which counts by itself.
func (b *Budget) Counters() (used, limit *int64) { return &b.used, &b.limit }

// Stop returns a flag that is set while a watchdog may want to end the turn. The interpreter looks at it.
func (b *Budget) Stop() *atomic.Bool { return &b.stop }

// Done counts one instruction. gopher-lua calls it before each one, and stops if the channel is closed.
func (b *Budget) Done() <-chan struct{} {
	b.used++
	if b.used <= b.limit && b.interrupted.Load() == nil {
		return nil
	}
	if b.settle() {
		return nil
	}
	return closedChan
}

// settle decides whether the budget is spent, and stores the reason. It reports whether the turn may continue. The
// instruction count is tested first, because it is the same in every run.
func (b *Budget) settle() bool {
	if b.cause != nil {
		return false
	}
	if b.used > b.bound() && !b.anew() {
		b.cause = ErrInstructions
		return false
	}
	t := b.interrupted.Load()
	if t == nil {
		return true
	}
	if t.turn != b.turn.Load() || b.sealed { // a watchdog that came too late
		b.interrupted.CompareAndSwap(t, nil)
		b.stop.Store(false)
		return true
	}
	b.cause = t.reason
	return false
}

// Err is Spent, for context.Context.
func (b *Budget) Err() error {
	if b.cause == nil {
		return nil
	}
	return b.cause
}

// Deadline implements context.Context: there is none.
func (b *Budget) Deadline() (time.Time, bool) { return time.Time{}, false }

// Value implements context.Context: there are no values.
func (b *Budget) Value(any) any { return nil }

var _ context.Context = (*Budget)(nil)
