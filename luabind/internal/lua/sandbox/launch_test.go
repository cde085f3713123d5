package sandbox

import (
	"errors"
	"testing"
)

// A budget may end at any instruction, also at the first ones of a coroutine, before its error hook is set. It is the script's error wherever it ends, and never
// one of the program.
func TestBudgetEndsWhileACoroutineStarts(t *testing.T) {
	const src = "local function f() end for i = 1, 8 do local co = coroutine.wrap(f) co() end"
	limits := 0
	for n := int64(1); n < 4_000; n++ {
		w := newWorld(t)
		w.s.Budget().Reset(n)
		_, err := w.run(src)
		if err == nil {
			break
		}
		limits++
		if bug := (*PanicError)(nil); errors.As(err, &bug) || !errors.Is(err, ErrInstructions) {
			t.Fatalf("with %d instructions: %v", n, err)
		}
	}
	if limits < 100 {
		t.Errorf("only %d limits were tried", limits)
	}
}
