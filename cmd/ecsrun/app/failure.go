package app

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file reports failures while a run continues. play.go calls report for each failed turn.

const (
	failureWindow  = 10 * time.Second // at most once in this time repeats are counted in the output
	failuresShown  = 20               // full reports in one window
	failuresTraced = 500              // kinds of failures that are told apart
)

// A failureLog writes the failures of a run to stderr. The first failure of a kind is shown in full. Later ones of
// the same kind (same system, line and text, except for numbers) are only counted, and the count is shown every
// ten seconds and at the end. So a script that fails in every frame of a long run does not fill the disk.
type failureLog struct {
	w    io.Writer
	at   func(*luabind.ScriptError) string // returns where the file of a failure can be opened, "" if nowhere
	json *slog.Logger                      // if set, a failure is one record of this log, not lines on w

	kinds  map[string]*failureKind
	order  []*failureKind // in the order in which they first occurred
	window time.Time      // start of the current window
	shown  int            // full reports in this window
	hidden int            // failures beyond failuresShown that are not reported yet
}

type failureKind struct {
	like *luabind.ScriptError // the latest one; nil if the error is not that of a script
	text string
	more int // repeats since the last count was shown
}

// newFailureLog returns a log for the scripts of a config.
func newFailureLog(w io.Writer, log *slog.Logger, c *config.Config) *failureLog {
	l := &failureLog{w: w, kinds: map[string]*failureKind{}}
	l.use(log, c)
	return l
}

// use makes the scripts and the form of the log those of a config.
func (l *failureLog) use(log *slog.Logger, c *config.Config) {
	l.at, l.json = func(e *luabind.ScriptError) string { return location(c, e) }, nil
	if c.Log.Format == "json" {
		l.json = log
	}
}

// report shows a failure or counts it.
func (l *failureLog) report(err error, now time.Time) {
	if now.Sub(l.window) >= failureWindow {
		l.countUp()
		l.window, l.shown = now, 0
	}
	var script *luabind.ScriptError
	errors.As(err, &script)
	kind := kindOf(err, script)
	if k := l.kinds[kind]; k != nil {
		k.like = script
		k.more++
		return
	}
	if l.shown == failuresShown || len(l.order) == failuresTraced {
		l.hidden++
		return
	}
	k := &failureKind{like: script, text: err.Error()}
	l.kinds[kind] = k
	l.order = append(l.order, k)
	l.shown++
	l.write(err, script)
}

// kindOf returns a key that is equal for failures of the same kind.
func kindOf(err error, script *luabind.ScriptError) string {
	if script == nil {
		return withoutNumbers(err.Error())
	}
	return fmt.Sprintf("%s:%d %s %s", script.File, script.Line, script.System, withoutNumbers(script.Message))
}

// withoutNumbers replaces each run of digits, so that "entity 17v2" and "entity 3v1" are the same mistake.
func withoutNumbers(s string) string {
	var b strings.Builder
	digits := false
	for _, r := range s {
		isDigit := r >= '0' && r <= '9'
		switch {
		case !isDigit:
			b.WriteRune(r)
		case !digits:
			b.WriteByte('#')
		}
		digits = isDigit
	}
	return b.String()
}

func (l *failureLog) write(err error, script *luabind.ScriptError) {
	switch {
	case l.json != nil && script != nil:
		l.json.Error(script.Message, "path", l.at(script), "file", script.File, "line", script.Line, "system", script.System, "frame", script.Frame,
			"excerpt", strings.TrimSpace(script.Excerpt), "stack", luabind.Traceback(script.Stack))
	case l.json != nil:
		l.json.Error(err.Error())
	default:
		fmt.Fprint(l.w, withoutControls(render(err, script, l.at)))
	}
}

// render returns the text of a failure: its one line, in which paths are the same on every machine; where the file
// can be opened; the line of source; the traceback.
func render(err error, script *luabind.ScriptError, at func(*luabind.ScriptError) string) string {
	if script == nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	b.WriteString(script.Error() + "\n")
	if path := at(script); path != "" {
		b.WriteString("  --> " + path + "\n")
	}
	if script.Excerpt != "" {
		b.WriteString(strings.TrimRight(script.Excerpt, "\n") + "\n")
	}
	for i, f := range luabind.Traceback(script.Stack) {
		if i == 0 {
			b.WriteString("  stack: " + f + "\n")
		} else {
			b.WriteString("         " + f + "\n")
		}
	}
	return b.String()
}

