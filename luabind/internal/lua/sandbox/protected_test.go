package sandbox

import "testing"

// protectedCases were run with PUC Lua 5.1.5.
var protectedCases = []struct{ idea, src, want string }{
	{
		"a handler that fails", `print(xpcall(function() error("a") end, function(m) error("b") end)) print(xpcall(error, error)) print(xpcall(error, 5))`,
		"false\terror in error handling\nfalse\terror in error handling\nfalse\terror in error handling",
	},
	{"the first result of a handler", `print(xpcall(error, function() return 1, 2 end)) print(xpcall(error, function() end))`, "false\t1\nfalse\tnil"},
	{"a handler with a protected call", `print(xpcall(error, function() return pcall(error, "m") end)) print(xpcall(error, function() return (xpcall(error, error)) end))`, "false\tfalse\nfalse\tfalse"},
	{
		"a level above the function of a coroutine", `local function try(f) print(coroutine.resume(coroutine.create(f))) end
		try(function() error("m", 1) end) try(function() error("m", 2) end) try(function() error("m", 3) end) try(function() return error("m", 2) end)
		try(function() local function f() error("m", 2) end f() end) try(function() local function f() error("m", 3) end f() end)
		print(pcall(coroutine.wrap(function() error("m", 2) end)))`,
		"false\ttest.lua:2: m\nfalse\tm\nfalse\tm\nfalse\tm\nfalse\ttest.lua:3: m\nfalse\tm\nfalse\tm",
	},
}

func TestProtectedCallsAreThoseOfLua(t *testing.T) {
	for _, c := range protectedCases {
		for _, original := range []bool{false, true} {
			w := newWorld(t)
			if original {
				w.s.machine.Off = true
			}
			if got := w.must(c.src); got != c.want {
				t.Errorf("%s, under gopher-lua's interpreter: %v\nprints %q\nwant   %q", c.idea, original, got, c.want)
			}
		}
	}
}
