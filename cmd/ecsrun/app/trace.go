package app

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/record"
)

// This file collects what a record has of each frame. recording.go writes it; replay.go compares it with a record.

// A trace is told of turns and inputs, and makes a frame of a record at the end of each frame.
type trace struct {
	frame   record.Frame
	digests *ecs.TurnDigests
	parts   []ecs.PartDigest
	bytes   []byte              // what the digest of a frame is made of
	done    func(*record.Frame) // gets each frame; it is valid until done returns
}

// traceRun hooks a trace into the schedule of a run, beside what is hooked in already.
func (r *run) traceRun(done func(*record.Frame)) {
	s := r.runtime.Schedule()
	t := &trace{digests: r.runtime.World().NewTurnDigests(), done: done}
	before, after := s.Before, s.After
	s.Before = func(sys *ecs.System) {
		t.digests.Begin()
		if before != nil {
			before(sys)
		}
	}
	s.After = func(sys *ecs.System) {
		if after != nil {
			after(sys)
		}
		t.frame.Turns = append(t.frame.Turns, record.Digest{Name: sys.Name(), Digest: t.digests.End(sys, nil)})
	}
	r.trace = t
}

// input notes a line that is done before the next frame.
func (t *trace) input(line string) { t.frame.Inputs = append(t.frame.Inputs, line) }

// mark notes that something has ended a turn that may not do so in another run.
func (t *trace) mark(err error) {
	var m *measuredLimit
	switch {
	case errors.As(err, &m):
		t.frame.Marks = append(t.frame.Marks, m.Error())
	case errors.Is(err, errInterrupted):
		t.frame.Marks = append(t.frame.Marks, "a signal ended a turn")
	}
}

// end makes the frame that has ended.
func (t *trace) end(w *ecs.World) {
	f := &t.frame
	f.Number = w.Frame()
	t.parts = w.PartDigests(t.parts[:0])
	t.bytes = binary.LittleEndian.AppendUint64(t.bytes[:0], w.OrderDigest())
	for _, p := range t.parts {
		f.Parts = append(f.Parts, record.Digest{Name: p.Part, Digest: p.Digest})
		t.bytes = binary.LittleEndian.AppendUint64(append(t.bytes, p.Part...), p.Digest)
	}
	whole := sha256.Sum256(t.bytes)
	f.Digest = [16]byte(whole[:])
	t.done(f)
	clear(f.Inputs)
	*f = record.Frame{Inputs: f.Inputs[:0], Turns: f.Turns[:0], Parts: f.Parts[:0]}
}

// flushEvery is how often frames of a record are written: at most so much of a run is lost when it is killed.
const flushEvery = time.Second
