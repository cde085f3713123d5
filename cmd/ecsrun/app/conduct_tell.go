package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
	"github.com/ecsrun/ecsrun/ecs"
)

// This file is what the log says of a run while it goes: lines of progress, warnings of lag and of limits that are near, and the last line.

// tell writes a line about how the run goes.
func (c *conduct) tell(now time.Time) {
	r := c.run
	w := r.runtime.World()
	seconds, frames := now.Sub(c.since).Seconds(), w.Frame()-c.sinceFrame
	slowest, most, busy := "", time.Duration(0), time.Duration(0)
	totals := make(map[*ecs.System]time.Duration, len(r.meter.total))
	for _, sys := range r.runtime.Schedule().Systems() {
		totals[sys] = r.meter.total[sys]
		d := totals[sys] - c.sinceTotals[sys]
		if busy += d; d > most {
			slowest, most = sys.Name(), d
		}
	}
	perFrame := 0.0
	if frames > 0 {
		perFrame = busy.Seconds() * 1e3 / float64(frames)
	}
	c.log.Info("running", "frame", w.Frame(), "frames_per_second", rounded(float64(frames)/max(seconds, 1e-9)), "behind_seconds", rounded(r.pace.behind().Seconds()), "entities", w.Len(),
		"ms_per_frame", rounded(perFrame), "slowest", slowest, "script_bytes", r.dog.heldNow())
	c.since, c.sinceFrame, c.sinceTotals = now, w.Frame(), totals
}

// rounded keeps three digits behind the point.
func rounded(v float64) float64 { return float64(int64(v*1000+0.5)) / 1000 }

// warn writes a warning, once.
func (c *conduct) warn(key, text string, args ...any) {
	if c.log != nil && !c.warned[key] {
		c.warned[key] = true
		c.log.Warn(text, args...)
	}
}

// limits warns of limits of which more than 90 % are used.
func (c *conduct) limits(look bool) {
	w, l := c.run.runtime.World(), &c.run.config.Limits
	near := func(key string, used, limit uint64) {
		if limit > 0 && used > limit/10*9 && !c.warned[key] {
			c.warn(key, "more than 90 % of limits."+key+" are used", "used", used, "limit", limit, "frame", w.Frame())
		}
	}
	near("entities", uint64(w.Len()), l.Entities)
	near("world", w.Bytes(), l.World)
	near("events", l.Events-min(l.Events, uint64(ecs.Raw.EventsLeft(w))), l.Events)
	near("tags", l.Tags-min(l.Tags, uint64(ecs.Raw.TagsLeft(w))), l.Tags)
	if look {
		near("memory", c.run.dog.heldNow(), l.Memory)
	}
}

// near is told of a turn that has used more than 90 % of its instructions.
func (c *conduct) near(system string, used, limit uint64) {
	if c != nil {
		c.warn("instructions of "+system, "a turn of a system has used more than 90 % of limits.instructions", "system", system, "used", used, "limit", limit, "frame", c.run.runtime.World().Frame())
	}
}

// slow is told of each turn of a run in real time that took longer than its dt.
func (c *conduct) slow(system string, took, dt time.Duration) {
	c.warn("slow", "a turn took longer than its dt, so the run falls behind the clock", "system", system, "ms", rounded(took.Seconds()*1e3), "dt_ms", rounded(dt.Seconds()*1e3), "frame", c.run.runtime.World().Frame())
}

// over writes the last line.
func (c *conduct) over() {
	if c == nil {
		return
	}
	c.stop()
	if c.vitals != nil {
		c.vitals.Enter(vitals.Stopping)
	}
	if c.log != nil && c.log.Enabled(context.Background(), slog.LevelInfo) {
		w := c.run.runtime.World()
		c.log.Info("ended: "+c.run.ended, "frames", w.Frame(), "digest", w.Digest().String())
	}
}
