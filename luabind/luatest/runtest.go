package luatest

import (
	"errors"
	"fmt"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// Running one test: the groups around it are entered if the test before was not in them, its before_each functions
// run, then the test, then what finally has set and the after_each functions. groups.go chooses the tests, and leaves
// the groups afterwards.

// runTest runs a test with what comes before and after it, and records how it has ended.
func (s *suite) runTest(t *test, r *Result) {
	groups := t.group.path()
	broken := s.enter(groups, !t.pending)
	switch {
	case broken != nil:
		s.ended(r, broken.failed, broken.failedPhase)
	case t.pending:
		r.Status = Pending
	default:
		s.inside, s.running = true, t
		s.random = s.streams.Stream(fmt.Sprintf("%s:%d %s", s.file.Name, t.line, r.FullName()))
		switch {
		case t.property != nil:
			s.runProperty(t, groups, r)
		case t.bench:
			s.runBench(t, groups, r)
		default:
			s.runOnce(groups, r, func() error { return s.state.Call(t.fn) })
		}
		s.inside, s.running, s.random = false, nil, nil
	}
	s.settle(r)
}

// settle takes over what was printed, and the status that follows from the failures.
func (s *suite) settle(r *Result) {
	r.Output += s.output.take()
	if len(r.Failures) > 0 {
		r.Status = Failed
	}
}

// runOnce runs body between the before_each functions, from the outside in, and the after_each functions, from the
// inside out. An after_each runs if the before_each functions of its describe have been called, whether or not they
// failed. The worlds that were made meanwhile are closed.
func (s *suite) runOnce(groups []*group, r *Result, body func() error) {
	worlds, replaced := len(s.worlds), len(s.replaced)
	s.atEnd = nil
	assigned := layer{}
	entered, phase := 0, "before_each"
	err := s.guarded(func() error {
		for _, g := range groups {
			entered++
			for _, fn := range g.before {
				if err := s.callFor(g, fn); err != nil {
					return err
				}
			}
		}
		phase = ""
		s.scope.enter(assigned)
		return body()
	})
	s.scope.settle(assigned)
	s.ended(r, err, phase)
	for len(s.atEnd) > 0 {
		last := len(s.atEnd) - 1
		fn := s.atEnd[last]
		s.atEnd = s.atEnd[:last]
		s.ended(r, s.guarded(func() error { return s.state.Call(fn) }), "finally")
	}
	if phase == "" {
		s.scope.settle(assigned)
		s.scope.leave()
	}
	for _, g := range slices.Backward(groups[:entered]) {
		for _, fn := range g.after {
			s.call(r, g, fn, "after_each")
		}
	}
	s.restoreTo(replaced)
	s.release(worlds)
}

// call runs a function of a group that comes after a test, under a budget of its own.
func (s *suite) call(r *Result, g *group, fn *lua.LFunction, phase string) {
	s.ended(r, s.guarded(func() error { return s.callFor(g, fn) }), phase)
}

// enter enters the groups around a test, from the outside in: setup runs in those that were not entered before, and
// lazy_setup too if the test is to run. It returns the group that cannot be used because one of the two has failed,
// now or before; nil if the test can run.
func (s *suite) enter(groups []*group, run bool) *group {
	for _, g := range groups {
		if !g.entered {
			g.entered = true
			s.prepare(g, g.setup, "setup")
		}
		if run && !g.prepared && !g.broken {
			g.prepared = true
			s.prepare(g, g.lazySetup, "lazy_setup")
		}
		if g.broken {
			return g
		}
	}
	return nil
}

// prepare runs functions before the first test of a group. After a failure no test of the group runs.
func (s *suite) prepare(g *group, functions []*lua.LFunction, phase string) {
	s.inside = true
	s.random = s.streams.Stream(fmt.Sprintf("%s:%s of %q", s.file.Name, phase, g.within()))
	for _, fn := range functions {
		if err := s.guarded(func() error { return s.callFor(g, fn) }); err != nil {
			g.broken, g.failed, g.failedPhase = true, err, phase
			break
		}
	}
	s.inside, s.random = false, nil
}

// isIn reports whether a group is another one, or within it. No group is nil.
func (g *group) isIn(other *group) bool {
	for ; g != nil; g = g.parent {
		if g == other {
			return true
		}
	}
	return false
}

// ended records how a phase has ended.
func (s *suite) ended(r *Result, err error, phase string) {
	pending := (*pendingError)(nil)
	switch {
	case err == nil:
	case s.ctx.Err() != nil && afterwards(phase):
	case s.ctx.Err() != nil:
		f := s.failure(err, phase)
		f.Message = "interrupted"
		r.Failures = append(r.Failures, f)
	case errors.As(err, &pending):
		r.Status, r.Reason = Pending, pending.reason
	default:
		f := s.failure(err, phase)
		f.limit = s.state.Budget().Spent() != nil
		r.Failures = append(r.Failures, f)
	}
}

// afterwards reports whether a phase comes after a test.
func afterwards(phase string) bool {
	return slices.Contains([]string{"finally", "after_each", "lazy_teardown", "teardown"}, phase)
}

// release closes the open loops in all worlds, and closes the worlds that were made after the first n.
func (s *suite) release(n int) {
	for i, h := range s.worlds {
		if h.bound != nil {
			h.bound.EndTurn()
		}
		if i >= n {
			_ = h.Runtime.Close() // nothing is left to save
			h.Runtime = nil
		}
	}
	clear(s.worlds[n:])
	s.worlds = s.worlds[:n]
}
