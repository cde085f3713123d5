package app

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/signals"
)

// patience is how long a turn may continue after the first signal.
var patience = 2 * time.Second

// errInterrupted is the reason for ending a turn that took longer.
var errInterrupted = errors.New("interrupted, and its turn did not end by itself")

// An interruption tells a command about signals: first ends at once, so that the run stops between two turns; over
// ends later and interrupts the turn itself.
type interruption struct {
	first context.Context // ends with the first SIGINT, SIGTERM or SIGHUP
	over  context.Context // ends after patience, with errInterrupted as its cause
}

// came reports whether there was a signal.
func (i *interruption) came() bool { return i.first.Err() != nil }

// interrupts starts to handle signals, until release is called. After the first one, a further signal ends the
// process as usual. A SIGHUP that the process was started to ignore, as under nohup, stays ignored.
func (p *program) interrupts() (i *interruption, release func()) {
	wanted := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if signals.Hangup != nil && !signal.Ignored(signals.Hangup) {
		wanted = append(wanted, signals.Hangup)
	}
	first, stop := signal.NotifyContext(context.Background(), wanted...)
	if p.page != nil {
		stop()
		first, stop = p.heedParent(wanted)
	}
	over, end := context.WithCancelCause(context.Background())
	wait := patience
	context.AfterFunc(first, func() {
		stop()
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			end(errInterrupted)
		case <-over.Done(): // released
		}
	})
	return &interruption{first, over}, func() { stop(); end(nil) }
}

// heedParent is [signal.NotifyContext] for the child of a supervision. The end of the parent counts as a signal. No further
// signal ends the process: a service manager sends one to each process, and the parent passes on its own. Two that the
// parent has got end both.
func (p *program) heedParent(wanted []os.Signal) (first context.Context, stop context.CancelFunc) {
	first, stop = context.WithCancel(context.Background())
	came := make(chan os.Signal, 1)
	signal.Notify(came, wanted...)
	go func() {
		defer stop()
		select {
		case <-came:
		case <-p.orphaned:
		case <-first.Done(): // released
		}
	}()
	return first, stop
}

// heedPipe makes writes to a pipe that nobody reads any more fail, instead of ending the process, until Main returns. So a
// run ends after its frame, and its files are whole.
func (p *program) heedPipe() {
	if signals.BrokenPipe == nil {
		return
	}
	piped := make(chan os.Signal, 1)
	signal.Notify(piped, signals.BrokenPipe)
	p.unheedPipe = func() { signal.Stop(piped) }
}

// This file is the end of a run: the summary, the digest and the exit code.
