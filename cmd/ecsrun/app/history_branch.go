package app

import (
	"errors"
	"fmt"
	"io"
)

// A run that was gone back takes another way when something is done there that was not done then. What has left the process of the frames behind
// is corrected where that is possible: the record and the samples are cut, and later snapshots moved aside.

// leaveWay makes the frames behind the present one those that come now, instead of those that were run.
func (h *history) leaveWay() {
	if h == nil {
		return
	}
	at := h.run.runtime.World().Frame()
	if h.run.inFrame {
		at--
	}
	h.leaveAfter(at)
}

// leaveAfter makes what comes after a frame another way than the one that was run.
func (h *history) leaveAfter(at uint64) {
	r := h.run
	pending := laterThan(at, h.inputs)
	if at >= h.told && at >= h.reached && len(pending) == 0 {
		return
	}
	for n := len(h.copies); n > 0 && h.copies[n-1].frame > at; n-- {
		h.drop(h.copies[n-1])
		h.copies[n-1] = kept{}
		h.copies = h.copies[:n-1]
	}
	h.inputs = h.inputs[:len(h.inputs)-len(pending)]
	for f := range h.ended {
		if f > at {
			delete(h.ended, f)
		}
	}
	left := h.told
	h.reached, h.told = at, at
	r.within, r.later, r.doingAgain = nil, nil, false
	h.shrink(0)
	if r.saver != nil {
		r.saver.leave(at)
	}
	r.leaveSamples(at)
	r.leaveRecord(at)
	if left > at {
		r.logs.log.Warn(fmt.Sprintf("the run takes another way after frame %d: what was printed and sent of frames %d to %d belongs to the one that it has left", at, at+1, left))
	}
}

// leave moves the snapshots after a frame aside.
func (s *saver) leave(frame uint64) {
	s.wait()
	s.from.Inputs = nil
	if s.hasSaved && s.saved.frame > frame {
		s.hasSaved = false
	}
	aside, n, err := moveAside(s.dir, func(f uint64) bool { return f > frame })
	switch {
	case err != nil:
		fmt.Fprintf(s.w, "--snapshot: the snapshots after frame %d belong to a way that the run has left, and cannot be moved: %v\n", frame, err)
	case n > 0:
		fmt.Fprintf(s.w, "--snapshot: %s of the way that the run has left moved to %s\n", counted(n, "snapshot"), aside)
	}
}

// leaveSamples cuts the rows after a frame.
func (r *run) leaveSamples(frame uint64) {
	if r.samples == nil {
		return
	}
	r.sampled.flush()
	to, ok := r.sampled.to.(*output)
	if !ok {
		return
	}
	info, err := to.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	n, _, err := r.samples.Keep(io.NewSectionReader(to, 0, info.Size()), frame)
	if err == nil {
		err = to.Truncate(n)
	}
	if err == nil {
		_, err = to.Seek(n, io.SeekStart)
	}
	if err != nil {
		fmt.Fprintf(r.console.stderr(), "--to: the rows after frame %d belong to a way that the run has left, and cannot be cut: %v\n", frame, err)
	}
}

// leaveRecord cuts the record after a frame: it goes on from the last copy, and gets the frames that have run again since then.
func (r *run) leaveRecord(frame uint64) {
	h := r.history
	if r.recording == nil {
		return
	}
	w, err := r.recording.w, errors.New("no copy of the run is left")
	if n := len(h.copies); n > 0 {
		err = w.Back(h.copies[n-1].mark)
	}
	if err != nil {
		fmt.Fprintf(r.console.stderr(), "ecsrun: --record: the frames after frame %d belong to a way that the run has left, and cannot be cut: %v\n", frame, err)
		return
	}
	for _, f := range h.frames {
		if f.Number <= frame {
			_ = w.Frame(f) // flush has the error
		}
	}
	h.frames = nil
}

// endHistory is called after the last frame: a run that ends in the past has left what came after it.
func (r *run) endHistory() { r.history.leaveWay() }
