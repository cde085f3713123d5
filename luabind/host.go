package luabind

import (
	"log/slog"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// What package surface needs of a Runtime. The functions of scripts ask their host for the world, the random stream
// and the log.

// A host is a Runtime as a surface.Host: the functions that scripts call see the Runtime through it only.
type host struct{ *Runtime }

// World returns the world that scripts work on.
// In a rehearsal it is another one, so that declarations leave nothing behind.
func (h host) World() *ecs.World {
	if h.rehearsal != nil {
		return h.rehearsal
	}
	return h.world
}

// Random returns the random stream of the running system; nil when no system runs, such as while files are loaded.
func (h host) Random() *ecs.Random {
	if h.running == nil {
		return nil
	}
	return h.world.Random()
}

// Log writes a message of ecs.log to Options.Log. To the attributes of the script it adds the position, the running
// system or the one whose file is being loaded, and the frame, unless files are being loaded. In a rehearsal, and while
// files are loaded for a restore, it drops the message.
func (h host) Log(pos sandbox.Pos, level slog.Level, message string, attrs []slog.Attr) {
	if h.rehearsal != nil || h.silent {
		return
	}
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
