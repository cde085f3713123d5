package app

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/folderlock"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/notify"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/signals"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
)

// This file is --supervise: the process starts a child, the same program with the same command line, which runs the
// world. When the child dies, the parent says where, and starts the next one from the newest good snapshot. The child
// knows from the environment that it is one (supervise_page.go).

// mostDeaths is how often the same system may end the process without a newer snapshot in between.
const mostDeaths = 3

// A supervision is the state of the parent.
type supervision struct {
	*program
	dir       string // of snapshots
	from      string // what the first child goes on from; "" if it begins anew
	page      *page
	file      *os.File // that holds the page
	lock      *os.File // of the folder; a child has it, too, until it has ended
	life      *os.File // of a pipe that ends with this process
	orders    orders
	deaths    map[string]int // by system, since the newest snapshot; "" stands for deaths outside of turns
	newest    uint64         // the frame of the newest snapshot, + 1; 0 for none
	mu        sync.Mutex
	child     *os.Process   // that runs; nil between two
	signals   []os.Signal   // that have come
	asked     chan struct{} // ends with the first of them
	operation *operation    // nil if nobody looks
	again     bool          // a child has died
}

// supervise runs the command line in children until one of them ends by itself.
func (p *program) supervise(f snapshotFlags, of operateFlags) error {
	page, file, err := newPage()
	if err != nil {
		return usageError("--supervise needs memory that two processes share: %w", err)
	}
	defer file.Close()
	var watched *vitals.Vitals
	if of.metrics != "" || notify.Wanted(p.env) {
		watched = &page.vitals
	}
	op, err := p.operate(of, watched)
	if err != nil {
		return err
	}
	defer op.close()
	lock, err := folderlock.Lock(f.dir)
	if err != nil {
		return usageError("--snapshot: %w", err)
	}
	defer lock.Close()
	life, own, err := os.Pipe()
	if err != nil {
		return usageError("--supervise: %w", err)
	}
	defer func() { _, _ = life.Close(), own.Close() }()
	s := &supervision{program: p, dir: f.dir, from: f.resume, page: page, file: file, lock: lock, life: life, asked: make(chan struct{}), deaths: map[string]int{}, orders: orders{Claim: true}, operation: op}
	defer p.console.guard(s.asked, watched)()
	if p.door != nil {
		defer func() { _ = p.door.Listener.Close() }()
		s.orders.Token = p.door.Token
	}
	if s.from == resumeAuto {
		s.from = ""
	}
	incoming := make(chan os.Signal, 8)
	caught := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if signals.Hangup != nil && !signal.Ignored(signals.Hangup) {
		caught = append(caught, signals.Hangup)
	}
	if signals.Save != nil {
		caught = append(caught, signals.Save)
	}
	signal.Notify(incoming, caught...)
	defer signal.Stop(incoming)
	go func() {
		for sig := range incoming {
			s.pass(sig)
		}
	}()
	for {
		over, err := s.once()
		if over {
			return err
		}
	}
}

// pass hands a signal on to the child. The second one that asks for an end kills it.
func (s *supervision) pass(sig os.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sig == signals.Save { // a wish, and no end
		if s.child != nil {
			_ = s.child.Signal(sig) // it may be dead already
		}
		return
	}
	if s.signals = append(s.signals, sig); len(s.signals) == 1 {
		close(s.asked)
	}
	s.deliver()
}

// deliver tells the child of the signals that have asked for an end. The caller holds the lock.
func (s *supervision) deliver() {
	switch {
	case s.child == nil || len(s.signals) == 0:
	case len(s.signals) == 1:
		_ = s.child.Signal(s.signals[0]) // it may be dead already
	default:
		_ = s.child.Kill()
	}
}

// once runs one child. over says that it was the last one; err is the result of the run then.
func (s *supervision) once() (over bool, err error) {
	fits := false
	reset := func() { fits = s.page.reset(s.orders) }
	if s.operation == nil {
		reset()
	} else {
		s.operation.watch.Next(s.again, reset)
	}
	if s.again = true; !fits {
		return true, usageError("--supervise: the list of systems that are left out is too long")
	}
	state, err := s.start()
	if err != nil {
		return true, usageError("--supervise: cannot start the child: %w", err)
	}
	code := state.ExitCode()
	sig, killed := endedBy(state)
	if s.page.ended.Load() == 1 && !killed {
		if code == exitOK {
			return true, nil
		}
		return true, &exit{code: code}
	}
	if came := s.received(); len(came) > 0 {
		if last := came[len(came)-1]; killed && (len(came) > 1 || last == sig) {
			s.console.flush()
			signal.Reset(last)
			endBy(last)
		}
		if s.page.phase.Load() != phaseStarts {
			return true, &exit{code: int(s.page.interrupted.Load())}
		}
		return true, &exit{code: exitInterrupted}
	}
	return s.next(causeOf(state))
}

