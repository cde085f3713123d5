package ecs

import (
	"errors"
	"slices"
	"testing"
)

// The log of a turn holds no readers of the system that had its turn before.
func TestTheLogForgetsReaders(t *testing.T) {
	u := newUndone(t)
	u.fails(func() {})
	reads := u.schedule.Find("failing")
	ok(t, u.schedule.Swap("failing", func(*World, float64) error { u.hit.Read(); return nil }))
	other := must[*System](t)(u.schedule.AddSystem(SystemSpec{Name: "other", Run: func(*World, float64) error {
		if !blank(u.undo.readers) {
			t.Error("the log holds readers of the last turn")
		}
		return nil
	}}))
	for range 2 {
		ok(t, u.schedule.turn(reads, 1))
		ok(t, u.schedule.turn(other, 1))
	}
}

// Readers: those of other systems stay as they are, those that the program has opened in the turn end, and those that the turn or its observers have moved, or used first, are
// at what this turn was to read.
func TestReadersOfOtherTurnsAndOfObservers(t *testing.T) {
	u := newUndone(t)
	tag := must[TagID](t)(u.DeclareTag("watched"))
	fails := true
	unread := func() (n int) {
		for range u.hit.Read() {
			n++
		}
		return n
	}
	var seen, first, told []int
	s := u.schedule
	s.RollBack = true
	s.OnError = func(*System, error) error { return nil }
	must[*System](t)(s.AddSystem(SystemSpec{Name: "reads", Run: func(*World, float64) error { seen = append(seen, unread()); return nil }}))
	owner := must[*System](t)(s.AddSystem(SystemSpec{Name: "owner", Run: func(*World, float64) error { return nil }}))
	must[*Observer](t)(u.Observe(ObserverSpec{Kind: OnTagged, Name: "watched", Owner: owner, Run: func(*World, Change) error { told = append(told, unread()); return nil }}))
	var opened *EventReader
	ok(t, s.Swap("failing", func(w *World, _ float64) error {
		first = append(first, unread())
		w.Tag(u.es[len(first)], tag)
		if w.Frame() == 1 {
			opened = w.EventReader(u.hit.ID())
		}
		if fails {
			return errFailed
		}
		return nil
	}))
	u.hit.Send(hitEvent{})
	u.hit.Send(hitEvent{})
	for frame := range 4 {
		fails = frame < 2
		ok(t, s.Run(1))
		check(t, u.World)
		u.hit.Send(hitEvent{})
	}
	// What a failed turn was to see is there still, also what its first read was to see.
	for name, c := range map[string]struct{ got, want []int }{
		"another system": {seen, []int{2, 1, 1, 1}}, "the failing system": {first, []int{2, 3, 4, 1}}, "the observer": {told, []int{2, 3, 4, 1}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s has read %v events, want %v", name, c.got, c.want)
		}
	}
	if opened.log != nil && slices.Contains(opened.log.readers, opened) {
		t.Error("a reader that a failed turn has opened is still there")
	}
}

// An event that an observer was to read is not lost if the failing turn has taken all events before the observer is called.
func TestAnObserverReadsAfterAFailedTurnHasDrained(t *testing.T) {
	u := newUndone(t)
	tag := must[TagID](t)(u.DeclareTag("watched"))
	owner := must[*System](t)(u.schedule.AddSystem(SystemSpec{Name: "owner", Run: func(*World, float64) error { return nil }}))
	var read []int
	must[*Observer](t)(u.Observe(ObserverSpec{Kind: OnTagged, Name: "watched", Owner: owner, Run: func(*World, Change) error {
		n := 0
		for range u.hit.Read() {
			n++
		}
		read = append(read, n)
		return nil
	}}))
	u.hit.Send(hitEvent{})
	u.Tag(u.es[0], tag)
	u.hit.Send(hitEvent{})
	u.hit.Send(hitEvent{})
	u.fails(func() {
		u.Drain(u.hit.ID())
		u.Tag(u.es[1], tag)
		u.hit.Send(hitEvent{})
		u.Tag(u.es[2], tag)
	})
	u.Tag(u.es[3], tag)
	if !slices.Equal(read, []int{1, 0, 1, 2}) {
		t.Errorf("the observer has read %v events", read)
	}
}

