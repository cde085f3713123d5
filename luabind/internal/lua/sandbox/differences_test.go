package sandbox

import "testing"

// Each line of "Differences from Lua 5.1" in docs/lua-api.md. What lua5.1 gives for the same code stands behind it.
func TestDifferences(t *testing.T) {
	for source, want := range map[string]string{
		`print(os, io, debug, dofile, loadfile, getfenv, setfenv, module, newproxy, gcinfo)`:                                               "nil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil", // values
		`print(table.foreach, table.foreachi, table.setn, string.gfind, string.dump)`:                                                      "nil\tnil\tnil\tnil\tnil",                          // functions
		`print(pcall(function() assert(false, "m") end)) print(select(2, pcall(assert, false, nil)))`:                                      "false\ttest.lua:1: m\nassertion failed!",          // no position
		`local e = {} print(select(2, pcall(assert, nil, e)) == e)`:                                                                        "true",                                             // the same
		`print(collectgarbage(), collectgarbage("count"), collectgarbage("step"))`:                                                         "0\t0\t0",                                          // kilobytes, true
		`local s = "" for k in pairs{ b = 1, a = 2, 7, c = 3 } do s = s .. k end print(s)`:                                                 "1bac",                                             // any order
		`print(tostring({}), tostring(print), tostring(coroutine.create(print)))`:                                                          "table\tfunction\tthread",                          // addresses
		`local w = setmetatable({}, { __mode = "k" }) w[{}] = 1 collectgarbage() print(next(w) ~= nil)`:                                    "true",                                             // false
		`local z = 0 print(1 / (z * -1), 1 / -z, 1 / tonumber("-0"), 1 / (-3 % 3), 1 / -0)`:                                                "inf\t-inf\t-inf\tinf\t-inf",                       // -inf for the first
		`print(5 % math.huge, -5 % math.huge, 1 % 0.1 < 0.1)`:                                                                              "5\tinf\ttrue",                                     // nan, nan
		`print(pcall(function() for i = "1", 2 do end end))`:                                                                               "false\ttest.lua:1: the start of a for loop must be a number, not a string value",
		`print(("%s %s"):format({}, nil))`:                                                                                                 "table nil", // an error
		`local t = setmetatable({}, { __len = function() return 7 end, __unm = function(...) return select("#", ...) end }) print(#t, -t)`: "7\t1",      // 0, 2
		`print(pcall(tostring, setmetatable({}, { __tostring = function() return {} end })))`:                                              "false\t__tostring must return a string, not a table value",
		`print(next({ 1 }, "gone"))`:                                "nil", // an error
		`print(getmetatable(""))`:                                   "locked",
		`print(pcall(table.insert, {}, 0, 1))`:                      "false\tbad argument #2 (position out of bounds)",
		`print(tonumber("inf"), tonumber("nan"), tonumber("0x10"))`: "nil\tnil\t16",
		`print(pcall(function() return absent1 end)) print(pcall(function() nothing = 1 end)) print(pcall(function() _G.nothing = 1 end))`: "false\ttest.lua:1: undeclared global \"absent1\"; no local of this name is visible here\nfalse\ttest.lua:1: undeclared global \"nothing\"; use local: local nothing = …\nfalse\ttest.lua:1: undeclared global \"nothing\"; use local: local nothing = …",
		"print(pcall(function() local a\nreturn 1 +\n2 +\na end))":                                                                         "false\ttest.lua:2: attempt to perform arithmetic on a nil value (local \"a\")", // line 4
		`do goto out end ::out::; print(load("return 1")(), xpcall(function(...) return ... end, print, 5))`:                               "1\ttrue\t5",
	} {
		if got := newWorld(t).must(source); got != want {
			t.Errorf("%s\nprints %q, want %q", source, got, want)
		}
	}
}
