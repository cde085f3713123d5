package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/queue"
)

// This file is a slot of a worker: one process after another, which runs one job at a time.

// tell writes a line to stderr, unless too many wait.
func (a *agent) tell(line string) {
	select {
	case a.say <- line:
	default:
	}
}

// slot runs jobs in one process after another.
func (a *agent) slot(taking, sending context.Context) {
	var process *jobProcess
	of := "" // the folder that the process is of
	end := func() {
		if process != nil {
			a.mu.Lock()
			delete(a.all, process)
			a.mu.Unlock()
			process.end()
			process = nil
		}
	}
	defer end()
	var idle time.Duration
	for turn := 0; taking.Err() == nil; turn++ {
		dir, t := a.take(taking, turn)
		if t == nil {
			idle = min(max(2*idle, shortestPause), longestPause)
			pause(taking, idle)
			continue
		}
		idle = 0
		if !t.Mine(a.name) {
			t.Leave()
			a.work(0) // it is there for the job until somebody else takes it
			continue
		}
		a.work(1)
		if of != dir {
			end()
		}
		if t.Request.Alone {
			a.alone.Lock()
		} else {
			a.alone.RLock()
		}
		r, ok := a.run(&process, dir, t)
		of = dir
		if t.Request.Alone {
			a.alone.Unlock()
		} else {
			a.alone.RUnlock()
		}
		if !ok {
			t.Drop()
		} else if err := a.send(sending, t, r); err != nil && !errors.Is(err, queue.ErrGone) && sending.Err() == nil {
			a.tell(fmt.Sprintf("a result could not be sent: %v", err))
		}
		a.work(-1)
	}
}

func (a *agent) work(n int) {
	a.mu.Lock()
	a.working += n
	a.last = time.Now()
	a.mu.Unlock()
}

// take takes a job of one of the sweeps, beginning with another one each turn, and returns the folder of its files; nil if there is none.
func (a *agent) take(ctx context.Context, turn int) (dir string, t *queue.Task) {
	a.mu.Lock()
	sweeps := a.sweeps
	a.mu.Unlock()
	for i := range sweeps {
		s := sweeps[(turn+i)%len(sweeps)]
		if dir = a.folder(ctx, s); dir == "" || a.wasEmpty(s) {
			continue
		}
		t, err := s.Take(ctx)
		if err == nil && t != nil {
			return dir, t
		}
		a.mu.Lock()
		a.empty[s.Name()] = time.Now()
		a.mu.Unlock()
	}
	return "", nil
}

// wasEmpty reports whether a slot has just found no job of a sweep. So many slots ask the server no more often than one.
func (a *agent) wasEmpty(s *queue.Sweep) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return time.Since(a.empty[s.Name()]) < longestPause/2
}

// send sends the reply to a task, and tells what the server says if it does not take it.
func (a *agent) send(ctx context.Context, t *queue.Task, r *queue.Reply) error {
	stuck := 0
	err := t.Done(ctx, r, func(err error) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.stuck += 1 - stuck
		stuck = 1
		a.wrong.note(err, a.tell)
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stuck -= stuck
	a.wrong.note(err, a.tell)
	return err
}

// A slot without a job waits at first briefly, then longer.
const (
	shortestPause = 20 * time.Millisecond
	longestPause  = 500 * time.Millisecond
)

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// run runs a task in the process of a slot, which is started if there is none. ok is false if the worker gives it up.
func (a *agent) run(process **jobProcess, dir string, t *queue.Task) (r *queue.Reply, ok bool) {
	if *process == nil {
		p, err := a.startJobs(dir, a.workers, confinedVariable+"=1")
		if err != nil {
			a.tell(fmt.Sprintf("cannot start a process: %v", err))
			time.Sleep(time.Second)
			return nil, false
		}
		*process = p
		a.mu.Lock()
		a.all[p] = true
		if a.dropped {
			p.kill()
		}
		a.mu.Unlock()
	}
	p := *process
	r = &queue.Reply{ID: t.ID, Worker: a.name, Machine: fmt.Sprintf("%s/%d", hostName(), p.cmd.Process.Pid)}
	answer, err := p.ask(t.Request)
	if err == nil {
		r.Answer = answer
		return r, true
	}
	a.mu.Lock()
	delete(a.all, p)
	dropped := a.dropped
	a.mu.Unlock()
	*process = nil
	r.Died, r.Said = err.Error(), p.said.String()
	return r, !dropped
}
