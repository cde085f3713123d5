package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/lmittmann/tint"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A console keeps stdout, stderr and the progress line apart. Stdout is buffered, and flushed before anything is
// written to stderr, so that the order is right where both go to the same place. A console belongs to one
// goroutine.
type console struct {
	out, log outlet       // stdout and stderr
	raw      io.Writer    // the writer below out, needed to ask whether it is a terminal
	err      io.Writer    // the writer below log
	progress *progress    // nil if no progress line is shown
	sweeping bool         // the line of a sweep is shown
	diverted bool         // what goes to stdout goes to stderr
	json     *slog.Logger // gets what is written to stderr, a line each, where the log is JSON; nil: it is written as it is
}

func newConsole(stdout, stderr io.Writer) *console {
	c := &console{raw: stdout, err: stderr}
	c.log = outlet{name: "stderr", to: stderr, ends: true} // write says that it works again; until then nobody can be told
	c.out = outlet{name: "stdout", to: stdout, ends: true, say: func(line string) { _, _ = io.WriteString(c.stderr(), line) }}
	return c
}

// divert makes what goes to stdout go to stderr from now on, and returns the writer that was stdout.
func (c *console) divert() io.Writer {
	was := c.out.to
	c.out.to, c.raw, c.diverted = c.err, c.err, true
	return was
}

// stdout returns the writer for what scripts print and for results.
func (c *console) stdout() io.Writer { return (*consoleOut)(c) }

// objects returns the writer for JSON objects among the results.
func (c *console) objects() io.Writer {
	if c.diverted {
		return c.logs()
	}
	return c.stdout()
}

// stderr returns the writer for everything else.
func (c *console) stderr() io.Writer { return (*consoleErr)(c) }

func (c *console) logs() io.Writer { return (*consoleLog)(c) }

// asJSON makes everything that goes to stderr a JSON object a line, as the log is, or no longer.
func (c *console) asJSON(on bool) {
	c.json = nil
	if on {
		c.json = slog.New(slog.NewJSONHandler(c.logs(), nil))
	}
}

// flush writes buffered output to stdout. It reports false if its reader has ended.
func (c *console) flush() (open bool) {
	if len(c.out.kept) > 0 {
		c.hideProgress()
	}
	return c.out.flush()
}

// write writes a text to stderr.
func (c *console) write(text string) {
	c.hideProgress()
	was := c.log.failing
	_, _ = io.WriteString(&c.log, text)
	if c.log.flush() && was != nil && c.log.failing == nil {
		_, _ = io.WriteString(c.stderr(), "ecsrun: stderr can be written again; "+c.log.loss()+"\n")
	}
}

// losses lists what could not be written to stdout and stderr.
func (c *console) losses() (lines []string) {
	for _, o := range []*outlet{&c.out, &c.log} {
		if o.losses() > 0 {
			lines = append(lines, o.loss())
		}
	}
	return lines
}

// hideProgress clears the progress line, so that other output starts on an empty line.
func (c *console) hideProgress() {
	c.hideSweep()
	if c.progress != nil {
		c.progress.hide()
	}
}

type consoleOut console

func (c *consoleOut) Write(b []byte) (int, error) {
	if c.diverted && c.json != nil {
		return (*consoleErr)(c).Write(b)
	}
	if len(c.out.kept)+len(b) >= outletSize {
		(*console)(c).hideProgress()
	}
	return c.out.Write(b)
}

type consoleErr console

// warnings are the beginnings of the lines on stderr that are warnings.
var warnings = []string{"supervise: ", "--resume: ", "--confine: ", "no snapshot of "}

func (c *consoleErr) Write(b []byte) (int, error) {
	text := strings.TrimRight(string(b), "\n")
	switch {
	case c.json == nil:
		return (*consoleLog)(c).Write(b)
	case strings.TrimSpace(text) == "":
	case strings.HasPrefix(text, "ecsrun: "):
		c.json.Error(text)
	case slices.ContainsFunc(warnings, func(w string) bool { return strings.HasPrefix(text, w) }):
		c.json.Warn(text)
	default:
		c.json.Info(text)
	}
	return len(b), nil
}

type consoleLog console

func (c *consoleLog) Write(b []byte) (int, error) {
	(*console)(c).flush()
	(*console)(c).write(string(b))
	return len(b), nil
}

// terminal reports whether w is a terminal that can move its cursor.
func terminal(w io.Writer, env func(string) string) bool {
	f, ok := w.(*os.File)
	return ok && env("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// colorful reports whether output to w should be coloured: w is a terminal, and NO_COLOR is not set.
func colorful(w io.Writer, env func(string) string) bool {
	return env("NO_COLOR") == "" && terminal(w, env)
}

// progressEvery is the time between two updates of the line.
const progressEvery = 100 * time.Millisecond

// progress is the line that a terminal shows during a run: the frames done and, if their number is known, a bar
// and the time left.
type progress struct {
	bar   *progressbar.ProgressBar
	drawn time.Time
	shown bool
}

// newProgress returns a line on w for this number of frames, 0 if it is not known. A run that ends at once shows
// no line.
func newProgress(w io.Writer, frames uint64, color bool, now time.Time) *progress {
	most := int64(frames)
	if frames == 0 || most < 0 {
		most = -1 // a spinner
	}
	description := "running"
	if color {
		description = "[cyan]running[reset]"
	}
	bar := progressbar.NewOptions64(most,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(description),
		progressbar.OptionEnableColorCodes(color),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("frames"),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSpinnerType(14),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine of its own: update draws it
	)
	bar.StartWithoutRender() // its frames per second count from here
	return &progress{bar: bar, drawn: now}
}

// update shows how many frames are done, if progressEvery has passed.
func (p *progress) update(frame uint64, now time.Time) {
	if now.Sub(p.drawn) < progressEvery {
		return
	}
	p.drawn, p.shown = now, true
	_ = p.bar.Set64(int64(frame)) // it fails beyond the maximum alone, and the line is no result
}

// hide clears the line; the next update shows it again.
func (p *progress) hide() {
	if p.shown {
		_ = p.bar.Clear()
		p.shown = false
	}
}

// A liveLog is the log of a run, for ecs.log of scripts and for ecsrun itself. Its level and form can change while
// it is in use.
type liveLog struct {
	log   *slog.Logger
	live  *liveHandler
	w     io.Writer
	color bool
}

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
type liveHandler struct {
	now   atomic.Pointer[slog.Handler]
	heard func(slog.Record) // gets each record, too; nil: nobody does
}

func (h *liveHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return (*h.now.Load()).Enabled(ctx, level)
}

func (h *liveHandler) Handle(ctx context.Context, r slog.Record) error {
	if h.heard != nil {
		h.heard(r)
	}
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
	clock := "2006-01-02 15:04:05"
	if color {
		clock = "15:04:05"
	}
	return tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: clock, NoColor: !color, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
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
