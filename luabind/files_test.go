package luabind

import (
	"fmt"
	"strings"
	"testing"
)

// Reasons name the file and the line of what the author wrote, whichever files the functions of the loop come from. The
// loop is in line 2 of lib.lua, the callback begins in line 4 of a.lua.
func TestReasonsNameTheirFile(t *testing.T) {
	t.Parallel()
	const lib = `local lib = {} function lib.each(world, fn)
for e, a in world:each("A") do fn(e, a) end
end
function lib.bad(x)
return coroutine.wrap(print)
end
function lib.rare(a)
if a.x > 1 then coroutine.wrap(print) end
end
local mine = { n = 1 }
function lib.member(x)
return x.y.z
end
return lib
`
	const head = "local lib = require(\"lib\")\nlocal pick, other = function(x) return x end, require(\"other\")\nreturn function(world, dt)\nlib.each(world, function(e, a)\n"
	for _, c := range []struct{ body, want string }{
		{"a.x = lib.bad(1)", "lib.lua:2: calls coroutine.wrap (:5)"},
		{"lib.rare(a)", "lib.lua:2: rows that reach line 8 (calls coroutine.wrap)"},
		{"if a.x > 1 then\nlib.bad(1) end", "lib.lua:2: rows that reach line 5 (calls coroutine.wrap)"},
		{"a.x = lib.member(a)", "lib.lua:2: indexes x.y, which is no view or table of constants (:12)"},
		{"a.x = 1\na.x = coroutine.wrap(1)", "lib.lua:2: calls coroutine.wrap (a.lua:6)"},
		{"if a.x > 1 then\ncoroutine.wrap(print) end", "lib.lua:2: rows that reach a.lua:6 (calls coroutine.wrap)"},
		{"a.x = other.bad(1)", "lib.lua:2: calls coroutine.wrap (other.lua:3)"},
		{"if a.x > 1 then\nother.bad(1) end", "lib.lua:2: rows that reach other.lua:3 (calls coroutine.wrap)"},
		{"local function f()\nreturn coroutine.wrap(print) end a.x = f()", "lib.lua:2: calls coroutine.wrap (a.lua:6)"},
		{"a.x = pick(1)\nif a.x > 3 then pick = nil end", "lib.lua:2: \"pick\" is assigned and called (a.lua:6)"},
	} {
		source := head + c.body + "\nend) end"
		text := map[string]string{"a": source, "lib": lib, "other": "local other = {}\nfunction other.bad(x)\nreturn coroutine.wrap(print) end return other"}
		_, r := runFiles(t, Closures, text, 3, "a")
		got := ""
		for _, l := range r.Explain() {
			if l.Reason != "" {
				got = fmt.Sprintf("%s:%d: %s (%s:%d)", l.File, l.Line, l.Reason, l.AtFile, l.At)
			}
		}
		for _, f := range r.Fallbacks() {
			if f.Rows {
				got = fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Reason)
			}
		}
		if got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", strings.TrimSpace(c.body), got, c.want)
		}
	}
}
