package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// A resumable is a world with scripts that a test runs, saves and resumes.
type resumable struct {
	sources map[string]string
	systems []System
	modules map[string]map[string]Function
	policy  Policy
	adopts  ecs.Adopting

	instructions uint64       // the limit of a turn; 0: that of a Runtime
	allocations  uint64       // the limit of a turn; 0: none
	files        fstest.MapFS // what open has given to the Runtime
}

// A runTrace is what a run has printed and logged, and its digest after each frame.
type runTrace struct {
	out, log bytes.Buffer
	digests  []string
}

// open makes a Runtime. Its output goes to tr.
func (x *resumable) open(t testing.TB, tr *runTrace) *Runtime {
	t.Helper()
	fsys := fstest.MapFS{}
	x.files = fsys
	for name, text := range x.sources {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	w := ecs.NewWorld(ecs.Options{Seed: 3})
	declareForResume(t, w)
	rt, err := New(Options{
		World: w, Scripts: fsys, Stdout: &tr.out, Modules: x.modules, Limits: Limits{OnError: x.policy, Instructions: x.instructions, Allocations: x.allocations}, Adopting: x.adopts,
		Log: slog.New(slog.NewTextHandler(&tr.log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}})),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range x.systems {
		if err := rt.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = rt.Close() })
	return rt
}

// declareForResume declares what the scripts of these tests use.
func declareForResume(t testing.TB, w *ecs.World) {
	t.Helper()
	position, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "y", Type: ecs.F64})
	bag, err2 := ecs.NewSchema(ecs.Field{Name: "items", Type: ecs.TableField})
	hit, err3 := ecs.NewSchema(ecs.Field{Name: "who", Type: ecs.EntityField}, ecs.Field{Name: "how", Type: ecs.String}, ecs.Field{Name: "data", Type: ecs.TableField})
	_, err4 := w.DeclareComponent("Position", position)
	_, err5 := w.DeclareComponent("Bag", bag)
	_, err6 := w.DeclareEvent("Hit", hit)
	_, err7 := w.DeclareTag("marked")
	_, err8 := w.DeclareResource("sum", ecs.F64, ecs.Number(0))
	if err := errors.Join(err, err2, err3, err4, err5, err6, err7, err8); err != nil {
		t.Fatal(err)
	}
}

// frames runs frames, and notes the digests.
func (tr *runTrace) frames(t testing.TB, rt *Runtime, n int) {
	t.Helper()
	for range n {
		if err := rt.Frame(context.Background(), 0.5); err != nil {
			t.Fatal(err)
		}
		tr.digests = append(tr.digests, fmt.Sprintf("%x", rt.World().Digest()))
	}
}

// start loads and starts.
func start(t testing.TB, rt *Runtime) {
	t.Helper()
	if err := errors.Join(rt.Load(), rt.Start(context.Background())); err != nil {
		t.Fatal(err)
	}
}

// resumes runs 2*n frames, and n frames that are saved and resumed for n more. Both must print the same, and have the same digests.
func (x *resumable) resumes(t *testing.T, n int) *runTrace {
	t.Helper()
	whole, before, after := &runTrace{}, &runTrace{}, &runTrace{}
	rt := x.open(t, whole)
	start(t, rt)
	whole.frames(t, rt, n)
	at := whole.out.Len()
	whole.frames(t, rt, n)

	rt = x.open(t, before)
	start(t, rt)
	before.frames(t, rt, n)
	var file, again bytes.Buffer
	if err := rt.Save(&file); err != nil {
		t.Fatal(err)
	}

	rt = x.open(t, after)
	if err := rt.Restore(bytes.NewReader(file.Bytes())); err != nil {
		t.Fatal(err)
	}
	if after.out.Len() > 0 {
		t.Errorf("printed while it was restored: %s", &after.out)
	}
	if err := rt.Save(&again); err != nil {
		t.Fatal(err)
	}
	if one, two := sectionsOf(t, file.Bytes()), sectionsOf(t, again.Bytes()); !maps.EqualFunc(one, two, bytes.Equal) {
		for name := range one {
			if !bytes.Equal(one[name], two[name]) {
				t.Errorf("section %s differs when it is saved again: %d and %d bytes", name, len(one[name]), len(two[name]))
			}
		}
	}
	after.frames(t, rt, n)
	want := strings.Split(whole.out.String()[at:], "\n")
	got := strings.Split(after.out.String(), "\n")
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			t.Fatalf("line %d:\n got %q\nwant %q", i+1, strings.Join(got[min(i, len(got)):], "\n"), strings.Join(want[min(i, len(want)):], "\n"))
		}
	}
	if !slices.Equal(after.digests, whole.digests[n:]) {
		t.Errorf("digests differ: %v and %v", after.digests, whole.digests[n:])
	}
	return after
}

