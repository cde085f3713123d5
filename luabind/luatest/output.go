package luatest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
)

// mostOutput is the number of bytes that are kept of what a test prints.
const mostOutput = 1 << 20

// output collects what a test and its worlds print and log. It becomes Result.Output.
type output struct {
	buf  bytes.Buffer
	lost int
	log  *slog.Logger
}

func (o *output) Write(b []byte) (int, error) {
	n := min(len(b), mostOutput-o.buf.Len())
	o.buf.Write(b[:n])
	o.lost += len(b) - n
	return len(b), nil
}

// logger writes lines like `level=INFO msg=…`, without the time.
func (o *output) logger() *slog.Logger {
	if o.log == nil {
		o.log = slog.New(ofScripts{slog.NewTextHandler(o, &slog.HandlerOptions{
			Level: slog.LevelDebug,
			ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey && len(groups) == 0 {
					return slog.Attr{}
				}
				return a
			},
		})})
	}
	return o.log
}

// take returns what was written so far and empties the output.
func (o *output) take() string {
	text := o.buf.String()
	if o.lost > 0 {
		text += fmt.Sprintf("\n… %d bytes more\n", o.lost)
	}
	o.buf.Reset()
	o.lost = 0
	return text
}

// An ofScripts passes on what scripts log, and of the runtime what is above debug level.
type ofScripts struct{ slog.Handler }

// Handle implements [slog.Handler].
func (h ofScripts) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelInfo {
		said := false
		r.Attrs(func(a slog.Attr) bool { said = a.Key == "script"; return !said })
		if !said {
			return nil
		}
	}
	return h.Handler.Handle(ctx, r)
}
