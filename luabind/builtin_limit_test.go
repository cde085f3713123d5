package luabind

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Passing a limit that is built in is a passed limit; one that the script catches
// is no failure, and one that it throws again is a passed limit still.
func TestBuiltInLimits(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"string":                   `local s = ("x"):rep(2 ^ 24) .. "x"`,
		"list":                     "local t = {} for i = 1, 2 ^ 20 do t[#t + 1] = i end",
		"list, by insert":          "local t = {} for i = 1, 2 ^ 20 do table.insert(t, i) end",
		"subject":                  `local s = ("x"):rep(2 ^ 22 + 1):find("y+")`,
		"pattern":                  `local s = ("x"):find(("x"):rep(513) .. "+")`,
		"nesting of a pattern":     `local s = ("x"):rep(300):find(("x?"):rep(250) .. "y")`,
		"captures":                 `local s = ("x"):find(("()"):rep(33))`,
		"calls":                    "local function f() return 1 + f() end f()",
		"calls in a coroutine":     "local function f() return 1 + f() end assert(coroutine.resume(coroutine.create(f)))",
		"pcalls":                   "local function f() local ok, e = pcall(f) if not ok then error(e, 0) end end f()",
		"coroutines":               "for i = 1, 10001 do coroutine.create(print) end",
		"coroutines in each other": "local function f() local ok, e = coroutine.resume(coroutine.create(f)) if not ok then error(e, 0) end end f()",
		"values":                   "local t = {} for i = 1, 7000 do t[i] = i end local function f(...) return select('#', ...) end local function g(...) return f(...) + g(1, ...) end g(unpack(t))",
		"unpack":                   "local t = {} for i = 1, 8001 do t[i] = i end unpack(t)",
		"bytes":                    `("x"):rep(8001):byte(1, -1)`,
		"index through tables":     "local t = {} for i = 1, 200 do t = setmetatable({}, { __index = t }) end print(t.x)",
		"depth of plain data":      "local t = {} for i = 1, 40 do t = { t } end world:send('Got', { t = t })",
		"entities of a spawn_many": "world:spawn_many(2 ^ 20)",
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(body, "(") {
				body = ";" + body
			}
			const head = "local ecs = require('ecs') ecs.event('Got', { t = 'table' })\nreturn function(world)\n"
			for how, want := range map[string]bool{"%s": true, "pcall(function() %s end)": false, "local ok, e = pcall(function() %s end) if not ok then error(e, 0) end": true} {
				_, err := run(t, Options{Scripts: files(map[string]string{"a": head + fmt.Sprintf(how, body) + "\nend"})}, 1, System{Name: "a", Impl: Lua})
				if got := errors.Is(err, ErrLimit); got != want || errors.Is(err, ErrBug) || !want && err != nil {
					t.Errorf("%s: %v", how, err)
				}
			}
		})
	}
}
