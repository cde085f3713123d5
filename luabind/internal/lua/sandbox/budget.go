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

// End is Interrupt by what runs within the turn: no interpreter runs one instruction more.
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

// reserve is more than the instructions of a function after its last loop.
const reserve = 4096

// spares reports whether the budget suffices for the rest of a function after its last loop, once the turn has used so
// much.
func (b *Budget) spares(used int64) bool { return b.bound()-reserve >= used }

// Seal makes the rest of the turn one that no watchdog ends. When the loop that runs is over, the turn will have used so
// much, and only the rest of the function outside the loop is left. Seal reports false, and does nothing, if the turn is
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
