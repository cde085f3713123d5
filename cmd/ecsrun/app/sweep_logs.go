package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/joblog"
)

// The logs of a sweep: one for each worker of this run, and those of earlier runs, which are read when it goes on.

// syncEvery and syncJobs say how often a log is synced.
const (
	syncEvery = 100 * time.Millisecond
	syncJobs  = 64
)

// An openLog is the log of a worker of this run.
type openLog struct {
	mu     sync.Mutex
	log    *joblog.Log
	number uint16
	jobs   int // since the last sync
}

// read takes in the results of earlier runs. A torn tail is cut off when its log is opened again.
func (f *fleet) read() error {
	var err error
	if f.paths, err = joblog.Files(f.dir); err != nil {
		return usageError("sweep: %w", err)
	}
	if f.reader, err = joblog.NewReader(f.paths); err != nil {
		return usageError("sweep: %w", err)
	}
	for n, path := range f.paths {
		file, err := os.Open(path)
		if err != nil {
			return usageError("sweep: %w", err)
		}
		damaged, torn := 0, false
		_, err = joblog.Scan(file, func(r *joblog.Record, offset int64) error {
			return f.note(r, joblog.Place{Log: uint16(n), Offset: offset})
		}, func(line int, tail bool) {
			if torn = tail; !tail {
				damaged++
			}
		})
		_ = file.Close() // it was only read
		if err != nil {
			return err
		}
		if torn {
			fmt.Fprintf(f.console.stderr(), "sweep: %s ends in a part of a record, as after a crash: that job runs again\n", path)
		}
		if damaged > 0 {
			fmt.Fprintf(f.console.stderr(), "sweep: %s: %s damaged: those jobs run again\n", path, counted(damaged, "record"))
		}
	}
	return nil
}

// note takes in a record that is in a log. The error is about results that differ.
func (f *fleet) note(r *joblog.Record, at joblog.Place) error {
	row, ok := f.ledger.Find(r.Key)
	if !ok {
		return nil // of another plan, which --again has replaced
	}
	result, err := r.Decode()
	if err != nil {
		return usageError("sweep: %s: %w", f.paths[at.Log], err)
	}
	if result.Status != job.OK && !r.Audit {
		f.mu.Lock()
		f.ill++
		f.mu.Unlock()
	}
	before, twice := f.ledger.Note(row, at, result.Status == job.Parked, r.Audit)
	if !twice || result.Status == job.Unrepeatable {
		return nil
	}
	first, err := f.recordAt(before)
	if err != nil {
		return usageError("sweep: %w", err)
	}
	if was, err := first.Decode(); err == nil && was.Status == job.Unrepeatable || string(first.Result) == string(r.Result) {
		return err
	}
	return f.differ(row, first, r)
}

// recordAt reads a record, also one that is not written yet.
func (f *fleet) recordAt(at joblog.Place) (*joblog.Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.writtenAt(at)
}

// writtenAt is recordAt for callers that hold the lock.
func (f *fleet) writtenAt(at joblog.Place) (*joblog.Record, error) {
	for _, l := range f.logs {
		if l.number == at.Log {
			l.mu.Lock()
			err := l.log.Sync()
			l.mu.Unlock()
			if err != nil {
				return nil, err
			}
		}
	}
	return f.reader.Read(at)
}

// resultAt reads a result. The caller holds the lock.
func (f *fleet) resultAt(at joblog.Place) (*job.Result, error) {
	rec, err := f.writtenAt(at)
	if err != nil {
		return nil, err
	}
	return rec.Decode()
}

// differ notes two results of one job that are not equal. Under --audit the sweep goes on to find others.
func (f *fleet) differ(row int, a, b *joblog.Record) error {
	text := fmt.Sprintf("row %d: %s and %s have different results for the same job: one of the two computes wrongly, or its memory is bad\n  %s: %s\n  %s: %s", row, a.Machine, b.Machine, a.Machine, a.Result, b.Machine, b.Result)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.differs = append(f.differs, text)
	return nil
}

// addLog opens a log for a worker of this run.
func (f *fleet) addLog() (*openLog, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for n := len(f.paths); ; n++ {
		path := filepath.Join(f.dir, joblog.Name(n))
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		log, err := joblog.Open(path, 0)
		if err != nil {
			return nil, f.unwritable(err)
		}
		l := &openLog{log: log, number: uint16(len(f.paths))}
		f.paths, f.logs = append(f.paths, path), append(f.logs, l)
		if err := f.reader.Add(path); err != nil {
			return nil, usageError("sweep: %w", err)
		}
		return l, nil
	}
}

// unwritable returns the exit for a disk that takes no more.
func (f *fleet) unwritable(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return outputError("sweep: the disk is full: free some space and start the sweep again: it goes on where it was (%w)", err)
	}
	return outputError("sweep: the results cannot be written; started again the sweep goes on where it was: %w", err)
}

// put keeps the result of a job, in the log of a worker.
func (f *fleet) put(l *openLog, r *joblog.Record, decoded *job.Result) error {
	l.mu.Lock()
	at := joblog.Place{Log: l.number, Offset: l.log.Append(r)}
	var err error
	if l.jobs++; l.jobs >= syncJobs {
		l.jobs, err = 0, l.log.Sync()
	}
	l.mu.Unlock()
	if err != nil {
		err = f.unwritable(err)
		f.end(err)
		return err
	}
	if err := f.note(r, at); err != nil {
		f.end(err)
		return err
	}
	f.come(r.Key, decoded)
	return nil
}

// sync writes all logs to disk.
func (f *fleet) sync() {
	f.mu.Lock()
	logs := f.logs[:len(f.logs):len(f.logs)]
	f.mu.Unlock()
	for _, l := range logs {
		l.mu.Lock()
		err := l.log.Sync()
		l.jobs = 0
		l.mu.Unlock()
		if err != nil {
			f.end(f.unwritable(err))
		}
	}
}

// closeLogs syncs and closes the logs.
func (f *fleet) closeLogs() error {
	var all error
	for _, l := range f.logs {
		all = errors.Join(all, l.log.Close())
	}
	f.logs = nil
	return all
}

// each calls do for each row that has a result, in plan order.
func (f *fleet) each(do func(row int, rec *joblog.Record, r *job.Result) error) error {
	for row := range f.ledger.Until() {
		at, ok := f.ledger.Place(row)
		if !ok {
			continue
		}
		rec, err := f.reader.Read(at)
		if err != nil {
			return err
		}
		r, err := rec.Decode()
		if err != nil {
			return err
		}
		if err := do(row, rec, r); err != nil {
			return err
		}
	}
	return nil
}
