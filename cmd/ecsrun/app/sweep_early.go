package app

import (
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/stats"
)

// A sweep ends early where its condition to stop holds, in plan order, whoever has run which row.

// An earlyStop decides on rows in plan order whether a sweep ends, and keeps what thresholds need of them.
type earlyStop struct {
	table *stats.Table
	kept  map[int]*job.Result // of rows behind one that has no result yet
	whole int                 // rows from the beginning that have results
	at    int                 // the number of rows at which it ends; 0: not yet
}

// startEarly prepares for thresholds and an early stop. Rows of a shard are no beginning of a plan, so there is neither.
func (f *fleet) startEarly() {
	if f.shard.Of > 0 || f.stop == nil && len(f.thresholds) == 0 {
		return
	}
	used := map[int]bool{}
	for _, t := range append(f.thresholds[:len(f.thresholds):len(f.thresholds)], f.stop) {
		if t != nil {
			t.Uses(func(m int) { used[m] = true })
		}
	}
	f.early = earlyStop{table: stats.NewTable(f.names, len(f.index.Keys), func(m int) bool { return used[m] }), kept: map[int]*job.Result{}}
	f.mu.Lock()
	f.advance()
	f.mu.Unlock()
}

// come takes in a result that has just come, and the rows that wait for it.
func (f *fleet) come(key plan.Key, r *job.Result) {
	if f.early.table == nil {
		return
	}
	row, ok := f.ledger.Find(key)
	if !ok {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	e := &f.early
	if row >= e.whole {
		e.kept[row] = r
	}
	f.advance()
}

// advance adds rows to the table as long as they have results, and asks at each check whether the sweep ends. The caller holds the lock.
func (f *fleet) advance() {
	e := &f.early
	for e.at == 0 && e.whole < len(f.index.Keys) {
		r := e.kept[e.whole]
		if r == nil {
			at, ok := f.ledger.Place(e.whole)
			if !ok {
				return
			}
			var err error
			if r, err = f.resultAt(at); err != nil {
				return // the report will say so
			}
		}
		delete(e.kept, e.whole)
		e.table.Add(r)
		e.whole++
		if f.stop != nil && e.whole%f.plan.Sweep.Stop.CheckEvery == 0 && f.holdsEverywhere() {
			e.at = e.whole
			f.ledger.Stop(e.whole)
		}
	}
}

// holdsEverywhere reports whether the condition to stop holds at each point.
func (f *fleet) holdsEverywhere() bool {
	points := f.plan.Points()
	for point := range points {
		if !f.stop.Holds(f.stop.Of(f.early.table, f.early.table.Point(point, points))) {
			return false
		}
	}
	return true
}
