package app

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// patience is how long a turn may go on after the first signal.
var patience = 2 * time.Second

// errInterrupted is why a turn was ended that went on for longer.
var errInterrupted = errors.New("interrupted, and its turn did not end by itself")

// An interruption is the signals that a command waits for.
type interruption struct {
	first context.Context // ends with the first SIGINT, SIGTERM or SIGHUP
	over  context.Context // ends when patience is over, with errInterrupted as its cause
}

// came reports whether there was a signal.
func (i *interruption) came() bool { return i.first.Err() != nil }

// interrupts begins to wait for signals, until release is called. After the first one a signal kills again. A SIGHUP that the process was
// started to ignore, as under nohup, stays ignored.
func interrupts() (i *interruption, release func()) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if hangup != nil && !signal.Ignored(hangup) {
		signals = append(signals, hangup)
	}
	first, stop := signal.NotifyContext(context.Background(), signals...)
	over, end := context.WithCancelCause(context.Background())
	context.AfterFunc(first, func() {
		stop()
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-timer.C:
			end(errInterrupted)
		case <-over.Done(): // released
		}
	})
	return &interruption{first, over}, func() { stop(); end(nil) }
}