// disabled reports that a system was disabled after so many errors.
func (l *failureLog) disabled(system string, errors int) {
	if l.json != nil {
		l.json.Error("system disabled", "system", system, "errors", errors)
		return
	}
	fmt.Fprintf(l.w, "system %q is disabled (limits.errors is %d)\n", system, errors)
}

// repeats says which file reproduces a difference between machine code and closures.
func (l *failureLog) repeats(script *luabind.ScriptError, path string, failed error) {
	switch {
	case l.json != nil && failed != nil:
		l.json.Error("the file that repeats it cannot be written", "reason", failed.Error(), "system", script.System)
	case l.json != nil:
		l.json.Error("a bug in ecsrun; the loop goes on as closures", "system", script.System, "repeat", path)
	case failed != nil:
		fmt.Fprintf(l.w, "This is a bug in ecsrun; the loop goes on as closures. The file that repeats it cannot be written: %v\n", failed)
	default:
		fmt.Fprintf(l.w, "This is a bug in ecsrun; the loop goes on as closures. To repeat it, and to report it: ecsrun test %s\n", path)
	}
}

// place returns "poison.lua:9: ". It is empty for a condition or a Go function, which are not in a script.
func place(script *luabind.ScriptError) string {
	if script.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d: ", script.File, script.Line)
}

// countUp writes how often known failures have occurred again.
func (l *failureLog) countUp() {
	for _, k := range l.order {
		if k.more == 0 {
			continue
		}
		switch {
		case l.json != nil && k.like != nil:
			l.json.Error("repeated", "more", k.more, "file", k.like.File, "line", k.like.Line, "system", k.like.System, "frame", k.like.Frame)
		case l.json != nil:
			l.json.Error("repeated", "more", k.more, "like", k.text)
		case k.like != nil:
			fmt.Fprintf(l.w, "… %s more like it: %ssystem %q, last in frame %d\n", grouped(k.more), place(k.like), k.like.System, k.like.Frame)
		default:
			fmt.Fprintf(l.w, "… %s more like it: %s\n", grouped(k.more), withoutControls(k.text))
		}
		k.more = 0
	}
	switch {
	case l.hidden == 0:
	case l.json != nil:
		l.json.Error("more failures, not shown", "more", l.hidden)
	default:
		fmt.Fprintf(l.w, "… %s more failures of other kinds, not shown\n", grouped(l.hidden))
	}
	l.hidden = 0
}

// flatten returns the errors that errors.Join has joined, in order; none for nil.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range list.Unwrap() {
			all = append(all, flatten(e)...)
		}
		return all
	}
	return []error{err}
}

// location returns the path and line of a script's failure in a form that can be opened from the current folder:
// "scripts/poison.lua:9". For a condition it is the place in the config, or the flag. It is "" if there is no
// file.
func location(c *config.Config, script *luabind.ScriptError) string {
	switch {
	case script.File != "":
		file := c.ScriptFile(script.File)
		return position(config.Pos{File: file, Line: script.Line, Column: script.Column})
	case errors.Is(script, luabind.ErrCondition):
		if problem := systemProblem(c, script); problem != nil {
			return problem.Pos.String()
		}
	}
	return ""
}

// systemProblem converts an error of a condition or a native system, which is not in a script, to a problem of the
// config. It returns nil if the config has no such system.
func systemProblem(c *config.Config, script *luabind.ScriptError) *config.Problem {
	for i, s := range c.Systems {
		if s.Name != script.System {
			continue
		}
		path := c.SystemPath(i)
		if errors.Is(script, luabind.ErrCondition) {
			path += ".when"
		} else if errors.Is(script, luabind.ErrNative) {
			path += ".native"
		}
		return c.Problem(path, script.Message, "")
	}
	return nil
}

// conditions splits an error of Load into problems with conditions, which belong to the config, and other errors.
func conditions(c *config.Config, err error) (problems config.Problems, rest []error) {
	for _, e := range flatten(err) {
		var script *luabind.ScriptError
		if errors.Is(e, luabind.ErrCondition) && errors.As(e, &script) {
			if problem := systemProblem(c, script); problem != nil {
				problems = append(problems, problem)
				continue
			}
		}
		rest = append(rest, e)
	}
	return problems, rest
}
