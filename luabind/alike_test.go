package luabind

import (
	"maps"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// patternNames are the names of [exitPatterns]: which rows leave their kernel.
var patternNames = slices.Sorted(maps.Keys(exitPatterns))

// patternsTried is the number of patterns that [patternsAlike] tries for one body.
func patternsTried() int { return effort.Of(len(patternNames)) }

// patternsAlike runs a loop body with several patterns of rows that leave their kernel, interpreted and in kernels. Different i choose
// different patterns. It reports differences, and returns what the kernels have run.
func patternsAlike(t *testing.T, i int, body string, source func(body, pattern, call string) string) (did loops.Tally) {
	t.Helper()
	for j := range patternsTried() {
		name := patternNames[(i+j)%len(patternNames)]
		more := exitsAlike(t, name, source(body, exitPatterns[name], exitCalls[(i+j)%len(exitCalls)]))
		did.Machine, did.Closures, did.Left = did.Machine+more.Machine, did.Closures+more.Closures, did.Left+more.Left
	}
	return did
}

// exitsAlike runs a file interpreted, as closures and under auto. It reports a difference, with the words about, and returns what the kernels
// of the last two have run.
func exitsAlike(t *testing.T, about, source string) (did loops.Tally) {
	t.Helper()
	want, _ := exitTrace(t, source, Lua, Limits{})
	for _, impl := range compared(source) {
		got, more := exitTrace(t, source, impl, Limits{})
		if got != want {
			t.Errorf("%s, %v: got\n%.3000s\ninterpreted\n%.3000s\n%s", about, impl, got, want, source)
		}
		did.Machine, did.Closures, did.Left = did.Machine+more.Machine, did.Closures+more.Closures, did.Left+more.Left
	}
	return did
}
