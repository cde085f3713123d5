package app

import (
	"fmt"
	"os"
	"os/signal"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/signals"
)

// This file is SIGUSR1, which saves now.

// heedSave begins to heed the signal that asks for a save, until release is called. It waits in the run until the next frame edge.
func (r *run) heedSave() (release func()) {
	r.saveBell, r.saveNow = make(chan struct{}, 1), r.saveIfAsked
	if signals.Save == nil {
		return func() {}
	}
	came, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(came, signals.Save)
	go func() {
		for {
			select {
			case <-came:
			case <-done:
				return
			}
			r.saveAsked.Store(true)
			select {
			case r.saveBell <- struct{}{}:
			default:
			}
			if c := r.asking.Load(); c != nil {
				c.Do(r.saveIfAsked)
			}
		}
	}()
	return func() { signal.Stop(came); close(done) }
}

// saveIfAsked saves if a signal has asked for it, on a frame edge.
func (r *run) saveIfAsked() {
	if !r.saveAsked.Load() || r.inFrame || !r.saveAsked.Swap(false) {
		return
	}
	if r.saver == nil {
		r.logs.log.Warn("SIGUSR1: nothing is saved: there is no folder for snapshots; run with --snapshot DIR")
		return
	}
	r.logs.log.Info(fmt.Sprintf("SIGUSR1: saves frame %d", r.runtime.World().Frame()))
	r.saver.save(r.runtime)
}
