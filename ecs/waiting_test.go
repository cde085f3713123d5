package ecs

import (
	"errors"
	"fmt"
	"testing"
)

// A time is reached although sums of dt are not exact; events of one frame come in the order of time, then of sending.
func TestWaitingEventsComeInTheOrderOfTime(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	send := func(amount, after float64, frame uint64) {
		var err error
		if frame > 0 {
			_, err = w.Commands().SendAt(hit.ID(), frame, "", FieldValue{1, Number(amount)})
		} else {
			_, err = w.Commands().SendAfter(hit.ID(), after, "", FieldValue{1, Number(amount)})
		}
		ok(t, err)
	}
	for range 4 { // of the 5th frame the time is 0.1 + 0.1 + 0.1 + 0.1
		w.BeginFrame(0.1)
		w.EndFrame()
	}
	send(1, 0.3, 0)
	send(2, 0, 7)
	send(3, 0.25, 0)
	send(4, 0.3, 0)
	send(5, 0, 5)
	send(6, 0, 0)
	ok(t, w.Commands().Apply())
	got := ""
	for range 4 {
		w.BeginFrame(0.1)
		check(t, w)
		got += fmt.Sprintf("%d:%s ", w.Frame(), amounts(hit.Read()))
		w.EndFrame()
	}
	if got != "5:6 5 6: 7:3 1 2 4 8: " {
		t.Errorf("%q", got)
	}
}

// Steady frames with timers allocate nothing.
func TestWaitingEventsAllocateNothing(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	s := NewSchedule(w).Add("timers", func(w *World, _ float64) error {
		hit.Read()
		for i := range 50 {
			if _, err := w.Commands().SendAfter(hit.ID(), float64(i%7), ""); err != nil {
				return err
			}
			if _, err := w.Commands().SendAt(hit.ID(), w.Frame()+9, "key"); err != nil {
				return err
			}
		}
		return nil
	})
	s.RollBack = true
	run(t, s, 100)
	if n := testing.AllocsPerRun(50, func() { run(t, s, 1) }); n != 0 {
		t.Errorf("%v allocations in a frame", n)
	}
}

// Events that wait count for the limit, one that takes the place of another does not.
func TestWaitingEventsCountForTheLimit(t *testing.T) {
	w := newWorld(Options{MaxEvents: 3})
	hit := hits(t, w)
	for range 5 {
		must[uint64](t)(w.Commands().SendAt(hit.ID(), 1, "same"))
	}
	ok(t, w.Commands().Apply())
	for range 3 {
		must[uint64](t)(w.Commands().SendAt(hit.ID(), 1, ""))
	}
	if err := w.Commands().Apply(); !errors.Is(err, ErrEvents) {
		t.Error(err)
	}
	check(t, w)
	w.BeginFrame(1)
	if n := len(hit.Peek()); n != 3 {
		t.Errorf("%d events came", n)
	}
	check(t, w)
}
