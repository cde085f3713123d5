package luabind

import (
	"log/slog"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// The log of loops that do not run compiled, when it happens. Package loops finds the reason; report_live.go lists all of
// them.

// fell logs at debug level that the interpreter runs a compiled loop, or rows of it, for a reason that is met for the
// first time.
func (r *Runtime) fell(file string, f loops.Fall) {
	if !r.options.Log.Enabled(r.ctx, slog.LevelDebug) {
		return
	}
	what := "the compiled loop runs interpreted"
	if f.Rows {
		what = "rows of the compiled loop run interpreted"
	}
	attrs := []slog.Attr{slog.String("at", sandbox.Pos{File: file, Line: f.Loop.Line}.String()), slog.String("reason", f.Reason)}
	if f.Advice != "" {
		attrs = append(attrs, slog.String("advice", string(f.Advice)))
	}
	if r.running != nil {
		attrs = append(attrs, slog.String("system", r.running.Name))
	}
	r.options.Log.LogAttrs(r.ctx, slog.LevelDebug, what, append(attrs, slog.Uint64("frame", r.world.Frame()))...)
}
