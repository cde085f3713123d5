package luatest

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// t.property("name", { generators }, function(…) … end, { runs = 100 }): a test that runs with random arguments. Each
// case runs like a test of its own, with before_each and after_each. A case that fails is made simpler (shrink.go),
// and shown as code.

// property is what a test of t.property runs.
type property struct {
	generators []generator
	names      []string // of the parameters of the function
	runs       int
}

const (
	defaultRuns = 100
	mostRuns    = 100_000
	shrinkTime  = 10 * time.Second // of wall-clock time, for making a failing case simpler
)

// propertyWord is t.property(…).
func (s *suite) propertyWord(L *lua.LState) int {
	s.whileLoading(L, "t.property")
	surface.AtMost(L, "property", 4, 0)
	t := &test{name: s.name(L, "property"), line: s.state.Where().Line}
	list, ok := L.Get(2).(*lua.LTable)
	if !ok {
		sandbox.Raisef(L, `bad argument #2 to 'property' (list of generators expected, got %s); write t.property("name", { t.int(1, 6) }, function(n) … end)`, surface.Kind(L.Get(2)))
	}
	t.fn = s.function(L, 3, "property")
	s.state.NameFunction(t.fn, "property")
	p := &property{runs: s.runs(L, L.Get(4))}
	for i, k := range s.sortedKeys(list) {
		if n, ok := k.(lua.LNumber); !ok || int(n) != i+1 {
			sandbox.Raisef(L, "t.property: the generators are a list, without keys; %s is a key", s.key(k, ""))
		}
		p.generators = append(p.generators, s.generatorOf(L, sandbox.Get(list, k), 0))
		p.names = append(p.names, parameter(t.fn, i))
	}
	t.property = p
	s.add(t)
	return 0
}

// runs reads the options of a property.
func (s *suite) runs(L *lua.LState, v lua.LValue) int {
	if v == lua.LNil {
		return defaultRuns
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		sandbox.Raisef(L, "bad argument #4 to 'property' (table expected, got %s); write { runs = 100 }", surface.Kind(v))
	}
	runs := defaultRuns
	for _, k := range s.sortedKeys(t) {
		if k != lua.LString("runs") {
			sandbox.Raisef(L, "t.property: %w", unknownKey(s.key(k, ""), lua.LVAsString(k), []string{"runs"}))
		}
		n, ok := sandbox.Get(t, k).(lua.LNumber)
		if !ok || n < 1 || n > mostRuns || float64(n) != math.Trunc(float64(n)) {
			sandbox.Raisef(L, "t.property: runs is a whole number from 1 to %d, not %s", mostRuns, s.show(sandbox.Get(t, k)))
		}
		runs = int(n)
	}
	return runs
}

// parameter returns the name of a parameter of a function, counted from 0.
func parameter(fn *lua.LFunction, i int) string {
	if p := fn.Proto; p != nil && i < int(p.NumParameters) && i < len(p.DbgLocals) {
		return p.DbgLocals[i].Name
	}
	return fmt.Sprintf("value%d", i+1)
}

// runProperty runs the cases of a property.
func (s *suite) runProperty(t *test, groups []*group, r *Result) {
	used := int64(0)
	for n := 1; n <= t.property.runs; n++ {
		one := *r
		c := &choices{random: s.streams.Stream(fmt.Sprintf("%s:%d %s, case %d", s.file.Name, t.line, r.FullName(), n))}
		s.runCase(t, groups, n, c, &one)
		used += s.state.Budget().Used()
		switch {
		case len(one.Failures) > 0:
			s.simplify(t, groups, n, c.list, &one)
			*r = one
			return
		case one.Status == Pending, s.ctx.Err() != nil:
			*r = one
			return
		case uint64(used) > s.o.instructions():
			r.Failures = append(r.Failures, Failure{File: s.file.Name, Line: t.line, Message: fmt.Sprintf(
				"the first %s use more instructions than a test may; write { runs = %d }, or a smaller case", counted(n, "case"), max(1, n/2))})
			return
		}
	}
}

// runCase runs one case with its arguments. math.random gives the same numbers in case n, however often it runs.
func (s *suite) runCase(t *test, groups []*group, n int, c *choices, r *Result) {
	s.random.Seed(float64(n))
	s.runOnce(groups, r, func() error { return s.state.Call(t.fn, t.property.arguments(c)...) })
}

func (p *property) arguments(c *choices) []lua.LValue {
	var values []lua.LValue
	for _, g := range p.generators {
		values = append(values, g.make(c))
	}
	return values
}

// simplify finds the simplest case that fails, and makes r its result.
func (s *suite) simplify(t *test, groups []*group, n int, list []uint64, r *Result) {
	p, began := t.property, s.o.now()
	best, steps := list, 0
	if !spent(r) {
		best, steps = shrink(list, func(try []uint64) []uint64 {
			if s.ctx.Err() != nil || s.o.now()-began > shrinkTime {
				return nil
			}
			s.output.take()
			c := &choices{list: try}
			one := s.result(t, Passed)
			s.runCase(t, groups, n, c, &one)
			if len(one.Failures) == 0 || spent(&one) || s.ctx.Err() != nil {
				return nil
			}
			return c.used()
		})
		if steps > 0 { // the failure and the output are those of the case that is shown
			s.output.take()
			one := s.result(t, Passed)
			s.runCase(t, groups, n, &choices{list: best}, &one)
			if len(one.Failures) > 0 {
				*r = one
			}
		}
	}
	found := fmt.Sprintf("-- case %d of %d, seed %d", n, p.runs, s.o.seed())
	if steps > 0 {
		found += ", made simpler in " + counted(steps, "step")
	}
	r.Failures[0].Case = append(s.code(p, best), found)
}

// spent reports whether a case has failed because it passed a limit. Trying smaller ones would take as long each.
func spent(r *Result) bool {
	for _, f := range r.Failures {
		if f.limit {
			return true
		}
	}
	return false
}

// code returns the arguments of a case as Lua code, a line for each.
func (s *suite) code(p *property, list []uint64) []string {
	s.state.Budget().Reset(int64(min(s.o.instructions(), 1<<62)))
	c := &choices{list: list}
	var lines []string
	for i, v := range p.arguments(c) {
		var b strings.Builder
		appendCode(&b, v, s)
		text := b.String()
		if len(text) > mostCode {
			text = strings.ToValidUTF8(text[:mostCode], "") + fmt.Sprintf(" … (%d bytes)", len(text))
		}
		lines = append(lines, fmt.Sprintf("local %s = %s", p.names[i], text))
	}
	return lines
}
