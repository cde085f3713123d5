package app

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"maps"
	"os"
	"sync/atomic"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
	"github.com/ecsrun/ecsrun/ecs"
)

// A conduct is what a run notes about itself, for its log and its vitals.
type conduct struct {
	run    *run
	vitals *vitals.Vitals // nil if nobody looks
	log    *slog.Logger   // nil with --quiet

	began time.Time // of the frame, if it is noted in the vitals
	sent  uint64    // events

	due, second atomic.Bool // it is time for a line about how it goes; a second has passed
	stop        func()
	since       time.Time // of the last line, or the beginning
	sinceFrame  uint64
	sinceTotals map[*ecs.System]time.Duration
	warned      map[string]bool
	slots       map[*ecs.System]*slot
}

// A slot is where the turns of a system are counted in the vitals.
type slot struct {
	impl  string
	at    int
	turns uint64
	total time.Duration
}

// conducts begins to note how the run goes.
func (r *run) conducts(path string) {
	c := &conduct{run: r, vitals: r.vitals, stop: func() {}, since: time.Now(), warned: map[string]bool{}, slots: map[*ecs.System]*slot{}, sinceFrame: r.runtime.World().Frame()}
	r.conduct = c
	if v := c.vitals; v != nil {
		v.Config(configDigest(path), r.config.Run.Seed)
		r.meter.busy = v.Busy
		c.sent = c.events()
		for _, sys := range r.runtime.Schedule().Systems() {
			c.slots[sys] = &slot{turns: sys.Turns()}
		}
	}
	if r.flags.quiet {
		c.ticks(0)
		return
	}
	c.log = r.logs.log
	l := r.config.Limits
	c.log.Info("starts "+path, "version", version(), "config_digest", configDigest(path), "seed", r.config.Run.Seed, "frame", c.sinceFrame, "frames", r.config.Run.Frames,
		"on_error", l.OnError, "instructions", l.Instructions, "system_time", l.SystemTime.String(), "memory", l.Memory, "world", l.World, "entities", l.Entities, "allocations", l.Allocations, "events", l.Events, "tags", l.Tags)
	if r.config.Run.Realtime {
		r.meter.slow = func(system string, took time.Duration) {
			dt := time.Duration(r.config.Run.DT * float64(time.Second))
			if i := r.config.FindSystem(system); i >= 0 && took > dt && r.config.Run.Realtime && r.pace != nil && r.pace.step > 0 && !r.control.Stepping() {
				if dt *= time.Duration(max(1, r.config.Systems[i].Every)); took > dt {
					c.slow(system, took, dt)
				}
			}
		}
	}
	every := r.config.Log.Every
	if terminal(r.console.err, os.Getenv) {
		every = 0
	}
	c.ticks(every)
}

// ticks begins to say when time has passed, so that a frame need not ask the clock. every is the time between two lines about how the run goes; 0 for
// none.
func (c *conduct) ticks(every time.Duration) {
	if c.vitals == nil && c.log == nil {
		return
	}
	seconds, quit := time.NewTicker(time.Second), make(chan struct{})
	var lines <-chan time.Time
	c.stop = func() { close(quit) }
	if every > 0 {
		lines = time.Tick(every)
	}
	go func() {
		defer seconds.Stop()
		for {
			select {
			case <-seconds.C:
				c.second.Store(true)
			case <-lines:
				c.due.Store(true)
			case <-quit:
				return
			}
		}
	}()
}

// configDigest returns the first 16 digits of the SHA-256 of the config file; "" if it cannot be read any more.
func configDigest(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// begin is called before a frame.
func (c *conduct) begin() {
	if c != nil && c.vitals != nil {
		c.began = time.Now()
	}
}

// end is called after a frame.
func (c *conduct) end() {
	if c == nil {
		return
	}
	look := c.second.Load()
	if look {
		c.second.Store(false)
	}
	if c.vitals != nil {
		c.publish(time.Since(c.began), look)
	}
	if c.log == nil {
		return
	}
	c.limits(look)
	if c.due.Load() {
		c.due.Store(false)
		c.tell(time.Now())
	}
}

// events returns how many events were sent so far.
func (c *conduct) events() (n uint64) {
	w := c.run.runtime.World()
	for id := range w.EventNames() {
		_, sent := w.EventCount(ecs.EventID(id))
		n += sent
	}
	return n
}

// publish writes the vitals.
func (c *conduct) publish(took time.Duration, look bool) {
	v, w := c.vitals, c.run.runtime.World()
	if w.Frame() > 0 { // the startup is no frame
		v.Frame(took)
	}
	v.Entities.Store(uint64(w.Len()))
	v.WorldBytes.Store(w.Bytes())
	v.Behind(c.run.pace.behind().Seconds())
	sent := c.events()
	v.Events.Add(sent - c.sent)
	c.sent = sent
	if look {
		v.ScriptBytes.Store(c.run.dog.heldNow())
	}
	for _, sys := range c.run.runtime.Schedule().Systems() {
		s := c.slots[sys]
		if s == nil {
			s = &slot{}
			c.slots[sys] = s
		}
		if s.impl == "" {
			s.impl = c.run.implOf(sys.Name())
			s.at = v.System(sys.Name(), s.impl)
		}
		total := c.run.meter.total[sys]
		v.Turns(s.at, sys.Turns()-s.turns, total-s.total)
		s.turns, s.total = sys.Turns(), total
	}
}

// wentBack counts on from where the run stands now, after it went back.
func (c *conduct) wentBack() {
	if c == nil {
		return
	}
	c.sent, c.since, c.sinceFrame, c.sinceTotals = c.events(), time.Now(), c.run.runtime.World().Frame(), maps.Clone(c.run.meter.total)
	for sys, s := range c.slots {
		s.impl, s.turns, s.total = "", sys.Turns(), c.run.meter.total[sys]
	}
}

// reimplemented makes the turns of a system count for its implementation of now.
func (c *conduct) reimplemented(name string) {
	if c == nil {
		return
	}
	if s := c.slots[c.run.runtime.Schedule().Find(name)]; s != nil {
		s.impl = ""
	}
}

// failed counts a failing turn.
func (c *conduct) failed(system string) {
	if c != nil && c.vitals != nil && system != "" {
		c.vitals.Failed(c.vitals.System(system, c.run.implOf(system)))
	}
}

func (r *run) implOf(system string) string {
	if i := r.config.FindSystem(system); i >= 0 {
		return r.config.Systems[i].Impl
	}
	return ""
}
