package ecs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

type hitEvent struct {
	Target Entity
	Amount float64
}

func hits(t testing.TB, w *World) Event[hitEvent] {
	t.Helper()
	return must[Event[hitEvent]](t)(RegisterEvent[hitEvent](w, "Hit"))
}

func amounts(list []hitEvent) string {
	var words []string
	for _, h := range list {
		words = append(words, fmt.Sprint(h.Amount))
	}
	return strings.Join(words, " ")
}

func rowAmounts(e interface {
	Len() int
	Row(int) Row
},
) string {
	var words []string
	for i := range e.Len() {
		words = append(words, fmt.Sprint(e.Row(i).Number(1)))
	}
	return strings.Join(words, " ")
}

func TestPeekHoldsTwoFrames_0_41_0_42_1_19_1_21_1_22(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	for frame := 1; frame <= 6; frame++ {
		w.BeginFrame(1)
		hit.Send(hitEvent{Amount: float64(10 * frame)})
		hit.Send(hitEvent{Amount: float64(10*frame + 1)})
		want := fmt.Sprintf("%d %d", 10*frame, 10*frame+1)
		if frame > 1 {
			want = fmt.Sprintf("%d %d ", 10*frame-10, 10*frame-9) + want
		}
		for range 2 { // it takes nothing
			if got := amounts(hit.Peek()); got != want {
				t.Fatalf("frame %d: %s, want %s", frame, got, want)
			}
			if got := rowAmounts(w.Peek(hit.ID())); got != want {
				t.Fatalf("frame %d: %s, want %s", frame, got, want)
			}
		}
		if held, sent := w.EventCount(hit.ID()); held != len(hit.Peek()) || sent != uint64(2*frame) {
			t.Fatalf("frame %d: %d held, %d sent", frame, held, sent)
		}
		w.EndFrame()
		check(t, w)
	}
	w.BeginFrame(1)
	w.EndFrame()
	w.EndFrame()
	if held, _ := w.EventCount(hit.ID()); held != 0 || hit.Peek() != nil || w.EventBytes() != 0 {
		t.Fatalf("%d events are held after two frames without any", held)
	}
}

func TestReaderBeforeAndAfterTheSender_1_18(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	got := map[string][]string{}
	reader := func(name string) SystemFunc {
		return func(w *World, _ float64) error {
			got[name] = append(got[name], amounts(hit.Read()))
			return nil
		}
	}
	s := NewSchedule(w).Add("before", reader("before")).Add("sender", func(w *World, _ float64) error {
		hit.Send(hitEvent{Amount: float64(w.Frame())})
		return nil
	}).Add("after", reader("after"))
	for range 3 {
		if err := s.Run(1); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got["before"], []string{"", "1", "2"}) || !slices.Equal(got["after"], []string{"1", "2", "3"}) {
		t.Fatalf("%q", got)
	}
}

func TestSlowReaderMissesNothing_1_22_X3(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	var got []string
	s := NewSchedule(w).Add("sender", func(w *World, _ float64) error {
		hit.Send(hitEvent{Amount: float64(w.Frame())})
		return nil
	})
	sys := must[*System](t)(s.AddSystem(SystemSpec{Name: "seldom", Every: 5, Run: func(*World, float64) error {
		got = append(got, amounts(hit.Read()))
		return nil
	}}))
	for range 16 {
		if err := s.Run(1); err != nil {
			t.Fatal(err)
		}
	}
	// The first read begins with what peek holds: this frame and the previous one. From then on it misses none.
	if !slices.Equal(got, []string{"4 5", "6 7 8 9 10", "11 12 13 14 15"}) {
		t.Fatalf("%q", got)
	}
	for range 3 {
		if err := s.Run(1); err != nil {
			t.Fatal(err)
		}
	}
	if w.EventBytes() == 0 {
		t.Fatal("nothing is kept for the slow reader")
	}
	sys.SetEnabled(false)
	if err := s.Run(1); err != nil {
		t.Fatal(err)
	}
	if w.EventBytes() != 0 || w.Peek(hit.ID()).Len() != 1 {
		t.Fatalf("%d bytes are kept for a disabled system", w.EventBytes())
	}
	check(t, w)
}

