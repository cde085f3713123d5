package app

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// The command bisect: it runs two worlds of one config that differ in overrides, turn by turn, and ends at the first
// difference. bisect_side.go runs one of the worlds up to its next stop, bisect_compare.go says what differs.

func (p *program) bisectCommand() *cobra.Command {
	var frames uint64
	var input string
	cmd := &cobra.Command{
		Use:   "bisect CONFIG -- A... -- B...",
		Short: "Find the first difference between two runs with other overrides",
		Long: `bisect runs a config twice in lockstep, with the overrides A and with the overrides
B, and prints the first frame, system, entity, component and field in which the
two worlds differ, with both values. Overrides are those of run --set; a side may
be empty. Random streams by themselves do not count, nor does the value that an
override gives to a resource. The exit code is 1 if the worlds differ.`,
		Example: `  ecsrun bisect config/arena.yaml -- systems.movement.impl=lua -- systems.movement.impl=native
  ecsrun bisect config/arena.yaml --frames 100 -- -- run.seed=2`,
		Args: func(cmd *cobra.Command, args []string) error {
			_, _, _, err := bisectSides(args, cmd.ArgsLenAtDash())
			return err
		},
		ValidArgsFunction: completeConfig,
		RunE: func(cmd *cobra.Command, args []string) error {
			path, a, b, err := bisectSides(args, cmd.ArgsLenAtDash())
			if err != nil {
				return err
			}
			over := [2]config.Overrides{{Env: p.env, Set: a}, {Env: p.env, Set: b}}
			if cmd.Flags().Changed("frames") {
				over[0].Frames, over[1].Frames = &frames, &frames
			}
			var lines *inputText
			if cmd.Flags().Changed("input") {
				if lines, err = readInput("bisect", input); err != nil {
					return err
				}
			}
			return p.bisect(path, over, lines)
		},
	}
	cmd.Flags().StringVar(&input, "input", "", "do the lines of JSON in `FILE` to both worlds, as run --input does")
	cmd.Flags().Uint64Var(&frames, "frames", 0, "run at most `N` frames; 0 = until interrupted (default: what the config says)")
	return cmd
}

// bisectSides splits the arguments into the config and the overrides of both sides. dash is the number of arguments before
// the first --, which is not in args; -1 if there is none.
func bisectSides(args []string, dash int) (path string, a, b []string, err error) {
	const usage = "write ecsrun bisect CONFIG -- A... -- B..., as in ecsrun bisect config/arena.yaml -- run.seed=1 -- run.seed=2"
	if dash < 0 {
		return "", nil, nil, usageError("bisect wants the overrides of two runs after --; %s", usage)
	}
	switch {
	case dash == 0:
		return "", nil, nil, usageError("bisect needs a config file in front of the first --; %s", usage)
	case dash > 1:
		return "", nil, nil, usageError("bisect takes one config file, not %s; %s", quoted(args[:dash]), usage)
	}
	rest := args[dash:]
	if slices.Contains(rest, "--set") {
		return "", nil, nil, usageError("bisect takes overrides without --set; %s", usage)
	}
	second := slices.Index(rest, "--")
	if second < 0 {
		return "", nil, nil, usageError("bisect wants a second -- in front of the overrides of B, which may be none; %s", usage)
	}
	if slices.Contains(rest[second+1:], "--") {
		return "", nil, nil, usageError("bisect compares two runs, so it takes two --, not more; %s", usage)
	}
	return args[0], rest[:second], rest[second+1:], nil
}

// A bisection runs two worlds beside each other.
type bisection struct {
	*program
	a, b    *bisectSide
	rules   *bisectRules
	frames  uint64 // the last frame; 0: there is none
	careful bool   // the worlds are compared as a whole after each turn of frame at; else only where what a turn wrote differs
	at      uint64

	ending string // why the inputs have ended both runs; "" if they have not

	turn    string // the system whose turn runs, or was compared last
	found   string // the first difference; "" if there is none so far
	nowhere bool   // it was found at the end of a frame, and the turn is not known
	failed  bool   // both sides have failed alike, and the run is over
	stopped bool   // ended by a signal
}

