package sandbox

import (
	"strings"
	"testing"
)

// Calls are as deep within each other as in Lua 5.1, wherever the recursion begins, and the same error ends what is deeper.
func TestDepth(t *testing.T) {
	const head = `
local function depth(n) if n == 0 then return 0 end return 1 + depth(n - 1) end
local function endless() return 1 + endless() end
local function has(ok, text) return ok, tostring(text) end
`
	const overflow = "false x.lua:3: stack overflow: too many calls within each other; does a function call itself without end?"
	for source, want := range map[string]string{
		`depth(14900)`:                        "14900",
		`pcall(depth, 14900)`:                 "true 14900",
		`pcall(pcall, depth, 14900)`:          "true true 14900",
		`coroutine.wrap(depth)(14900)`:        "14900",
		`coroutine.wrap(pcall)(depth, 14900)`: "true 14900",
		`coroutine.wrap(function() for i = 1, 3 do coroutine.yield(depth(14000)) end end)()`:                   "14000",
		`-setmetatable({}, { __unm = function() return depth(14900) end })`:                                    "14900",
		`(function() for x in function(_, x) if not x then return depth(14900) end end do return x end end)()`: "14900",
		`has(pcall(endless))`:                              overflow,
		`has(coroutine.resume(coroutine.create(endless)))`: overflow,
		`has(pcall(pcall, endless))`:                       "true false",
		`(function() for i = 1, 50 do pcall(endless) end return has(pcall(endless)) end)()`:                                                                                                     overflow,
		`(function() local function levels(n) if n == 0 then return 0 end local _, x = pcall(levels, n - 1) return 1 + x end return levels(185) end)()`:                                         "185",
		`(function() local function levels(n) if n == 0 then return 0 end return 1 + -setmetatable({}, { __unm = function() return levels(n - 1) end }) end return levels(190) end)()`:          "190",
		`(function() local function levels(n) if n == 0 then return 0 end for x in function(_, x) if not x then return levels(n - 1) end end do return 1 + x end end return levels(190) end)()`: "190",
	} {
		t.Run(source, func(t *testing.T) {
			plain, fast := results(t, head+"return "+source, true), results(t, head+"return "+source, false)
			if !strings.HasPrefix(fast, want) || plain != fast {
				t.Errorf("%s; gopher-lua %s; want %s", fast, plain, want)
			}
		})
	}
}
