package app

import (
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

// A meter measures the wall time of each system's turns, and knows which system is running. It is hooked into a
// schedule, because package ecs reads no clock.
type meter struct {
	total   map[*ecs.System]time.Duration
	running *ecs.System // nil between turns
	started time.Time
}

// measure hooks a new meter into a schedule.
func measure(s *ecs.Schedule) *meter {
	m := &meter{total: map[*ecs.System]time.Duration{}}
	s.Before = func(sys *ecs.System) {
		m.running = sys
		m.started = time.Now()
	}
	s.After = func(sys *ecs.System) {
		m.total[sys] += time.Since(m.started)
		m.running = nil
	}
	return m
}
