package ecs

import (
	"errors"
	"fmt"
	"testing"
)

// A sealed turn is not recorded. Only a turn that is recorded, and has nothing queued, can be sealed, and once it is, it must
// not fail.
func TestSealedTurns(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	e, err := w.Spawn(pos.ID())
	ok(t, err)
	s := NewSchedule(w)
	turn := func(run func() error) (err error) {
		t.Helper()
		ok(t, s.Swap("a", func(*World, float64) error { return run() }))
		return s.Run(1)
	}
	s.Add("a", func(*World, float64) error { return nil })
	if Raw.Sealable(w) {
		t.Error("a world without a turn is sealable")
	}
	ok(t, turn(func() error {
		if Raw.Sealable(w) {
			t.Error("a turn that is not taken back is sealable")
		}
		return nil
	}))
	s.RollBack = true
	ok(t, turn(func() error {
		_, err := w.Commands().Spawn()
		ok(t, err)
		if Raw.Sealable(w) {
			t.Error("a turn with a queued command is sealable")
		}
		says(t, "ecs: a turn that may fail was sealed", func() { Raw.Seal(w) })
		return nil
	}))
	ok(t, turn(func() error {
		if !Raw.Sealable(w) {
			t.Error("the turn is not sealable")
		}
		Raw.Seal(w)
		pos.Write(e).X = 5
		if Raw.Sealable(w) {
			t.Error("a sealed turn is sealable")
		}
		if n := len(w.undo.bytes); n > 0 {
			t.Errorf("%d bytes were recorded", n)
		}
		return nil
	}))
	if err := turn(func() error { pos.Write(e).X = 6; return errFailed }); !errors.Is(err, errFailed) {
		t.Errorf("got %v", err)
	}
	if got := pos.Get(e).X; got != 5 {
		t.Errorf("X is %v: the turn behind a sealed one was not taken back", got)
	}
	says(t, "ecs: a turn has failed after it was sealed", func() {
		_ = turn(func() error { Raw.Seal(w); return errFailed })
	})
}

// says checks what a call panics with.
func says(t *testing.T, want string, call func()) {
	t.Helper()
	defer func() {
		if got := fmt.Sprint(recover()); got != want {
			t.Errorf("panicked with %q, want %q", got, want)
		}
	}()
	call()
}
