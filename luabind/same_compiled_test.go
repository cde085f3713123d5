package luabind

import (
	"cmp"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// sameCompiled runs a script interpreted, as closures and under auto, and fails if it does not do the same, or if the rows that were run
// are not as expected. body is the part of the script that is shown then.
func sameCompiled(t *testing.T, source, body string, expected func(impl Impl, did loops.Tally) bool) {
	t.Helper()
	want, _ := exitTrace(t, source, Lua, Limits{})
	for _, impl := range compared(source) {
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

// byAny is what sameCompiled expects of a loop that may be interpreted.
func byAny(Impl, loops.Tally) bool { return true }

// A rowsCase is a file with loops, and what becomes of their rows in four frames: ran are done by a kernel, and left are left by one to the
// interpreter. machine says that under auto all of the first are machine code.
type rowsCase struct {
	name    string
	source  string // the file, with BODY in it, and maybe INIT; exitSource when empty
	init    string
	body    string
	leaves  string // one of exitPatterns; none when empty
	ran     int
	left    int
	machine bool
}

// sameRows runs the files of cases with each implementation.
func sameRows(t *testing.T, cases []rowsCase) {
	t.Helper()
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			source := exitSource(c.body, exitPatterns[cmp.Or(c.leaves, "none")], exitCalls[0])
			if c.source != "" {
				source = strings.NewReplacer("INIT", c.init, "BODY", c.body).Replace(c.source)
			}
			sameCompiled(t, source, c.body, func(impl Impl, did loops.Tally) bool {
				return did.Machine+did.Closures == c.ran && did.Left == c.left && (impl != Auto || (did.Machine == c.ran && c.ran > 0) == c.machine)
			})
		})
	}
}

// compared returns what a script is compared with: closures and auto. Without more effort, closures are compared for a quarter of the scripts.
func compared(source string) []Impl {
	if effort.More() || crc32.ChecksumIEEE([]byte(source))%4 == 0 {
		return []Impl{Closures, Auto}
	}
	return []Impl{Auto}
}