// A failing turn that disables another system leaves none of its readers open: they would keep events for ever.
func TestReadersOfAnotherSystemThatAFailedTurnDisables(t *testing.T) {
	u := newUndone(t)
	other := must[*System](t)(u.schedule.AddSystem(SystemSpec{Name: "other", Run: func(*World, float64) error { u.hit.Read(); return nil }}))
	ok(t, u.schedule.turn(other, 1))
	u.fails(func() { other.SetEnabled(false) })
	if other.Enabled() || len(other.readers) != 0 || len(u.hit.log.readers) != 0 {
		t.Errorf("enabled: %v, %d readers, %d of the log", other.Enabled(), len(other.readers), len(u.hit.log.readers))
	}
}

// A reader that a system has opened and closed in a failed turn is opened again by the next one.
func TestAReaderClosedInTheFailedTurnThatOpenedIt(t *testing.T) {
	u := newUndone(t)
	u.hit.Send(hitEvent{})
	u.fails(func() { u.ReaderOf(u.hit.ID()).Close() })
	n := 0
	ok(t, u.schedule.Swap("failing", func(w *World, _ float64) error { n = w.ReaderOf(u.hit.ID()).Len(); return nil }))
	ok(t, u.schedule.turn(u.schedule.Find("failing"), 1))
	if n != 1 {
		t.Errorf("%d events to read", n)
	}
}

// A system that is disabled in its own turn, which then fails, holds no events back.
func TestReadersOfASystemThatIsDisabledInAFailedTurn(t *testing.T) {
	u := newUndone(t)
	sys := u.schedule.Find("failing")
	u.fails(func() { u.ReaderOf(u.hit.ID()).Next() })
	ok(t, u.schedule.Swap("failing", func(w *World, _ float64) error { w.ReaderOf(u.hit.ID()).Next(); return nil }))
	ok(t, u.schedule.turn(sys, 1))
	if len(u.hit.log.readers) != 1 {
		t.Fatalf("%d readers", len(u.hit.log.readers))
	}
	u.fails(func() {
		u.ReaderOf(u.hit.ID()).Next()
		sys.SetEnabled(false)
	})
	if sys.Enabled() || len(u.hit.log.readers) != 0 {
		t.Errorf("enabled: %v, %d readers", sys.Enabled(), len(u.hit.log.readers))
	}
}

// Who keeps answers about the world asks whether it has changed: handles that a failed turn has given out have died, and its snapshots of grids are not the last ones.
func TestAFailedTurnIsAChange(t *testing.T) {
	u := newUndone(t)
	grid := must[*Grid](t)(u.DeclareGrid(GridSpec{Name: "near", Component: u.pos.ID(), X: "x", Y: "y", Cell: 3}))
	deaths, layout, taken := u.slots.deaths, u.layout, grid.taken
	u.fails(func() {
		must[Entity](t)(u.Spawn(u.label.ID()))
		ok(t, grid.Ready())
		taken, layout = grid.taken, u.layout // with a table that is gone afterwards
	})
	if u.slots.deaths == deaths || u.layout == layout || grid.taken == taken {
		t.Errorf("deaths %d and %d, layouts %d and %d, snapshots %d and %d", deaths, u.slots.deaths, layout, u.layout, taken, grid.taken)
	}
}

// A turn in which an observer has failed cannot be sealed: the frame ends with that error.
func TestATurnWithAFailedObserverIsNotSealable(t *testing.T) {
	u := newUndone(t)
	tag := must[TagID](t)(u.DeclareTag("watched"))
	must[*Observer](t)(u.Observe(ObserverSpec{Kind: OnTagged, Name: "watched", Run: func(*World, Change) error { return errFailed }}))
	u.schedule.RollBack = true
	ok(t, u.schedule.Swap("failing", func(w *World, _ float64) error {
		if !Raw.Sealable(w) {
			t.Error("the turn is not sealable")
		}
		w.Tag(u.es[0], tag)
		if Raw.Sealable(w) {
			t.Error("a turn with an observer that has failed is sealable")
		}
		return nil
	}))
	if err := u.schedule.Run(1); !errors.Is(err, errFailed) {
		t.Errorf("got %v", err)
	}
}

// A component whose removals a failed turn was the first to ask for is not tracked.
func TestRemovalsThatAFailedTurnAsksForAreNotTracked(t *testing.T) {
	u := newUndone(t).copied()
	u.fails(func() { u.Removed(nil, u.vel.ID()) })
	must[bool](t)(u.Remove(u.es[0], u.vel.ID()))
	if c := u.components[u.vel.ID()]; c.lost != nil || len(u.tracked) != 0 {
		t.Errorf("%+v, %d are tracked", c.lost, len(u.tracked))
	}
}
