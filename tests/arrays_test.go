package tests

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// arraysScript does the same with arrays and with Lua lists in its state. BODY has statements about both.
const arraysScript = `
local ecs = require("ecs")
ecs.component("Bag", { slots = "entity[5]", heat = { type = "f32[6]", default = 1 }, flags = "bool[3]", n = "i32" })
ecs.component("Name", { text = "string", small = "u8[4]" })
ecs.resource("map", "i16[70]")
ecs.resource("told", "i32")
ecs.event("Got", { list = "u8[4]", who = "entity[2]" })
local M = { state = { m = {}, told = 0 } }
local arrays = { slots = 5, heat = 6, flags = 3, small = 4 }
local first = { slots = 0, heat = 1, flags = false, small = 0 }
local function plain(c)
  local t = {}
  for name, n in pairs(arrays) do
    t[name] = {}
    for i = 1, n do t[name][i] = first[name] end
  end
  return t
end
local function same(a, b, what)
  assert(#a == #b, what .. " length")
  for i, v in ipairs(a) do assert(v == b[i], what .. "[" .. i .. "]: " .. tostring(v) .. ", want " .. tostring(b[i])) end
  for i = 1, #b do assert(a[i] == b[i], what) end
end
local function copy(t) local c = {} for k, v in pairs(t) do c[k] = type(v) == "table" and copy(v) or v end return c end
function M.init(world)
  world:on("set", "Bag", function(world, e) world.resources.told = world.resources.told + 1 end)
  local m = M.state.m
  m.map = {}
  for i = 1, 70 do m.map[i] = 0 end
  m.a, m.b = world:spawn{ Bag = {}, Name = {} }, world:spawn{ Bag = { n = 3 }, Name = { text = "b" } }
  m[1], m[2] = plain(), plain()
end
local function check(world, m)
  same(world.resources.map, m.map, "map")
  for i, e in ipairs({ m.a, m.b }) do
    local bag, name = world:get(e, "Bag"), world:get(e, "Name")
    same(bag.slots, m[i].slots, "slots") same(bag.heat, m[i].heat, "heat") same(bag.flags, m[i].flags, "flags") same(name.small, m[i].small, "small")
  end
end
local function run(world, m)
  local map, list = world.resources.map, m.map
  local a, b, an, bn = world:get(m.a, "Bag"), world:get(m.b, "Bag"), world:get(m.a, "Name"), world:get(m.b, "Name")
  local pa, pb = m[1], m[2]
BODY
end
function M.update(world)
  local m = copy(M.state.m)
  check(world, m)
  for got in world:read("Got") do assert(#got.list == 4 and #got.who == 2 and got.list[2] == 7) m.map[70] = got.list[1] world.resources.map[70] = got.list[1] end
  run(world, m)
  check(world, m)
  if world.frame % 3 == 0 then error("as it shall") end
  M.state.m = m
end
return M
`

// An arrayWriter writes random statements for arraysScript.
type arrayWriter struct{ *rand.Rand }

func (r arrayWriter) of(list ...string) string { return list[r.IntN(len(list))] }

