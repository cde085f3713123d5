// Package ledger knows of each row of a plan whether its job is done, where its result is, and which job is the next. It keeps 29 bytes a row.
//
// Rows with the same key are one job, which is that of the first of them.
package ledger

import (
	"fmt"
	"slices"
	"sync"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/joblog"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
)

// The states of a job.
const (
	waits uint8 = iota
	runs
	done
	parked // it has a result, and is tried again at the next start
	other  // it is the job of an earlier row, or of another shard
)

const (
	audited  = 0x40 // the second run is done
	auditing = 0x80 // it waits or runs
	stateOf  = 0x0f
)

// A Ledger may be used by several goroutines.
type Ledger struct {
	mu     sync.Mutex
	index  *plan.Index
	state  []uint8
	place  []uint64 // of the result: the log in 16 bits, the offset in 48
	next   int      // rows before it do not wait
	until  int      // rows from here on are not wanted any more
	again  []int    // rows that wait although next has passed them
	alone  []int    // the same, for jobs that run alone
	audits []int    // rows whose second run waits
	share  uint64   // of keys that are audited, of 2^32
	tries  map[int]int
	counts Counts
}

// Counts are numbers of jobs.
type Counts struct {
	Jobs    int // of this ledger, up to where it stops
	Done    int // with a result, those parked too
	Parked  int
	Running int
	Fresh   int // done since the ledger was made
}

// A Shard is a part of a plan: each Of-th job from the Number-th on, counted from 1. The zero Shard is the whole plan.
type Shard struct{ Number, Of int }

// Has reports whether the job of a row is in the shard.
func (s Shard) Has(row int) bool { return s.Of == 0 || row%s.Of == s.Number-1 }

// New returns the ledger of a plan in which nothing is done.
func New(x *plan.Index, shard Shard) *Ledger {
	l := &Ledger{index: x, state: make([]uint8, len(x.Keys)), place: make([]uint64, len(x.Keys)), until: len(x.Keys), tries: map[int]int{}}
	for row := range l.state {
		if x.First(row) != row || !shard.Has(row) {
			l.state[row] = other
		} else {
			l.counts.Jobs++
		}
	}
	return l
}

// Audit makes the ledger ask for a second run of a share of all jobs, which the hashes of their keys choose.
func (l *Ledger) Audit(share float64) { l.share = uint64(share * (1 << 32)) }

func (l *Ledger) chosen(row int) bool {
	k := l.index.Keys[row]
	return uint64(k[0])<<24|uint64(k[1])<<16|uint64(k[2])<<8|uint64(k[3]) < l.share
}

func pack(p joblog.Place) uint64 { return uint64(p.Log)<<48 | uint64(p.Offset) }

func unpack(v uint64) joblog.Place {
	return joblog.Place{Log: uint16(v >> 48), Offset: int64(v & (1<<48 - 1))}
}

// Find returns the row of a key; false if it is in no plan of this ledger.
func (l *Ledger) Find(k plan.Key) (row int, ok bool) {
	row, ok = l.index.Find(k)
	return row, ok && l.state[row]&stateOf != other
}

// Note takes in a result. It returns the place of the result that the row has already; then the two have to be equal, and the first one stays.
// isParked says that the result is that of a job that was parked: any other one takes its place.
func (l *Ledger) Note(row int, at joblog.Place, isParked, isAudit bool) (before joblog.Place, twice bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.state[row] & stateOf
	if was == runs {
		l.counts.Running--
	}
	if isAudit {
		l.state[row] = l.state[row]&^auditing | audited
	}
	switch {
	case was == done || was == parked && isParked:
		return unpack(l.place[row]), was == done && !isParked
	case was == parked:
		l.counts.Parked--
	default:
		l.counts.Done++
		l.counts.Fresh++
	}
	l.place[row] = pack(at)
	l.state[row] = l.state[row]&^stateOf | done
	if isParked {
		l.state[row] = l.state[row]&^stateOf | parked
		l.counts.Parked++
	} else if l.share > 0 && l.state[row]&(audited|auditing) == 0 && l.chosen(row) {
		l.state[row] |= auditing
		l.audits = append(l.audits, row)
	}
	return before, false
}

// Begin ends the time in which results of earlier runs come in. Jobs that are parked are tried again.
func (l *Ledger) Begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts.Fresh = 0
	for row := range l.state {
		if l.state[row]&stateOf == parked {
			l.state[row] &^= stateOf // it waits
			l.counts.Parked--
			l.counts.Done--
		}
	}
}

// A Job is what Take gives out.
type Job struct {
	Row   int
	Alone bool // nothing else may run beside it
	Audit bool // it has a result already
}

