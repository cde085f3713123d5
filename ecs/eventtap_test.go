package ecs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func mustNot(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tapped returns the events of a tap as text: "A1 B2".
func tapped(w *World, t *EventTap) string {
	var out []string
	for id, row := range t.All {
		out = append(out, fmt.Sprintf("%s%v", w.EventNames()[id], row.Get(0)))
	}
	return strings.Join(out, " ")
}

// A tap has the events of its types in the order of sending: through every way to send, drained or not, once per Clear.
func TestEventTap(t *testing.T) {
	w := newWorld(Options{})
	type number struct{ N float64 }
	type text struct{ S string }
	a, err := RegisterEvent[number](w, "A")
	mustNot(t, err)
	b, err := RegisterEvent[text](w, "B")
	mustNot(t, err)
	other, err := RegisterEvent[number](w, "Other")
	mustNot(t, err)
	a.Send(number{0}) // before the tap
	tap := w.TapEvents(a.ID(), b.ID())
	expect := func(want string) {
		t.Helper()
		if got := tapped(w, tap); got != want {
			t.Fatalf("tapped %q, want %q", got, want)
		}
	}
	expect("")
	s := NewSchedule(w).Add("sends", func(w *World, _ float64) error {
		n := float64(w.Frame()) * 10
		a.Send(number{n})
		other.Send(number{99})
		b.Send(text{"x"})
		b.Send(text{"y"})
		mustNot(t, w.Send(a.ID(), FieldValue{Value: Number(n + 1)}))
		a.SendAll(append(a.Buffer(), number{n + 2}, number{n + 3}))
		row := Raw.AppendEvent(w, b.ID())
		return row.Set(0, Text("z"))
	}).Add("drains", func(w *World, _ float64) error {
		if w.Frame() != 2 {
			w.Take(a.ID(), 3) // of the events of the last frame, too
			w.Drain(b.ID())
		}
		b.Send(text{"late"})
		return nil
	})
	for frame := range 4 {
		mustNot(t, s.Run(1))
		n := 10 * (frame + 1)
		expect(fmt.Sprintf(`A%d B"x" B"y" A%d A%d A%d B"z" B"late"`, n, n+1, n+2, n+3))
		expect(fmt.Sprintf(`A%d B"x" B"y" A%d A%d A%d B"z" B"late"`, n, n+1, n+2, n+3)) // again
		tap.Clear()
		expect("")
		mustNot(t, w.Check())
	}
	// What is not cleared for some frames is not lost.
	var want []string
	for range 3 {
		mustNot(t, s.Run(1))
		n := 10 * int(w.Frame())
		want = append(want, fmt.Sprintf(`A%d B"x" B"y" A%d A%d A%d B"z" B"late"`, n, n+1, n+2, n+3))
		expect(strings.Join(want, " "))
	}
	tap.Close()
	mustNot(t, s.Run(1))
	expect("")
}

// Events of a turn that was taken back are not in the tap, and what it drained is there as before.
func TestEventTapOfTurnsThatFail(t *testing.T) {
	w := newWorld(Options{})
	type number struct{ N float64 }
	a, err := RegisterEvent[number](w, "A")
	mustNot(t, err)
	b, err := RegisterEvent[number](w, "B")
	mustNot(t, err)
	tap := w.TapEvents(a.ID(), b.ID())
	n := 0.0
	send := func(e Event[number]) { n++; e.Send(number{n}) }
	s := NewSchedule(w).Add("first", func(*World, float64) error {
		send(a)
		return nil
	}).Add("fails", func(*World, float64) error {
		send(a)
		send(b)
		w.Drain(a.ID())
		send(a)
		w.Drain(b.ID())
		send(b)
		return errors.New("no")
	}).Add("last", func(*World, float64) error {
		send(b)
		send(a)
		return nil
	})
	s.RollBack = true
	s.OnError = func(*System, error) error { return nil }
	var all []string
	for range 3 {
		mustNot(t, s.Run(1))
		all = append(all, tapped(w, tap))
		tap.Clear()
	}
	if want := []string{"A1 B6 A7", "A8 B13 A14", "A15 B20 A21"}; !slices.Equal(all, want) {
		t.Errorf("tapped %q, want %q", all, want)
	}
}

// A tap that is cleared each frame allocates nothing in a steady frame, as long as nothing is drained.
func TestEventTapAllocates(t *testing.T) {
	w := newWorld(Options{})
	type number struct{ N float64 }
	a, err := RegisterEvent[number](w, "A")
	mustNot(t, err)
	tap := w.TapEvents(a.ID())
	s := NewSchedule(w).Add("sends", func(*World, float64) error {
		for range 100 {
			a.Send(number{1})
		}
		return nil
	})
	frame := func() {
		if err := s.Run(1); err != nil {
			t.Fatal(err)
		}
		tap.Clear()
	}
	for range 5 {
		frame()
	}
	if n := testing.AllocsPerRun(20, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func ExampleWorld_TapEvents() {
	type Died struct{ Points int32 }
	w := newWorld(Options{})
	died, _ := RegisterEvent[Died](w, "Died")
	tap := w.TapEvents(died.ID())
	died.Send(Died{Points: 10})
	died.Send(Died{Points: 5})
	w.Drain(died.ID()) // a system has handled them
	for id, event := range tap.All {
		fmt.Println(w.EventNames()[id], event.Get(0))
	}
	tap.Clear()
	// Output:
	// Died 10
	// Died 5
}
