package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// A difference between machine code and closures is a bug in ecsrun. It is found while a loop runs (see
// luabind.Difference). The run then continues without that code, ends with code 70, and leaves a file that
// reproduces the bug: a test in Lua, for ecsrun test, that runs the same world up to the same frame. A run is
// deterministic, so the test finds the difference again.

// A repeat says how a run was started, for the file that reproduces it.
type repeat struct {
	path string   // of the config
	set  []string // KEY=VALUE: of the environment, then of --set, then of the command itself
}

// repeatOf returns the repeat of a config with overrides and further settings.
func repeatOf(path string, o config.Overrides, more ...string) repeat {
	r := repeat{path: path}
	for _, v := range o.Env {
		name, value, _ := strings.Cut(v, "=")
		if rest, ok := strings.CutPrefix(name, "ECSRUN_"); ok && value != "" {
			r.set = append(r.set, strings.Replace(strings.ToLower(rest), "_", ".", 1)+"="+value)
		}
	}
	r.set = append(append(r.set, o.Set...), more...)
	return r
}

// wrongCode reports a difference and writes the file that reproduces it.
func (r *run) wrongCode(err *luabind.ScriptError, from repeat) {
	r.wrong++
	r.failures.report(err, time.Now())
	var d *luabind.Difference
	if !errors.As(err, &d) {
		return
	}
	name := fmt.Sprintf("ecsrun-difference-%s-%s-%d-%d.lua", stem(from.path), stem(err.File), err.Line, err.Frame)
	path, failed := writeRepeat(name, func(folder string) string { return r.repetition(err, d, from, name, folder) })
	r.failures.repeats(err, path, failed)
}

// stem returns the name of a file without its folder and extension, and without characters that are special in a
// shell.
func stem(path string) string {
	base := filepath.Base(filepath.FromSlash(path))
	return strings.Map(func(c rune) rune {
		if c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			return c
		}
		return '-'
	}, strings.TrimSuffix(base, filepath.Ext(base)))
}

// writeRepeat writes the file into the current folder or, if that fails, into the folder for temporary files. The
// error is that of the last attempt.
func writeRepeat(name string, text func(folder string) string) (path string, err error) {
	for _, path = range []string{name, filepath.Join(os.TempDir(), name)} {
		if err = os.WriteFile(path, []byte(text(filepath.Dir(path))), 0o644); err == nil {
			return path, nil
		}
	}
	return "", err
}

// pathFrom returns a path of the current folder as it is written in a file of another folder; the path itself if there is
// none, as between two drives.
func pathFrom(folder, path string) string {
	at, errAt := filepath.Abs(path)
	from, errFrom := filepath.Abs(folder)
	if rel, err := filepath.Rel(from, at); err == nil && errAt == nil && errFrom == nil {
		return rel
	}
	return path
}

// repetition returns the text of the file, which lies in a folder. It names the config from there, as t.world asks for.
func (r *run) repetition(err *luabind.ScriptError, d *luabind.Difference, from repeat, name, folder string) string {
	path := pathFrom(folder, from.path)
	var b strings.Builder
	comment := func(format string, args ...any) {
		for line := range strings.Lines(fmt.Sprintf(format, args...)) {
			b.WriteString(strings.TrimRight("-- "+strings.TrimRight(line, "\n"), " ") + "\n")
		}
	}
	comment("Repeats a bug in the compiler of ecsrun: the machine code of a loop did something else than")
	comment("the interpreter. Please report it, with the config and the scripts if you can:")
	comment("https://github.com/ecsrun/ecsrun/issues")
	comment("")
	comment("%s", err.Error())
	comment("%s", err.Excerpt)
	comment("found by %s", versionLine())
	if len(d.Before) > 0 {
		comment("")
		comment("Entity %s before the loop came to it:", d.Entity)
		for _, line := range d.Before {
			comment("  %s", line)
		}
	}
	comment("")
	comment("Run it with: ecsrun test %s", name)
	comment("It runs the world up to the same frame. A turn that fails there ends it: if the run went on after")
	comment("failures, repeat it as it was run, for %s.", counted(err.Frame, "frame"))
	b.WriteString("local t = require(\"ecs.test\")\n\n")
	b.WriteString("it(\"computes what the interpreter computes\", function()\n")
	fmt.Fprintf(&b, "  local world = t.world{\n    config = %s,\n    seed = %d,\n    set = {", luaText(filepath.ToSlash(path)), r.config.Run.Seed)
	for i, s := range from.set {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(" " + luaText(s))
	}
	if len(from.set) > 0 {
		b.WriteString(" ")
	}
	fmt.Fprintf(&b, "},\n  }\n  world:step(%d)\nend)\n", err.Frame)
	return b.String()
}

// luaText returns a string as a Lua literal.
func luaText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b.WriteString("\\" + string(rune(c)))
		case c < ' ':
			fmt.Fprintf(&b, "\\%03d", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
