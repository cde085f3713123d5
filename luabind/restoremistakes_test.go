package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

// What cannot be saved is an error that names the script, the line and the variable.
func TestWhatCannotBeSaved(t *testing.T) {
	for text, want := range map[string]string{
		"local co\nreturn function() co = co or coroutine.wrap(function()\n local n = 1\n for w in ('a b'):gmatch('%a') do coroutine.yield() end end) co() end":                                                  `a.lua:4: "for … in" holds an iterator of a library, such as string.gmatch, which cannot be saved; call it in the loop that uses it`,
		"local co = coroutine.create(function(world)\n local a, it = 1, world:each('Position')\n coroutine.yield() print(a, it) end)\nreturn function(world) coroutine.resume(co, world) end":                    `a.lua:2: "it" holds an iterator of the world, which cannot be saved`,
		"local co = coroutine.create(function(world)\n local it = world:each('Position') local f = function() it = nil end\n coroutine.yield() f() end)\nreturn function(world) coroutine.resume(co, world) end": `a.lua:2: "it" holds an iterator of the world, which cannot be saved`,
		"local it\nreturn function(world) it = world:each(\"Position\") end":                                                                     `a.lua:1: "it" holds an iterator of the world, which cannot be saved; call world:each and the like in the loop that uses it`,
		"return {\n state = { list = { {} } },\n update = function(world) end, init = function(world) end }":                                     ``,
		"local M = {\n state = { list = { {} } } }\nfunction M.update() M.state.list[1].word = string.gmatch(\"a b\", \"%a\") end return M":      `a.lua:3: "state.list[1].word" holds an iterator of a library, such as string.gmatch, which cannot be saved; call it in the loop that uses it`,
		"local function f(t) return function() return t end end\nlocal g = f({ deep = { string.gmatch('a', 'a') } })\nreturn function() g() end": `a.lua:1: "t.deep[1]" holds an iterator of a library`,
		"local t = {}\nt[string.gmatch('a', 'a')] = 1 return function() print(t) end":                                                            `a.lua:1: "t[<a key>]" holds an iterator of a library`,
	} {
		rt := scriptOf(text).open(t, &runTrace{})
		start(t, rt)
		if err := rt.Frame(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		err := rt.Save(&bytes.Buffer{})
		if want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if !errors.Is(err, ErrUnsaved) || !errors.As(err, new(*Unsaved)) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// The coroutines of gopher-lua cannot be saved.
func TestCoroutineOfImplLuaCannotBeSaved(t *testing.T) {
	const begin = "local co\nreturn function() co = co or coroutine."
	for text, want := range map[string]string{
		begin + "wrap(function() coroutine.yield() end) co() end":                     "",
		begin + "create(function()\n coroutine.yield() end) coroutine.resume(co) end": "",
		begin + "create(print) end":                                                   "a.lua:1: \"co\" holds a suspended coroutine, made with impl: lua",
	} {
		x := scriptOf(text)
		x.systems[0].Impl = Lua
		rt := x.open(t, &runTrace{})
		start(t, rt)
		if err := rt.Frame(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = `a.lua:1: "co" holds a suspended coroutine of the function in line 2, made with impl: lua, which cannot be saved; make it in a system with another impl`
		}
		if err := rt.Save(&bytes.Buffer{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// saved runs frames and returns the snapshot file.
func (x *resumable) saved(t *testing.T, frames int) []byte {
	t.Helper()
	tr := &runTrace{}
	rt := x.open(t, tr)
	start(t, rt)
	tr.frames(t, rt, frames)
	var out bytes.Buffer
	if err := rt.Save(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func (x *resumable) restored(t *testing.T, file []byte, frames int) *runTrace {
	t.Helper()
	tr := &runTrace{}
	rt := x.open(t, tr)
	if err := rt.Restore(bytes.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	tr.frames(t, rt, frames)
	return tr
}

// A file with another text is reloaded: its state is handed over, its other variables start anew, and what other files hold of it goes on.
func TestRestoreWithChangedScripts(t *testing.T) {
	x := &resumable{
		sources: map[string]string{
			"lib.lua": `local M = { n = 0 } function M.up() M.n = M.n + 1 return M.n end return M`,
			"hub.lua": `return { list = {} }`,
			"a.lua": `local lib, hub = require("lib"), require("hub") local n, kept = 0, 0
local M = { state = { n = 0 }, init = function(world) world:on("spawned", function() print("old observer") end) end }
function M.update(world) if not hub.list[1] then hub.list[1] = function() kept = kept + 1 return "old", kept end end
n = n + 1 M.state.n = M.state.n + 1 print("a", n, M.state.n, lib.up()) end
return M`,
			"b.lua": `local hub = require("hub") local n = 0 return function(world) n = n + 1 print("b", n, hub.list[1]()) world:spawn{} end`,
		},
		systems: []System{{Name: "a", Script: "a.lua"}, {Name: "b", Script: "b.lua"}},
	}
	file := x.saved(t, 3)
	x.sources["a.lua"] = strings.ReplaceAll(x.sources["a.lua"], `"a", n`, `"A", n`)
	x.sources["a.lua"] = strings.ReplaceAll(x.sources["a.lua"], `old observer`, `new observer`)
	tr := x.restored(t, file, 1)
	if got, want := tr.out.String(), "A\t1\t4\t4\nb\t4\told\t4\nnew observer\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := "a.lua has changed since the snapshot: its state was handed over, its other variables start anew"; !strings.Contains(tr.log.String(), want) {
		t.Errorf("log %q, want %q", &tr.log, want)
	}

	x.sources["lib.lua"] = strings.ReplaceAll(x.sources["lib.lua"], "M.n + 1", "M.n + 10")
	tr = x.restored(t, file, 1)
	if got, want := tr.out.String(), "A\t1\t4\t10\nb\t4\told\t4\nnew observer\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	// What was saved after that has functions of files that are gone, and comes back all the same.
	rt := x.open(t, &runTrace{})
	if err := rt.Restore(bytes.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := rt.Save(&again); err != nil {
		t.Fatal(err)
	}
	tr = x.restored(t, again.Bytes(), 1)
	if got, want := tr.out.String(), "A\t1\t4\t10\nb\t4\told\t4\nnew observer\n"; got != want || tr.log.Len() > 0 {
		t.Errorf("got %q, want %q; log %s", got, want, &tr.log)
	}

	x.sources["a.lua"] = strings.Replace(x.sources["a.lua"], "return M", "function M.on_reload(old) M.state.n = old.n * 100 end return M", 1)
	tr = x.restored(t, file, 1)
	if got, want := tr.out.String(), "A\t1\t301\t10\nb\t4\told\t4\nnew observer\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The state of a system that is gone is not dropped unasked; one that is empty goes.
func TestRestoreWithoutASystem(t *testing.T) {
	x := scriptOf(`local M = { state = { n = 0, list = {} } } function M.update() M.state.n = M.state.n + 1 end return M`)
	x.sources["b.lua"] = `return { state = {}, update = function() end }`
	a := x.systems
	x.systems = append(slices.Clone(a), System{Name: "empty", Script: "b.lua"}, System{Name: "more", Script: "a.lua"})
	file := x.saved(t, 2)
	x.systems = a
	var lost *ecs.LossError
	if err := x.open(t, &runTrace{}).Restore(bytes.NewReader(file)); !errors.As(err, &lost) || fmt.Sprint(lost.Losses) != `[system "more" (2 variables)]` {
		t.Errorf("got %v", err)
	}
	x.adopts.Drop = func(l ecs.Loss) bool { return l.Name == "more" }
	x.restored(t, file, 1)
}

// What scripts hold of renamed declarations goes on: views, events, queries, observers.
func TestRestoreRenamed(t *testing.T) {
	const text = `local ecs = require("ecs") ecs.component("Sack", { gold = "f64" }) ecs.tag("rich") ecs.event("Found", { n = "f64" })
local hub = require("hub")
return function(world)
  if world.frame > 1 then return end
  hub.view = world:get(world:spawn{ Sack = { gold = 5 }, "rich" }, "Sack")
  hub.query = ecs.query{ "Sack", tagged = { "rich" } }
  world:send("Found", { n = 7 }) for e in world:read("Found") do hub.event = e end
end`
	x := &resumable{
		sources: map[string]string{
			"old.lua": text, "hub.lua": `return {}`,
			"a.lua": `local hub = require("hub") return function(world) if world.frame < 3 then return end
print(hub.view.gold, hub.event.n) for e, bag in world:each(hub.query) do print("each", bag.gold) end end`,
		},
		systems: []System{{Name: "old", Script: "old.lua"}, {Name: "a", Script: "a.lua"}},
	}
	file := x.saved(t, 2)
	x.sources["old.lua"] = strings.NewReplacer(`"Sack"`, `"Purse"`, `Sack =`, `Purse =`, `"rich"`, `"wealthy"`, `"Found"`, `"Met"`).Replace(text)
	x.adopts.Renamed = ecs.Renamed{Components: map[string]string{"Sack": "Purse"}, Tags: map[string]string{"rich": "wealthy"}, Events: map[string]string{"Found": "Met"}}
	if got, want := x.restored(t, file, 1).out.String(), "5\t7\neach\t5\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Systems and declarations that have changed since are taken over by name.
func TestRestoreWithAnotherConfig(t *testing.T) {
	x := &resumable{
		sources: map[string]string{
			"old.lua": `local ecs = require("ecs") ecs.component("Gone", { x = "f64" }) ecs.event("Over", { n = "f64" }) ecs.component("Grown", { a = "f64" })
local hub = require("hub") return function(world) hub.view = world:get(world:spawn{ Gone = { x = 1 }, Grown = { a = 5 } }, "Gone") world:send("Over", { n = 1 }) for e in world:read("Over") do hub.event = e end
hub.f = function() return "from old" end end`,
			"hub.lua": `return {}`,
			"a.lua":   `local hub = require("hub") local n = 0 return function(world) n = n + 1 if n > 2 then print(n, hub.f(), tostring(hub.view), pcall(function() return hub.view.x end)) print(pcall(function() return hub.event.n end)) end end`,
		},
		systems: []System{{Name: "old", Script: "old.lua"}, {Name: "a", Script: "a.lua"}},
	}
	file := x.saved(t, 2)
	x.sources["new.lua"] = `local ecs = require("ecs") ecs.component("Grown", { a = "f64", b = { type = "f64", default = 7 } }) local n = 0
return { init = function(world) print("init", world.frame) end, update = function(world) n = n + 1 local _, g = world:first("Grown") print("new", n, g.a, g.b) end }`
	x.systems = []System{{Name: "a", Script: "a.lua"}, {Name: "new", Script: "new.lua"}}
	var lost *ecs.LossError
	if err := x.open(t, &runTrace{}).Restore(bytes.NewReader(file)); !errors.As(err, &lost) || fmt.Sprint(lost.Losses) != `[component "Gone" (2 entities) event "Over" (1 event)]` {
		t.Errorf("what is gone holds something: %v", err)
	}
	x.adopts.Drop = func(ecs.Loss) bool { return true }
	tr := x.restored(t, file, 2)
	want := `init	2
3	from old	view (component "Gone" is not declared; declare it under components in the config, or with ecs.component)	false	a.lua:1: the view is from a snapshot: component "Gone" is not declared; declare it under components in the config, or with ecs.component
false	a.lua:1: the event is from a snapshot: event "Over" is not declared; declare it under events in the config, or with ecs.event
new	1	5	7
`
	if got := tr.out.String(); !strings.HasPrefix(got, want) || !strings.Contains(got, "\nnew\t2\t5\t7\n") || strings.Count(got, "init") != 1 {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, want := range []string{`system \"old\" is no longer there`, `system \"new\" is not in the snapshot: its init runs before the first frame`, `Gone`} {
		if !strings.Contains(tr.log.String(), want) {
			t.Errorf("log %s, want %s", &tr.log, want)
		}
	}

	// The script of a system is another file: its state is handed over as in a reload. What the config disables is disabled.
	y := scriptOf(`local M = { state = { n = 0 } } function M.update() M.state.n = M.state.n + 1 print("a", M.state.n) end return M`)
	y.systems = append(y.systems, System{Name: "b", Script: "a.lua"}, System{Name: "c", Script: "a.lua", Disabled: true})
	file = y.saved(t, 3)
	y.sources["b.lua"] = strings.ReplaceAll(y.sources["a.lua"], `"a"`, `"b"`)
	y.systems[0].Script, y.systems[1].Disabled, y.systems[2].Disabled = "b.lua", true, false
	if got, want := y.restored(t, file, 1).out.String(), "b\t4\na\t1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRestoreAfterAFailedFrame: a program may go on after a frame that has failed. What is saved after the next whole frame can be resumed.
func TestRestoreAfterAFailedFrame(t *testing.T) {
	x := scriptOf(`local n = 0 return function(world) n = n + 1 if n == 1 then error("one") end end`)
	rt := x.open(t, &runTrace{})
	start(t, rt)
	if err := rt.Frame(context.Background(), 1); err == nil {
		t.Fatal("no error")
	}
	if err := rt.Frame(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	var later bytes.Buffer
	if err := rt.Save(&later); err != nil {
		t.Fatal(err)
	}
	if err := x.open(t, &runTrace{}).Restore(&later); err != nil {
		t.Errorf("after a whole frame: %v", err)
	}
}

// A snapshot that cannot be restored is an error.
func TestRestoreMistakes(t *testing.T) {
	x := scriptOf(`local n = 0 return function(world) n = n + 1 if n == 3 then error("three") end end`)
	rt := x.open(t, &runTrace{})
	start(t, rt)
	for range 2 {
		if err := rt.Frame(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
	}
	var good, failed bytes.Buffer
	if err := rt.Save(&good); err != nil {
		t.Fatal(err)
	}
	if err := rt.Frame(context.Background(), 1); err == nil {
		t.Fatal("no error")
	}
	if err := rt.Save(&failed); err != nil {
		t.Fatal(err)
	}
	if err := x.open(t, &runTrace{}).Restore(bytes.NewReader(failed.Bytes())); !errors.Is(err, ErrFailed) {
		t.Error(err)
	}
	if err := rt.Restore(bytes.NewReader(good.Bytes())); err == nil || !strings.Contains(err.Error(), "Restore after Start") {
		t.Error(err)
	}
	if err := x.open(t, &runTrace{}).Restore(strings.NewReader("ecsrun")); !errors.As(err, new(*snapfile.Damage)) {
		t.Error(err)
	}
	if _, err := x.open(t, &runTrace{}).Freeze(); err == nil {
		t.Error("Freeze before Load")
	}
	if err := x.open(t, &runTrace{}).Restore(&failing{}); err == nil || err.Error() != "it broke" {
		t.Error(err)
	}
	other := scriptOf(`local n = 0 return function(world) n = n + 1`)
	if err := other.open(t, &runTrace{}).Restore(bytes.NewReader(good.Bytes())); err == nil {
		t.Error("a script that does not compile")
	}
	f, err := rt.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	f.AddSection("more", []byte("x"))
	f.Meta.Overrides = []string{"run.seed=2"}
	var out bytes.Buffer
	if n, err := f.WriteTo(&out); err != nil || n != int64(out.Len()) {
		t.Error(n, err)
	}
	if _, err := f.WriteTo(&failing{}); err == nil || err.Error() != "save world: it broke" {
		t.Error(err)
	}
	reader, err := snapfile.Read(&out)
	if err != nil {
		t.Fatal(err)
	}
	if meta, err := ReadMeta(reader); err != nil || fmt.Sprint(meta) != "{  [run.seed=2] [] [] 3 2 3 [a] true []}" {
		t.Error(meta, err)
	}
	if more, err := reader.Bytes("more"); err != nil || string(more) != "x" {
		t.Error(more, err)
	}
	if list, err := ReadVariables(reader); err != nil || fmt.Sprint(list) != `[{a.lua: what the file returns function a.lua:1} {a.lua: n 3}]` {
		t.Error(list, err)
	}
}

// failing is a reader and writer that fails.
type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errors.New("it broke") }
func (failing) Write([]byte) (int, error) { return 0, errors.New("it broke") }

// An observer that fails between frames ends the run with the next one. So a snapshot from before it is that of a failed run; a copy from before the failure is
// whole again.
func TestAnObserverFailsBeforeASnapshot(t *testing.T) {
	x := scriptOf(`return { init = function(world) world:on("spawned", function() error("no") end) end, update = function() end }`)
	rt := x.open(t, &runTrace{})
	start(t, rt)
	whole, err := rt.Copy()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rt.World().Spawn(); err != nil {
		t.Fatal(err)
	}
	var failed, later bytes.Buffer
	if err := rt.Save(&failed); err != nil {
		t.Fatal(err)
	}
	if err := x.open(t, &runTrace{}).Restore(&failed); !errors.Is(err, ErrFailed) {
		t.Errorf("the snapshot of a world whose observer has failed: %v", err)
	}
	ill, err := rt.Copy()
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.RestoreCopy(whole); err != nil {
		t.Fatal(err)
	}
	if err := rt.Save(&later); err != nil {
		t.Fatal(err)
	}
	if err := x.open(t, &runTrace{}).Restore(&later); err != nil {
		t.Errorf("the snapshot of a copy that was restored: %v", err)
	}
	if err := rt.Frame(context.Background(), 1); err != nil {
		t.Errorf("a frame after the copy was restored: %v", err)
	}
	if err := rt.RestoreCopy(ill); err != nil {
		t.Fatal(err)
	}
	if err := rt.Frame(context.Background(), 1); err == nil {
		t.Error("an observer had failed before the copy, and the next frame runs")
	}
}