func (r arrayWriter) statement() string {
	type pair struct{ array, list string }
	n := r.IntN(5)
	which := [...]pair{{"map", "list"}, {"a.heat", "pa.heat"}, {"b.slots", "pb.slots"}, {"b.flags", "pb.flags"}, {"an.small", "pa.small"}}[n]
	length := [...]int{68, 6, 5, 3, 4}[n] // map[70] belongs to events
	value := [...]string{r.of("7", "-3", "world.frame"), r.of("0.5", "2", "world.frame / 4"), r.of("m.a", "m.b", "0"), r.of("true", "false", "world.frame % 2 == 0"), r.of("1", "255", "world.frame")}[n]
	wrong := [...]string{"40000", `"x"`, "1.5", "1", "256"}[n]
	i := 1 + r.IntN(length)
	both := func(text string) string {
		return strings.ReplaceAll(text, "P", which.array) + " " + strings.ReplaceAll(text, "P", which.list)
	}
	switch r.IntN(9) {
	case 0, 1, 2:
		return both(fmt.Sprintf("P[%d] = %s", i, value))
	case 3:
		if n == 0 {
			return both("for i = 1, 68 do P[i] = i end")
		}
		return both(fmt.Sprintf("for i = 1, #P do P[i] = %s end", value))
	case 4:
		if n == 0 {
			return "world.resources.map = { 1, [5] = 4 } for i = 1, 70 do list[i] = 0 end list[1], list[5] = 1, 4"
		}
		fresh := [...]string{"", "1", "0", "false", "0"}[n]
		return fmt.Sprintf("%s = { %s } for i = 1, #%s do %s[i] = %s end %s[1] = %s", which.array, value, which.list, which.list, fresh, which.list, value)
	case 5:
		return fmt.Sprintf("assert(not pcall(function() %[1]s[%[2]d] = %[3]s end) and not pcall(function() return %[1]s[%[4]d] end) and not pcall(table.insert, %[1]s, %[5]s))", which.array, i, wrong, r.IntN(2)*100, value)
	case 6:
		return "a.heat = b.heat for i = 1, 6 do pa.heat[i] = pb.heat[i] end"
	case 7:
		return fmt.Sprintf("world:send('Got', { list = { %d, 7 }, who = { m.a } })", r.IntN(100))
	default:
		return "world:set(m.b, 'Bag', { slots = { m.a, m.b }, n = 9 }) pb.slots = { m.a, m.b, 0, 0, 0 }"
	}
}

// Arrays do what lists do, in turns that fail, with observers, after a resume at each frame, and under each implementation.
func TestArraysAreLists(t *testing.T) {
	t.Parallel()
	for seed := range uint64(effort.Of(240)) {
		r := arrayWriter{rand.New(rand.NewPCG(seed, 3))}
		var body strings.Builder
		for range 3 + r.IntN(20) {
			fmt.Fprintln(&body, r.statement())
		}
		script := strings.Replace(arraysScript, "BODY", body.String(), 1)
		want := arraysRun(t, script, luabind.Lua, false)
		for _, impl := range []luabind.Impl{luabind.Lua, luabind.Closures, luabind.Auto} {
			for _, resumes := range []bool{false, true} {
				if got := arraysRun(t, script, impl, resumes); got != want || t.Failed() {
					t.Fatalf("seed %d, %v, resumed %v:\n%s\nwant\n%s\n%s", seed, impl, resumes, got, want, script)
				}
			}
		}
	}
}

// arraysRun runs the script for some frames, and returns its errors and digests. With resumes each frame is run by a run that is resumed from a snapshot.
func arraysRun(t *testing.T, script string, impl luabind.Impl, resumes bool) string {
	t.Helper()
	var out bytes.Buffer
	var saved []byte
	var rt *luabind.Runtime
	for frame := range 6 {
		if frame == 0 || resumes {
			w := ecs.NewWorld(ecs.Options{Seed: 5, Memory: luabind.NewMemory()})
			var err error
			rt, err = luabind.New(luabind.Options{
				World: w, Limits: luabind.Limits{OnError: luabind.Skip}, Scripts: fstest.MapFS{"a.lua": {Data: []byte(script)}},
				Report: func(e *luabind.ScriptError) { fmt.Fprintln(&out, e) },
			})
			if err == nil {
				err = rt.Add(luabind.System{Name: "a", Script: "a.lua", Impl: impl})
			}
			if err == nil {
				err = rt.Load()
			}
			switch {
			case err != nil:
			case frame == 0:
				err = rt.Start(context.Background())
			default:
				err = rt.Restore(bytes.NewReader(saved))
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, script)
			}
		}
		if err := rt.Frame(context.Background(), 0.1); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, rt.World().Digest())
		if err := rt.World().Check(); err != nil {
			t.Error(err)
		}
		if resumes {
			var file bytes.Buffer
			if err := rt.Save(&file); err != nil {
				t.Fatal(err)
			}
			saved = file.Bytes()
		}
	}
	if strings.Count(out.String(), "as it shall") != 2 || strings.Count(out.String(), "\n") != 8 {
		t.Errorf("%s\n%s", out.String(), script)
	}
	return out.String()
}
