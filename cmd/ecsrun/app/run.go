package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// runFlags are the flags of run that are no config.
type runFlags struct {
	hash      bool
	hashEvery uint64 // frames; 0 = never
	quiet     bool
}

func (p *program) runCommand() *cobra.Command {
	var f runFlags
	var frames, seed uint64
	var set []string
	cmd := &cobra.Command{
		Use:   "run CONFIG",
		Short: "Run the world of a config",
		Long: `run loads a config and its scripts, runs the world and prints a summary.

Flags win over --set, --set over the environment (ECSRUN_RUN_SEED=7), the
environment over the file. The first interrupt finishes the frame and prints the
summary, the second one kills.`,
		Example: `  ecsrun run config/arena.yaml --frames 600 --seed 7
  ecsrun run config/arena.yaml --set systems.movement.impl=lua --hash --quiet`,
		Args: oneConfig,
		RunE: func(cmd *cobra.Command, args []string) error {
			o := config.Overrides{Env: p.env, Set: set}
			if cmd.Flags().Changed("frames") {
				o.Frames = &frames
			}
			if cmd.Flags().Changed("seed") {
				o.Seed = &seed
			}
			if cmd.Flags().Changed("hash-every") && f.hashEvery == 0 {
				return usageError("--hash-every wants a number of frames from 1")
			}
			return p.run(args[0], o, f)
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&frames, "frames", 0, "frames to run; 0 = until interrupted (default: what the config says)")
	flags.Uint64Var(&seed, "seed", 0, "seed of all random streams (default: what the config says)")
	flags.StringArrayVar(&set, "set", nil, "KEY=VALUE for run.*, limits.*, log.*, systems.NAME.impl|enabled|every|when, resources.NAME; may be repeated")
	flags.BoolVar(&f.hash, "hash", false, `print "digest HEX" of the world at the end, as the last line`)
	flags.Uint64Var(&f.hashEvery, "hash-every", 0, `print "digest FRAME HEX" after every N frames`)
	flags.BoolVar(&f.quiet, "quiet", false, "no summary")
	for _, name := range []string{"frames", "seed"} {
		flags.Lookup(name).DefValue = "" // the usage text says where it comes from
	}
	return cmd
}

// A run is one run of a world, from its config to its summary.
type run struct {
	*program
	config   *config.Config
	flags    runFlags
	runtime  *luabind.Runtime
	failures *failureLog
	bug      bool     // a Go function that a script called panicked
	disabled []string // lines of the summary
	meter    *meter
	began    time.Time
	wall     time.Duration
	ended    string // why
	stopped  bool   // by a signal
}

func (p *program) run(path string, o config.Overrides, f runFlags) error {
	c, err := config.Load(path, o)
	if err != nil {
		return p.reject(err)
	}
	if problems := p.preflight(c); len(problems) > 0 {
		return p.reject(problems)
	}
	stderr := p.console.stderr()
	log := newLogger(stderr, c.Log, colorful(p.console.err, os.Getenv))
	dog := startWatchdog(c.Limits.SystemTime, c.Limits.Memory)
	defer dog.close()
	r := &run{program: p, config: c, flags: f, failures: newFailureLog(stderr, log, c.Log.Format)}
	var problems config.Problems
	r.runtime, problems = p.assemble(c, luabind.Options{Stdout: p.console.stdout(), Log: log, Report: r.survive}, dog)
	defer func() { _ = r.runtime.Close() }() // nothing is left to save
	if len(problems) > 0 {
		return p.reject(problems)
	}
	if err := r.load(); err != nil {
		return err
	}
	ctx, release := interrupts()
	defer release()
	r.play(ctx)
	r.finish()
	if code := r.code(); code != exitOK {
		return &exit{code: code}
	}
	return nil
}

// reject reports what is wrong with a config, a line each.
func (p *program) reject(err error) error {
	fmt.Fprintln(p.console.stderr(), err)
	return &exit{code: exitUsage}
}

// load compiles the scripts and reports all that do not.
func (r *run) load() error {
	r.doing = "the loading of scripts"
	err := r.runtime.Load()
	r.doing = ""
	if err == nil {
		return nil
	}
	for _, e := range flatten(err) {
		r.failures.report(e, time.Now())
	}
	r.failures.countUp()
	return &exit{code: exitLoad}
}

// interrupts returns a context that ends with the first SIGINT or SIGTERM; from then on a signal kills again.
func interrupts() (context.Context, func()) {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, release)
	return ctx, release
}

