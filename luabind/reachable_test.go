package luabind

import (
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

var updateReachable = flag.Bool("update-reachable", false, "write testdata/reachable.golden anew")

// Everything that a script can reach, by whatever way, is in testdata/reachable.golden: what it finds by name, as the keys of
// tables and the members of views, and what Go leaves behind these values, as metatables, environments and upvalues. A value that is new must be
// deliberate: look at the line that the test adds before you take it over with -update-reachable.
func TestReachableValues(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{Seed: 1})
	declareForTests(t, w)
	rt, err := New(Options{World: w, Scripts: files(map[string]string{
		"a": `local ecs, lib = require("ecs"), require("lib")
local reached = {}
function reached.function_of_the_file() return ecs, lib end
return { state = reached, update = function(world, dt)
  local e = world:spawn{ Position = {}, Kinds = { items = { { 1 } } } }
  world:send("Hit", { target = e, extra = { 1 } })
  reached.world, reached.dt, reached.entity, reached.ecs, reached.module = world, dt, e, ecs, lib
  reached.commands, reached.resources = world.commands, world.resources
  reached.view, reached.kinds = world:get(e, "Position"), world:get(e, "Kinds")
  reached.items = reached.kinds.items
  reached.query = ecs.query{ "Position" }
  for ev in world:read("Hit") do reached.event = ev end
  reached.iterators = { world:each("Position"), world:removed("Position"), world:read("Hit"), string.gmatch("a", "a"), pairs({}), ipairs({}) }
  reached.coroutine = coroutine.create(function() coroutine.yield(world) end)
  reached.wrapped = coroutine.wrap(function() end)
  reached.running = coroutine.running()
  local ok, err = pcall(function() return nil + 1 end)
  reached.error = err
  reached.metatables = {}
  for name, v in pairs(reached) do reached.metatables[name] = getmetatable(v) end
  reached.metatables.string = getmetatable("")
  reached.metatables.number = getmetatable(1)
  reached.metatables.print = getmetatable(print)
end }`,
		"lib": `local hidden = {}; return { f = function() return hidden end }`,
	})})
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.Add(System{Name: "a", Script: "a.lua", Impl: Lua}); err != nil {
		t.Fatal(err)
	}
	start(t, rt)
	if err := rt.Frame(context.Background(), 0.5); err != nil {
		t.Fatal(err)
	}
	i := rt.named["a"].instance
	r := reaching{names: map[any]string{}}
	r.value("_G", i.Env.Table)
	r.value("state", i.State())
	r.value("update", i.Update)
	_ = rt.state.Call(rt.state.NewFunction(func(L *lua.LState) int {
		r.value("metatable of strings", L.GetMetatable(lua.LString("")))
		r.value("metatable of functions", L.GetMetatable(L.NewFunction(nil)))
		r.value("metatable of numbers", L.GetMetatable(lua.LNumber(0)))
		r.value("metatable of nil", L.GetMetatable(lua.LNil))
		return 0
	}))
	slices.Sort(r.lines)
	got := strings.Join(r.lines, "\n") + "\n"
	const golden = "testdata/reachable.golden"
	if *updateReachable {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Split(strings.TrimSpace(string(want)), "\n")
	for _, line := range r.lines {
		if !slices.Contains(before, line) {
			t.Errorf("a script reaches what it did not reach before: %s", line)
		}
	}
	for _, line := range before {
		if !slices.Contains(r.lines, line) {
			t.Errorf("a script no longer reaches %s", line)
		}
	}
}

// A reaching lists the values that it meets, each by the first way that leads to it.
type reaching struct {
	lines []string
	names map[any]string
}

// value adds a value and all that it leads to.
func (r *reaching) value(path string, v lua.LValue) {
	switch v := v.(type) {
	case nil, *lua.LNilType:
		return
	case lua.LString, lua.LNumber, lua.LBool:
		r.lines = append(r.lines, path+": "+v.Type().String())
		return
	default:
		if known, ok := r.names[v]; ok {
			r.lines = append(r.lines, path+" = "+known)
			return
		}
		r.names[v] = path
		r.lines = append(r.lines, path+": "+v.Type().String())
	}
	switch v := v.(type) {
	case *lua.LTable:
		var keys []lua.LValue
		for k, _ := v.Next(lua.LNil); k != lua.LNil; k, _ = v.Next(k) {
			keys = append(keys, k)
		}
		slices.SortFunc(keys, func(a, b lua.LValue) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			r.value(path+"."+strings.ToValidUTF8(strings.ReplaceAll(k.String(), "\x00", "␀"), "�"), v.RawGet(k))
		}
		r.value(path+" metatable", v.Metatable)
	case *lua.LUserData:
		r.value(path+" metatable", v.Metatable)
	case *lua.LFunction:
		for _, up := range v.Upvalues {
			r.value(path+" upvalue", up.Value())
		}
	}
}
