package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/control"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/inspector"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sample"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// The command run: it reads the config, assembles the world (preflight.go), loads the scripts, plays the frames
// (play.go) and prints the summary (summary.go).

// A run is one run of a world, from its config to its summary.
type run struct {
	*program
	config      *config.Config
	flags       runFlags
	runtime     *luabind.Runtime
	failures    *failureLog
	verify      *verification // nil if there is no second world
	bug         bool          // a Go function that a script called panicked
	disabled    []disabledSystem
	meter       *meter
	began       time.Time
	wall        time.Duration
	ended       string // the reason for the end of the run
	stopped     bool   // ended by a signal
	repeat      repeat // how the run was started
	pace        *pacer
	dog         *watchdog
	logs        *liveLog
	watch       *reloading       // nil without --watch
	feed        *feed            // nil without --input
	emit        *emission        // nil without --emit
	wrong       int              // number of differences between machine code and closures
	saver       *saver           // nil without --snapshot
	resumed     *snapshot        // nil without --resume
	later       []luabind.Inputs // that it has of frames that are not run yet
	begun       bool             // the startup stage was entered, or the run goes on from a snapshot
	trace       *trace           // nil unless frames are recorded or compared with a record
	recording   *recording       // nil without --record
	control     *control.Plane   // nil for a run that nobody can ask
	history     *history         // nil while nothing is kept
	backs       int              // how often the run went back
	doingAgain  bool             // what is done now was done before, and its lines have left the process
	turnsDone   int              // turns of this frame so far, with those of what was done before it; while counting
	within      func()           // is called before each turn, while counting; nil: nobody is
	counting    bool
	lines       *control.Lines    // of rpc
	rpcOut      io.Writer         // the same: where answers go
	unread      uint64            // the same: answers that were not written
	doorway     *inspector.Door   // nil without --inspect
	server      *inspector.Server // likewise
	failure     error             // that has ended the run
	broken      error             // of an edit: a bug
	signal      *interruption
	vitals      *vitals.Vitals // nil if nobody looks
	conduct     *conduct
	samples     *sample.Table // nil without --sample
	sampled     *outlet       // where they are written
	keepSamples int64         // bytes of the file that stay
	sampledAt   time.Time     // when they were flushed
	inFrame     bool          // a frame or the startup runs
	saveAsked   atomic.Bool   // by a signal
	saveBell    chan struct{} // rings then
	saveNow     func()        // saveIfAsked
	asking      atomic.Pointer[control.Plane]
	spouts      []*spout // of files that are pipes or devices
}

