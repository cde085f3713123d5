package app

import (
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

// TestObserversAreMeasuredWithTheirSystem: the time of an observer is its owner's, also where observers call each other.
func TestObserversAreMeasuredWithTheirSystem(t *testing.T) {
	s := ecs.NewSchedule(ecs.NewWorld(ecs.Options{}))
	for _, name := range []string{"act", "hud", "log"} {
		s.Add(name, func(*ecs.World, float64) error { return nil })
	}
	m := measure(s)
	act, hud, log := s.Find("act"), s.Find("hud"), s.Find("log")
	wait := func() { m.started = m.started.Add(-time.Hour) }
	s.Before(act)
	wait()
	s.Observing(hud, true)
	wait()
	s.Observing(log, true)
	wait()
	s.Observing(log, false)
	wait()
	s.Observing(hud, false)
	wait()
	s.After(act)
	wait()
	for sys, want := range map[*ecs.System]time.Duration{act: 2, hud: 2, log: 1} {
		if got := m.total[sys].Round(time.Hour); got != want*time.Hour {
			t.Errorf("%s: %v", sys.Name(), got)
		}
	}
	if m.running != nil {
		t.Error("something is still running")
	}
}
