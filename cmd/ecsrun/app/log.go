package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"

	"github.com/lmittmann/tint"

	"github.com/ecsrun/ecsrun/config"
)

// A liveLog is the log of a run, for ecs.log of scripts and for ecsrun itself. Its level and form can change while
// it is in use.
type liveLog struct {
	log   *slog.Logger
	live  *liveHandler
	w     io.Writer
	color bool
}

// newLiveLog returns a log that writes to w.
func newLiveLog(w io.Writer, l config.Log, color bool) *liveLog {
	out := &liveLog{live: &liveHandler{}, w: w, color: color}
	out.use(l)
	out.log = slog.New(out.live)
	return out
}

// use changes level and form.
func (l *liveLog) use(c config.Log) {
	h := newHandler(l.w, c, l.color)
	l.live.now.Store(&h)
}

// A liveHandler passes records on to the handler of the moment.
type liveHandler struct{ now atomic.Pointer[slog.Handler] }

func (h *liveHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return (*h.now.Load()).Enabled(ctx, level)
}

func (h *liveHandler) Handle(ctx context.Context, r slog.Record) error {
	return (*h.now.Load()).Handle(ctx, r)
}

// WithAttrs implements [slog.Handler]. What it returns stays as it is when the log changes.
func (h *liveHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return (*h.now.Load()).WithAttrs(attrs)
}

// WithGroup implements [slog.Handler], in the same way.
func (h *liveHandler) WithGroup(name string) slog.Handler { return (*h.now.Load()).WithGroup(name) }

// newLogger returns a logger whose level and form do not change.
func newLogger(w io.Writer, l config.Log, color bool) *slog.Logger {
	return slog.New(newHandler(w, l, color))
}

// newHandler returns what writes a log: lines for people, or one JSON object per line.
func newHandler(w io.Writer, l config.Log, color bool) slog.Handler {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.Level)); err != nil {
		panic("app: log level " + l.Level) // config knows the same names
	}
	if l.Format == "json" {
		return slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level})
	}
	return tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: "15:04:05", NoColor: !color, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 {
			switch a.Key {
			case slog.MessageKey:
				a.Value = slog.StringValue(withoutControls(a.Value.String()))
				return a
			case slog.TimeKey, slog.LevelKey:
				return a
			}
		}
		a.Key = plainAttr(a.Key)
		if text, ok := a.Value.Any().(fmt.Stringer); ok && a.Value.Kind() == slog.KindAny {
			a.Value = slog.StringValue(text.String())
		}
		if a.Value.Kind() == slog.KindString {
			a.Value = slog.StringValue(plainAttr(a.Value.String()))
		}
		return a
	}})
}

// plainAttr returns the name or value of an attribute as tint writes it whole: it ends a text at U+FFFD, and drops what looks like
// an escape sequence.
func plainAttr(s string) string {
	return strings.ReplaceAll(withoutControls(s), "\ufffd", "?")
}

// withoutControls replaces the characters that control a terminal, all but line breaks and tabs: a script chooses the
// text.
func withoutControls(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '\ufffd'
		}
		return r
	}, s)
}