// scriptOf returns a resumable with one system.
func scriptOf(text string) *resumable {
	return &resumable{sources: map[string]string{"a.lua": text}, systems: []System{{Name: "a", Script: "a.lua"}}}
}

// Each kind of thing that scripts remember goes on as if the run had never stopped. check is called in every frame.
func TestRestoreWhatScriptsRemember(t *testing.T) {
	for name, text := range map[string]string{
		"a local of the file": `local n = 0 return function() n = n + 1 print(n) end`,
		"a global":            `rawset(_G, "m", 0) return function() m = m + 2 print(m) end`,
		"state":               `return { state = { n = 0 }, update = function() end }`,
		"a shared upvalue": `local function counter() local n = 0 return function() n = n + 1 return n end, function() return n end end
local inc, get = counter() return function() inc() print(get()) end`,
		"closures in a table": `local list = {} return function(world) local f = world.frame
list[#list + 1] = function() f = f + 1 return f end
for i = 1, #list do print(i, list[i]()) end end`,
		"metatables": `local C = {} C.__index = C C.__add = function(a, b) return setmetatable({ n = a.n + b.n }, C) end
C.__call = function(self, x) return self.n * x end C.__newindex = function(t, k, v) rawset(t, k .. "!", v) end
local acc = setmetatable({ n = 1 }, C)
return function(world) acc = acc + acc acc.k = 1 print(acc.n, acc(3), acc["k!"], getmetatable(acc) == C) end`,
		"cycles": `local a = { name = "a" } a.self = a a.list = { a, { a } } local b = { [a] = a, a = a }
return function() a.list[#a.list + 1] = { b } print(a.self == a, a.list[1] == a, a.list[2][1].self.name, b[a] == a, #a.list) end`,
		"the order of keys": `local t = { z = 1, y = 2 } t.x = 3 t.y = nil t[1.5] = "f" t[true] = 1 t.w = 2
return function(world) t["k" .. world.frame] = world.frame if world.frame % 3 == 0 then t["k" .. world.frame - 1] = nil end
local out = {} for k, v in pairs(t) do out[#out + 1] = tostring(k) .. "=" .. tostring(v) end print(table.concat(out, " ")) end`,
		"a walk in progress": `local t, k = { a = 1, b = 2, c = 3, 10, 20, 30 }, nil
return function(world) t["n" .. world.frame] = true local v k, v = next(t, k) print(k, v) if k then t[k] = nil end end`,
		"pairs kept": `local f, s, c = pairs({ a = 1, b = 2, c = 3, d = 4, e = 5, f = 6 }) return function() c = f(s, c) print(c) if c == nil then f, s, c = ipairs({ 7, 8, 9 }) end end`,
		"lengths of lists with holes": `local t = { 1, 2, 3, nil, 5, nil } local u = {} u[4] = 1
return function(world) t[world.frame] = nil u[world.frame + 5] = 1 t[#t + 1] = 7 print(#t, #u, select("#", unpack(t))) end`,
		"numbers": `local t = { 0, -0, 1/0, -1/0, 2^53, 2^53 + 2, 1e300, 0.1, -5, 1e15, 4294967296.5 } local nan = 0/0
return function() for i = 1, #t do print(t[i], 1 / t[i]) end print(nan ~= nan, -0, 1 / -0.0) end`,
		"strings": `local s = "\0\255ü" local t = { [s] = s, [""] = "" } return function(world) s = s .. string.char(world.frame) print(#s, s:byte(1, -1)) print(t[""], #t["\0\255ü"]) end`,
		"library functions": `local f, g, r, p, up = string.format, table.insert, math.random, print, ("x").upper
local t = { math.floor, pcall, setmetatable, tostring, next, string.format }
return function() g(t, 1) p(f("%d %s", t[1](2.5), t[6] == string.format), r(100), up("a"), #t, t[4] == tostring) end`,
		"changed libraries": `string.twice = function(s) return s .. s end local old = math.floor math.floor = function(x) return old(x) + 1 end
table.insert = nil return function() print(string.twice("a"), math.floor(2.5), table.insert) string.n = (string.n or 0) + 1 print(string.n) end`,
		"the world": `local w, add, c, log return function(world) w = w or world add = add or world.spawn c = c or world.commands
print(w == world, add == world.spawn, c == world.commands, tostring(w)) add(w, { Position = { x = world.frame } }) c:spawn{ "marked" } end`,
		"entities and views": `local list, views = {}, {} return { init = function(world) for i = 1, 5 do local e = world:spawn{ Position = { x = i } } list[i] = e views[i] = world:get(e, "Position") end end,
update = function(world) views[1].x = views[1].x + 1 print(views[1].x, views[1] == world:get(list[1], "Position"), tostring(views[2]))
if world.frame == 3 then world:despawn(list[5]) end print(world:alive(list[5]), pcall(function() return views[5].x end))
local by = {} by[list[1]] = 1 print(by[list[1]]) end }`,
		"views as keys": `local seen = {} local v return function(world) if not v then v = world:get(world:spawn{ Position = { x = 1 } }, "Position") seen[v] = "first" end print(seen[v]) v.x = v.x * 2 print(v.x) end`,
		"events kept": `local kept = {} return function(world) world:send("Hit", { who = world:spawn{}, how = "f" .. world.frame, data = { 1, { a = world.frame } } })
for e in world:read("Hit") do kept[#kept + 1] = e end for i, e in ipairs(kept) do print(i, e.who, e.how, #e.data, e.data[2].a, tostring(e)) end end`,
		"queries": `local ecs = require("ecs") local q = ecs.query{ "Position", without = { "Bag" }, tagged = { "marked" } } local late
return function(world) world:spawn{ "marked", Position = { x = world.frame } } late = late or ecs.query{ "Position", optional = { "Bag" } }
local n = 0 for e, p in world:each(q) do n = n + p.x end print(n, world:count(late), tostring(q)) end`,
		"compiled loops": `local total, hits = 0, { 0 } local scale = { by = 2 } local function twice(x) return x * scale.by end
return { init = function(world) for i = 1, 50 do world:spawn{ Position = { x = i, y = 1 } } end end, update = function(world, dt)
for e, p in world:each("Position") do p.x = p.x + twice(p.y) * dt total = total + p.x hits[1] = hits[1] + 1 end scale.by = scale.by + 1 print(total, hits[1], scale.by) end }`,
		"observers": `local n, seen = 0, {} return { init = function(world) world:on("added", "Position", function(w, e, v) n = n + 1 seen[#seen + 1] = v print("added", n, v.x) end)
world:on("tagged", "marked", function(w, e) print("tagged", e, n) end) world:on("despawned", function(w, e) n = n - 1 end) end,
update = function(world) local e = world:spawn{ Position = { x = world.frame } } world:tag(e, "marked") if world.frame % 2 == 0 then world:despawn(e) end print(n, #seen) end }`,
		"dead coroutines": `local co = coroutine.create(function() return 1 end) coroutine.resume(co) local w = coroutine.wrap(function() end) w()
return function() print(coroutine.status(co), coroutine.resume(co)) print(select(2, pcall(w))) end`,
		"random numbers":    `local t = {} return function() t[#t + 1] = math.random(1000) print(table.concat(t, ",")) end`,
		"prints of loading": `print("loading") require("ecs").log.info("loading") local n = 0 return function() n = n + 1 print(n) end`,
		"declared late": `local ecs = require("ecs") return { init = function(world) ecs.component("Late", { n = "f64" }) ecs.tag("later") ecs.event("Lately", { n = "f64" }) ecs.resource("lateness", "f64") end,
update = function(world) world:spawn{ "later", Late = { n = world.frame } } world.resources.lateness = world.resources.lateness + 1 local n = 0 for _, l in world:each("Late") do n = n + l.n end print(n, world.resources.lateness) end }`,
		"grids declared late": `local ecs = require("ecs") return { init = function(world)
ecs.tag("late") ecs.component("Place", { x = "f64", y = "f64" }) ecs.grid("all", { component = "Place", cell = 2 })
ecs.grid("some", { component = "Place", query = ecs.query{ "Place", without = { "Bag" }, tagged = { "late" }, untagged = { "marked" } } }) end,
update = function(world) world:spawn{ "late", Place = { x = world.frame } } world:spawn{ "late", Bag = {}, Place = { x = 1 } } world:spawn{ "late", "marked", Place = { x = 2 } }
local n = 0 for e, d in world:near("some", 0, 0, 99) do n = n + d end print(n, world:nearest("all", 9, 9, 99)) end }`,
		"errors caught": `local e1, e2, _ return function(world) if world.frame == 2 then _, e1 = pcall(error, { code = 7 }) _, e2 = pcall(function() local x = nil; return x.y end) end print(e1 and e1.code, e2) end`,
		"tables of fields": `local mine return { init = function(world) world:spawn{ Bag = { items = { "a", { n = 1 } } } } end, update = function(world)
for _, b in world:each("Bag") do b.items[#b.items + 1] = world.frame mine = mine or b.items b.items[2].n = b.items[2].n + 1 print(#mine, #b.items, b.items[2].n, mine[2].n) end end }`,
		"packed tables": `local list = {} return function(world) list[#list + 1] = { x = world.frame, y = 2, kind = "a", extra = nil, on = true }
for i, p in ipairs(list) do p.x = p.x + 1 if i % 2 == 0 then p.kind = nil p.late = i end local out = {} for k, v in pairs(p) do out[#out + 1] = k .. "=" .. tostring(v) end print(table.concat(out, " ")) end end`,
		"varargs and recursion": `local function chain(n, ...) if n == 0 then local args = { n = select("#", ...), ... } return function() return unpack(args, 1, args.n) end end return chain(n - 1, n, ...) end
local f = chain(5, nil) return function() print(f()) end`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, impl := range []Impl{Auto, Closures, Lua} {
				x := scriptOf(text)
				x.systems[0].Impl = impl
				x.resumes(t, 4)
			}
		})
	}
}

