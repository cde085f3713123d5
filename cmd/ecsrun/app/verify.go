package app

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// A verification runs a second world in lockstep with that of a run; in the second world one system has another
// implementation. After the startup stage and after every frame the digests of the two are compared; only if they
// differ, the worlds are compared thing by thing.
type verification struct {
	system string
	index  int // index of the system in the config
	a, b   side
	found  string // the first difference, "" if there is none so far
}

// A side is one of the two worlds.
type side struct {
	impl    string
	runtime *luabind.Runtime
	meter   *meter
	printed []string // lines printed by scripts since the last comparison
	failed  []error  // errors of turns since the last comparison
}

// newVerification parses the flag, SYSTEM or SYSTEM=A,B.
func newVerification(flag string, c *config.Config) (*verification, error) {
	system, words, both := strings.Cut(flag, "=")
	v := &verification{system: system, index: c.FindSystem(system)}
	if v.index < 0 {
		var known []string
		for _, s := range c.Systems {
			known = append(known, s.Name)
		}
		return nil, usageError("--verify: there is no system %q; %s", system, meant(system, "systems", known))
	}
	s := c.Systems[v.index]
	v.system = s.Name
	has := implementations(s)
	v.a.impl, v.b.impl = s.Impl, config.ImplLua
	switch {
	case len(has) < 2:
		return nil, usageError("--verify: system %q has one implementation only, %s", system, has[0])
	case both:
		pair := strings.Split(words, ",")
		if len(pair) != 2 || pair[0] == pair[1] {
			return nil, usageError("--verify %s wants two implementations, as in --verify %s=%s,%s", flag, system, has[0], has[len(has)-1])
		}
		v.a.impl, v.b.impl = pair[0], pair[1]
	case s.Impl == config.ImplLua:
		return nil, usageError("--verify: system %q is configured to run as lua; say which two, as in --verify %s=%s,%s",
			system, system, config.ImplAuto, config.ImplLua)
	}
	for _, impl := range []string{v.a.impl, v.b.impl} {
		if !slices.Contains(has, impl) {
			return nil, usageError("--verify: system %q has no implementation %q; %s", system, impl, meant(impl, "its implementations", has))
		}
	}
	return v, nil
}

// implementations returns the implementations that a system can have, the interpreter first and Go last.
func implementations(s config.System) []string {
	var out []string
	if s.Script != "" {
		out = append(out, config.ImplLua, config.ImplClosures, config.ImplAuto)
	}
	if s.Native != "" {
		out = append(out, config.ImplNative)
	}
	return out
}

// configured returns a copy of the config in which one system has another implementation.
func configured(c *config.Config, index int, impl string) *config.Config {
	copied := *c
	copied.Systems = slices.Clone(c.Systems)
	copied.Systems[index].Impl = impl
	return &copied
}

// Write records one line that a script of this side prints.
func (s *side) Write(line []byte) (int, error) {
	s.printed = append(s.printed, strings.TrimSuffix(string(line), "\n"))
	return len(line), nil
}

// prints returns the writer for what scripts of the visible world print.
func (v *verification) prints(stdout io.Writer) io.Writer { return io.MultiWriter(stdout, &v.a) }

// assemble makes the second world. What its scripts print and log is not shown.
func (v *verification) assemble(r *run, dog *watchdog) error {
	v.a.runtime, v.a.meter = r.runtime, r.meter
	var problems config.Problems
	v.b.runtime, problems = r.assemble(configured(r.config, v.index, v.b.impl), luabind.Options{Stdout: &v.b, Report: func(err *luabind.ScriptError) {
		if errors.Is(err, luabind.ErrBug) {
			from := r.repeat
			from.set = append(slices.Clone(from.set), v.setting(&v.b))
			r.wrongCode(err, from)
			return
		}
		v.b.fail(err)
	}}, dog)
	if len(problems) > 0 {
		return r.reject(problems)
	}
	v.b.meter = measure(v.b.runtime.Schedule())
	return nil
}

// setting returns the KEY=VALUE that gives the system the implementation of a side.
func (v *verification) setting(s *side) string {
	return fmt.Sprintf("systems.%s.impl=%s", v.system, s.impl)
}

// fail records a turn that failed.
func (s *side) fail(err *luabind.ScriptError) { s.failed = append(s.failed, err) }

