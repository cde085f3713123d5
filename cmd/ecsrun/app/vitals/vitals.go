// Package vitals is what a run tells those who watch it from outside of its goroutine: counts and times, and what it is doing. [Vitals] has
// atomics and arrays only, so that it can lie in memory that a supervising process shares with its child.
package vitals

import (
	"math"
	"sync/atomic"
	"time"
)

// The states of a run.
const (
	Starting uint32 = iota // until the startup has ended, or the snapshot is restored
	Ready
	Stopping // after the last frame, or a signal
)

// MostSystems is how many pairs of a system and an implementation are told apart. The last one stands for all others.
const MostSystems = 400

const (
	nameSize = 96
	implSize = 12
)

// Buckets are the upper bounds of the histogram of frames, in seconds.
var Buckets = [...]float64{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.016, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10}

// A Vitals is written by the goroutine of the world, and read by any. The zero value is that of a run which starts.
type Vitals struct {
	state  atomic.Uint32
	began  atomic.Uint32 // 1: it was Ready once
	busy   atomic.Int64  // since when a turn or the startup runs, in nanoseconds of the clock; 0: none does
	saving atomic.Int64  // since when a snapshot is written
	output atomic.Int64  // since when a write to stdout, stderr or a pipe lasts
	beat   atomic.Int64  // the last sign of life; 0: none are given

	Frames, Events, Entities    atomic.Uint64
	ScriptBytes, WorldBytes     atomic.Uint64
	Snapshots, SnapshotFailures atomic.Uint64
	SnapshotFrame               atomic.Uint64
	behind                      atomic.Uint64
	frameTimes                  [len(Buckets) + 1]atomic.Uint64
	frameNanos                  atomic.Uint64
	seed                        atomic.Uint64
	digest                      [64]byte
	digestLength                atomic.Uint32
	used                        atomic.Uint32 // of systems
	systems                     [MostSystems]system
}

// A system is what is counted for a system under an implementation.
type system struct {
	name                   [nameSize]byte
	impl                   [implSize]byte
	nameLength, implLength uint32
	nanos, turns, failures atomic.Uint64
}

// Config notes what runs.
func (v *Vitals) Config(digest string, seed uint64) {
	v.seed.Store(seed)
	v.digestLength.Store(uint32(copy(v.digest[:], digest)))
}

// State returns Starting, Ready or Stopping.
func (v *Vitals) State() uint32 { return v.state.Load() }

// Enter notes a state.
func (v *Vitals) Enter(state uint32) {
	v.busy.Store(0)
	if state == Ready {
		v.began.Store(1)
	}
	v.state.Store(state)
}

// Stop notes that a signal has asked the run to end. What runs still counts as running.
func (v *Vitals) Stop() { v.state.Store(Stopping) }

// Begin notes that the process starts.
func (v *Vitals) Begin() { v.busy.Store(since(true)) }

// Busy notes that a turn begins, or that none runs. The turns of the startup do not count by themselves.
func (v *Vitals) Busy(on bool) {
	if v.state.Load() != Starting {
		v.busy.Store(since(on))
	}
}

// Saving notes that a snapshot is being written.
func (v *Vitals) Saving(on bool) { v.saving.Store(since(on)) }

// Writing notes that a write of output begins or ends.
func (v *Vitals) Writing(on bool) { v.output.Store(since(on)) }

// Beat is a sign of life. After the first one, a run without them is not healthy.
func (v *Vitals) Beat() { v.beat.Store(since(true)) }

// Saved notes the end of a save. That of one that has failed is counted by its caller.
func (v *Vitals) Saved(frame uint64, good bool) {
	v.Saving(false)
	if good {
		v.Snapshots.Add(1)
		v.SnapshotFrame.Store(frame)
	}
}

func since(on bool) int64 {
	if !on {
		return 0
	}
	return time.Now().UnixNano()
}

// Frame counts a frame.
func (v *Vitals) Frame(took time.Duration) {
	at := 0
	for at < len(Buckets) && took.Seconds() > Buckets[at] {
		at++
	}
	v.frameTimes[at].Add(1)
	v.frameNanos.Add(uint64(took))
	v.Frames.Add(1)
}

// Behind notes by how many seconds the run is behind the clock.
func (v *Vitals) Behind(seconds float64) { v.behind.Store(math.Float64bits(seconds)) }

// System returns the index of a system under an implementation, for Turns and Failed. It is made at the first call.
func (v *Vitals) System(name, impl string) int {
	n := int(v.used.Load())
	for i := range n {
		if s := &v.systems[i]; s.text() == name && string(s.impl[:s.implLength]) == impl {
			return i
		}
	}
	switch {
	case n == MostSystems-1:
		name, impl = "(others)", ""
	case n == MostSystems:
		return n - 1
	}
	s := &v.systems[n]
	s.nameLength, s.implLength = uint32(copy(s.name[:], name)), uint32(copy(s.impl[:], impl))
	v.used.Store(uint32(n + 1))
	return n
}

func (s *system) text() string { return string(s.name[:s.nameLength]) }

// Turns adds turns of a system.
func (v *Vitals) Turns(at int, turns uint64, took time.Duration) {
	v.systems[at].turns.Add(turns)
	v.systems[at].nanos.Add(uint64(took))
}

// Failed counts a failing turn of a system.
func (v *Vitals) Failed(at int) { v.systems[at].failures.Add(1) }

// Unhealthy says why a run is not healthy: what takes longer than the limit; "" if nothing does.
func (v *Vitals) Unhealthy(limit time.Duration, now time.Time) string {
	late := func(since int64) bool { return since != 0 && now.Sub(time.Unix(0, since)) > limit }
	switch {
	case late(v.beat.Load()):
		return "nothing was heard of the run for longer than " + limit.String()
	case late(v.output.Load()):
		return "writing output takes longer than " + limit.String()
	case late(v.busy.Load()) && v.State() == Starting:
		return "the startup takes longer than " + limit.String()
	case late(v.busy.Load()):
		return "a turn takes longer than " + limit.String()
	case late(v.saving.Load()):
		return "a save takes longer than " + limit.String()
	}
	return ""
}
