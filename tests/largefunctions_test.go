package tests

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// largeFiles are files of functions with more locals, parameters and constants than gopher-lua's compiler takes. Closures keep them from frame to frame.
func largeFiles() fstest.MapFS {
	var locals, inner, records, parameters, arguments []string
	for i := range 196 {
		if i < 192 {
			locals = append(locals, fmt.Sprintf("local v%d = %d", i, i))
		}
		inner = append(inner, fmt.Sprintf("local w%d = k + %d", i, i))
		parameters = append(parameters, fmt.Sprintf("p%d", i))
		arguments = append(arguments, fmt.Sprint(i))
	}
	for i := range 700 {
		records = append(records, fmt.Sprintf("{ id = 'id%d', n = %d.25, s = 's%d' },", i, i, i))
	}
	head := `local out = {} local function show(...) for i = 1, select("#", ...) do out[i] = tostring((select(i, ...))) end print("m: " .. table.concat(out, " ", 1, select("#", ...))) end `
	main := head + strings.Join(locals, " ") + `
local function bump() v1 = v1 + 1 v190 = v190 + v1 return v190 end
local list, made = {}, require("lib.made")
local M = { state = { n = 0 } }
function M.update(world)
  v150 = v150 + 1
  M.state.n = M.state.n + 1
  local k = world.frame
  list[#list + 1] = function() v150 = v150 + k return v150 end
  for e, p in world:each("P") do p.x = p.x + v150 end
  show(bump(), v150, #list, list[1](), M.state.n, made(k))
end
return M
`
	made := "local t = {\n" + strings.Join(records, "\n") + "\n}\nlocal kept = {}\nlocal function make(k)\n" + strings.Join(inner, " ") + `
  return function() w195 = w195 + 1 w1 = w1 + w195 return w1, w195, t[k].id end, function() return w1 + w195 end
end
local function wide(` + strings.Join(parameters, ", ") + `) return function() p195 = p195 + 1 return p0 + p195 end end
return function(k)
  kept[#kept + 1] = { make(k) }
  kept.wide = kept.wide or wide(` + strings.Join(arguments, ", ") + `)
  local a, b, c = kept[1][1]()
  return a, b, c, kept[1][2](), #kept, kept[#kept][2](), t[699].s, t[k].n, kept.wide()
end
`
	return fstest.MapFS{"main.lua": {Data: []byte(main)}, "lib/made.lua": {Data: []byte(made)}}
}

// Such functions go on from snapshots and after reloads as others do.
func TestLargeFunctions(t *testing.T) {
	mods := func() []luabind.Mod { return []luabind.Mod{{Name: "m", Scripts: largeFiles()}} }
	run := func(impl luabind.Impl) string {
		r := openMods(t, impl, mods())
		if r.begin() {
			r.frames(modFrames)
		}
		return r.out.String()
	}
	want := run(luabind.Lua)
	last := "m: 210 159 5 160 5 997 201 id0 1198 5 206 s698 4.25 200\n"
	if !strings.Contains(want, last) {
		t.Fatalf("it prints\n%s, not\n%s", want, last)
	}
	reloaded := modsReloaded(t, luabind.Lua, mods())
	if !strings.Contains(reloaded, "reload: <nil>") {
		t.Error(reloaded)
	}
	for _, impl := range []luabind.Impl{luabind.Closures, luabind.Auto} {
		if got := run(impl); got != want {
			t.Errorf("%v: %s", impl, differingLine(got, want))
		}
		if got := modsReloaded(t, impl, mods()); got != reloaded {
			t.Errorf("%v, reloaded: %s", impl, differingLine(got, reloaded))
		}
	}
	modsResumed(t, 0, luabind.Auto, mods(), want)
	if effort.More() {
		modsResumed(t, 0, luabind.Lua, mods(), want)
	}
}

// Operators of objects whose metamethods are callable tables, and tables that are called, give the same in compiled loops.
func TestCallableMetamethodsInLoops(t *testing.T) {
	source := `local function callable(f) return setmetatable({}, { __call = function(_, ...) return f(...) end }) end
local mt = {}
local function num(v) return type(v) == "table" and rawget(v, "v") or v end
for _, name in ipairs{ "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__concat" } do
  mt[name] = callable(function(a, b) return num(a) * 3 + num(b) end)
end
mt.__unm = callable(function(a) return -num(a) end)
mt.__eq = callable(function(a, b) return num(a) == num(b) end)
mt.__lt = callable(function(a, b) return num(a) < num(b) end)
mt.__le = callable(function(a, b) return num(a) <= num(b) end)
mt.__index = setmetatable({}, { __call = error }) -- a table is indexed, not called
mt.__index.field = 7
mt.__newindex = function(t, k, v) rawset(t, "v", num(t) + v) end
mt.__call = function(t, x) return num(t) + x end
local one, two = setmetatable({ v = 2 }, mt), setmetatable({ v = 5 }, mt)
local plain = callable(function(x) return x * 2 end)
return { state = {}, update = function(world)
  for e, p in world:each("P") do
    p.x = (p.x + plain(p.x) + (one + p.x) + (p.x - one) + one * 2 + 2 / one + one % 3 + one ^ 2 + -one) % 1009
  end
  for e, p in world:each("P") do p.x = (p.x + plain(p.x)) % 1009 end
  for e, p in world:each("P") do
    if one == two or one < two and one <= two then p.x = p.x + one.field + one(p.x) end
    one.n = p.x % 5
    p.x = (p.x + (one .. 4)) % 1009
  end
  for e, p in world:each("P") do print("m: " .. p.x .. " " .. one.v) end
end }
`
	mods := func() []luabind.Mod {
		return []luabind.Mod{{Name: "m", Scripts: fstest.MapFS{"main.lua": {Data: []byte(source)}}}}
	}
	run := func(impl luabind.Impl) (string, error) {
		r := openMods(t, impl, mods())
		if !r.begin() {
			return r.out.String(), context.Canceled
		}
		r.frames(modFrames)
		return r.out.String(), nil
	}
	want, err := run(luabind.Lua)
	if err != nil || !strings.Contains(want, "frame 5: <nil>") {
		t.Fatal(want)
	}
	for _, impl := range []luabind.Impl{luabind.Closures, luabind.Auto} {
		if got, _ := run(impl); got != want {
			t.Errorf("%v: %s", impl, differingLine(got, want))
		}
	}
	modsResumed(t, 0, luabind.Auto, mods(), want)
}