// Take returns the next job, in the order of the plan; false if none waits now. Others may still run, and wait again when they fail. A second run whose row avoid
// names is left for others.
func (l *Ledger) Take(avoid func(row int) bool) (Job, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.again) > 0 {
		row := l.again[0]
		l.again = l.again[1:]
		if row < l.until && l.state[row]&stateOf == waits {
			return l.take(row, false), true
		}
	}
	for l.next < l.until {
		row := l.next
		l.next++
		if l.state[row]&stateOf == waits {
			return l.take(row, false), true
		}
	}
	for len(l.alone) > 0 {
		row := l.alone[0]
		l.alone = l.alone[1:]
		if row < l.until && l.state[row]&stateOf == waits {
			return l.take(row, true), true
		}
	}
	for i, row := range l.audits {
		if !avoid(row) {
			l.audits = slices.Delete(l.audits, i, i+1)
			return Job{Row: row, Audit: true}, true
		}
	}
	return Job{}, false
}

// Audited reports whether the job of a row runs twice.
func (l *Ledger) Audited(row int) bool { return l.share > 0 && l.chosen(row) }

func (l *Ledger) take(row int, alone bool) Job {
	l.state[row] = l.state[row]&^stateOf | runs
	l.counts.Running++
	return Job{Row: row, Alone: alone}
}

// mostDeaths is how often a job may end its process.
const mostDeaths = 3

// Died takes back a job whose process has died, and reports whether that was its last try; the job then still counts as running, until its result is noted.
func (l *Ledger) Died(j Job) (last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if j.Audit {
		if l.tries[j.Row]++; l.tries[j.Row] < mostDeaths {
			l.audits = append(l.audits, j.Row)
		}
		return false
	}
	if l.state[j.Row]&stateOf != runs {
		return false
	}
	l.tries[j.Row]++
	if l.tries[j.Row] >= mostDeaths {
		return true
	}
	l.wait(j.Row)
	if l.tries[j.Row] == mostDeaths-1 {
		l.alone = append(l.alone, j.Row)
	} else {
		l.again = append(l.again, j.Row)
	}
	return false
}

func (l *Ledger) wait(row int) {
	l.state[row] &^= stateOf
	l.counts.Running--
}

// Again takes back a job that has to run alone.
func (l *Ledger) Again(j Job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state[j.Row]&stateOf == runs {
		l.wait(j.Row)
		l.alone = append(l.alone, j.Row)
	}
}

// Return takes back a job that nobody runs any more: its machine is gone.
func (l *Ledger) Return(j Job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case j.Audit:
		l.audits = append(l.audits, j.Row)
	case l.state[j.Row]&stateOf != runs:
	case j.Alone:
		l.wait(j.Row)
		l.alone = append(l.alone, j.Row)
	default:
		l.wait(j.Row)
		l.again = append(l.again, j.Row)
	}
}

// Place returns where the result of a row is stored; false if the row has no result.
func (l *Ledger) Place(row int) (joblog.Place, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	row = l.index.First(row)
	if s := l.state[row] & stateOf; s != done && s != parked {
		return joblog.Place{}, false
	}
	return unpack(l.place[row]), true
}

// Parked reports whether the job of a row is parked.
func (l *Ledger) Parked(row int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state[l.index.First(row)]&stateOf == parked
}

// Stop says that rows from one on are not wanted.
func (l *Ledger) Stop(row int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.until = row
	l.counts.Jobs, l.counts.Done, l.counts.Parked = 0, 0, 0
	for r := range row {
		switch l.state[r] & stateOf {
		case other:
			continue
		case parked:
			l.counts.Parked++
			l.counts.Done++
		case done:
			l.counts.Done++
		}
		l.counts.Jobs++
	}
}

// Until returns the number of rows that are wanted.
func (l *Ledger) Until() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.until
}

// Counts returns how far the jobs are.
func (l *Ledger) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts
}

// Over reports whether each job has a result, and each audit is done.
func (l *Ledger) Over() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts.Done >= l.counts.Jobs && len(l.audits) == 0
}

// ParseShard reads 3/100.
func ParseShard(text string) (s Shard, err error) {
	if n, err := fmt.Sscanf(text, "%d/%d", &s.Number, &s.Of); err != nil || n != 2 || s.Number < 1 || s.Number > s.Of || fmt.Sprintf("%d/%d", s.Number, s.Of) != text {
		return Shard{}, fmt.Errorf("%q is no shard; write 3/100 for the third of a hundred", text)
	}
	return s, nil
}

// String returns what ParseShard reads; "" for the whole sweep.
func (s Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Of)
}

// Folder returns the name of the folder of a shard: shard-003-of-100.
func (s Shard) Folder() string {
	of := fmt.Sprint(s.Of)
	return fmt.Sprintf("shard-%0*d-of-%s", len(of), s.Number, of)
}