func TestDrainBesideASlowReader_1_20(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	slow, quick := w.EventReader(hit.ID()), w.EventReader(hit.ID())
	send := func(v float64) { hit.Send(hitEvent{Amount: v}) }
	send(1)
	w.EndFrame()
	send(2)
	w.EndFrame()
	send(3) // previous: 2, current: 3; 1 is kept for both readers
	if got := rowAmounts(quick.Read()); got != "1 2 3" {
		t.Fatal(got)
	}
	d := w.Drain(hit.ID())
	if got := rowAmounts(d); got != "2 3" {
		t.Fatalf("drained %s", got)
	}
	if w.Peek(hit.ID()).Len() != 0 || w.Drain(hit.ID()).Len() != 0 || quick.Len() != 0 {
		t.Fatal("something is left")
	}
	send(4)
	if got := rowAmounts(w.Peek(hit.ID())); got != "4" {
		t.Fatalf("peek after the drain: %s", got)
	}
	if a, b := rowAmounts(slow.Read()), rowAmounts(quick.Read()); a != "1 4" || b != "4" {
		t.Fatalf("the readers got %q and %q", a, b)
	}
	w.EndFrame()
	if got := rowAmounts(d); got != "2 3" {
		t.Fatalf("what was drained is now %s", got)
	}
	check(t, w)
}

func TestEventsBySchema_1_17(t *testing.T) {
	w := newWorld(Options{})
	s := must[*Schema](t)(NewSchema(Field{Name: "who", Type: EntityField}, Field{Name: "cause", Type: String, Default: Text("age")}))
	died := must[EventID](t)(w.DeclareEvent("Died", s))
	if again := must[EventID](t)(w.DeclareEvent("Died", s)); again != died {
		t.Fatal("declared twice, with two ids")
	}
	if err := w.Send(died, FieldValue{0, EntityOf(makeEntity(1, 2))}); err != nil {
		t.Fatal(err)
	}
	if err := w.Send(died, FieldValue{1, Text("poison")}, FieldValue{0, Number(3)}); err == nil || !strings.Contains(err.Error(), "Died.who") {
		t.Fatalf("a number for an entity: %v", err)
	}
	if err := w.Send(died, FieldValue{1, Text("poison")}); err != nil {
		t.Fatal(err)
	}
	r := w.EventReader(died)
	first, _ := r.Next()
	second, _ := r.Next()
	if _, more := r.Next(); more || first.Get(0).Entity() != makeEntity(1, 2) || first.Get(1).Str() != "age" || second.Get(1).Str() != "poison" {
		t.Fatalf("%v %v", first.Get(1), second.Get(1))
	}
	if _, err := RegisterEvent[hitEvent](w, "Died"); err == nil {
		t.Fatal("another layout is no error")
	}
	if !slices.Equal(w.EventNames(), []string{"Died"}) || w.EventSchema(died) != s {
		t.Fatal("names and schemas")
	}
}

// TestUnread looks at what a reader has not read, which moves nothing.
func TestUnread(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	r := w.EventReader(hit.ID())
	for i := range 4 {
		hit.Send(hitEvent{Amount: float64(i)})
	}
	r.Next()
	unread := r.Unread()
	hit.Send(hitEvent{Amount: 9})
	if got := rowAmounts(unread) + ", " + rowAmounts(r.Unread()) + ", " + rowAmounts(r.Read()) + ", " + rowAmounts(r.Unread()); got != "1 2 3, 1 2 3 9, 1 2 3 9, " {
		t.Error(got)
	}
}

// A system that is enabled again reads events anew, from those that Peek holds.
func TestASystemThatIsEnabledAgainReads(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	var got []string
	s := NewSchedule(w).Add("sender", func(w *World, _ float64) error {
		hit.Send(hitEvent{Amount: float64(w.Frame())})
		return nil
	}).Add("reader", func(*World, float64) error {
		got = append(got, amounts(hit.Read()))
		return nil
	})
	run(t, s, 2)
	s.Find("reader").SetEnabled(false)
	run(t, s, 3)
	s.Find("reader").SetEnabled(true)
	run(t, s, 2)
	if !slices.Equal(got, []string{"1", "2", "5 6", "7"}) {
		t.Errorf("%q", got)
	}
}
