package luabind

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Undeclared globals in files that others require. A file that is written for several programs may ask where it runs.
func TestUndeclaredGlobalsInModules(t *testing.T) {
	const a = `local lib = require("lib") return function() print(lib) end`
	for name, c := range map[string]struct{ a, lib, want string }{
		"a read":                    {a, "local M = {}\nfunction M.f() return totl end\nreturn M", `lib.lua:2: undeclared global "totl"; no local of this name is visible here`},
		"an assignment":             {a, "local M = {}\nfunction M.f()\ncount = 1 end\nreturn M", `lib.lua:3: undeclared global "count"; use local: local count = …`},
		"a call":                    {a, "local M = {}\nfunction M.f() return prnt(1) end\nreturn M", `lib.lua:2: undeclared global "prnt"; did you mean "print"?`},
		"for this program":          {a, "local ecs = require('ecs')\nreturn function() return ecs, os.time() end", `lib.lua:2: undeclared global "os"; write world.time for the time; scripts do not reach the system`},
		"for any program":           {a, "return function() love.graphics.draw() return os.time(), debug.traceback() end", ""},
		"what Lua has":              {a, "local unpack = unpack or table.unpack return function() loadstring = loadstring or load return unpack, bit, package.loaded, _VERSION, arg end", ""},
		"a question":                {a, "return function() if jit then return other end return love and import or setfenv and nothing, rawget(_G, 'some') and some end", ""},
		"a question in a local":     {a, "local old = _VERSION == 'Lua 5.1' local env = { new = not old } return function() if env.new then return other() else return nothing end end", ""},
		"caught":                    {a, "local function f() return other end return function() return pcall(f), pcall(function() return nothing end) end", ""},
		"declared by another file":  {`local lib = require("lib") rawset(_G, "other", 1) return function() print(lib) end`, "return function() return other end", ""},
		"declared in a function":    {`local G, lib = _G, require("lib") return function() rawset(G, "other", 1) print(lib) end`, "return function() return other end", ""},
		"declared in a loop":        {a, "for _, n in ipairs{ 'other' } do rawset(_G, n, 1) end\nreturn function() return other, another end", `lib.lua:2: undeclared global "another"; did you mean "other"?`},
		"declared by a function":    {a, "local M = {} function M.export(t) for k, v in pairs(t) do rawset(_G, k, v) end end function M.f() return other end return M", ""},
		"locals":                    {a, "local _ENV = nil return function(self, ...) local x = ... for i = 1, 2 do x = x + i end repeat local y = x until y return x, self end", ""},
		"after a loop":              {a, "return function(f) repeat local y = f() until y\nreturn y end", `lib.lua:2: undeclared global "y"; no local of this name is visible here`},
		"a file that does not load": {"local ok, lib = pcall(require, 'lib') return function() print(ok, lib) end", "error('no') return function() return other end", ""},
	} {
		t.Run(name, func(t *testing.T) {
			mistakes, warnings := undeclaredAndWarned(t, map[string]string{"a": c.a, "lib": c.lib})
			if got := mistakes + warnings; got != c.want {
				t.Errorf("got %v\nwant %s", got, c.want)
			}
			if ours := strings.Contains(c.lib, "require('ecs')"); ours && warnings != "" || !ours && mistakes != "" {
				t.Errorf("a library has warnings, a file of this program mistakes: mistakes %q, warnings %q", mistakes, warnings)
			}
		})
	}
}

// undeclaredAndWarned returns what Undeclared and W108 say of a world.
func undeclaredAndWarned(t *testing.T, sources map[string]string) (mistakes, warnings string) {
	t.Helper()
	r, err := New(Options{Log: strictLog(t), World: ecs.NewWorld(ecs.Options{}), Scripts: files(sources)})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Add(System{Name: "a", Script: "a.lua"}), r.Load()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Undeclared()...); err != nil {
		mistakes = err.Error()
	}
	for _, w := range r.Lint() {
		if w.Code == "W108" {
			warnings += fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Message)
		}
	}
	return mistakes, warnings
}
