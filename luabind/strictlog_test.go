package luabind

import (
	"context"
	"log/slog"
	"strings"
	"testing"
)

// strictLog fails a test in which machine code is refused for a fault of the compiler: without it the loop runs as closures, and a comparison of results finds nothing.
func strictLog(t testing.TB) *slog.Logger { return slog.New(strictHandler{t}) }

type strictHandler struct{ t testing.TB }

func (h strictHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn
}

func (h strictHandler) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "runs as closures") {
		text := r.Message
		r.Attrs(func(a slog.Attr) bool { text += " " + a.String(); return true })
		h.t.Errorf("a fault of machine code: %s", text)
	}
	return nil
}

func (h strictHandler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h strictHandler) WithGroup(string) slog.Handler      { return h }
