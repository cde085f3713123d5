package sandbox

import (
	"errors"
	"fmt"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

func TestBudgetIsExact(t *testing.T) {
	w := newWorld(t)
	fn := w.load(`local n = 0 for i = 1, 1000 do n = n + i end`)
	w.s.Budget().Reset(0)
	if err := w.s.Call(fn); err != nil {
		t.Fatal(err)
	}
	used := w.s.Budget().Used()
	if used < 2000 || used > 2020 {
		t.Errorf("1000 turns used %d instructions", used)
	}
	for _, tt := range []struct {
		limit int64
		want  error
	}{{used, nil}, {used - 1, ErrInstructions}, {1, ErrInstructions}} {
		w.s.Budget().Reset(tt.limit)
		if err := w.s.Call(fn); !errors.Is(err, tt.want) || (tt.want == nil) != (err == nil) {
			t.Errorf("limit %d: %v", tt.limit, err)
		}
	}
}

// Where a loop was stopped is the same in every run, and named.
func TestEndlessLoopIsNamed(t *testing.T) {
	w := newWorld(t)
	fn := w.load("local function think()\n\tlocal n = 0\n\twhile true do\n\t\tn = n + 1\n\tend\nend\nthink()")
	for range 3 {
		w.s.Budget().Reset(100_000)
		err := w.s.Call(fn)
		e := failure(t, err)
		if !errors.Is(err, ErrInstructions) || e.Pos.Line < 3 || e.Pos.Line > 5 || w.s.Budget().Used() != 100_001 {
			t.Errorf("%v after %d", err, w.s.Budget().Used())
		}
		if got, want := e.Message, "more than 100,000 instructions (limits.instructions); is there an endless loop?"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if e.Stack[0].Func != "think" {
			t.Errorf("stopped in %q", e.Stack[0].Func)
		}
	}
}

func TestBudgetStaysSpent(t *testing.T) {
	w := newWorld(t)
	w.s.Budget().Reset(1000)
	if _, err := w.run(`while true do end`); !errors.Is(err, ErrInstructions) {
		t.Fatal(err)
	}
	if _, err := w.run(`print(1)`); !errors.Is(err, ErrInstructions) || w.out.Len() > 0 {
		t.Errorf("ran on: %v", err)
	}
	w.s.Budget().Reset(1000)
	if got := w.must(`print(1)`); got != "1" {
		t.Error(got)
	}
}

// A watchdog interrupts the turn it saw, and no later one.
func TestTrip(t *testing.T) {
	w := newWorld(t)
	b := w.s.Budget()
	turn := b.Turn()
	w.env.Set("watchdog", w.s.NewFunction(func(*lua.LState) int {
		b.InterruptTurn(turn, fmt.Errorf("%w: 2 s", ErrTime))
		return 0
	}))
	_, err := w.run("local x = 1\nwatchdog()\nwhile true do pcall(function() while true do end end) end")
	if !errors.Is(err, ErrTime) || err.Error() != "test.lua:3: the time limit was passed: 2 s" {
		t.Errorf("%v", err)
	}
	b.Reset(1000)
	b.InterruptTurn(turn, ErrTime)
	if got := w.must(`print("on")`); got != "on" {
		t.Error(got)
	}
	b.Interrupt(ErrMemory)
	if _, err := w.run(`print("on")`); !errors.Is(err, ErrMemory) {
		t.Errorf("%v", err)
	}
	if !errors.Is(b.Spent(), ErrMemory) {
		t.Error(b.Spent())
	}
}

// An interruption that comes when the function has returned has a place, too: the end of the function.
func TestInterruptedAtTheEnd(t *testing.T) {
	w := newWorld(t)
	made, err := w.s.CallResults(w.load("return function()\n\tlocal n = 1\n\tprint(n)\nend"), 1)
	if err != nil {
		t.Fatal(err)
	}
	late := made[0].(*lua.LFunction)
	w.s.Budget().Reset(0)
	if err := errors.Join(w.s.Call(late), w.s.SpentAfter(late)); err != nil {
		t.Fatal(err)
	}
	w.s.Budget().Interrupt(ErrTime)
	for range 2 {
		if err := w.s.SpentAfter(late); !errors.Is(err, ErrTime) || failure(t, err).Pos != (Pos{"test.lua", 4}) {
			t.Errorf("%v", err)
		}
	}
	// Where the script was stopped is said, if it was.
	w.s.Budget().Reset(1000)
	err = w.s.Call(w.load("while true do end"))
	if again := w.s.SpentAfter(late); again == nil || failure(t, again).Pos != (Pos{"test.lua", 1}) || again.Error() != err.Error() {
		t.Errorf("%v, then %v", err, again)
	}
}

// The instruction limit is reported rather than the watchdog, if both passed:
// it is the one that is the same in every run.
func TestInstructionsBeforeWatchdog(t *testing.T) {
	var b Budget
	b.Reset(10)
	b.Charge(11)
	b.Interrupt(ErrTime)
	if !errors.Is(b.Spent(), ErrInstructions) {
		t.Error(b.Spent())
	}
}

func TestNestedCalls(t *testing.T) {
	w := newWorld(t)
	w.env.Set("host", w.s.NewFunction(func(L *lua.LState) int {
		out, err := w.s.CallResults(L.Get(1), 1, L.Get(2))
		if err != nil {
			Raise(L, err)
		}
		L.Push(out[0])
		return 1
	}))
	if got := w.must(`local function f(n) if n == 0 then return "end" end return host(f, n - 1) end print(f(20))`); got != "end" {
		t.Error(got)
	}
	if _, err := w.run(`local function f() return host(f) end f()`); !errors.Is(err, ErrTooDeep) {
		t.Errorf("%v", err)
	}
	if _, err := w.run(`host(function() while true do end end)`); !errors.Is(err, ErrInstructions) {
		t.Errorf("%v", err)
	}
	w.s.Budget().Reset(100_000)
	_, err := w.run("local x\nhost(function()\n\treturn x.y\nend)")
	if got, want := fmt.Sprint(err), `test.lua:3: attempt to index a nil value (local "x")`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := w.must(benign); got != "3 6 X 1.50 true" {
		t.Error(got)
	}
}

// A call of update(world, dt) allocates nothing, and neither does a pcall.
func TestCallDoesNotAllocate(t *testing.T) {
	w := newWorld(t)
	w.s.Budget().Reset(0)
	out, err := w.s.CallResults(w.load(`local function f() end return function(world, dt) pcall(f) end`), 1)
	if err != nil {
		t.Fatal(err)
	}
	fn, world, dt := out[0], lua.LValue(w.s.NewUserData(nil, nil)), lua.LValue(lua.LNumber(0.5))
	if n := testing.AllocsPerRun(100, func() {
		if err := w.s.Call(fn, world, dt); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What rows add never makes a turn longer than a fresh one, wherever it stands; and a loan leaves nothing behind.
func TestRowsAddToTheBudget(t *testing.T) {
	var b Budget
	rest := func() int64 { return b.Limit() - b.Used() }
	b.Reset(10_000)
	b.Visit()
	if rest() != 10_000 {
		t.Errorf("a fresh turn has %d instructions after a row", rest())
	}
	b.Charge(4_000)
	b.Visit()
	if rest() != 7_000 {
		t.Errorf("%d instructions are left of 6,000 and a row", rest())
	}
	for range 100 {
		b.Visit()
	}
	if rest() != 10_000 {
		t.Errorf("a hundred rows leave %d", rest())
	}
	before := b.Lend(50_000)
	if rest() != 60_000+overdraft*10_000 {
		t.Errorf("with a loan it has %d", rest())
	}
	b.Charge(20_000)
	b.TakeBack(before)
	if rest() != 10_000 {
		t.Errorf("a loan that was not used up leaves %d", rest())
	}
	before = b.Lend(5_000)
	b.Charge(8_000)
	b.TakeBack(before)
	if rest() != 7_000 {
		t.Errorf("8,000 instructions, 5,000 of them lent, leave %d of 10,000", rest())
	}
	b.Lend(1 << 62)
	b.Lend(1 << 62)
	if b.Charge(1 << 61) {
		t.Error("what can be lent has no bound")
	}
	b.Reset(0)
	b.Compile(true)
	b.Visit()
	b.TakeBack(b.Lend(5))
	if b.Limit() != 0 || !b.Charge(1<<40) {
		t.Error("a turn without a limit has got one")
	}
}

// A turn with loops that may be compiled has a second budget, once. Without such loops it has none.
func TestATurnWithCompiledLoopsBeginsAnewOnce(t *testing.T) {
	var b Budget
	left := func() int64 { return b.Limit() - b.Used() }
	b.Reset(10_000)
	if b.Charge(10_001) {
		t.Error("a turn without loops may use more than its budget")
	}
	b.Reset(10_000)
	b.Compile(true)
	if b.Interprets() || !b.Charge(10_001) || left() != 10_000+RowInstructions || !b.Interprets() {
		t.Errorf("%d left, interprets %v", left(), b.Interprets())
	}
	if b.Charge(left() + 1) {
		t.Error("the budget begins anew twice")
	}
	b.Reset(10_000)
	b.Compile(true)
	b.Charge(9_000)
	loan := b.Lend(2_000)
	b.Charge(30_000) // more than is left and lent
	b.TakeBack(loan)
	if left() != 10_000+RowInstructions || !b.Interprets() {
		t.Errorf("behind a loop that has used too much, %d are left, interprets %v", left(), b.Interprets())
	}
	b.Reset(10_000)
	b.TakeBack(b.Lend(2_000))
	if left() != 10_000 || b.Interprets() || b.Charge(10_001) {
		t.Error("the next turn is not as any other")
	}
}

// What calls within a turn use is counted for all of them, and for what the turn causes. It is no part of what the turn uses itself.
func TestCallsAsideArePaidTwice(t *testing.T) {
	w := newWorld(t)
	b := w.s.Budget()
	b.LimitAllocations(1000)
	b.Reset(10_000)
	b.Compile(true)
	a := b.Allow()
	uses := func(n int64) (ok bool) {
		w.s.Aside(&a, 10, func() { ok = b.Charge(n-10) && b.Allocate(200) })
		return ok
	}
	for i := range 3 {
		a.Raise(true)
		b.Raise(true)
		if !uses(4_000) || b.Spent() != nil || b.Used() != 0 || b.Interprets() || b.AllocationsLeft() != int64(4-i)*200 {
			t.Errorf("call %d: %v, %d are used, interprets %v, %d bytes are left", i, b.Spent(), b.Used(), b.Interprets(), b.AllocationsLeft())
		}
	}
	if uses(2_000) || b.Spent() != ErrInstructions || !a.Passed() { // 14,000 of 10,000 and 3 × 1,000
		t.Errorf("%v, %d are left of the allowance", b.Spent(), a.left)
	}
	b.Reset(10_000)
	b.Compile(true)
	if b.Charge(9_000); !b.Cause(10_000) || b.Cause(1) || b.Spent() != ErrInstructions || b.Interprets() {
		t.Errorf("commands: %v", b.Spent())
	}
	b.Reset(0)
	a = b.Allow()
	if !uses(10_000) || !uses(1<<40) || a.Passed() {
		t.Error("without a limit a call is ended")
	}
	if w.s.Aside(&a, 0, func() { b.Allocate(900) }); !a.Passed() || b.Spent() != ErrAllocations {
		t.Errorf("%v", b.Spent())
	}
}

// A sealed turn is not interrupted, and only a turn whose budget suffices can be sealed. The next turn is as any other.
func TestSealedBudget(t *testing.T) {
	w := newWorld(t)
	b := w.s.Budget()
	fn := w.load(`local n = 0 for i = 1, 100 do n = n + i end`)
	late := errors.New("late")
	b.Reset(0)
	if !b.Seal(1 << 40) {
		t.Error("an unlimited turn cannot be sealed")
	}
	b.Interrupt(late)
	if err := w.s.Call(fn); err != nil || b.Spent() != nil || !b.Charge(1) {
		t.Errorf("a sealed turn ended: %v, %v", err, b.Spent())
	}
	b.Reset(0)
	b.Interrupt(late)
	if b.Seal(0) {
		t.Error("an interrupted turn was sealed")
	}
	if err := w.s.Call(fn); !errors.Is(err, late) {
		t.Errorf("the turn behind a sealed one was not interrupted: %v", err)
	}
	b.Reset(10_000)
	if b.Seal(10_000-reserve+1) || !b.Seal(10_000-reserve) {
		t.Error("the budget does not tell what it suffices for")
	}
}

// Keys that are whole numbers far from each other cost what other keys cost: no gap is filled.
func TestGapsCostNothing(t *testing.T) {
	const code = `local seen = {} for y = 1, 300 do seen[y * 1000 + y] = true end`
	for _, compiled := range []bool{false, true} {
		for limit, enough := range map[int64]bool{64 + 300*16: true, 64 + 300*16 - 1: false} {
			w := newWorld(t)
			b := w.s.Budget()
			b.LimitAllocations(limit)
			b.Reset(1_000_000)
			b.Compile(compiled)
			if _, err := w.run(code); (err == nil) != enough {
				t.Errorf("compiled %v, with %d bytes: %v", compiled, limit, err)
			}
		}
	}
}
