package app

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
)

// errStalled is the error of a write that was given up.
var errStalled = errors.New("its reader stands still, and the run is to end")

// A spout writes to a file, pipe or terminal whose reader may stand still. A goroutine of its own does each write, so that
// one that does not end can be given up after a signal: then the run saves and ends, and later writes fail at once.
type spout struct {
	to     io.Writer
	signal <-chan struct{}
	vitals *vitals.Vitals // is told of each write; nil if nobody looks
	taken  atomic.Int64   // bytes of the write under way
	work   chan []byte    // nil: a file on a disk, which has no reader
	done   chan written
	gaveUp bool

	// patience is how long nothing may be read after the first signal. It is shorter than that with a turn: one that waits for
	// stdout, and then for stderr, still ends by itself.
	patience time.Duration
}

// A reader that is slow gets pieces of this size: one that stands still is told by the first that is not taken.
const spoutPiece = 4 << 10

// written is the result of a write.
type written struct {
	n   int
	err error
}

func newSpout(to io.Writer, signal <-chan struct{}, v *vitals.Vitals) *spout {
	s := &spout{to: to, signal: signal, vitals: v, patience: patience * 2 / 5}
	if f, ok := to.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return s
		}
	}
	s.work, s.done = make(chan []byte), make(chan written, 1)
	go func() {
		for b := range s.work {
			s.done <- s.pour(b)
		}
	}()
	return s
}

func (s *spout) pour(b []byte) (w written) {
	for w.n < len(b) && w.err == nil {
		var n int
		n, w.err = s.to.Write(b[w.n : w.n+min(spoutPiece, len(b)-w.n)])
		w.n += n
		s.taken.Add(int64(n))
		if n == 0 && w.err == nil {
			w.err = io.ErrShortWrite
		}
	}
	return w
}

// Write implements [io.Writer]. After errStalled the bytes may still be read: the caller does not change them.
func (s *spout) Write(b []byte) (int, error) {
	if s.gaveUp {
		return 0, errStalled
	}
	if s.vitals != nil {
		s.vitals.Writing(true)
		defer s.vitals.Writing(false)
	}
	if s.work == nil {
		return s.to.Write(b)
	}
	s.taken.Store(0)
	s.work <- b
	select {
	case w := <-s.done:
		return w.n, w.err
	case <-s.signal:
	}
	for {
		before := s.taken.Load()
		timer := time.NewTimer(s.patience)
		select {
		case w := <-s.done:
			timer.Stop()
			return w.n, w.err
		case <-timer.C:
		}
		if s.taken.Load() == before {
			s.gaveUp = true
			return int(before), errStalled
		}
	}
}

// close ends the goroutine, unless it is in a write that was given up.
func (s *spout) close() {
	if !s.gaveUp && s.work != nil {
		close(s.work)
	}
}

// guard makes writes to stdout and stderr end after a signal, until release is called. A writer that has stalled by then is
// left as it is: nothing more is written to it.
func (c *console) guard(signal <-chan struct{}, v *vitals.Vitals) (release func()) {
	outlets := []*outlet{&c.out, &c.log}
	var before [2]io.Writer
	for i, o := range outlets {
		before[i] = o.to
		o.to = newSpout(o.to, signal, v)
	}
	return func() {
		for i, o := range outlets {
			s, ok := o.to.(*spout)
			if ok && !s.gaveUp {
				s.close()
				o.to = before[i]
			}
		}
	}
}

// guarded returns a writer to a file of the run: a spout, if it is a pipe or a device.
func (r *run) guarded(file *output) io.Writer {
	if info, err := file.Stat(); err != nil || info.Mode().IsRegular() {
		return file
	}
	s := newSpout(file, r.signal.first.Done(), r.vitals)
	r.spouts = append(r.spouts, s)
	return s
}

func (r *run) closeSpouts() {
	for _, s := range r.spouts {
		s.close()
	}
}