// play runs startup and frames until something ends the run.
func (r *run) play(ctx context.Context) {
	c := r.config
	if terminal(r.console.err, os.Getenv) {
		r.console.progress = newProgress(r.console.err, c.Run.Frames, colorful(r.console.err, os.Getenv))
		defer func() { r.console.hideProgress(); r.console.progress = nil }()
	}
	r.began = time.Now()
	defer func() { r.wall = time.Since(r.began) }()
	r.watchSchedule()

	// Frames are never cancelled half-way: a signal is looked at between them.
	frame := context.WithoutCancel(ctx)
	r.doing = "the startup stage"
	if err := r.runtime.Start(frame); err != nil {
		r.fail(err)
		return
	}
	pace := &pacer{}
	if c.Run.Realtime {
		pace = newPacer(time.Duration(c.Run.DT*float64(time.Second)), time.Now())
	}
	world := r.runtime.World()
	for c.Run.Frames == 0 || world.Frame() < c.Run.Frames {
		if reason, ok := world.Stopped(); ok {
			r.ended = fmt.Sprintf("stopped in frame %d: %s", world.Frame(), reason)
			return
		}
		if ctx.Err() != nil {
			r.interrupt()
			return
		}
		if err := r.runtime.Frame(frame, c.Run.DT); err != nil {
			r.fail(err)
			return
		}
		if n := world.Frame(); r.flags.hashEvery > 0 && n%r.flags.hashEvery == 0 {
			fmt.Fprintf(r.console.stdout(), "digest %d %s\n", n, world.Digest())
		}
		if r.console.flush() != nil {
			r.ended = "stdout was closed"
			return
		}
		if r.console.progress != nil {
			r.console.progress.update(world.Frame(), time.Now())
		}
		pace.wait(ctx)
	}
	r.ended = "all frames done"
	if reason, ok := world.Stopped(); ok {
		r.ended = fmt.Sprintf("stopped in frame %d: %s", world.Frame(), reason)
	}
}

func (r *run) interrupt() {
	r.stopped = true
	r.ended = "interrupted"
}

// watchSchedule times the systems and notes which one runs.
func (r *run) watchSchedule() {
	s := r.runtime.Schedule()
	world := r.runtime.World()
	r.meter = measure(s, func(sys *ecs.System) {
		r.doing = fmt.Sprintf("system %q, frame %d", sys.Name(), world.Frame())
	})
}

// survive reports a failure after which the run goes on.
func (r *run) survive(err *luabind.ScriptError) {
	r.failures.report(err, time.Now())
	if sys := r.runtime.Schedule().Find(err.System); sys != nil && !sys.Enabled() {
		r.disabled = append(r.disabled, fmt.Sprintf("disabled: %s after %s: %v", err.System, counted(r.config.Limits.Errors, "failure"), err))
		fmt.Fprintf(r.console.stderr(), "system %q is disabled (limits.errors is %d)\n", err.System, r.config.Limits.Errors)
	}
}

// fail ends the run by an error.
func (r *run) fail(err error) {
	if r.bug = errors.Is(err, luabind.ErrBug); r.bug {
		var panicked interface{ GoStack() string }
		stack := ""
		if errors.As(err, &panicked) {
			stack = panicked.GoStack()
		}
		r.reportBug(err, stack)
	} else {
		r.failures.report(err, time.Now())
	}
	r.ended = "a system failed"
	var script *luabind.ScriptError
	if errors.As(err, &script) && script.System != "" {
		r.ended = fmt.Sprintf("system %q failed in frame %d", script.System, script.Frame)
	}
}

// finish prints the summary and the last digest.
func (r *run) finish() {
	r.doing = ""
	r.failures.countUp()
	if !r.flags.quiet {
		r.summary().write(r.console.stdout())
	}
	if r.flags.hash {
		fmt.Fprintf(r.console.stdout(), "digest %s\n", r.runtime.World().Digest())
	}
}

func (r *run) summary() *summary {
	w := r.runtime.World()
	s := &summary{frames: w.Frame(), world: w.Time() + w.DT(), wall: r.wall, entities: w.Len(), ended: r.ended, failures: append(failureLines(r.runtime.Failures()), r.disabled...)}
	for id := range w.EventNames() {
		_, sent := w.EventCount(ecs.EventID(id))
		s.events += sent
	}
	impl := map[string]string{}
	for _, c := range r.config.Systems {
		impl[c.Name] = implOf(c)
	}
	for _, sys := range r.runtime.Schedule().Systems() {
		s.systems = append(s.systems, systemTime{sys.Name(), impl[sys.Name()], sys.Turns(), *r.meter.total[sys]})
	}
	return s
}

// implOf names what runs for a system: all Lua is interpreted so far.
func implOf(s config.System) string {
	if s.Impl == config.ImplNative {
		return "native"
	}
	return "lua"
}

// failureLines says in the summary what went wrong.
func failureLines(f luabind.Failures) []string {
	var lines []string
	if f.Errors > 0 {
		lines = append(lines, "failed: "+counted(f.Errors, "turn"))
	}
	if f.Limits > 0 {
		lines = append(lines, "limits: passed "+counted(f.Limits, "time"))
	}
	return lines
}

func (r *run) code() int {
	failures := r.runtime.Failures()
	switch {
	case r.bug:
		return exitBug
	case failures.Limits > 0:
		return exitLimit
	case failures.Errors > 0:
		return exitScript
	case r.stopped && r.config.Run.Frames != 0:
		return exitInterrupted
	default:
		return exitOK
	}
}
