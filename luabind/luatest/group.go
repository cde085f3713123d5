package luatest

import (
	"fmt"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// The tests of a file as a tree of groups. The words of the file (words.go) build it while the file loads; runner.go
// walks it.

// group is a describe, or the file itself.
type group struct {
	name   string
	parent *group // nil for the file itself
	items  []item // in the order of the file

	before, after             []*lua.LFunction // around each test
	setup, teardown           []*lua.LFunction // around all tests
	lazySetup, lazyTeardown   []*lua.LFunction // around all tests, if one of them is run
	inside                    *insulation      // of an insulate: what its code sees in place of the file's; nil otherwise
	entered, prepared, broken bool             // setup has begun; lazySetup has begun; one of them has failed
	failed                    error            // why it is broken
	failedPhase               string           // "setup" or "lazy_setup"
	worlds                    int              // number of the suite's worlds before setup
	replaced                  int              // number of the suite's replacements before setup
}

// item is a test or a group.
type item struct {
	test  *test
	group *group
}

// test is an it, a pending, a t.property or a t.bench.
type test struct {
	group    *group
	name     string
	line     int
	index    int            // in the file, from 0
	fn       *lua.LFunction // nil when it is pending
	pending  bool
	property *property // of t.property
	bench    bool      // of t.bench
}

// tests returns the tests in the order in which they run.
func (s *suite) tests() []*test {
	var list []*test
	var walk func(g *group, name string)
	walk = func(g *group, name string) {
		items := slices.Clone(g.items)
		if s.o.Shuffle {
			shuffle(items, s.o.seed(), name)
		}
		for i, it := range items {
			if it.test != nil {
				list = append(list, it.test)
			} else {
				walk(it.group, fmt.Sprintf("%s/%d %s", name, i, it.group.name))
			}
		}
	}
	name := s.file.Name
	if s.o.Round > 0 {
		name = fmt.Sprintf("%s round %d", name, s.o.Round)
	}
	walk(s.root, name)
	return list
}

// path returns the groups around a test, the file first.
func (t *test) path() []*group {
	var groups []*group
	for g := t.group; g != nil; g = g.parent {
		groups = append(groups, g)
	}
	slices.Reverse(groups)
	return groups
}

// within returns the names of the describes around a test, outermost first.
func (t *test) within() []string { return t.group.within() }

// within returns the names of the describes around what is in a group, outermost first: those of the group and of the
// groups around it.
func (g *group) within() []string {
	var names []string
	for ; g.parent != nil; g = g.parent {
		names = append(names, g.name)
	}
	slices.Reverse(names)
	return names
}

// add appends a test to the group whose body is running.
func (s *suite) add(t *test) {
	t.group, t.index = s.group, s.count
	s.count++
	s.group.items = append(s.group.items, item{test: t})
}
