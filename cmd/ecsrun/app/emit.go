package app

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/ecsrun/ecsrun/luabind/inputs"
)

// This file is --emit: the events of each frame as lines of JSON, on stdout or in a file.

// An emission writes the events of a run.
type emission struct {
	emitter *inputs.Emitter
	to      *bufio.Writer // of a file; nil for stdout
	failed  error         // why no more lines can be written
}

// openEmit opens the file of --emit-to, nil for stdout. A run that goes on from a snapshot appends to it.
func openEmit(path string, resumed bool) (*os.File, error) {
	if path == "" {
		return nil, nil
	}
	how := os.O_TRUNC
	if resumed {
		how = os.O_APPEND
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|how, 0o666)
	if err != nil {
		return nil, usageError("--emit-to: %w", err)
	}
	return file, nil
}

// startEmit begins to collect events. The declarations of the world are complete by now.
func (r *run) startEmit(file *os.File) error {
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
		r.emit.to = bufio.NewWriterSize(file, 1<<16)
	}
	return nil
}

// emitFrame writes the events since the last call. It reports false if they cannot be written.
func (r *run) emitFrame() bool {
	e := r.emit
	if e == nil {
		return true
	}
	lines := e.emitter.Lines()
	if e.to == nil {
		_, _ = r.console.stdout().Write(lines) // the flush at the end of the frame has the error
		return true
	}
	if e.failed == nil {
		_, e.failed = e.to.Write(lines)
	}
	if e.failed == nil {
		e.failed = e.to.Flush()
	}
	if e.failed == nil {
		return true
	}
	r.ended = r.flags.io.emitTo + " was closed"
	if !errors.Is(e.failed, syscall.EPIPE) { // a reader of a pipe that has seen enough is no mistake
		r.ended = "events cannot be written"
		fmt.Fprintf(r.console.stderr(), "ecsrun: --emit-to: %v\n", e.failed)
	}
	return false
}

// reports returns where the summary goes: to stdout, unless that carries emitted lines.
func (r *run) reports() io.Writer {
	if r.emit != nil && r.emit.to == nil {
		return r.console.stderr()
	}
	return r.console.stdout()
}
