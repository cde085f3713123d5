package app

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// A verification runs a second world in lockstep with that of a run; one system has another implementation there. After the startup stage
// and after every frame the two are compared: their digests, and only when these differ, thing by thing.
type verification struct {
	system string
	index  int // of the system in the config
	a, b   side
	found  string // the first difference, "" as long as there is none
}

// A side is one of the two worlds.
type side struct {
	impl    string
	runtime *luabind.Runtime
	meter   *meter
	printed []string // by scripts, since the last comparison
	failed  []error  // turns, likewise
}

// newVerification reads SYSTEM or SYSTEM=A,B.
func newVerification(flag string, c *config.Config) (*verification, error) {
	system, words, both := strings.Cut(flag, "=")
	v := &verification{system: system, index: slices.IndexFunc(c.Systems, func(s config.System) bool { return s.Name == system })}
	if v.index < 0 {
		var known []string
		for _, s := range c.Systems {
			known = append(known, s.Name)
		}
		return nil, usageError("--verify: there is no system %q; %s", system, meant(system, "systems", known))
	}
	s := c.Systems[v.index]
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

// implementations lists what may run a system, the interpreter first and Go last.
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

// configured returns the config with one system under another implementation.
func configured(c *config.Config, index int, impl string) *config.Config {
	copied := *c
	copied.Systems = slices.Clone(c.Systems)
	copied.Systems[index].Impl = impl
	return &copied
}

// Write is what a script of the side prints, a line.
func (s *side) Write(line []byte) (int, error) {
	s.printed = append(s.printed, strings.TrimSuffix(string(line), "\n"))
	return len(line), nil
}

// prints returns where the scripts of the shown world print.
func (v *verification) prints(stdout io.Writer) io.Writer { return io.MultiWriter(stdout, &v.a) }

// assemble makes the second world, whose scripts print and log nothing.
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
	dog.beside(r.runtime.World(), v.b.runtime.World())
	if len(problems) > 0 {
		return r.reject(problems)
	}
	v.b.meter = measure(v.b.runtime.Schedule())
	return nil
}

// setting is the KEY=VALUE that gives the system the implementation of a side.
func (v *verification) setting(s *side) string {
	return fmt.Sprintf("systems.%s.impl=%s", v.system, s.impl)
}

// fail notes a failing turn.
func (s *side) fail(err *luabind.ScriptError) { s.failed = append(s.failed, err) }

// end notes what ended the start or a frame.
func (s *side) end(err error) {
	if err != nil {
		s.failed = append(s.failed, err)
	}
}

// step does with the second world what was done with the first, which ended with err, and compares. The error is that of a bug, or of a signal.
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

// compare looks for a difference.
func (v *verification) compare() {
	a, b := v.a.runtime.World(), v.b.runtime.World()
	c := comparison{a: a, b: b}
	if c.texts(v.failures(&v.a), v.failures(&v.b), "failure") || c.texts(v.a.printed, v.b.printed, "printed line") {
		v.found = v.describe(c.found)
		return
	}
	if a.Digest() == b.Digest() && !c.stopped() && !c.eventsSent() {
		return
	}
	d, ok := worldDifference(a, b, v.a.runtime.Schedule().Names())
	if !ok {
		d = difference{"the digest (a random stream of a Go function, or the order of declarations)", a.Digest().String(), b.Digest().String()}
	}
	v.found = v.describe(d)
}

// failures are the texts of those of a side. What a native system says of its failure is not what its script says, so only that it failed is compared.
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

// describe is a difference in one line.
func (v *verification) describe(d difference) string {
	return fmt.Sprintf("%s: %s: %s with %s, %s with %s", v.when(), d.what, d.a, v.a.impl, d.b, v.b.impl)
}

// when is the frame that was compared last.
func (v *verification) when() string {
	if n := v.a.runtime.World().Frame(); n > 0 {
		return fmt.Sprintf("frame %d", n)
	}
	return "before frame 1"
}

// result is the line at the end of a run.
func (v *verification) result() string {
	if v.found != "" {
		return fmt.Sprintf("verify %s: %s", v.system, v.found)
	}
	w := v.a.runtime.World()
	return fmt.Sprintf("verify %s: %s and %s are equal: %s, %s", v.system, v.a.impl, v.b.impl, counted(w.Frame(), "frame"), counted(w.Len(), "entity"))
}

// running is the meter of the world in which a turn runs now.
func (v *verification) running() *meter {
	if v.b.meter.running != nil {
		return v.b.meter
	}
	return v.a.meter
}
