package app

import (
	"runtime/metrics"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

// A meter measures the wall time of each system's turns, and knows which system is running. It is hooked into a
// schedule, because package ecs reads no clock.
type meter struct {
	total   map[*ecs.System]time.Duration
	running *ecs.System // nil between turns
	started time.Time

	memory map[*ecs.System]*memoryUse // nil unless memory is measured
	world  *ecs.World
	before memoryUse // of the world and of the heap, when the turn began
	sample bool      // the allocations of the running turn are measured
	allocs []metrics.Sample
}

// A memoryUse is the memory of a system.
type memoryUse struct {
	turns     uint64
	world     int64  // bytes by which its turns have made the world larger
	allocated uint64 // bytes that its turns have allocated on the heap: an estimate from samples
}

// Reading the heap takes 1 µs. So the allocations of each of the first turns are measured, in which most systems
// allocate the most, and then those of every so many turns.
const (
	firstSamples = 32
	sampleEvery  = 32
)

// measure hooks a new meter into a schedule.
func measure(s *ecs.Schedule) *meter {
	m := &meter{total: map[*ecs.System]time.Duration{}}
	s.Before = func(sys *ecs.System) {
		if m.memory != nil {
			m.beginMemory(sys)
		}
		m.running = sys
		m.started = time.Now()
	}
	s.After = func(sys *ecs.System) {
		m.total[sys] += time.Since(m.started)
		m.running = nil
		if m.memory != nil {
			m.endMemory(sys)
		}
	}
	return m
}

// measureMemory makes the meter measure memory, too, from the next turn on.
func (m *meter) measureMemory(w *ecs.World) {
	m.memory, m.world = map[*ecs.System]*memoryUse{}, w
	m.allocs = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
}

func (m *meter) beginMemory(sys *ecs.System) {
	use := m.memory[sys]
	if use == nil {
		use = &memoryUse{}
		m.memory[sys] = use
	}
	m.before.world = int64(m.world.Bytes())
	if m.sample = use.turns < firstSamples || use.turns%sampleEvery == 0; m.sample {
		m.before.allocated = m.allocated()
	}
}

func (m *meter) endMemory(sys *ecs.System) {
	use := m.memory[sys]
	if m.sample {
		n := m.allocated() - m.before.allocated
		if use.turns >= firstSamples {
			n *= sampleEvery // it stands for the turns up to the next sample
		}
		use.allocated += n
	}
	use.world += int64(m.world.Bytes()) - m.before.world
	use.turns++
}

// allocated returns the bytes that the process has allocated on the heap so far.
func (m *meter) allocated() uint64 {
	metrics.Read(m.allocs)
	if m.allocs[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return m.allocs[0].Value.Uint64()
}
