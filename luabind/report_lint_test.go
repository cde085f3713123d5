package luabind

import (
	"slices"
	"strings"
	"testing"
)

// A coroutine that a system with impl: lua keeps cannot be saved, wherever it yields.
func TestLintOfCoroutinesUnderTheReference(t *testing.T) {
	const script = "local co = coroutine.wrap(function() coroutine.yield() end)\nreturn function() co() end"
	for impl, want := range map[Impl]int{Auto: 0, Closures: 0, Lua: 1} {
		x := scriptOf(script)
		x.systems[0].Impl = impl
		rt := x.open(t, &runTrace{})
		start(t, rt)
		found := slices.DeleteFunc(rt.Lint(), func(w Warning) bool { return w.Code != "W302" })
		if len(found) != want || want > 0 && (found[0].File != "a.lua" || found[0].Line != 1 || !strings.Contains(found[0].Message, "impl: lua")) {
			t.Errorf("%v: %v", impl, found)
		}
	}
}
