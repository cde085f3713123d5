package app

import (
	"fmt"
	"sync"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/joblog"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/ledger"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
)

// This file is the coordinator of a sweep: it takes in results, keeps them in logs, and decides when to end. Who runs the jobs is not its business: processes of this machine
// (sweep_local.go), or workers over NATS (sweep_queue.go).

// A fleet is a sweep that runs. Its methods may be called by several goroutines.
type fleet struct {
	*program
	*sweep
	dir    string // of the results
	ledger *ledger.Ledger
	index  *plan.Index

	mu       sync.Mutex
	changed  *sync.Cond // of mu: something has come in
	paths    []string   // of the logs, by number
	logs     []*openLog // of the workers of this run
	reader   *joblog.Reader
	failed   error // what ends the sweep
	differs  []string
	stopping bool // by a signal, or because the sweep is over
	signaled bool
	dropped  bool // by a second signal
	early    earlyStop
	began    time.Time
	died     []string // what was said of deaths
	running  int      // jobs
	ill      int      // results whose status is not ok

	alone      sync.RWMutex // held for reading by jobs, and for writing by one that runs alone
	processes  map[*jobProcess]bool
	ranBy      map[int]int // the worker that has run a job that is audited, by row
	cancel     func()      // ends what talks to others; nil if nothing does
	say        chan string // lines for stderr, which belongs to one goroutine
	shard      ledger.Shard
	live       bool // progress goes to a terminal
	workers    int  // processes of this machine
	reporting  bool // nothing runs
	unrecorded bool // a signal came before all records were made
	html       string
	asJSON     bool
}

// newFleet returns the coordinator of a sweep whose results are in a folder.
func (p *program) newFleet(s *sweep, dir string, shard ledger.Shard) *fleet {
	f := &fleet{program: p, sweep: s, dir: dir, index: s.plan.Index(), shard: shard, began: time.Now(), processes: map[*jobProcess]bool{}, ranBy: map[int]int{}, say: make(chan string, 64)}
	f.changed = sync.NewCond(&f.mu)
	f.ledger = ledger.New(f.index, shard)
	return f
}

// end ends the sweep with an error, or because it is over.
func (f *fleet) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil {
		f.failed = err
	}
	f.stopping = true
	f.changed.Broadcast()
}

// warn writes a line to stderr soon, unless too many wait.
func (f *fleet) warn(line string) {
	select {
	case f.say <- line:
	default:
	}
}

// wake wakes all who wait for a job.
func (f *fleet) wake() {
	f.mu.Lock()
	f.changed.Broadcast()
	f.mu.Unlock()
}

// request returns what a worker is asked for a job.
func (f *fleet) request(j ledger.Job) job.Request {
	point, seed := f.plan.Row(j.Row)
	return job.Request{Key: f.index.Keys[j.Row].String(), Seed: seed, Set: f.plan.Overrides(point), Point: point, Alone: j.Alone}
}

// answered takes in the answer to a job from a machine.
func (f *fleet) answered(l *openLog, j ledger.Job, a job.Answer, machine string) error {
	defer f.wake()
	switch {
	case a.Refused != "":
		err := usageError("sweep: %s: refused: %s", machine, a.Refused)
		f.ledger.Return(j)
		f.end(err)
		return err
	case a.Unreadable != "":
		err := usageError("%s", a.Unreadable)
		f.ledger.Return(j)
		f.end(err)
		return err
	case a.Again:
		f.ledger.Again(j)
		return nil
	}
	return f.put(l, &joblog.Record{Key: f.index.Keys[j.Row], Machine: machine, Audit: j.Audit, Result: a.Result.Encode()}, a.Result)
}

// dead takes back a job whose process has died; after the last try it is parked.
func (f *fleet) dead(l *openLog, j ledger.Job, machine, cause, said string) error {
	defer f.wake()
	f.mu.Lock()
	if len(f.died) < mostSaid {
		f.died = append(f.died, fmt.Sprintf("row %d: %s\n%s", j.Row, cause, said))
	}
	f.mu.Unlock()
	if !f.ledger.Died(j) {
		return nil
	}
	r := &job.Result{Status: job.Parked}
	return f.put(l, &joblog.Record{Key: f.index.Keys[j.Row], Machine: machine, Result: r.Encode()}, r)
}

// mostSaid is how many deaths are described.
const mostSaid = 5
