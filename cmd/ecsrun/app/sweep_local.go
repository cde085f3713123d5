package app

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/signals"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/ledger"
)

// This file runs a sweep: processes of this machine, the progress, and signals.

// workFolder is the folder in the results in which the files of the sweep lie while it runs.
const workFolder = ".work"

// run calls jobs, which runs jobs until none is left, and meanwhile syncs logs, shows progress and heeds signals.
func (f *fleet) run(jobs func() error) {
	incoming := make(chan os.Signal, 4)
	signal.Notify(incoming, caughtSignals()...)
	defer signal.Stop(incoming)
	done := make(chan error, 1)
	if f.ledger.Over() {
		done <- nil
	} else {
		go func() { done <- jobs() }()
	}
	syncs, tells := time.NewTicker(syncEvery), time.NewTicker(f.tellEvery())
	defer syncs.Stop()
	defer tells.Stop()
	for {
		select {
		case err := <-done:
			for len(f.say) > 0 {
				f.told(<-f.say)
			}
			f.mu.Lock()
			if f.failed == nil {
				f.failed = err
			}
			f.mu.Unlock()
			if err := f.closeLogs(); err != nil && f.failed == nil {
				f.failed = f.unwritable(err)
			}
			f.console.hideSweep()
			return
		case <-syncs.C:
			f.sync()
		case <-tells.C:
			f.tell()
		case line := <-f.say:
			f.told(line)
		case <-incoming:
			f.mu.Lock()
			again := f.signaled
			f.signaled, f.stopping = true, true
			f.changed.Broadcast()
			running := f.running
			f.mu.Unlock()
			if again {
				f.drop()
			} else if running > 0 {
				fmt.Fprintf(f.console.stderr(), "sweep: %s running; a second signal drops them\n", counted(running, "job"))
			}
		}
	}
}

// told writes a line that was given to warn.
func (f *fleet) told(line string) {
	f.console.hideSweep()
	fmt.Fprintf(f.console.stderr(), "sweep: %s\n", withoutControls(line))
}

// caughtSignals are those that end a sweep or a worker in good order.
func caughtSignals() []os.Signal {
	caught := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if signals.Hangup != nil && !signal.Ignored(signals.Hangup) {
		caught = append(caught, signals.Hangup)
	}
	return caught
}

// drop ends all processes at once.
func (f *fleet) drop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dropped = true
	for p := range f.processes {
		p.kill()
	}
	if f.cancel != nil {
		f.cancel()
	}
}

// runHere runs jobs in so many processes of this machine until none is left.
func (f *fleet) runHere(workers int) error {
	work := filepath.Join(f.dir, workFolder)
	if err := layJobs(work, f.bundle); err != nil {
		return f.unwritable(err)
	}
	defer func() { _ = os.RemoveAll(work) }() // the next start does so, too
	var all sync.WaitGroup
	for n := range workers {
		log, err := f.addLog()
		if err != nil {
			f.end(err)
			break
		}
		all.Go(func() {
			if err := f.worker(n, workers, work, log); err != nil {
				f.end(err)
			}
		})
	}
	all.Wait()
	return nil
}

// worker runs jobs in one process after another, until none is left.
func (f *fleet) worker(n, workers int, work string, log *openLog) error {
	var process *jobProcess
	defer func() {
		if process != nil {
			f.forget(process)
			process.end()
		}
	}()
	for {
		j, ok := f.nextJob(n)
		if !ok {
			return nil
		}
		err := func() error {
			defer f.finished()
			if j.Alone {
				f.alone.Lock()
				defer f.alone.Unlock()
			} else {
				f.alone.RLock()
				defer f.alone.RUnlock()
			}
			if process == nil {
				var err error
				if process, err = f.startJobs(work, workers); err != nil {
					f.ledger.Return(j)
					return usageError("sweep: cannot start a process: %w", err)
				}
				if !f.remember(process) {
					process.kill()
				}
			}
			machine := fmt.Sprintf("%s/%d", hostName(), process.cmd.Process.Pid)
			a, err := process.ask(f.request(j))
			if errors.Is(err, errDied) {
				said := process.said.String()
				f.forget(process)
				process = nil
				f.mu.Lock()
				dropped := f.dropped
				f.mu.Unlock()
				if dropped {
					f.ledger.Return(j)
					return nil
				}
				return f.dead(log, j, machine, err.Error(), said)
			}
			f.by(j, n)
			return f.answered(log, j, a, machine)
		}()
		if err != nil {
			return err
		}
	}
}

// nextJob waits for the next job of a worker; false if none is left.
func (f *fleet) nextJob(worker int) (ledger.Job, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		if f.stopping {
			return ledger.Job{}, false
		}
		mine := func(row int) bool { by, ok := f.ranBy[row]; return ok && by == worker && f.running > 0 }
		if j, ok := f.ledger.Take(mine); ok {
			f.running++
			return j, true
		}
		if f.running == 0 {
			f.changed.Broadcast() // the others see it, too
			return ledger.Job{}, false
		}
		f.changed.Wait()
	}
}

// by notes which worker has run a job that is audited.
func (f *fleet) by(j ledger.Job, worker int) {
	if f.ledger.Audited(j.Row) {
		f.mu.Lock()
		f.ranBy[j.Row] = worker
		f.mu.Unlock()
	}
}

// finished says that a job of a worker is over, however it ended.
func (f *fleet) finished() {
	f.mu.Lock()
	f.running--
	f.changed.Broadcast()
	f.mu.Unlock()
}

// remember makes a process one that a second signal ends; false if that has come already.
func (f *fleet) remember(p *jobProcess) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.processes[p] = true
	return !f.dropped
}

func (f *fleet) forget(p *jobProcess) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.processes, p)
}

// hostName returns the name of this machine for messages about results that differ.
var hostName = sync.OnceValue(func() string {
	name, err := os.Hostname()
	if err != nil {
		return "machine"
	}
	return name
})