// bisect compares two runs and prints the result.
func (p *program) bisect(path string, over [2]config.Overrides, lines *inputText) error {
	signal, release := p.interrupts()
	defer release()
	b, err := p.bisectOnce(path, over, lines, signal, nil)
	if err != nil {
		return err
	}
	if b.nowhere && !b.stopped {
		frame := b.a.world().Frame()
		exact, err := p.bisectOnce(path, over, lines, signal, &frame)
		if err == nil && exact.found != "" {
			b.found = exact.found
		}
	}
	fmt.Fprintln(p.console.stdout(), b.result())
	switch {
	case b.a.wrong+b.b.wrong > 0 || b.a.bug || b.b.bug:
		return &exit{code: exitBug}
	case b.found != "":
		return &exit{code: exitTest}
	case b.stopped && b.frames != 0:
		return &exit{code: exitInterrupted}
	default:
		return nil
	}
}

// bisectOnce runs both worlds until they differ. If careful is set, they are compared as a whole after each turn of that
// frame, which costs more, and nothing is written to stderr: it was written before.
func (p *program) bisectOnce(path string, over [2]config.Overrides, lines *inputText, signal *interruption, careful *uint64) (*bisection, error) {
	b := &bisection{program: p}
	stderr := p.console.stderr()
	if careful != nil {
		b.careful, b.at, stderr = true, *careful, io.Discard
	}
	var configs [2]*config.Config
	memory := uint64(0)
	for i, o := range over {
		c, err := config.Load(path, o)
		if err != nil {
			return nil, p.reject(err)
		}
		if problems := p.preflight(c, nil); len(problems) > 0 {
			return nil, p.reject(problems)
		}
		configs[i] = c
		memory += min(c.Limits.Memory, math.MaxUint64-memory) // of two worlds
	}
	b.rules = bisectRulesOf(configs[0], configs[1])
	b.frames = configs[0].Run.Frames
	if n := configs[1].Run.Frames; b.frames == 0 || n != 0 && n < b.frames {
		b.frames = n
	}
	dog := startWatchdog(configs[0].Limits.SystemTime, memory)
	defer dog.close()
	for i, side := range []**bisectSide{&b.a, &b.b} {
		made, problems := p.newBisectSide(path, configs[i], over[i], dog, memory, b.rules, stderr)
		defer made.close()
		if len(problems) > 0 {
			return nil, p.reject(problems)
		}
		*side = made
	}
	p.doing = b.where
	if err := b.load(signal); err != nil || b.found != "" {
		return b, err
	}
	if lines != nil {
		for _, side := range []*bisectSide{b.a, b.b} {
			if err := lines.start(side.run); err != nil {
				return nil, err
			}
		}
	}
	if careful == nil && terminal(p.console.err, os.Getenv) {
		p.console.progress = newProgress(p.console.err, b.frames, colorful(p.console.err, os.Getenv), time.Now())
		defer func() { p.console.hideProgress(); p.console.progress = nil }()
	}
	b.play(signal)
	b.a.failures.countUp()
	return b, nil
}

// load loads the scripts of both sides. The error is that of a command that cannot begin: a mistake in the config, or
// scripts that do not load on either side.
func (b *bisection) load(signal *interruption) error {
	errA, errB := b.a.load(signal.over), b.b.load(signal.over)
	for _, side := range []struct {
		s   *bisectSide
		err error
	}{{b.a, errA}, {b.b, errB}} {
		problems, _ := conditions(side.s.config, side.err)
		alike := errA != nil && errB != nil && errA.Error() == errB.Error()
		if alike || len(problems) > 0 || errors.Is(side.err, luabind.ErrBug) || errors.Is(side.err, errInterrupted) {
			return side.s.loaded(side.err)
		}
	}
	newsA, newsB := b.a.all(), b.b.all()
	newsA.failed, newsB.failed = flatten(errA), flatten(errB)
	if !b.rules.sameSystems {
		newsA.printed, newsB.printed = nil, nil
	}
	b.judge("", b.differ(), newsA, newsB)
	return nil
}

