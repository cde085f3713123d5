package app

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// The command run: it reads the config, assembles the world (preflight.go), loads the scripts, plays the frames
// (play.go) and prints the summary (summary.go).

// runFlags are the flags of run that do not change the config.
type runFlags struct {
	hash      bool
	hashEvery uint64 // frames between two digests; 0 for none
	quiet     bool
	watch     bool
	verify    string // SYSTEM or SYSTEM=A,B; "" for none
	io        ioFlags
	confine   string // confineBest or confineStrict; "" for none
	snapshots snapshotFlags
	supervise bool
	replaying *replaying // the record that the run is compared with; nil for none
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
environment over the file. The first interrupt finishes the frame, or ends a turn
that takes longer than two seconds more, and prints the summary; the second kills.`,
		Example: `  ecsrun run config/arena.yaml --frames 600 --seed 7
  ecsrun run config/arena.yaml --set systems.movement.impl=lua --hash --quiet`,
		Args:              oneConfig,
		ValidArgsFunction: completeConfig,
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
			if f.watch && f.verify != "" {
				return usageError("--watch and --verify do not go together: the two worlds would run different scripts")
			}
			if f.confine != "" && f.confine != confineBest && f.confine != confineStrict {
				return usageError("--confine takes no value, or strict, as in --confine=strict; not %q", f.confine)
			}
			if err := f.io.check(cmd.Flags().Changed, f); err != nil {
				return err
			}
			if err := f.snapshots.check(cmd.Flags().Changed, f); err != nil {
				return err
			}
			if f.supervise && p.page == nil {
				return p.supervise(f.snapshots)
			}
			return p.inform(p.run(args[0], o, f))
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&frames, "frames", 0, "run `N` frames; 0 = until interrupted (default: what the config says)")
	flags.Uint64Var(&seed, "seed", 0, "use `N` as the seed of all random streams (default: what the config says)")
	flags.StringArrayVar(&set, "set", nil, "set a value of the config, `KEY=VALUE`: run.*, limits.*, log.*,\nsystems.NAME.impl|enabled|every|when, resources.NAME, mods.NAME.enabled; may be repeated")
	flags.BoolVar(&f.hash, "hash", false, `print "digest HEX" of the world at the end, as the last line`)
	flags.Uint64Var(&f.hashEvery, "hash-every", 0, "print \"digest FRAME HEX\" after every `N` frames")
	flags.StringVar(&f.verify, "verify", "", "run a second world with another implementation of a system, `SYSTEM[=A,B]`, and stop where\nthe two differ (default: the configured one against lua)")
	flags.BoolVar(&f.watch, "watch", false, "reload scripts and config when their files change, between two frames; keep the world,\nand the last good version when something is wrong")
	flags.StringVar(&f.confine, "confine", "", "give up what the run does not need before a script is loaded: other files, sockets, other\nprograms (Linux); `strict`: end with exit code 2 where the kernel cannot")
	flags.Lookup("confine").NoOptDefVal = confineBest
	f.io.add(flags)
	f.snapshots.add(flags)
	flags.BoolVar(&f.supervise, "supervise", false, "run the world in a child process, and start again from the newest snapshot when that dies")
	flags.BoolVar(&f.quiet, "quiet", false, "no summary")
	return cmd
}

// A run is one run of a world, from its config to its summary.
type run struct {
	*program
	config    *config.Config
	flags     runFlags
	runtime   *luabind.Runtime
	failures  *failureLog
	verify    *verification // nil if there is no second world
	bug       bool          // a Go function that a script called panicked
	disabled  []string      // lines of the summary about disabled systems
	meter     *meter
	began     time.Time
	wall      time.Duration
	ended     string // the reason for the end of the run
	stopped   bool   // ended by a signal
	repeat    repeat // how the run was started
	pace      *pacer
	dog       *watchdog
	logs      *liveLog
	watch     *reloading // nil without --watch
	feed      *feed      // nil without --input
	emit      *emission  // nil without --emit
	wrong     int        // number of differences between machine code and closures
	saver     *saver     // nil without --snapshot
	resumed   *snapshot  // nil without --resume
	begun     bool       // the startup stage was entered, or the run goes on from a snapshot
	trace     *trace     // nil unless frames are recorded or compared with a record
	recording *recording // nil without --record
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
	if problems := p.preflight(c, nil); len(problems) > 0 {
		return p.reject(problems)
	}
	if resumed != nil && f.replaying == nil {
		if err := p.fits(f.snapshots, resumed, path, c); err != nil {
			return err
		}
	}
	r := &run{program: p, config: c, flags: f, repeat: repeatOf(path, o), resumed: resumed}
	files, err := f.io.open()
	defer files.close()
	if err != nil {
		return err
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
	r.logs = newLiveLog(stderr, c.Log, colorful(p.console.err, os.Getenv))
	log := r.logs.log
	r.failures = newFailureLog(stderr, log, c)
	dog := startWatchdog(c.Limits.SystemTime, memory)
	defer dog.close()
	r.dog = dog
	var problems config.Problems
	r.runtime, problems = p.assemble(r.config, luabind.Options{Stdout: stdout, Log: log, Report: r.survive, Sparing: true, Adopting: ecs.Adopting{Drop: f.snapshots.drops}}, dog)
	defer func() { _ = r.runtime.Close() }() // nothing is left to save
	if len(problems) > 0 {
		return p.reject(problems)
	}
	r.meter = measure(r.runtime.Schedule())
	if len(r.config.Mods) > 0 { // the summary groups by mod
		r.meter.measureMemory(r.runtime.World())
	}
	p.heedPipe()
	signal, release := interrupts()
	defer release()
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
	// Up to here nothing was written: a run that does not begin leaves all files as they are.
	continues := resumed != nil || p.page != nil && p.page.claimed.Load() == 1
	if err := r.startSaving(path, overridesOf(path, o)); err != nil {
		return err
	}
	if err := files.begin(continues); err != nil {
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
	r.tell()
	if f.quiet {
		r.play(signal)
	} else {
		loops := r.runtime.Explain()
		logCompiled(log, path, loops)
		r.play(signal)
		logFallen(log, c.ScriptFile, loops, r.runtime.Fallbacks())
	}
	if r.recording != nil {
		r.recording.end(p, r.ended)
	}
	r.saveEnd()
	r.finish()
	if code := r.code(); code != exitOK {
		return &exit{code: code}
	}
	return nil
}

// reject reports the problems of a config, one per line.
func (p *program) reject(err error) error {
	fmt.Fprintln(p.console.stderr(), err)
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
	if len(problems) > 0 {
		err = r.reject(problems)
	} else {
		err = &exit{code: exitLoad}
	}
	for _, e := range rest {
		r.failures.report(e, time.Now())
	}
	r.failures.countUp()
	return err
}
