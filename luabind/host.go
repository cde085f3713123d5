package luabind

import (
	"log/slog"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// host is the Runtime as scripts notice it: the surface.Host of its world.
type host struct{ *Runtime }

func (h host) World() *ecs.World { return h.world }

func (h host) Random() *ecs.Random {
	if h.running == nil {
		return nil
	}
	return h.world.Random()
}

func (h host) Log(pos sandbox.Pos, level slog.Level, message string, attrs []slog.Attr) {
	out := make([]slog.Attr, 0, len(attrs)+3)
	out = append(out, attrs...)
	if pos.Line > 0 {
		out = append(out, slog.String("script", pos.String()))
	}
	for _, sys := range []*system{h.running, h.file} {
		if sys != nil {
			out = append(out, slog.String("system", sys.Name))
		}
	}
	if !h.loading {
		out = append(out, slog.Uint64("frame", h.world.Frame()))
	}
	h.options.Log.LogAttrs(h.ctx, level, message, out...)
}
