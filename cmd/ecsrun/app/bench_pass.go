package app

import (
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// A benchPass is the world under one implementation. It is run from the start as often as needed.
type benchPass struct {
	*bench
	impl    string
	config  *config.Config
	systems []string          // those that have the implementation
	turns   map[string][]turn // by system, in the order of the frames
	frames  uint64            // frames measured: fewer than wanted if the world has stopped the run
	digest  ecs.Digest        // of the world at the end
}

// A turn is the measurement of one turn of a system.
type turn struct {
	time          time.Duration // the shortest of all repetitions
	allocs, bytes uint64
}

// matched is the number of entities that the loops of a system match, summed over its turns. ok is false if it is
// not known for some turn.
type matched struct {
	sum   uint64
	turns uint64
	ok    bool
}

func (b *bench) newPass(impl string) *benchPass {
	p := &benchPass{bench: b, impl: impl, turns: map[string][]turn{}}
	c := *b.config
	c.Systems = slices.Clone(c.Systems)
	for _, i := range b.systems {
		if s := &c.Systems[i]; slices.Contains(implementations(*s), impl) {
			s.Impl = impl
			p.systems = append(p.systems, s.Name)
		}
	}
	p.config = &c
	return p
}

// run runs the world once. The first run of a pass also measures allocations, which stops the program at each
// turn; the first run of the first pass also counts entities.
func (p *benchPass) run(signal *interruption, first bool) error {
	stderr := p.console.stderr()
	r := &run{program: p.program, config: p.config}
	r.failures = newFailureLog(stderr, newLogger(stderr, p.config.Log, false), p.config)
	dog := startWatchdog(p.config.Limits.SystemTime, p.config.Limits.Memory)
	defer dog.close()
	var problems config.Problems
	r.runtime, problems = p.assemble(p.config, luabind.Options{Report: func(err *luabind.ScriptError) {
		if errors.Is(err, luabind.ErrBug) {
			r.wrongCode(err, p.startedWith(p.systems, p.impl))
		}
	}}, dog)
	defer func() { _ = r.runtime.Close() }() // nothing is left to save
	if len(problems) > 0 {
		return p.reject(problems)
	}
	if err := r.loaded(r.runtime.LoadContext(signal.over)); err != nil {
		return err
	}
	if err := p.input.start(r); err != nil {
		return err
	}
	r.meter = measure(r.runtime.Schedule())
	r.doing = r.where
	taken := p.take(r, first)
	if !r.step(func(rt *luabind.Runtime) error { return rt.Start(signal.over) }) {
		return r.unmeasured()
	}
	world := r.runtime.World()
	for world.Frame() < p.warmUp+p.bench.frames {
		if _, stopped := world.Stopped(); stopped {
			break
		}
		if signal.came() {
			r.stopped = true
			return r.unmeasured()
		}
		if !r.feedFrame(signal) {
			if r.stopped || r.feed.failed || r.feed.full {
				return r.unmeasured()
			}
			break
		}
		if world.Frame() == p.warmUp {
			taken.begin()
		}
		if !r.step(func(rt *luabind.Runtime) error { return rt.Frame(signal.over, p.config.Run.DT) }) {
			return r.unmeasured()
		}
		p.done++
		if p.console.progress != nil {
			p.console.progress.update(p.done, time.Now())
		}
	}
	p.frames = world.Frame() - min(world.Frame(), p.warmUp)
	p.digest = world.Digest()
	if r.wrong > 0 {
		return &exit{code: exitBug}
	}
	return nil
}

// unmeasured returns the error of a pass that a failure or a signal has ended.
func (r *run) unmeasured() error {
	if r.stopped {
		return &exit{exitInterrupted, errors.New("interrupted before all was measured")}
	}
	return &exit{code: r.code()}
}

// A taking records the turns of one run of a pass.
type taking struct {
	pass      *benchPass
	runtime   *luabind.Runtime
	meter     *meter
	allocs    bool // measure allocations
	matches   bool // count entities
	measuring bool
	turns     map[string]int // turns so far, by system
	before    runtime.MemStats
	total     time.Duration // the total of the system before this turn
}

// take hooks a taking into the schedule, around the meter, so that its own work is not measured.
func (p *benchPass) take(r *run, first bool) *taking {
	t := &taking{pass: p, runtime: r.runtime, meter: r.meter, allocs: first, matches: first && p == p.passes[0], turns: map[string]int{}}
	s := r.runtime.Schedule()
	before, after := s.Before, s.After
	s.Before = func(sys *ecs.System) {
		if t.measuring {
			t.ahead(sys)
		}
		before(sys)
	}
	s.After = func(sys *ecs.System) {
		after(sys)
		if t.measuring {
			t.behind(sys)
		}
	}
	return t
}

// begin ends the warm-up.
func (t *taking) begin() { t.measuring = true }

func (t *taking) ahead(sys *ecs.System) {
	if t.matches {
		t.count(sys.Name())
	}
	t.total = t.meter.total[sys]
	if t.allocs {
		runtime.ReadMemStats(&t.before)
	}
}

func (t *taking) behind(sys *ecs.System) {
	name := sys.Name()
	if !slices.Contains(t.pass.systems, name) {
		return
	}
	took := turn{time: t.meter.total[sys] - t.total}
	if t.allocs {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		took.allocs, took.bytes = now.Mallocs-t.before.Mallocs, now.TotalAlloc-t.before.TotalAlloc
	}
	n := t.turns[name]
	t.turns[name]++
	if known := t.pass.turns[name]; n < len(known) {
		known[n].time = min(known[n].time, took.time)
	} else {
		t.pass.turns[name] = append(known, took)
	}
}

// count adds the number of entities that a system's loops match now.
func (t *taking) count(name string) {
	m := t.pass.match[name]
	if m == nil {
		m = &matched{ok: true}
		t.pass.match[name] = m
	}
	n, ok := t.runtime.Matches(name)
	m.sum, m.turns, m.ok = m.sum+uint64(n), m.turns+1, m.ok && ok
}
