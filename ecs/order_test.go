package ecs

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The error of a cycle names the cycle and nothing else, from wherever it is met.
func TestCyclesOfSystemsAreNamed(t *testing.T) {
	for spec, want := range map[string]string{
		"a<b b<a":                     "systems run after each other: a after b after a",
		"a<a":                         "systems run after each other: a after a",
		"a b<d c<b d<c":               "systems run after each other: b after d after c after b",
		"x a<x,b b<x,a":               "systems run after each other: a after b after a",
		"x y<x z<y,x a<z,x,y,b b<a,z": "systems run after each other: a after b after a",
		"w<x,y x y<x,v v<u u<v":       "systems run after each other: w after y after v after u after v",
		"a<b,c b<d c<d,a d":           "systems run after each other: a after c after a",
		"a b<a c<b,a d<a":             "",
		"a<nobody":                    `system "a" runs after "nobody", which there is not`,
	} {
		s := NewSchedule(newWorld(Options{}))
		for _, word := range strings.Fields(spec) {
			name, after, _ := strings.Cut(word, "<")
			var list []string
			if after != "" {
				list = strings.Split(after, ",")
			}
			must[*System](t)(s.AddSystem(SystemSpec{Name: name, After: list, Run: func(*World, float64) error { return nil }}))
		}
		got := ""
		if err := s.Sort(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", spec, got, want)
		}
	}
}

// The calls around turns, the turns, the windows and the stages of a schedule, in order.
func TestBeforeAndAfterTurns(t *testing.T) {
	w := newWorld(Options{})
	s := NewSchedule(w)
	var log []string
	note := func(what string) func(*System) {
		return func(sys *System) {
			log = append(log, fmt.Sprint(what, " ", sys.Name(), " ", sys.Turns(), " ", sys.Window()))
		}
	}
	s.Before, s.After = note("before"), note("after")
	s.Ending = func() { log = append(log, "ending") }
	for _, stage := range Stages() {
		at, ok := ParseStage(stage)
		if !ok || at.String() != stage {
			t.Fatalf("%s is read as %s %v", stage, at, ok)
		}
		must[*System](t)(s.AddSystem(SystemSpec{Name: stage, Stage: at, Run: func(*World, float64) error { return nil }}))
	}
	if at, ok := ParseStage(""); at != Update || !ok {
		t.Errorf("no name is %s %v", at, ok)
	}
	if at, ok := ParseStage("never"); at != Update || ok {
		t.Errorf("another name is %s %v", at, ok)
	}
	ok(t, s.RunStartup())
	ok(t, s.Run(1))
	ok(t, s.Swap("last", func(*World, float64) error { return errors.New("no more") }))
	s.Before, s.After = nil, nil
	if s.Run(1) == nil {
		t.Error("no error")
	}
	const want = "before startup 0 0, after startup 1 0, ending, before first 0 0, after first 1 5, before update 0 0, after update 1 7, before last 0 0, after last 1 9, ending"
	if got := strings.Join(log, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A system that is added between frames takes its place by its stage.
func TestASystemThatIsAddedLate(t *testing.T) {
	w := newWorld(Options{})
	var ran []string
	note := func(name string) SystemFunc {
		return func(*World, float64) error { ran = append(ran, name); return nil }
	}
	s := NewSchedule(w).Add("update", note("update"))
	ok(t, s.Run(1))
	must[*System](t)(s.AddSystem(SystemSpec{Name: "first", Stage: First, Run: note("first")}))
	ok(t, s.Run(1))
	if got := strings.Join(ran, " "); got != "update first update" {
		t.Error(got)
	}
}

// A condition that fails is an error of its system: the turn does not come, and what OnError says counts.
func TestAConditionThatFails(t *testing.T) {
	for _, forgiven := range []bool{false, true} {
		w := newWorld(Options{})
		s := NewSchedule(w)
		turns := 0
		must[*System](t)(s.AddSystem(SystemSpec{
			Name: "a", Run: func(*World, float64) error { turns++; return nil },
			When: func(*World) (bool, error) { return true, fmt.Errorf("no sun") },
		}))
		s.Add("b", func(*World, float64) error { turns += 10; return nil })
		if forgiven {
			s.OnError = func(sys *System, err error) error {
				if sys.Name() != "a" || err.Error() != "when: no sun" {
					t.Errorf("%s: %v", sys.Name(), err)
				}
				return nil
			}
		}
		err := s.Run(1)
		if forgiven && (err != nil || turns != 10) || !forgiven && (err == nil || err.Error() != "when: no sun" || turns != 0) {
			t.Errorf("forgiven %v: %v, %d", forgiven, err, turns)
		}
	}
}
