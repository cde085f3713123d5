package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/loops"
)

// sameCompiled runs a script interpreted, as closures and under auto, and fails if it does not do the same, or if the rows that were run
// are not as expected. body is the part of the script that is shown then.
func sameCompiled(t *testing.T, source, body string, expected func(impl Impl, did loops.Tally) bool) {
	t.Helper()
	want, _ := exitTrace(t, source, Lua, Limits{})
	for _, impl := range []Impl{Closures, Auto} {
		got, did := exitTrace(t, source, impl, Limits{})
		if got != want {
			t.Errorf("%v: got\n%.1000s\ninterpreted\n%.1000s\n%s", impl, got, want, body)
		}
		if !expected(impl, did) {
			t.Errorf("%v: %+v: %s", impl, did, body)
		}
	}
}

// byMachine is what sameCompiled expects of a loop that is machine code: no row is left to the interpreter.
func byMachine(impl Impl, did loops.Tally) bool {
	return did.Left == 0 && (impl != Auto || did.Machine >= 300)
}
