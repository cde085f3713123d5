package ecs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// logged returns a system that writes its name and dt down.
func logged(log *[]string, name string) SystemFunc {
	return func(_ *World, dt float64) error {
		*log = append(*log, fmt.Sprintf("%s %g", name, dt))
		return nil
	}
}

func run(t testing.TB, s *Schedule, frames int) {
	t.Helper()
	for range frames {
		ok(t, s.Run(1))
	}
}

func TestStagesAndOrder_0_48_1_39(t *testing.T) {
	w := newWorld(Options{})
	var log []string
	s := NewSchedule(w)
	add := func(name string, stage Stage, after ...string) {
		must[*System](t)(s.AddSystem(SystemSpec{Name: name, Stage: stage, After: after, Run: logged(&log, name)}))
	}
	add("late", Last)
	add("c", Update, "b")
	add("a", Update)
	add("setup", Startup)
	add("b", Update)
	add("early", First)
	add("d", Update, "a", "b")
	s.Add("e", logged(&log, "e")).Add("f", logged(&log, "f"))
	ok(t, s.Sort())
	// Stages first; within a stage the order of adding, and c waits for b.
	if got := strings.Join(s.Names(), " "); got != "setup early a b c d e f late" {
		t.Fatal(got)
	}
	ok(t, s.RunStartup())
	ok(t, s.Run(0.5))
	if got := strings.Join(log, ", "); got != "setup 0, early 0.5, a 0.5, b 0.5, c 0.5, d 0.5, e 0.5, f 0.5, late 0.5" {
		t.Fatal(got)
	}
	if n := s.Find("setup").Turns(); n != 1 {
		t.Fatalf("startup ran %d times", n)
	}
	s.Find("setup").SetEnabled(false)
	ok(t, s.RunStartup())
	run(t, s, 2)
	if n, m := s.Find("setup").Turns(), s.Find("late").Turns(); n != 1 || m != 3 {
		t.Fatalf("%d and %d turns", n, m)
	}
}

// After moves a system back behind those it names, and no other one.
func TestAfterMovesBackOnly(t *testing.T) {
	for _, c := range []struct{ systems, want string }{
		{"a b:d c d", "a c d b"},
		{"a:e b c:a d e f", "b d e a c f"},
		{"a b:a c:b d", "a b c d"},
		{"a:d b:c c:d d", "d a c b"},
		{"a:c,d b c d e", "b c d a e"},
		{"a:b,b b c", "b a c"},
	} {
		s := NewSchedule(newWorld(Options{}))
		for _, sys := range strings.Fields(c.systems) {
			name, after, _ := strings.Cut(sys, ":")
			spec := SystemSpec{Name: name, Run: func(*World, float64) error { return nil }}
			if after != "" {
				spec.After = strings.Split(after, ",")
			}
			must[*System](t)(s.AddSystem(spec))
		}
		ok(t, s.Sort())
		if got := strings.Join(s.Names(), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.systems, got, c.want)
		}
	}
}

func TestEveryAndWhen(t *testing.T) {
	w := newWorld(Options{})
	var log []string
	on := true
	s := NewSchedule(w)
	must[*System](t)(s.AddSystem(SystemSpec{Name: "third", Every: 3, Run: func(w *World, dt float64) error {
		log = append(log, fmt.Sprintf("%d:%g", w.Frame(), dt))
		return nil
	}}))
	must[*System](t)(s.AddSystem(SystemSpec{Name: "maybe", When: func(*World) (bool, error) { return on, nil }, Run: func(w *World, _ float64) error {
		log = append(log, fmt.Sprintf("maybe %d", w.Frame()))
		on = false
		return nil
	}}))
	for range 7 {
		ok(t, s.Run(0.5))
	}
	if got := strings.Join(log, ", "); got != "maybe 1, 3:1.5, 6:1.5" {
		t.Fatal(got)
	}
	if w.Frame() != 7 || w.Time() != 3 || w.DT() != 0.5 {
		t.Fatalf("frame %d, time %g, dt %g", w.Frame(), w.Time(), w.DT())
	}
	s.Find("third").SetEnabled(false)
	run(t, s, 3)
	if len(log) != 3 {
		t.Fatal("a disabled system ran")
	}
}

func TestClockBeforeTheFirstFrame(t *testing.T) {
	w := newWorld(Options{})
	if w.Frame() != 0 || w.Time() != 0 || w.DT() != 0 || w.Tick() != 1 {
		t.Fatalf("frame %d, time %g, dt %g, tick %d", w.Frame(), w.Time(), w.DT(), w.Tick())
	}
	var times []float64
	s := NewSchedule(w).Add("clock", func(w *World, _ float64) error {
		times = append(times, w.Time())
		return nil
	})
	for _, dt := range []float64{0.25, 0.5, 1} {
		ok(t, s.Run(dt))
	}
	if !slices.Equal(times, []float64{0, 0.25, 0.75}) {
		t.Fatalf("the frames began at %v", times)
	}
}

