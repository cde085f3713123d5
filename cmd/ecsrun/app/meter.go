package app

import (
	"context"
	"runtime/metrics"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
)

// A meter measures the wall time of each system's turns and observers, and knows which system is running. It is hooked
// into a schedule, because package ecs reads no clock. Time and world memory of an observer count for the system that
// declared it, and not for the one in whose turn it runs.
type meter struct {
	total   map[*ecs.System]time.Duration
	running *ecs.System   // nil between turns
	around  []*ecs.System // the systems that wait for an observer, the innermost last; nil stands for none
	started time.Time
	entered time.Time                               // when the turn began
	busy    func(bool)                              // is told whether a system runs; nil if nobody wants to know
	slow    func(system string, took time.Duration) // is told how long a turn took; likewise
	note    func(*ecs.System)                       // is told which system runs, nil for none; nil if nobody wants to know

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
		m.change(sys)
		if m.slow != nil {
			m.entered = m.started
		}
	}
	s.After = func(sys *ecs.System) {
		m.change(nil)
		if m.slow != nil {
			m.slow(sys.Name(), m.started.Sub(m.entered))
		}
		if m.memory != nil {
			m.endMemory(sys)
		}
	}
	s.Observing = func(owner *ecs.System, begins bool) {
		m.countWorld()
		if begins {
			m.around = append(m.around, m.running)
			m.change(owner)
			return
		}
		last := len(m.around) - 1
		m.change(m.around[last])
		m.around = m.around[:last]
	}
	return m
}

// change ends the time of the system that has been running, and begins that of to. If to is nil, no system runs then.
func (m *meter) change(to *ecs.System) {
	now := time.Now()
	if m.running != nil {
		m.total[m.running] += now.Sub(m.started)
	}
	m.running, m.started = to, now
	if m.busy != nil {
		m.busy(to != nil)
	}
	if m.note != nil {
		m.note(to)
	}
}

// busyTime returns the time of all turns so far.
func (m *meter) busyTime() (d time.Duration) {
	for _, t := range m.total {
		d += t
	}
	return d
}

// countWorld counts the growth of the world so far for the system that is running.
func (m *meter) countWorld() {
	if m.memory == nil {
		return
	}
	now := int64(m.world.Bytes())
	if m.running != nil {
		m.useOf(m.running).world += now - m.before.world
	}
	m.before.world = now
}

// measureMemory makes the meter measure memory, too, from the next turn on.
func (m *meter) measureMemory(w *ecs.World) {
	m.memory, m.world = map[*ecs.System]*memoryUse{}, w
	m.allocs = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
}

func (m *meter) useOf(sys *ecs.System) *memoryUse {
	use := m.memory[sys]
	if use == nil {
		use = &memoryUse{}
		m.memory[sys] = use
	}
	return use
}

func (m *meter) beginMemory(sys *ecs.System) {
	use := m.useOf(sys)
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

// mostLag is how far a run may lag behind the wall clock and still catch up. After a longer stall, such as a
// laptop that slept, it continues from the present time.
const mostLag = 250 * time.Millisecond

// A pacer makes frames keep the pace of the wall clock, for `realtime`. The zero pacer does not wait.
type pacer struct {
	step time.Duration
	next time.Time     // when the next frame is due
	lost time.Duration // by which the frames were put off, because the run could not catch up
}

// pacerFor returns the pacer that a config asks for.
func pacerFor(c *config.Config) *pacer {
	if !c.Run.Realtime {
		return &pacer{}
	}
	return newPacer(time.Duration(c.Run.DT*float64(time.Second)), time.Now())
}

func newPacer(step time.Duration, now time.Time) *pacer { return &pacer{step: step, next: now} }

// delay returns how long it is until the next frame is due, and counts that frame.
func (p *pacer) delay() time.Duration {
	if p.step == 0 {
		return 0
	}
	p.next = p.next.Add(p.step)
	delay := time.Until(p.next)
	if delay < -mostLag {
		p.next = p.next.Add(-delay)
		p.lost -= delay
	}
	return delay
}

// behind returns how far the run is behind the clock that it was to keep pace with.
func (p *pacer) behind() time.Duration {
	if p == nil || p.step == 0 {
		return 0
	}
	return p.lost + max(0, time.Since(p.next))
}

// wait returns when the next frame is due, or at once if the run is interrupted. Meanwhile it calls rung when the bell rings.
func (p *pacer) wait(ctx context.Context, bell <-chan struct{}, rung func()) {
	delay := p.delay()
	if delay <= 0 {
		return
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		case <-bell:
			rung()
		}
	}
}
