package app

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
)

// The command bench measures the systems of a config under each implementation they have. bench.go chooses systems
// and frames and runs the passes, bench_pass.go takes the times of turns, bench_report.go prints the result. Every
// pass runs the same frames of the same world, so the passes must end with the same digest.

const (
	benchFrames = 60 // frames to measure, by default
	benchWarmUp = 10 // frames before them, at most
)

// benchFlags are the flags of bench that do not change the config.
type benchFlags struct {
	frames  uint64 // 0: not given
	repeat  uint64
	systems []string
	input   *inputText // nil: none
	json    bool
}

func (p *program) benchCommand() *cobra.Command {
	var f benchFlags
	var set []string
	var input string
	cmd := &cobra.Command{
		Use:   "bench CONFIG",
		Short: "Time each system under each implementation it has",
		Long: `bench runs the world of a config once per implementation (lua, closures, auto,
native), with every system that has it set to it and the others as configured,
and does all of that several times in turns. It takes the time and the allocations
of each system's turns, with their commands. Startup systems are left out, and
what scripts print.

The worlds are the same to the bit, so a turn is the same work each time: it counts
as the quickest of its repetitions. Frames of warm-up come first and do not count.`,
		Example: `  ecsrun bench config/arena.yaml --set resources.units=2000
  ecsrun bench config/arena.yaml --systems movement,bounce --frames 200 --json`,
		Args:              oneConfig,
		ValidArgsFunction: completeConfig,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed("frames") && f.frames == 0:
				return usageError("--frames wants a number of frames from 1")
			case f.repeat == 0:
				return usageError("--repeat wants a number from 1")
			case cmd.Flags().Changed("input"):
				var err error
				if f.input, err = readInput("bench", input); err != nil {
					return err
				}
			}
			return p.bench(args[0], config.Overrides{Env: p.env, Set: set}, f)
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&f.frames, "frames", 0, fmt.Sprintf("measure `N` frames (default: %d, or as many as the config runs)", benchFrames))
	flags.Uint64Var(&f.repeat, "repeat", 3, "run everything `N` times; a turn counts as its quickest")
	flags.StringSliceVar(&f.systems, "systems", nil, "change and measure these systems alone: `A,B`")
	flags.StringArrayVar(&set, "set", nil, "set a value of the config, `KEY=VALUE`, as for run")
	flags.StringVar(&input, "input", "", "do the lines of JSON in `FILE` to each world, as run --input does")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	return cmd
}

// A bench is one call of the command bench.
type bench struct {
	*program
	config  *config.Config
	path    string
	o       config.Overrides
	systems []int // indexes of the chosen systems in the config
	warmUp  uint64
	frames  uint64 // frames to measure
	repeat  uint64
	input   *inputText
	passes  []*benchPass // one per implementation, the interpreter first
	match   map[string]*matched
	done    uint64 // frames of all passes, for the progress line
}

func (p *program) bench(path string, o config.Overrides, f benchFlags) error {
	c, err := config.Load(path, o)
	if err != nil {
		return p.reject(err)
	}
	if problems := p.preflight(c, nil); len(problems) > 0 {
		return p.reject(problems)
	}
	c.Limits.OnError = config.OnErrorStop // a failing turn is no measure
	b := &bench{program: p, config: c, path: path, o: o, repeat: f.repeat, input: f.input, match: map[string]*matched{}}
	if b.systems, err = benchSystems(c, f.systems); err != nil {
		return err
	}
	b.warmUp, b.frames = benchLength(f.frames, c.Run.Frames)
	for _, impl := range []string{config.ImplLua, config.ImplClosures, config.ImplAuto, config.ImplNative} {
		if pass := b.newPass(impl); len(pass.systems) > 0 {
			b.passes = append(b.passes, pass)
		}
	}
	signal, release := p.interrupts()
	defer release()
	if err := b.measure(signal); err != nil {
		return err
	}
	report := b.report()
	if f.json {
		err = report.writeJSON(p.console.stdout())
	} else {
		report.write(p.console.stdout())
	}
	if err != nil {
		return err
	}
	return b.sameWorlds()
}

// benchSystems returns the indexes of the systems to measure: those that are named, or all that have turns.
func benchSystems(c *config.Config, named []string) ([]int, error) {
	var known []string
	var all []int
	for i, s := range c.Systems {
		if s.Stage != config.StageStartup && !atChange(s) && s.Enabled {
			known = append(known, s.Name)
			all = append(all, i)
		}
	}
	if named == nil {
		if all == nil {
			return nil, usageError("no system of the config takes turns")
		}
		return all, nil
	}
	var chosen []int
	for _, name := range named {
		i := c.FindSystem(name)
		switch {
		case i < 0:
			return nil, usageError("--systems: there is no system %q; %s", name, meant(name, "systems", known))
		case c.Systems[i].Stage == config.StageStartup:
			return nil, usageError("--systems: %q is a startup system; it takes one turn, before frame 1", name)
		case atChange(c.Systems[i]):
			return nil, usageError("--systems: %q runs only when a state changes; name a system that takes turns in frames", name)
		case !c.Systems[i].Enabled:
			return nil, usageError("--systems: %q is not enabled; --set systems.%s.enabled=true lets it take turns", name, name)
		}
		chosen = append(chosen, i)
	}
	slices.Sort(chosen)
	return slices.Compact(chosen), nil
}

// atChange reports whether a system runs only when a state changes.
func atChange(s config.System) bool {
	return s.Stage == config.StageEnter || s.Stage == config.StageLeave
}

// benchLength returns how many frames to run before the measurement and how many to measure. Unless told is given,
// both together fit into the frames that the config runs.
func benchLength(told, configured uint64) (warmUp, frames uint64) {
	switch {
	case told > 0:
		return min(benchWarmUp, max(1, told/6)), told
	case configured == 0 || configured >= benchWarmUp+benchFrames:
		return benchWarmUp, benchFrames
	default:
		warmUp = configured / 7
		return warmUp, configured - warmUp
	}
}

// measure runs all passes repeatedly, every second time in reverse order, so that a machine that becomes slower
// meanwhile does not favour one of them.
func (b *bench) measure(signal *interruption) error {
	if terminal(b.console.err, os.Getenv) {
		total := b.repeat * uint64(len(b.passes)) * (b.warmUp + b.frames)
		b.console.progress = newProgress(b.console.err, total, colorful(b.console.err, os.Getenv), time.Now())
		defer func() { b.console.hideProgress(); b.console.progress = nil }()
	}
	order := slices.Clone(b.passes)
	for n := range b.repeat {
		for _, pass := range order {
			if err := pass.run(signal, n == 0); err != nil {
				return err
			}
		}
		slices.Reverse(order)
	}
	return nil
}

// sameWorlds returns an error if the passes have not ended with the same world: then their times cannot be
// compared.
func (b *bench) sameWorlds() error {
	first := b.passes[0]
	var others []string
	for _, pass := range b.passes[1:] {
		if pass.digest != first.digest {
			others = append(others, pass.impl)
		}
	}
	if others == nil {
		return nil
	}
	return &exit{exitTest, errors.New("the world is not the same under " + first.impl + " and " + strings.Join(others, ", ") +
		", so these figures do not compare; ecsrun run " + b.path + " --verify SYSTEM finds where they part")}
}

// startedWith returns the settings of a pass in which some systems have an implementation, for a report of wrong
// code.
func (b *bench) startedWith(systems []string, impl string) repeat {
	var more []string
	for _, name := range systems {
		more = append(more, fmt.Sprintf("systems.%s.impl=%s", name, impl))
	}
	return repeatOf(b.path, b.o, more...)
}
