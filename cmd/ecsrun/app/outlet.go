package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/ecsrun/ecsrun/luabind/inputs"
)

// outletSize is how many bytes an outlet keeps before it writes them.
const outletSize = 1 << 16

// An outlet is a buffered writer of lines, to a file, a pipe or a terminal. A disk that is full, or has gone away, ends
// nothing: the lines that cannot be written are lost and counted. That is said once, and when it works again. What was
// written of a line before the disk was full is completed then, so that there are whole lines only.
type outlet struct {
	name string
	to   io.Writer
	say  func(line string) // says what has happened; nil: nobody is told

	kept    []byte // not written yet
	cut     bool   // kept begins in the middle of a line, whose beginning was written
	lost    uint64 // lines
	failing error  // of the last write
	ends    bool   // a reader that ends is no loss, as head is for stdout; else it is as a full disk
	closed  bool   // it has ended: what comes is dropped
}

// Write implements [io.Writer]. It never fails.
func (o *outlet) Write(b []byte) (int, error) {
	if !o.closed {
		if o.kept = append(o.kept, b...); len(o.kept) >= outletSize {
			o.flush()
		}
	}
	return len(b), nil
}

// flush writes what is kept. It reports false if the reader has ended, and counts no loss then.
func (o *outlet) flush() (open bool) {
	if len(o.kept) == 0 || o.closed {
		return !o.closed
	}
	n, err := o.to.Write(o.kept)
	if n < len(o.kept) && err == nil {
		err = io.ErrShortWrite
	}
	was := o.failing
	o.failing = err
	switch {
	case err == nil:
		o.kept, o.cut = o.kept[:0], false
		if cap(o.kept) > 16*outletSize { // after a very long line
			o.kept = nil
		}
		if was != nil {
			o.tell("%s can be written again; %s", o.name, o.loss())
		}
	case o.ends && (errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)):
		o.kept, o.failing, o.closed = nil, nil, true
	default:
		o.drop(n)
		switch {
		case was != nil:
		case errors.Is(err, errStalled):
			o.tell("%s cannot be written: %v; lines are lost", o.name, err)
		default:
			o.tell("%s cannot be written: %v; lines are lost until it can be written again", o.name, err)
		}
	}
	return !o.closed
}

// drop drops the lines of which nothing was written. n bytes were.
func (o *outlet) drop(n int) {
	if n > 0 {
		o.cut = o.kept[n-1] != '\n'
	}
	rest := o.kept[n:]
	from, to := 0, bytes.LastIndexByte(rest, '\n')+1 // the last line may go on
	if o.cut {
		from = bytes.IndexByte(rest, '\n') + 1
	}
	if from < to {
		o.lost += uint64(bytes.Count(rest[from:to], []byte{'\n'}))
		rest = append(rest[:from:from], rest[to:]...)
	}
	o.kept = append(o.kept[:0:0], rest...)
}

func (o *outlet) tell(format string, args ...any) {
	if o.say != nil {
		o.say("ecsrun: " + fmt.Sprintf(format, args...) + "\n")
	}
}

// losses returns the number of lines that are lost, with those that are still kept after a failure.
func (o *outlet) losses() uint64 {
	n := o.lost
	if o.failing != nil {
		n += uint64(bytes.Count(o.kept, []byte{'\n'}))
		if len(o.kept) > 0 && o.kept[len(o.kept)-1] != '\n' {
			n++
		}
	}
	return n
}

// loss says how much is lost.
func (o *outlet) loss() string {
	if n := o.losses(); n > 0 {
		return "lost: " + counted(n, "line") + " of " + o.name
	}
	return "nothing is lost"
}

// This file is --emit: the events of each frame as lines of JSON, on stdout or in a file.

// An emission writes the events of a run.
type emission struct {
	emitter *inputs.Emitter
	to      *outlet // of a file; nil for stdout
}

// startEmit begins to collect events. The declarations of the world are complete by now.
func (r *run) startEmit(file *output) error {
	var names []string
	for _, list := range r.flags.io.emit {
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); name != "" {
				names = append(names, name)
			}
		}
	}
	emitter, err := inputs.NewEmitter(r.runtime.World(), names...)
	if err != nil {
		return usageError("--emit: %w", err)
	}
	r.emit = &emission{emitter: emitter}
	if file != nil {
		stderr := r.console.stderr()
		r.emit.to = &outlet{name: "--emit-to " + r.flags.io.emitTo, to: r.guarded(file), say: func(line string) { _, _ = io.WriteString(stderr, line) }}
	}
	return nil
}

// emitFrame writes the events since the last call.
func (r *run) emitFrame() {
	e := r.emit
	if e == nil {
		return
	}
	lines := e.emitter.Lines()
	if r.doingAgain {
		return
	}
	if e.to == nil {
		_, _ = r.console.stdout().Write(lines) // it never fails
		return
	}
	_, _ = e.to.Write(lines)
	e.to.flush()
}

// reports returns where the summary goes: to stdout, unless that carries emitted lines.
func (r *run) reports() io.Writer {
	if r.emit != nil && r.emit.to == nil {
		return r.console.stderr()
	}
	return r.console.stdout()
}
