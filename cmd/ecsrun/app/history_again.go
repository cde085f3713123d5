package app

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/inputs"
)

// Frames that run again, after a run went back: what was done to the world then is done again, and nothing is written a second time.

// A mutedWriter drops what scripts print in frames that run again: those lines have left the process.
type mutedWriter struct {
	run *run
	to  io.Writer
}

// Write implements [io.Writer].
func (m *mutedWriter) Write(b []byte) (int, error) {
	if m.run.doingAgain {
		return len(b), nil
	}
	return m.to.Write(b)
}

// mutedLog returns a log for scripts, which is silent in such frames, too.
func (r *run) mutedLog(log *slog.Logger) *slog.Logger {
	return slog.New(&mutedHandler{log.Handler(), func() bool { return r.doingAgain }})
}

type mutedHandler struct {
	slog.Handler
	muted func() bool
}

// Handle implements [slog.Handler].
func (m *mutedHandler) Handle(ctx context.Context, record slog.Record) error {
	if m.muted() {
		return nil
	}
	return m.Handler.Handle(ctx, record)
}

// WithAttrs implements [slog.Handler].
func (m *mutedHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &mutedHandler{m.Handler.WithAttrs(attrs), m.muted}
}

// WithGroup implements [slog.Handler].
func (m *mutedHandler) WithGroup(name string) slog.Handler {
	return &mutedHandler{m.Handler.WithGroup(name), m.muted}
}

// beginAgain notes that the frame that comes was run before, if it was.
func (r *run) beginAgain() {
	h := r.history
	if r.doingAgain = h.again(); r.doingAgain && h.ended[r.runtime.World().Frame()+1] {
		h.leaveWay() // it may end otherwise now
	}
}

// endAgain reports whether the frame that has run was one that was run before.
func (r *run) endAgain() (again bool) {
	again, r.doingAgain = r.doingAgain, false
	r.history.frameRan()
	return again
}

// doKnown does what was done before a frame that the run has come to again.
func (r *run) doKnown(signal *interruption, frame uint64, lines []string) bool {
	r.history.put(frame, nil) // it is noted again
	r.doingAgain = true
	defer func() { r.doingAgain = false }()
	return r.doLines(signal, frame, lines, func(in *inputs.Input, err error) bool {
		switch {
		case err == nil, errors.Is(err, luabind.ErrTakenBack): // as before
			r.keepSetting(in)
		default:
			r.fail(err)
			return false
		}
		return true
	})
}