func (p *program) run(path string, o config.Overrides, f runFlags) error {
	if p.page != nil {
		o.Set = append(slices.Clone(o.Set), p.obey(&f)...)
	}
	release, err := p.ownFolder(f.snapshots.dir)
	if err != nil {
		return err
	}
	defer release()
	resumed, err := p.resumed(f.snapshots)
	if err != nil {
		return err
	}
	if resumed != nil {
		defer resumed.close()
		if o, err = p.resumeOverrides(path, resumed, o); err != nil {
			return err
		}
	}
	c, err := config.Load(path, o)
	if err != nil {
		return p.reject(err)
	}
	p.console.asJSON(c.Log.Format == "json")
	if problems := p.preflight(c, nil); len(problems) > 0 {
		return p.reject(problems)
	}
	if resumed != nil && f.replaying == nil {
		if err := p.fits(f.snapshots, resumed, path, c); err != nil {
			return err
		}
	}
	r := &run{program: p, config: c, flags: f, repeat: repeatOf(path, o), resumed: resumed}
	r.noteLeftOut()
	if f.rpc {
		r.rpcOut = p.console.divert()
	}
	files, err := f.io.open()
	defer files.close()
	if err != nil {
		return err
	}
	if err := files.apart(path, c, resumed); err != nil {
		return err
	}
	if r.doorway, err = f.inspect.open(c); err != nil {
		return err
	}
	if r.doorway != nil {
		defer func() { _ = r.doorway.Listener.Close() }() // it is closed already where the run has begun
	}
	if f.replaying == nil {
		r.vitals = p.watched(f.operate)
	}
	if r.vitals != nil {
		r.vitals.Begin()
		if p.page != nil {
			defer beats(r.vitals, f.operate.health)()
		} else {
			op, err := p.operate(f.operate, r.vitals)
			if err != nil {
				return err
			}
			defer op.close()
		}
	}
	if f.confine != "" {
		read, write := f.snapshots.paths()
		input, _ := f.io.paths() // what is written is open
		read = append(read, input...)
		if err := p.confine(f.confine, path, c, read, write); err != nil {
			return err
		}
	}
	memory, stdout := c.Limits.Memory, p.console.stdout()
	if f.verify != "" {
		if r.verify, err = newVerification(f.verify, c); err != nil {
			return err
		}
		r.config = configured(c, r.verify.index, r.verify.a.impl)
		memory += min(memory, math.MaxUint64-memory) // of two worlds
		stdout = r.verify.prints(stdout)
	}
	stderr := p.console.stderr()
	r.logs = newLiveLog(p.console.logs(), c.Log, colorful(p.console.err, os.Getenv))
	log := r.logs.log
	r.logs.live.heard = func(record slog.Record) {
		if r.control.Logging() {
			r.control.Record(record)
		}
	}
	r.failures = newFailureLog(stderr, log, c)
	dog := startWatchdog(c.Limits.SystemTime, memory)
	defer dog.close()
	r.dog = dog
	var problems config.Problems
	r.runtime, problems = p.assemble(r.config, luabind.Options{Stdout: &mutedWriter{r, &heard{r, stdout}}, Log: r.mutedLog(log), Report: r.survive, Near: func(system string, used, limit uint64) { r.conduct.near(system, used, limit) }, Sparing: true, Adopting: ecs.Adopting{Drop: f.snapshots.drops}}, dog)
	defer func() { _ = r.runtime.Close() }() // nothing is left to save
	if len(problems) > 0 {
		return p.reject(problems)
	}
	r.meter = measure(r.runtime.Schedule())
	if len(r.config.Mods) > 0 { // the summary groups by mod
		r.meter.measureMemory(r.runtime.World())
	}
	p.heedPipe()
	signal, release := p.interrupts()
	defer release()
	r.signal = signal
	defer p.console.guard(signal.first.Done(), r.vitals)()
	defer r.closeSpouts()
	if r.rpcOut != nil { // who does not read answers harms no frame
		answers := newSpout(r.rpcOut, signal.first.Done(), nil)
		r.rpcOut, r.spouts = answers, append(r.spouts, answers)
	}
	defer r.heedSave()()
	if r.vitals != nil {
		defer context.AfterFunc(signal.first, r.vitals.Stop)()
	}
	if err := r.load(signal); err != nil {
		return err
	}
	if r.verify != nil {
		if err := r.verify.assemble(r, dog); err != nil {
			return err
		}
		if err := r.loaded(r.verify.b.runtime.LoadContext(signal.over)); err != nil {
			return err
		}
	}
	if len(f.io.emit) > 0 {
		if err := r.startEmit(files.emit); err != nil {
			return err
		}
	}
	if f.replaying != nil {
		r.traceRun(f.replaying.compare)
	}
	if f.io.input != "" {
		if err := r.startInput(files.input); err != nil {
			return err
		}
	}
	if err := r.startSampling(files.samples); err != nil {
		return err
	}
	// Up to here nothing was written: a run that does not begin leaves all files as they are.
	continues := resumed != nil || p.page != nil && p.page.claimed.Load() == 1
	if err := r.startSaving(path, overridesOf(path, o)); err != nil {
		return err
	}
	if err := files.begin(continues); err != nil {
		return err
	}
	if err := r.beginSamples(files.samples); err != nil {
		return err
	}
	if f.io.record != "" {
		if err := r.startRecording(files.record, path, o); err != nil {
			return err
		}
	}
	if f.watch {
		r.startReloading(path, o)
		defer r.watch.watcher.close()
	}
	r.startLater()
	r.startControl()
	r.tell()
	r.conducts(path)
	if f.quiet {
		r.play(signal)
	} else {
		loops := r.runtime.Explain()
		logCompiled(log, path, loops)
		r.play(signal)
		logFallen(log, c.ScriptFile, loops, r.runtime.Fallbacks())
	}
	r.conduct.over()
	r.endControl()
	if f.replaying != nil {
		r.replayRest(signal)
	}
	r.endHistory()
	if r.recording != nil {
		r.recordRest()
		r.recording.end(p, r.ended)
	}
	r.saveEnd()
	r.endLines()
	r.finish()
	if code := r.code(); code != exitOK {
		return &exit{code: code}
	}
	return nil
}

// reject reports the problems of a config, one per line.
func (p *program) reject(err error) error {
	fmt.Fprintln(p.console.stderr(), err)
	if errors.Is(err, ecs.ErrBytes) {
		return &exit{code: exitLimit}
	}
	return &exit{code: exitUsage}
}

// loaded reports all scripts that did not load, after the wrong conditions, which are problems of the config.
func (r *run) loaded(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, luabind.ErrBug) {
		r.reportBug(err, goStack(err))
		return &exit{code: exitBug}
	}
	if errors.Is(err, errInterrupted) {
		r.interrupted(err)
		return &exit{code: r.code()}
	}
	problems, rest := conditions(r.config, err)
	full := slices.ContainsFunc(rest, func(e error) bool { return errors.Is(e, ecs.ErrBytes) })
	switch {
	case len(problems) > 0:
		err = r.reject(problems)
	case full:
		err = &exit{code: exitLimit}
	default:
		err = &exit{code: exitLoad}
	}
	for _, e := range rest {
		r.failures.report(e, time.Now())
	}
	r.failures.countUp()
	return err
}
