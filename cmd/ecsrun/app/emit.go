package app

import (
	"io"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/inputs"
)

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
		r.emit.to = &outlet{name: "--emit-to " + r.flags.io.emitTo, to: file, say: func(line string) { _, _ = io.WriteString(stderr, line) }}
	}
	return nil
}

// emitFrame writes the events since the last call. It reports false if the reader of a pipe has ended.
func (r *run) emitFrame() bool {
	e := r.emit
	if e == nil {
		return true
	}
	lines := e.emitter.Lines()
	if e.to == nil {
		_, _ = r.console.stdout().Write(lines) // it never fails
		return true
	}
	_, _ = e.to.Write(lines)
	if !e.to.flush() {
		r.ended = r.flags.io.emitTo + " was closed"
		return false
	}
	return true
}

// reports returns where the summary goes: to stdout, unless that carries emitted lines.
func (r *run) reports() io.Writer {
	if r.emit != nil && r.emit.to == nil {
		return r.console.stderr()
	}
	return r.console.stdout()
}
