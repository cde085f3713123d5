package sandbox

import "testing"

// What libraries do to find out in which Lua they run, and what happens when they use what is not there.
func TestProbedGlobals(t *testing.T) {
	w := newWorld(t)
	for source, want := range map[string]string{
		`print(type(jit), love == nil, _G.setfenv, _G["io"], rawget(_G, "bit32"), not newproxy)`: "nil\ttrue\tnil\tnil\tnil\ttrue",
		`local rawlen = rawlen or function(t) return #t end print(rawlen{ 1, 2 })`:               "2",
		`for _, name in ipairs{ "debug", "io", "os" } do local t = _G[name] print(t) end`:        "nil\nnil\nnil",
		`if class_commons ~= false and not common then print(LibStub) end`:                       "nil",
		`if game then game.start() end print(1)`:                                                 "1",
		`print(rawget(_G, "anything"))`:                                                          "nil",
	} {
		if got := w.must(source); got != want {
			t.Errorf("%s\nprints %q, want %q", source, got, want)
		}
	}
	for source, want := range map[string]string{
		`return os.time()`: `test.lua:1: undeclared global "os"; write world.time for the time; scripts do not reach the system`,

		`dofile("a.lua")`: `test.lua:1: undeclared global "dofile"; use require`,

		`local bit32 = bit32 return bit32.bor(1, 2)`: `test.lua:1: attempt to index a nil value (local "bit32"); write bit, as LuaJIT has it: bit.band, bor, bxor, bnot, lshift, rshift, arshift, rol, ror`,

		`local setfenv = setfenv return function() setfenv(1, {}) end`: ``,

		`return _G.os.time()`: `test.lua:1: attempt to index a nil value (field "os"); write world.time for the time; scripts do not reach the system`,

		`return _G.oss`: `test.lua:1: undeclared global "oss"; no local of this name is visible here`,

		`local setfenv = setfenv; (function() setfenv(1, {}) end)()`: `test.lua:1: attempt to call a nil value (local "setfenv"); environments cannot be changed; load(text, name, "t", env) gives a text one of its own`,
	} {
		got := ""
		if _, err := w.run(source); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s\nfails with %q, want %q", source, got, want)
		}
	}
}

// A name that a file asks for is no undeclared global of it, one that it only uses is.
func TestUndeclaredProbes(t *testing.T) {
	w := newWorld(t)
	for source, want := range map[string]int{
		`if jit then jit.off() end`:          0,
		`local t = os and os.time() or 0`:    0,
		`print(type(love))`:                  0,
		`return os.time()`:                   1,
		`setfenv(1, {})`:                     1,
		`io = nil`:                           1,
		`local f = loadfile f("a") dofile()`: 1,
	} {
		c, err := Compile("a.lua", source)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.env.Undeclared(c, nil); len(got) != want {
			t.Errorf("%s: %q, want %d", source, got, want)
		}
	}
}

// The position that assert puts in front is that of its caller, as in Lua 5.1.
func TestAssertPosition(t *testing.T) {
	for source, want := range map[string]string{
		`print(pcall(function() assert(false, "m") end))`:                                             "false\ttest.lua:1: m",
		`print(pcall(function() assert(nil) end))`:                                                    "false\ttest.lua:1: assertion failed!",
		`print(pcall(function() assert(nil, nil) end))`:                                               "false\ttest.lua:1: assertion failed!",
		`print(pcall(function() assert(false, 12) end))`:                                              "false\ttest.lua:1: 12",
		`print(pcall(assert, false, "m"))`:                                                            "false\tm",
		`local e = {} print(select(2, pcall(function() assert(false, e) end)) == e)`:                  "true",
		"print(pcall(function() assert(pcall(error, 'x', 0)) end))":                                   "false\ttest.lua:1: x",
		"print(pcall(function()\nlocal ok, m = pcall(function() error('x') end)\nassert(ok, m) end))": "false\ttest.lua:3: test.lua:2: x",
	} {
		if got := newWorld(t).must(source); got != want {
			t.Errorf("%s\nprints %q, want %q", source, got, want)
		}
	}
}
