package app

import (
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

// A meter measures the wall time of each system's turns.
type meter struct {
	total   map[*ecs.System]*time.Duration
	started time.Time
}

// measure hooks a meter into a schedule whose systems are all there. note is told who runs, before each turn.
func measure(s *ecs.Schedule, note func(*ecs.System)) *meter {
	m := &meter{total: map[*ecs.System]*time.Duration{}}
	for _, sys := range s.Systems() {
		m.total[sys] = new(time.Duration)
	}
	before, after := s.Before, s.After
	s.Before = func(sys *ecs.System) {
		if before != nil {
			before(sys)
		}
		note(sys)
		m.started = time.Now()
	}
	s.After = func(sys *ecs.System) {
		*m.total[sys] += time.Since(m.started)
		if after != nil {
			after(sys)
		}
	}
	return m
}