// start runs a child until it has ended.
func (s *supervision) start() (*os.ProcessState, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program)
	cmd.Args = append(commandName(s.args), s.args...)
	cmd.Env = append(slices.Clone(s.env), pageVariable+"=3")
	cmd.ExtraFiles = []*os.File{s.file, s.lock, s.life} // the first is number 3
	if s.door != nil {
		door, err := s.door.File()
		if err != nil {
			return nil, err
		}
		defer func() { _ = door.Close() }() // the child has its own
		cmd.ExtraFiles = append(cmd.ExtraFiles, door)
	}
	cmd.Stdout, cmd.Stderr = s.console.raw, s.console.err
	if f, ok := s.stdin.(*os.File); ok { // another reader would have to end before the child counts as ended
		cmd.Stdin = f
	}
	apart(cmd)
	s.mu.Lock()
	err = cmd.Start()
	if err == nil {
		s.child = cmd.Process
		s.deliver() // what came between two children
	}
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	err = cmd.Wait()
	s.mu.Lock()
	s.child = nil
	s.mu.Unlock()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return nil, err
	}
	return cmd.ProcessState, nil
}

func (s *supervision) received() []os.Signal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.signals)
}

// commandName returns the part of the command line of this process in front of the arguments of Main.
func commandName(args []string) []string {
	if rest := len(os.Args) - len(args); rest > 0 && slices.Equal(os.Args[rest:], args) {
		return slices.Clone(os.Args[:rest])
	}
	return slices.Clone(os.Args[:1])
}

// causeOf says how a child has died.
func causeOf(state *os.ProcessState) string {
	sig, killed := endedBy(state)
	switch {
	case killed && sig == syscall.SIGKILL:
		return "it was killed (SIGKILL), by hand or because the machine had no memory left"
	case killed:
		return fmt.Sprintf("it was ended by a signal (%v)", sig)
	case state.ExitCode() == exitBug:
		return "a bug in ecsrun, or in a Go function of this build"
	default:
		return fmt.Sprintf("a fatal error of Go (exit code %d)", state.ExitCode())
	}
}

// next reports a death and prepares the next child. It returns true if no further child is to be started.
func (s *supervision) next(cause string) (over bool, err error) {
	system, frame := s.page.running()
	stderr := s.console.stderr()
	where := fmt.Sprintf("between two turns of frame %d", frame)
	switch phase := s.page.phase.Load(); {
	case system != "" && frame == 0:
		where = fmt.Sprintf("in system %q before frame 1", system)
	case system != "":
		where = fmt.Sprintf("in system %q in frame %d", system, frame)
	case phase == phaseStarts:
		where = "before its scripts were loaded"
	case phase == phaseEnds:
		where = fmt.Sprintf("at its end, after frame %d", frame)
	}
	fmt.Fprintf(stderr, "supervise: the run died %s: %s\n", where, cause)

	s.orders.Again = true
	from := cmp.Or(s.orders.Resume, s.from, "the beginning")
	if s.page.claimed.Load() == 1 {
		s.orders.Claim = false
	}
	if !s.orders.Claim {
		found, warnings, err := newestSnapshot(s.dir)
		for _, w := range warnings {
			fmt.Fprintf(stderr, "supervise: %s\n", w)
		}
		if err == nil {
			found.close()
			if found.meta.Frame+1 > s.newest {
				s.newest = found.meta.Frame + 1
				clear(s.deaths)
			}
			s.orders.Resume, from = found.path, found.path
		}
	}
	s.deaths[system]++
	if s.deaths[system] < mostDeaths {
		s.tellLostEdits(stderr)
		fmt.Fprintf(stderr, "supervise: the run starts again from %s\n", from)
		return false, nil
	}
	subject := "the run has died there"
	if system != "" {
		subject = fmt.Sprintf("system %q has ended the run", system)
	}
	if system == "" || s.page.disable.Load() == 0 {
		advice := ""
		if system != "" {
			advice = "; limits.on_error: disable would leave the system out"
		}
		fmt.Fprintf(stderr, "supervise: %s %d times without a newer snapshot in between, so the run is not started again%s\n", subject, mostDeaths, advice)
		return true, &exit{code: exitBug}
	}
	delete(s.deaths, system)
	s.orders.Without = append(s.orders.Without, system)
	fmt.Fprintf(stderr, "supervise: %s %d times without a newer snapshot in between: it is left out (limits.on_error: disable)\n", subject, mostDeaths)
	s.tellLostEdits(stderr)
	fmt.Fprintf(stderr, "supervise: the run starts again from %s, without %s\n", from, strings.Join(s.orders.Without, ", "))
	return false, nil
}

// tellLostEdits says that edits of the inspector have died with a child. Lines of --input are read again.
func (s *supervision) tellLostEdits(stderr io.Writer) {
	if lost := s.page.edits.Load() - s.page.saved.Load(); lost > 0 {
		fmt.Fprintf(stderr, "supervise: lost with it: %s of the inspector since the newest snapshot; do them again\n", counted(lost, "edit"))
	}
	s.page.edits.Store(0)
	s.page.saved.Store(0)
}
