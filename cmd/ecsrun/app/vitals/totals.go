package vitals

import (
	"math"
	"time"
)

// Totals are the counts of a run, with those of the processes that it had before.
type Totals struct {
	Frames, Events              uint64
	Snapshots, SnapshotFailures uint64
	FrameTimes                  [len(Buckets) + 1]uint64
	FrameSeconds                float64
	Systems                     []SystemTotals

	// The present, and no sums.
	Entities, ScriptBytes, WorldBytes, SnapshotFrame uint64
	Behind                                           float64
	Seed                                             uint64
	ConfigDigest                                     string
}

// SystemTotals are the counts of a system under an implementation.
type SystemTotals struct {
	Name, Impl      string
	Turns, Failures uint64
	Seconds         float64
}

// Add adds the counts of a process, and takes over its present.
func (t *Totals) Add(v *Vitals) {
	t.Frames += v.Frames.Load()
	t.Events += v.Events.Load()
	t.Snapshots += v.Snapshots.Load()
	t.SnapshotFailures += v.SnapshotFailures.Load()
	for i := range v.frameTimes {
		t.FrameTimes[i] += v.frameTimes[i].Load()
	}
	t.FrameSeconds += time.Duration(v.frameNanos.Load()).Seconds()
	for i := range v.used.Load() {
		s := &v.systems[i]
		one := SystemTotals{Name: s.text(), Impl: string(s.impl[:s.implLength])}
		to := t.system(one)
		to.Turns += s.turns.Load()
		to.Failures += s.failures.Load()
		to.Seconds += time.Duration(s.nanos.Load()).Seconds()
	}
	t.Entities, t.ScriptBytes, t.WorldBytes = v.Entities.Load(), v.ScriptBytes.Load(), v.WorldBytes.Load()
	t.SnapshotFrame = max(t.SnapshotFrame, v.SnapshotFrame.Load())
	t.Behind = math.Float64frombits(v.behind.Load())
	if n := v.digestLength.Load(); n > 0 {
		t.Seed, t.ConfigDigest = v.seed.Load(), string(v.digest[:n])
	}
}

// system returns the counts of a system under an implementation.
func (t *Totals) system(is SystemTotals) *SystemTotals {
	for i := range t.Systems {
		if s := &t.Systems[i]; s.Name == is.Name && s.Impl == is.Impl {
			return s
		}
	}
	t.Systems = append(t.Systems, is)
	return &t.Systems[len(t.Systems)-1]
}

func (t *Totals) clone() *Totals {
	out := *t
	out.Systems = append([]SystemTotals(nil), t.Systems...)
	return &out
}
