package app

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file saves a run: after every N frames, and at its end. The frame is stopped for a copy of the world
// (Runtime.Freeze); a goroutine compresses and writes it. There is one at a time: the next save waits for it.

// A saver writes the snapshots of a run.
type saver struct {
	dir    string
	every  uint64        // frames between two snapshots; 0: only at the end
	pause  time.Duration // of wall clock between two snapshots; 0: only by frames
	keep   int
	fs     durable.FS
	dog    *watchdog    // is told of the copy that is being written; may be nil
	from   luabind.Meta // what a snapshot says beyond what the Runtime knows
	log    *slog.Logger
	w      io.Writer      // where problems are said
	vitals *vitals.Vitals // is told of saves; nil if nobody looks

	page *page // of a supervised run; nil for any other

	began    time.Time   // of the last save, or of the run
	saved    moment      // of the last snapshot
	hasSaved bool        // there is one
	writing  chan report // gets the result of the save in flight; nil if there is none
	failed   int         // saves that failed
	last     string      // the last problem that was shown, without its numbers; "" after a success
	unpruned string      // the same of removing older files
}

// A moment is what a run was at when it was saved: what is done to the world between frames makes another one.
type moment struct {
	frame, edits uint64
	tick         ecs.Tick
}

func momentOf(rt *luabind.Runtime) moment {
	return moment{rt.World().Frame(), rt.Edits(), rt.World().Tick()}
}

// A report is the result of one save.
type report struct {
	path  string
	frame uint64
	bytes int64
	took  time.Duration
	err   error // the file was not written
	prune error // older files could not be removed
}

// after is called between two frames, and saves if it is time.
func (s *saver) after(rt *luabind.Runtime) {
	if s.writing != nil {
		select {
		case r := <-s.writing:
			s.finished(r)
		default:
		}
	}
	if s.every > 0 && rt.World().Frame()%s.every == 0 || s.pause > 0 && time.Since(s.began) >= s.pause {
		s.save(rt)
	}
}

// end saves the last frame with all that was done after it, if that was not done yet, and waits until it is on disk.
func (s *saver) end(rt *luabind.Runtime) {
	if !s.hasSaved || s.saved != momentOf(rt) {
		s.save(rt)
	}
	s.wait()
}

// wait waits for the save in flight.
func (s *saver) wait() {
	if s.writing != nil {
		s.finished(<-s.writing)
	}
}

// save begins a save of the present frame.
func (s *saver) save(rt *luabind.Runtime) {
	s.wait()
	began, frame := time.Now(), rt.World().Frame()
	s.began = began
	if s.vitals != nil {
		s.vitals.Saving(true)
	}
	frozen, err := rt.Freeze()
	if err != nil {
		if s.vitals != nil {
			s.vitals.Saving(false)
		}
		s.problem(frame, err)
		return
	}
	frozen.Meta.Program, frozen.Meta.Config, frozen.Meta.Overrides, frozen.Meta.Mods = s.from.Program, s.from.Config, s.from.Overrides, s.from.Mods
	frozen.Meta.LeftOut = s.from.LeftOut
	frozen.Meta.Inputs = laterThan(frame, s.from.Inputs)
	edits := uint64(0)
	if s.page != nil {
		edits = s.page.edits.Load()
	}
	path, good := filepath.Join(s.dir, snapshotName(frame)), !frozen.Meta.Failed
	done := make(chan report, 1)
	s.writing = done
	s.dog.saves(frozen)
	go func() {
		r := report{path: path, frame: frame}
		r.err = durable.Write(s.fs, path, func(w io.Writer) (err error) {
			r.bytes, err = frozen.WriteTo(w)
			return err
		})
		if r.err == nil && good { // the snapshot of a failure does not push out one to go on from
			r.prune = pruneFolder(s.dir, frame, s.keep)
		}
		if s.page != nil && r.err == nil {
			s.page.saved.Store(edits)
		}
		s.dog.saves(nil)
		if s.vitals != nil {
			s.vitals.Saved(frame, r.err == nil || errors.Is(r.err, durable.ErrNotSynced))
		}
		r.took = time.Since(began)
		done <- r
	}()
	s.saved, s.hasSaved = momentOf(rt), true
}

// finished reports the result of a save: a failure, the first success after one, and older snapshots that could not be removed.
func (s *saver) finished(r report) {
	s.writing = nil
	switch {
	case errors.Is(r.err, durable.ErrNotSynced):
		fmt.Fprintf(s.w, "snapshot of frame %d: %v; a crash of the machine may lose it\n", r.frame, r.err)
	case r.err != nil:
		s.problem(r.frame, r.err)
		return
	}
	if s.last != "" {
		s.last = ""
		fmt.Fprintf(s.w, "snapshots can be saved again: frame %d\n", r.frame)
	}
	s.log.Debug("saved "+r.path, "bytes", r.bytes, "ms", r.took.Milliseconds())
	unpruned := ""
	if r.prune != nil {
		unpruned = withoutNumbers(r.prune.Error())
	}
	if unpruned != "" && unpruned != s.unpruned {
		fmt.Fprintf(s.w, "older snapshots cannot be removed: %v\n", r.prune)
	}
	s.unpruned = unpruned
}

// problem reports a save that failed; the same one again is not shown.
func (s *saver) problem(frame uint64, err error) {
	s.failed++
	if s.vitals != nil {
		s.vitals.SnapshotFailures.Add(1)
	}
	text := err.Error()
	if like := withoutNumbers(text); like == s.last {
		return
	} else {
		s.last = like
	}
	fmt.Fprintf(s.w, "no snapshot of frame %d: %s\n  the world is as it was, older snapshots stay, and the run goes on if it has not ended\n", frame, text)
}
