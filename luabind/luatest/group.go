package luatest

import (
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// The tests of a file as a tree of groups. The words of the file (words.go) build it: the body of the file makes the
// outermost level, the body of each describe its own. groups.go walks the tree.

// group is a describe, or the file itself.
type group struct {
	name   string
	line   int
	parent *group         // nil for the file itself
	body   *lua.LFunction // nil for the file itself
	items  []item         // in the order of the file; none before the body has run

	layer     layer // the globals that it has assigned
	assigns   layer // to which its code assigns: layer; of an expose, that of the group around the one around it
	insulated bool
	exposed   bool
	randomize lua.LValue // what the word randomize was given; nil if it was not called

	before, after             []*lua.LFunction // around each test
	setup, teardown           []*lua.LFunction // around all tests
	lazySetup, lazyTeardown   []*lua.LFunction // around all tests, if one of them is run
	outside                   *insulation      // of an insulate: what was there before; nil otherwise
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
	index    int            // in its group, from 0
	fn       *lua.LFunction // nil when it is pending
	pending  bool
	property *property // of t.property
	bench    bool      // of t.bench
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
	t.group, t.index = s.group, len(s.group.items)
	s.group.items = append(s.group.items, item{test: t})
}
