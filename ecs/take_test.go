package ecs

import (
	"fmt"
	"testing"
)

// What was taken is gone for readers, too; older events that are kept for a slow
// reader stay its own, and it steps over the hole.
func TestTakeLeavesTheRest(t *testing.T) {
	type note struct {
		N    float64
		Text string
	}
	w := newWorld(Options{})
	notes := must[Event[note]](t)(RegisterEvent[note](w, "Note"))
	send := func(from, to int) {
		for i := from; i <= to; i++ {
			notes.Send(note{float64(i), fmt.Sprint(i)})
		}
	}
	rest := func(e Events) string {
		s := ""
		for i := range e.Len() {
			s += " " + e.Row(i).Get(1).Str()
		}
		return s
	}
	slow, one := w.EventReader(notes.ID()), w.EventReader(notes.ID())
	send(1, 3)
	ok(t, NewSchedule(w).Run(1))
	ok(t, NewSchedule(w).Run(1)) // 1 to 3 are kept for the readers alone
	send(4, 8)
	w.Take(notes.ID(), 2)
	quick := w.EventReader(notes.ID())
	if got := rest(w.Peek(notes.ID())); got != " 6 7 8" || slow.Len() != 6 || quick.Len() != 3 {
		t.Fatalf("peek%s, %d and %d unread", got, slow.Len(), quick.Len())
	}
	for want := range 4 {
		row, there := one.Next()
		if want = []int{1, 2, 3, 6}[want]; !there || row.Number(0) != float64(want) {
			t.Fatalf("want %d, got %v", want, row.Number(0))
		}
	}
	if got := rest(slow.Read()); got != " 1 2 3 6 7 8" {
		t.Errorf("the slow reader read%s", got)
	}
	ok(t, w.Check())
	w.Take(notes.ID(), 1)
	send(9, 40)
	w.Take(notes.ID(), 100)
	if held, sent := w.EventCount(notes.ID()); held != 0 || sent != 40 || one.Len() != 0 || slow.Len() != 0 || w.EventBytes() != 0 {
		t.Errorf("%d held, %d sent, %d and %d unread, %d bytes", held, sent, one.Len(), slow.Len(), w.EventBytes())
	}
	ok(t, w.Check())
	for range 1000 { // taken at once, they need no more room
		send(1, 3)
		w.Take(notes.ID(), 3)
	}
	if l := w.events[notes.ID()]; l.capacity > 200 {
		t.Errorf("room for %d events", l.capacity)
	}
}