// end records an error that ended the startup or a frame.
func (s *side) end(err error) {
	if err != nil {
		s.failed = append(s.failed, err)
	}
}

// step does in the second world what was done in the first one, which ended with err, and compares the two. It
// returns the error of a bug or of a signal.
func (v *verification) step(do func(*luabind.Runtime) error, err error) error {
	v.a.end(err)
	other := do(v.b.runtime)
	v.b.end(other)
	if errors.Is(other, luabind.ErrBug) || errors.Is(other, errInterrupted) {
		return other
	}
	v.compare()
	clear(v.a.printed)
	clear(v.b.printed)
	v.a.printed, v.b.printed = v.a.printed[:0], v.b.printed[:0]
	v.a.failed, v.b.failed = nil, nil
	return nil
}

// compare looks for a difference between the two sides.
func (v *verification) compare() {
	a, b := v.a.runtime.World(), v.b.runtime.World()
	what, x, y := differentLine("failure", v.failures(&v.a), v.failures(&v.b))
	if what == "" {
		what, x, y = differentLine("printed line", v.a.printed, v.b.printed)
	}
	if what == "" && !equalWorlds(a, b) {
		what, x, y = "the digest (the order of declarations)", a.Digest().String(), b.Digest().String()
		if list := a.Differences(b, 1); len(list) > 0 {
			what, x, y = list[0].What(), list[0].A, list[0].B
		}
	}
	if what != "" {
		v.found = v.describe(what, x, y)
	}
}

// equalWorlds reports whether there is nothing in which two worlds with the same declarations differ. It costs no more than
// two digests.
func equalWorlds(a, b *ecs.World) bool {
	reasonA, stoppedA := a.Stopped()
	reasonB, stoppedB := b.Stopped()
	if reasonA != reasonB || stoppedA != stoppedB {
		return false
	}
	for id := range a.EventNames() {
		_, sentA := a.EventCount(ecs.EventID(id))
		_, sentB := b.EventCount(ecs.EventID(id))
		if sentA != sentB { // also events that have been drained
			return false
		}
	}
	return a.Digest() == b.Digest()
}

// differentLine returns the first line in which two lists differ, with its name: "printed line 3". The name is "" if there
// is none.
func differentLine(what string, a, b []string) (name, x, y string) {
	at := func(list []string, i int) string {
		if i < len(list) {
			return list[i]
		}
		return "nothing"
	}
	for i := range max(len(a), len(b)) {
		if x, y := ecs.Shortened(at(a, i), at(b, i)); at(a, i) != at(b, i) {
			return fmt.Sprintf("%s %d", what, i+1), x, y
		}
	}
	return "", "", ""
}

// failures returns the texts of the failures of a side. A native system words its failures differently from its
// script, so for it only the fact that it failed is compared.
func (v *verification) failures(s *side) []string {
	native := v.a.impl == config.ImplNative || v.b.impl == config.ImplNative
	var out []string
	for _, err := range s.failed {
		var script *luabind.ScriptError
		if native && errors.As(err, &script) && script.System == v.system {
			out = append(out, fmt.Sprintf("system %q failed", v.system))
		} else {
			out = append(out, err.Error())
		}
	}
	return out
}

// describe returns a difference in one line.
func (v *verification) describe(what, a, b string) string {
	return fmt.Sprintf("%s: %s: %s with %s, %s with %s", v.when(), what, a, v.a.impl, b, v.b.impl)
}

// when returns the name of the frame that was compared last.
func (v *verification) when() string {
	if n := v.a.runtime.World().Frame(); n > 0 {
		return fmt.Sprintf("frame %d", n)
	}
	return "before frame 1"
}

// result returns the line at the end of a run.
func (v *verification) result() string {
	if v.found != "" {
		return fmt.Sprintf("verify %s: %s", v.system, v.found)
	}
	w := v.a.runtime.World()
	return fmt.Sprintf("verify %s: %s and %s are equal: %s, %s", v.system, v.a.impl, v.b.impl, counted(w.Frame(), "frame"), counted(w.Len(), "entity"))
}

// running returns the meter of the world in which a turn is running.
func (v *verification) running() *meter {
	if v.b.meter.running != nil {
		return v.b.meter
	}
	return v.a.meter
}
