package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// A bisectSide is one of the two worlds of bisect. Its startup and its frames run as a coroutine that stops before and after
// each turn, and after the last one, so that the two sides run one at a time, and share one watchdog.
type bisectSide struct {
	*run
	dog     *watchdog
	memory  uint64 // limit of both worlds together
	digests *ecs.TurnDigests
	without func(part string) bool // the parts that do not count

	next    string            // the system whose turn begins next; "" after the last turn
	wrote   uint64            // digest of what the last turn wrote
	held    []int             // by event: how many could be read after the last turn
	err     error             // that ended the step
	printed []string          // lines printed by scripts, that were not compared yet
	said    int               // how many of them were printed before the end of the last turn
	failed  []error           // errors that were not compared yet
	pauses  func(string) bool // stops the coroutine; nil between steps
	resume  func() (string, bool)
	leave   func()
}

// leaving is the panic that ends a coroutine in the middle of a frame. It is recovered where the coroutine begins.
type leaving struct{}

// newBisectSide makes the world of one side; its scripts are not loaded yet. What they print is kept, what they log is
// dropped.
func (p *program) newBisectSide(path string, c *config.Config, o config.Overrides, dog *watchdog, memory uint64, rules *bisectRules, stderr io.Writer) (*bisectSide, config.Problems) {
	logs := newLiveLog(io.Discard, c.Log, false)
	r := &run{program: p, config: c, repeat: repeatOf(path, o), logs: logs, failures: newFailureLog(stderr, newLiveLog(stderr, c.Log, false).log, c)}
	s := &bisectSide{run: r, dog: dog, memory: memory, without: rules.without}
	var problems config.Problems
	r.runtime, problems = p.assemble(c, luabind.Options{Stdout: s, Log: logs.log, Report: s.survive, Sparing: true}, dog)
	s.digests = s.world().NewTurnDigests()
	schedule := r.runtime.Schedule()
	schedule.Ending = func() { s.pause("") }
	schedule.Before = func(sys *ecs.System) {
		s.pause(sys.Name())
		s.digests.Begin()
	}
	schedule.After = func(sys *ecs.System) {
		s.wrote = s.digests.End(sys, s.without)
		s.held = s.held[:0]
		for id := range s.world().EventNames() {
			s.held = append(s.held, s.world().Peek(ecs.EventID(id)).Len()) // the digest has what the turn has sent, but not which of the earlier events it has drained
		}
		s.said = len(s.printed)
		s.pause(sys.Name())
	}
	return s, problems
}

func (s *bisectSide) world() *ecs.World { return s.runtime.World() }

// close ends a coroutine that has not come to its end, and drops the scripts.
func (s *bisectSide) close() {
	if s.leave != nil {
		s.leave()
	}
	_ = s.runtime.Close() // nothing is left to save
}

// Write records one line that a script prints.
func (s *bisectSide) Write(line []byte) (int, error) {
	s.printed = append(s.printed, strings.TrimSuffix(string(line), "\n"))
	return len(line), nil
}

// survive records a failure after which the run goes on.
func (s *bisectSide) survive(err *luabind.ScriptError) {
	if errors.Is(err, luabind.ErrBug) {
		s.wrongCode(err, s.repeat)
		return
	}
	s.failed = append(s.failed, err)
}

// load loads the scripts.
func (s *bisectSide) load(ctx context.Context) error {
	s.dog.limit(s.config.Limits.SystemTime, s.memory)
	return s.runtime.LoadContext(ctx)
}

// begin begins a step, the startup or a frame, and runs it to its first turn.
func (s *bisectSide) begin(do func(*bisectSide) error) {
	s.err = nil
	s.resume, s.leave = iter.Pull(func(yield func(string) bool) {
		defer func() {
			s.pauses = nil
			if v := recover(); v != nil && v != (leaving{}) {
				panic(v)
			}
		}()
		s.pauses = yield
		s.err = do(s)
		if s.err != nil {
			s.failed = append(s.failed, s.err)
		}
	})
	s.advance()
}

// pause stops the coroutine until advance is called.
func (s *bisectSide) pause(system string) {
	if s.pauses != nil && !s.pauses(system) {
		panic(leaving{})
	}
}

// advance runs to the next stop: the end of the turn that begins here, the beginning of the next turn, the end of the last one,
// or the end of the step. next is then the system of the turn, "" at the last two.
func (s *bisectSide) advance() {
	s.dog.limit(s.config.Limits.SystemTime, s.memory)
	s.next, _ = s.resume()
}

// ended returns why the world was stopped, "" if it was not.
func (s *bisectSide) ended() string {
	reason, stopped := s.world().Stopped()
	if stopped {
		return "stopped: " + reason
	}
	return ""
}

// place returns the position of a system in the running order, -1 if the side does not have it.
func (s *bisectSide) place(system string) int {
	return slices.IndexFunc(s.runtime.Schedule().Systems(), func(sys *ecs.System) bool { return sys.Name() == system })
}

// finish runs to the end of the step.
func (s *bisectSide) finish() {
	for s.next != "" {
		s.advance()
	}
	s.advance()
}

// news is what a side has printed, and what has failed in it.
type news struct {
	printed []string
	failed  []error
}

// of returns the news of the turn of a system that has ended, and forgets them. What came after the turn stays: init, and the
// conditions of other systems.
func (s *bisectSide) of(system string) (n news) {
	n.printed, s.printed = s.printed[:s.said], s.printed[s.said:]
	s.said = 0
	var rest []error
	for _, err := range s.failed {
		var script *luabind.ScriptError
		if errors.As(err, &script) && script.System != system {
			rest = append(rest, err)
		} else {
			n.failed = append(n.failed, err)
		}
	}
	s.failed = rest
	return n
}

// all returns all news, and forgets them.
func (s *bisectSide) all() news {
	n := news{s.printed, s.failed}
	s.printed, s.failed, s.said = nil, nil, 0
	return n
}

// This file is --input of bisect, bench and explain: the same lines are done to several worlds, or by a command that has nothing to do with stdin.
// Each world reads them by itself, so the text is in memory.

// An inputText is the file of --input.
type inputText struct {
	path string
	text []byte
}

// readInput reads the file for a command. It cannot be stdin: run --input reads that while the run goes on.
func readInput(command, path string) (*inputText, error) {
	switch path {
	case "":
		return nil, usageError("--input wants a file")
	case stdinName:
		return nil, usageError("%s --input wants a file, not -: save the lines in a file first", command)
	}
	file, err := openInput(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, usageError("--input: %w", err)
	}
	return &inputText{path, text}, nil
}

// start gives the lines to a run whose scripts are loaded, and checks all of them there. The error is a usage error. Without a file it does nothing.
func (i *inputText) start(r *run) error {
	if i == nil {
		return nil
	}
	r.flags.io.input = i.path
	return r.startInput(bytes.NewReader(i.text))
}

// feed does the inputs of the next frame to both worlds. It reports false if the runs are over: an input has stopped both, a
// signal came, or an input fits the limits of one world and not those of the other, which is a difference.
func (b *bisection) feed(signal *interruption) bool {
	inA, inB := b.a.feedFrame(signal), b.b.feedFrame(signal)
	switch {
	case b.a.stopped || b.b.stopped:
		b.stopped = true
	case inA && inB:
		return true
	case inA != inB:
		outcome := map[bool]string{true: "done", false: "refused"}
		b.found = fmt.Sprintf("before frame %d: an input: %s in A, %s in B", b.a.world().Frame()+1, outcome[inA], outcome[inB])
	default:
		b.ending = b.a.run.ended
	}
	return false
}
