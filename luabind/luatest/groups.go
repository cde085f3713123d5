package luatest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// Running what is in a file: its tests and groups one after another. As in busted, the body of a group runs when its turn
// comes, after the tests before it and the setup of the groups around it. runtest.go runs one test.

// roundName is the name under which the order of a file is shuffled.
func (s *suite) roundName() string {
	if s.o.Round > 0 {
		return fmt.Sprintf("%s round %d", s.file.Name, s.o.Round)
	}
	return s.file.Name
}

func (s *suite) runItems(g *group, name string) {
	order := make([]int, len(g.items))
	for i := range order {
		order[i] = i
	}
	seed, shuffled := g.shuffled(s.o)
	if shuffled {
		shuffle(order, seed, name)
	}
	for i, at := range order {
		switch it := g.items[at]; {
		case s.done():
			return
		case it.test != nil:
			s.runItem(it.test)
		default:
			s.runGroup(it.group, fmt.Sprintf("%s/%d %s", name, i, it.group.name))
		}
	}
}

// shuffled returns whether what is in a group runs in another order, and from which seed.
func (g *group) shuffled(o *Options) (uint64, bool) {
	switch v := g.randomize.(type) {
	case lua.LNumber:
		return rand.NewPCG(uint64(v), 0).Uint64(), true
	case lua.LBool:
		return o.seed(), bool(v)
	}
	return o.seed(), o.Shuffle
}

// done reports whether nothing more is run.
func (s *suite) done() bool { return s.stopped || s.ctx.Err() != nil }

// runItem runs a test, if it is chosen.
func (s *suite) runItem(t *test) {
	switch {
	case t.bench && !s.o.Bench:
		return
	case !s.o.Shard.has(s.file, t), s.o.Match != nil && !s.o.Match(s.result(t, Passed).FullName()):
		s.report.Left++
		return
	case s.o.List:
		s.report.add(s.o, s.result(t, Listed))
		return
	}
	if s.flush(); s.done() {
		return
	}
	result := s.result(t, Passed)
	began := s.o.now()
	s.runTest(t, &result)
	result.Elapsed = s.o.now() - began
	s.last, s.lastTest = &result, t
	s.stopped = s.o.FailFast && result.Status == Failed
}

// flush reports the test that has run last: nothing more belongs to it.
func (s *suite) flush() {
	if s.last != nil {
		s.report.add(s.o, *s.last)
		s.last, s.lastTest = nil, nil
	}
}

// runGroup runs the body of a group and what is in it.
func (s *suite) runGroup(g *group, name string) {
	if !s.o.List {
		s.enter(g.parent.path(), false)
	}
	g.worlds, g.replaced = len(s.worlds), len(s.replaced)
	if g.insulated {
		g.outside = s.insulated()
	}
	s.scope.enter(g.layer)
	err := s.define(g, func() error { return s.surf.Load(s.file.Path, func() error { return s.state.Call(g.body) }) })
	switch {
	case s.ctx.Err() != nil:
	case err != nil:
		s.flush()
		s.report.add(s.o, Result{
			File: s.file.Name, Round: s.o.Round, Line: g.line, Within: g.within(), Unloaded: true,
			Status: Failed, Failures: []Failure{s.failure(err, "load")}, Output: s.output.take(),
		})
		s.stopped = s.o.FailFast
	default:
		s.runItems(g, name)
	}
	s.leave(g)
	if g.exposed {
		s.expose(g)
	}
}

// leave ends a group: lazy_teardown runs if lazy_setup has begun, teardown if setup has. Their failures count as those of
// the last test of the group.
func (s *suite) leave(g *group) {
	if g.entered {
		r := s.last
		if r == nil || !s.lastTest.group.isIn(g) {
			s.flush()
			r = &Result{File: s.file.Name, Round: s.o.Round, Line: g.line, Within: g.within(), Unloaded: true}
		}
		began := s.o.now()
		s.inside = true
		if g.prepared {
			for _, fn := range g.lazyTeardown {
				s.call(r, g, fn, "lazy_teardown")
			}
		}
		for _, fn := range g.teardown {
			s.call(r, g, fn, "teardown")
		}
		s.inside = false
		s.settle(r)
		r.Elapsed += s.o.now() - began
		if r != s.last && r.Status == Failed {
			s.report.add(s.o, *r)
		}
		s.stopped = s.stopped || s.o.FailFast && r.Status == Failed
	}
	s.restoreTo(g.replaced)
	s.release(g.worlds)
	if g.outside != nil {
		s.endInsulation(g.outside)
	}
	s.scope.leave()
}

// expose makes what a group has changed stay after the insulated group around it.
func (s *suite) expose(g *group) {
	for at := g.parent; at != nil; at = at.parent {
		if at.outside != nil {
			at.outside = s.insulated()
			s.instance.SwapModules(at.outside.modules)
			return
		}
	}
}

// path returns a group with the groups around it, the file first.
func (g *group) path() []*group {
	var groups []*group
	for ; g != nil; g = g.parent {
		groups = append(groups, g)
	}
	slices.Reverse(groups)
	return groups
}