// play runs the startup stage and the frames until something ends the runs.
func (b *bisection) play(signal *interruption) {
	if !b.step(func(s *bisectSide) error { return s.runtime.Start(signal.over) }) {
		return
	}
	for b.frames == 0 || b.a.world().Frame() < b.frames {
		if _, ok := b.a.world().Stopped(); ok {
			return
		}
		if signal.came() {
			b.stopped = true
			return
		}
		if !b.feed(signal) || !b.step(func(s *bisectSide) error { return s.runtime.Frame(signal.over, s.config.Run.DT) }) {
			return
		}
		if b.console.progress != nil {
			b.console.progress.update(b.a.world().Frame(), time.Now())
		}
	}
}

// step runs the startup or one frame on both sides, turn by turn. It reports false if the runs are over.
func (b *bisection) step(do func(*bisectSide) error) bool {
	b.a.begin(do)
	b.b.begin(do)
	for b.a.next != "" || b.b.next != "" {
		name := b.upcoming()
		inA, inB := b.a.next == name, b.b.next == name
		b.turn = name
		if inA {
			b.a.advance() // to the end of the turn
		}
		if inB {
			b.b.advance()
		}
		var d discrepancy
		if !inA || !inB || b.a.wrote != b.b.wrote || !slices.Equal(b.a.held, b.b.held) || b.a.ended() != b.b.ended() || b.careful && b.at == b.a.world().Frame() {
			d = b.differ()
		}
		if inA {
			b.a.advance() // to the beginning of the next turn: the error of this one is known then
		}
		if inB {
			b.b.advance()
		}
		switch {
		case d.what == "":
		case !inA:
			d.note = "; it has no turn in A"
		case !inB:
			d.note = "; it has no turn in B"
		}
		if b.a.err != nil || b.b.err != nil {
			b.a.finish() // it may come to the same failure later: a system may have a turn on one side only
			b.b.finish()
			b.judge(name, d, b.a.all(), b.b.all())
			return false
		}
		newsA, newsB := b.a.of(name), b.b.of(name)
		if !inA || !inB {
			newsA.printed, newsB.printed = nil, nil // of a turn that the other side does not have
		}
		if !b.judge(name, d, newsA, newsB) {
			return false
		}
	}
	b.a.finish() // init, or what ends a frame
	b.b.finish()
	newsA, newsB := b.a.all(), b.b.all()
	if !b.rules.sameSystems {
		newsA.printed, newsB.printed = nil, nil // of init
	}
	return b.judge("", b.differ(), newsA, newsB)
}

// upcoming returns the system that has the next turn. Systems may be in the schedule of one side only, and may have a turn
// on one side only: then that side goes first.
func (b *bisection) upcoming() string {
	a, c := b.a.next, b.b.next
	switch {
	case a == "" || c != "" && b.a.place(c) < 0:
		return c
	case c == "" || b.b.place(a) < 0 || b.a.place(a) <= b.a.place(c):
		return a
	default:
		return c
	}
}

// place returns the frame and the system of a difference.
func (b *bisection) place(name string) string {
	text := "before frame 1"
	if n := b.a.world().Frame(); n > 0 {
		text = fmt.Sprintf("frame %d", n)
	}
	if name != "" {
		text += fmt.Sprintf(": system %q", name)
	}
	return text
}

// where returns what is running, for the report of a bug.
func (b *bisection) where() string { return b.place(b.turn) }

// result returns the line that bisect prints.
func (b *bisection) result() string {
	if b.found != "" {
		return "bisect: differs: " + b.found
	}
	w := b.a.world()
	text := fmt.Sprintf("bisect: equal: %s, %s", counted(w.Frame(), "frame"), counted(w.Len(), "entity"))
	reason, stopped := w.Stopped()
	switch {
	case b.stopped:
		text += "; interrupted"
	case b.ending != "":
		text += "; both are " + b.ending
	case b.failed:
		text += "; both fail there"
	case stopped:
		text += "; both are stopped there: " + reason
	}
	return text
}