// Modules are shared between systems, and so are the functions that one system gives to another through them.
func TestRestoreSharedModules(t *testing.T) {
	x := &resumable{
		sources: map[string]string{
			"lib/hub.lua": `local M = { listeners = {}, n = 0 } function M.on(f) M.listeners[#M.listeners + 1] = f end
function M.fire(...) M.n = M.n + 1 for _, f in ipairs(M.listeners) do f(...) end end print("hub") return M`,
			"lib/late.lua": `print("late") local n = 100 return { next = function() n = n + 1 return n end }`,
			"lib/none.lua": `count = 0 rawset(_G, "count", 5)`,
			"a.lua": `local hub = require("lib.hub") local mine = 0 hub.on(function(x) mine = mine + x print("a heard", mine) end)
local host = require("host") local twice = host.twice
return function(world) if world.frame == 3 then local late = require("lib.late") hub.late = late.next end print(hub.late and hub.late(), twice(world.frame), require("host") == host) end`,
			"b.lua": `local hub = require("lib.hub") return { { name = "b1", state = { n = 0 }, update = function(world) hub.fire(world.frame) end },
{ name = "b2", init = function() hub.on(function(x) print("b2 heard", x, hub.n) end) end, update = function(world) print(require("lib.hub") == hub, hub.n, require("lib.late").next()) end } }`,
		},
		systems: []System{{Name: "a", Script: "a.lua"}, {Name: "b1", Script: "b.lua"}, {Name: "b2", Script: "b.lua"}},
		modules: map[string]map[string]Function{"host": {"twice": func(args []ecs.Value) ([]ecs.Value, error) { return []ecs.Value{ecs.Number(args[0].Float() * 2)}, nil }}},
	}
	x.sources["lib/none.lua"] = "return nil"
	x.resumes(t, 5)
	x.resumes(t, 2)
}