func TestScheduleMistakes_1_42(t *testing.T) {
	none := func(*World, float64) error { return nil }
	for _, c := range []struct {
		name  string
		specs []SystemSpec
		want  string
	}{
		{
			"cycle",
			[]SystemSpec{{Name: "a", After: []string{"c"}, Run: none}, {Name: "b", After: []string{"a"}, Run: none}, {Name: "c", After: []string{"b"}, Run: none}},
			"systems run after each other: a after c after b after a",
		},
		{"itself", []SystemSpec{{Name: "a", After: []string{"a"}, Run: none}}, "systems run after each other: a after a"},
		{"unknown", []SystemSpec{{Name: "a", After: []string{"x"}, Run: none}}, `system "a" runs after "x", which there is not`},
		{
			"another stage",
			[]SystemSpec{{Name: "a", Run: none}, {Name: "b", Stage: Last, After: []string{"a"}, Run: none}},
			`system "b" of stage last runs after "a" of stage update: after orders within a stage`,
		},
		{"twice", []SystemSpec{{Name: "a", Run: none}, {Name: "a", Run: none}}, `system "a" is there already`},
		{"no name", []SystemSpec{{Run: none}}, "a system needs a name"},
		{"no function", []SystemSpec{{Name: "a"}}, `system "a" has no function`},
	} {
		s := NewSchedule(newWorld(Options{}))
		var err error
		for _, spec := range c.specs {
			if _, e := s.AddSystem(spec); e != nil {
				err = e
			}
		}
		if err == nil {
			err = s.Run(1)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if err := NewSchedule(newWorld(Options{})).Add("a", none).Add("a", none).Run(1); err == nil {
		t.Error("Add forgot its error")
	}
}

func TestSwapFindAndList_1_40_1_41(t *testing.T) {
	w := newWorld(Options{})
	count := 0
	s := NewSchedule(w)
	for _, name := range []string{"a", "b", "c"} {
		s.Add(name, func(*World, float64) error { return nil })
	}
	ok(t, s.Swap("b", func(*World, float64) error { count++; return nil })) // a closure holds state
	run(t, s, 3)
	if count != 3 || !slices.Equal(s.Names(), []string{"a", "b", "c"}) {
		t.Fatalf("%d turns, order %v", count, s.Names())
	}
	if s.Find("b").Name() != "b" || s.Find("x") != nil || len(s.Systems()) != 3 {
		t.Fatal("find")
	}
	if s.Swap("x", func(*World, float64) error { return nil }) == nil || s.Swap("a", nil) == nil {
		t.Fatal("a swap of nothing is no error")
	}
}

func TestSwapKeepsWindowAndRandomStream(t *testing.T) {
	w := newWorld(Options{Seed: 3})
	ids := letters(t, w, "A")
	must[Entity](t)(w.Spawn(ids...))
	q := must[*Query](t)(w.Query(Filter{Changed: ids}))
	var counts []int
	var draws []float64
	turn := func(w *World, _ float64) error {
		counts = append(counts, q.Count())
		draws = append(draws, w.Random().Float64())
		return nil
	}
	s := NewSchedule(w).Add("a", turn)
	run(t, s, 1)
	ok(t, s.Swap("a", func(w *World, dt float64) error { return turn(w, dt) }))
	run(t, s, 1)
	if !slices.Equal(counts, []int{1, 0}) || draws[0] == draws[1] {
		t.Fatalf("counts %v, draws %v", counts, draws)
	}
}

func TestFailingSystemDropsItsCommands(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A")
	boom := errors.New("boom")
	hit := hits(t, w)
	var later int
	s := NewSchedule(w).Add("bad", func(w *World, _ float64) error {
		if _, err := w.Commands().Spawn(ids...); err != nil {
			return err
		}
		hit.Send(hitEvent{Amount: 1})
		return boom
	}).Add("good", func(*World, float64) error {
		later++
		return nil
	})
	if err := s.Run(1); !errors.Is(err, boom) || w.Len() != 0 || later != 0 {
		t.Fatalf("%v, %d entities, %d turns after it", err, w.Len(), later)
	}
	if len(hit.Peek()) != 1 || w.Frame() != 1 {
		t.Fatal("what the system did at once is gone")
	}
	check(t, w)
	var forgiven []string
	s.OnError = func(sys *System, err error) error {
		forgiven = append(forgiven, fmt.Sprint(sys.Name(), ": ", err))
		return nil
	}
	run(t, s, 2)
	if later != 2 || !slices.Equal(forgiven, []string{"bad: boom", "bad: boom"}) || w.Len() != 0 {
		t.Fatalf("%d turns after it, %q", later, forgiven)
	}
	when := NewSchedule(w)
	must[*System](t)(when.AddSystem(SystemSpec{Name: "a", When: func(*World) (bool, error) { return false, boom }, Run: func(*World, float64) error { return nil }}))
	if err := when.Run(1); !errors.Is(err, boom) {
		t.Fatalf("an error of when: %v", err)
	}
}

func TestLoopLeftOpenIsReported(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A")
	must[Entity](t)(w.Spawn(ids...))
	q := must[*Query](t)(w.Query(Filter{Required: ids}))
	s := NewSchedule(w).Add("leaky", func(w *World, _ float64) error {
		c := q.begin()
		c.Next()
		_, err := w.Commands().Spawn()
		return err
	})
	err := s.Run(1)
	if err == nil || !strings.Contains(err.Error(), `"leaky"`) || !strings.Contains(err.Error(), "End") {
		t.Fatalf("%v", err)
	}
	if w.Locked() || w.Len() != 1 {
		t.Fatalf("locked: %v, %d entities", w.Locked(), w.Len())
	}
	check(t, w)
}

func TestWindowsAreOwn_1_16(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A")
	e := must[Entity](t)(w.Spawn(ids...))
	q := must[*Query](t)(w.Query(Filter{Changed: ids}))
	log := map[string][]int{}
	look := func(name string, write bool) SystemFunc {
		return func(w *World, _ float64) error {
			log[name] = append(log[name], q.Count())
			if write {
				_, err := w.Set(e, ids[0])
				return err
			}
			return nil
		}
	}
	s := NewSchedule(w).Add("before", look("before", false)).Add("writer", look("writer", true)).Add("after", look("after", false))
	run(t, s, 3)
	// Set-up is news to all in the first frame. The writer's own writes are no news to it; "before" sees those of the last frame.
	for name, want := range map[string][]int{"before": {1, 1, 1}, "writer": {1, 0, 0}, "after": {1, 1, 1}} {
		if !slices.Equal(log[name], want) {
			t.Errorf("%s saw %v, want %v", name, log[name], want)
		}
	}
	w2 := newWorld(Options{})
	ids2 := letters(t, w2, "A")
	must[Entity](t)(w2.Spawn(ids2...))
	q2 := must[*Query](t)(w2.Query(Filter{Changed: ids2}))
	first := -1
	s2 := NewSchedule(w2).Add("a", func(*World, float64) error {
		if first < 0 {
			first = q2.Count()
		}
		return nil
	})
	s2.Settle() // 1.4
	run(t, s2, 2)
	if first != 0 {
		t.Errorf("%d changed in the first frame after Settle", first)
	}
}

func TestCommandsApplyBetweenSystems_X4(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A")
	q := must[*Query](t)(w.Query(Filter{Required: ids}))
	var seen []int
	if _, err := w.Commands().Spawn(ids...); err != nil { // queued between frames: applied first in the next one
		t.Fatal(err)
	}
	s := NewSchedule(w).Add("spawner", func(w *World, _ float64) error {
		seen = append(seen, q.Count())
		_, err := w.Commands().Spawn(ids...)
		return err
	}).Add("counter", func(*World, float64) error {
		seen = append(seen, q.Count())
		return nil
	})
	run(t, s, 2)
	if !slices.Equal(seen, []int{1, 2, 2, 3}) {
		t.Fatalf("%v", seen)
	}
}

func TestStopKeepsTheFirstReason(t *testing.T) {
	w := newWorld(Options{})
	if _, stopped := w.Stopped(); stopped {
		t.Fatal("stopped from the start")
	}
	w.Stop("red won")
	w.Stop("blue won")
	if reason, stopped := w.Stopped(); !stopped || reason != "red won" {
		t.Fatal(reason)
	}
}

func TestCallIsNoTurn(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A")
	q := must[*Query](t)(w.Query(Filter{Added: ids}))
	var seen []int
	s := NewSchedule(w)
	sys := must[*System](t)(s.AddSystem(SystemSpec{Name: "a", Run: func(*World, float64) error {
		seen = append(seen, q.Count())
		return nil
	}}))
	ok(t, s.Call(sys, func(w *World, _ float64) error {
		_, err := w.Commands().Spawn(ids...)
		return err
	}))
	if w.Len() != 1 || sys.Turns() != 0 {
		t.Fatalf("%d entities, %d turns", w.Len(), sys.Turns())
	}
	run(t, s, 2)
	if !slices.Equal(seen, []int{1, 0}) { // what its own init did is news to it, once
		t.Fatalf("%v", seen)
	}
}
