package luabind

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"weak"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
)

// heapNow returns the bytes of the heap that are in use after a collection.
func heapNow() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A system that is disabled is dropped before the next one runs, wherever its hoard is: nothing that the Runtime keeps leads to its
// environment, although it has run compiled loops and observers, has called functions of modules with its own functions, and has read events.
func TestDisabledSystemsAreDropped(t *testing.T) {
	const hoard = `local hoard = {} for i = 1, 12 do hoard[i] = string.rep(string.char(64 + i), 8 * 1024 * 1024) end `
	for name, c := range map[string]struct {
		bad    string
		frames int
	}{
		"upvalue":    {`local all; return function(world) ` + hoard + ` all = hoard error("no") end`, 1},
		"state":      {`local me = { state = {} }; function me.update(world) ` + hoard + ` me.state.all = hoard error("no") end return me`, 1},
		"local":      {`return function(world) ` + hoard + ` local function f(n) if n == 0 then error("no") end f(n - 1) return hoard end f(50) end`, 1},
		"error":      {`return function(world) ` + hoard + ` error(hoard) end`, 1},
		"caught":     {`local kept; return function(world) ` + hoard + ` kept = select(2, pcall(error, hoard)) error("no") end`, 1},
		"coroutine":  {`local co; return function(world) co = coroutine.wrap(function() ` + hoard + ` coroutine.yield() return hoard end) co() error("no") end`, 1},
		"limit":      {`local all = {}; return function(world) ` + hoard + ` all = hoard while true do end end`, 1},
		"pcalls":     {`local all = {}; return function(world) ` + hoard + ` all = hoard local function f(n) if n > 0 then pcall(f, n - 1) return hoard end error("no") end f(60) error("no") end`, 1},
		"events":     {`local all; return function(world) for ev in world:read("Hit") do all = ev end ` + hoard + ` all = hoard error("no") end`, 1},
		"loop":       {`local all; return function(world, dt) for e, p in world:each("Position") do p.x = p.x + dt end if world.frame == 3 then ` + hoard + ` all = hoard error("no") end end`, 3},
		"table loop": {`local all = { big = {} }; return function(world, dt) for e, p in world:each("Position") do all[#all + 1] = p.x end if world.frame == 3 then ` + hoard + ` all.big = hoard error("no") end end`, 3},
		"module loop": {`local shared = require("shared"); local all = { f = function(x) return x + 1 end }
return function(world, dt) shared.walk(world, all.f) shared.fill(world, all) if world.frame == 3 then ` + hoard + ` all.big = hoard all.f = function() return all end shared.walk(world, function(x) return x + #all end) error("no") end end`, 3},
		"observer":         {`local all; return { init = function(world) world:on("set", "Position", function(w, e, p) all = all or {} end) end, update = function(world) ` + hoard + ` all = hoard error("no") end }`, 1},
		"observer errs":    {`local all; return { init = function(world) world:on("spawned", function(w, e) ` + hoard + ` all = hoard error("no") end) end, update = function(world) world:spawn{} end }`, 1},
		"observer chain":   {`local all; return { init = function(world) world:on("spawned", function(w, e) world.commands:add(e, "Position", {}) end) world:on("added", "Position", function(w, e) world.commands:tag(e, "enemy") if all then error("no") end end) end, update = function(world) ` + hoard + ` all = hoard world:spawn{} end }`, 1},
		"observer of good": {`local all; return { init = function(world) world:on("spawned", function(w, e) ` + hoard + ` all = hoard error("no") end) end, update = function(world) end }`, 1},
		"views":            {`local all = {}; return function(world) for e, p in world:each("Position") do all[#all + 1] = p end ` + hoard + ` all.x = hoard error("no") end`, 1},
		"broken each":      {`local all; return function(world) ` + hoard + ` all = hoard for e, p in world:each("Position") do for f, q in world:each("Position") do error("no") end end end`, 1},
		"sort":             {`local all; return function(world) ` + hoard + ` all = hoard table.sort({3, 2, 1}, function(a, b) error(hoard) end) end`, 1},
		"gsub":             {`local all; return function(world) ` + hoard + ` all = hoard string.gsub("abc", "%w", function(a) error(hoard) end) end`, 1},
		"tostring":         {`local all; return function(world) ` + hoard + ` all = hoard error(setmetatable({}, { __tostring = function() error(hoard) end })) end`, 1},
		"command":          {`local all; return function(world) ` + hoard + ` all = hoard for i = 1, 10 do world.commands:spawn{ Position = {} } end error("no") end`, 1},
		"spawn_many":       {`local all; return function(world) ` + hoard + ` all = hoard world:spawn_many(10, {}, function(i) if i == 5 then error(hoard) end end) end`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			sources := files(map[string]string{
				"bad": c.bad,
				"shared": `local m = {}
function m.walk(world, f) for e, p in world:each("Position") do p.x = f(p.x) end end
function m.fill(world, to) for e, p in world:each("Position") do to[#to + 1] = p.x end end
return m`,
				"next": `return function(world) local x = world.frame end`,
				"good": `local shared = require("shared"); local function f(x) return x + 1 end
return { init = function(world) world:spawn_many(300, { Position = {} }) end, update = function(world) shared.walk(world, f); world:spawn{}; world:send("Hit", {}) end }`,
			})
			var instance weak.Pointer[script.Instance]
			var rt *Runtime
			before, calls := uint64(0), 0
			dog := &atBegin{run: func() { // of the call that follows the failure
				if instance == (weak.Pointer[script.Instance]{}) || len(rt.Failures().Disabled) == 0 {
					return
				}
				calls++
				if grown := int64(heapNow()) - int64(before); grown > 24<<20 {
					t.Errorf("%d MiB are still held when the next system runs", grown>>20)
				}
				if instance.Value() != nil {
					t.Error("the instance is still held when the next system runs")
				}
			}}
			rt, err := opened(t, Options{Scripts: sources, Watchdog: dog, Limits: Limits{OnError: Disable, Instructions: 5_000_000}},
				System{Name: "good", Script: "good.lua"}, System{Name: "bad", Script: "bad.lua"}, System{Name: "next", Script: "next.lua"})
			if err != nil {
				t.Fatal(err)
			}
			instance, before = weak.Make(rt.named["bad"].instance), heapNow()
			for range c.frames {
				if err := rt.Frame(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
			}
			if d := rt.Failures().Disabled; len(d) != 1 || d[0] != "bad" {
				t.Fatalf("disabled %v: %v, %v", d, rt.Failures().FirstError, rt.Failures().FirstLimit)
			}
			if calls == 0 {
				t.Error("no system ran after the failure")
			}
			runtime.KeepAlive(rt)
		})
	}
}

// An atBegin is a Watchdog that calls run when a call into Lua begins.
type atBegin struct{ run func() }

func (d *atBegin) Begin(func(error)) { d.run() }
func (d *atBegin) End()              {}

// opened makes, loads and starts a Runtime over memory that machine code reaches.
func opened(t *testing.T, o Options, systems ...System) (*Runtime, error) {
	t.Helper()
	o.World = ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	declareForTests(t, o.World)
	o.Report = func(*ScriptError) {}
	rt, err := New(o)
	if err != nil {
		return nil, err
	}
	for _, s := range systems {
		if err := rt.Add(s); err != nil {
			return nil, err
		}
	}
	return rt, errors.Join(rt.Load(), rt.Start(context.Background()))
}

// A system that was dropped runs again, with new variables and observers, when one of its files has changed, and not when another one has.
func TestDroppedSystemsAreReloaded(t *testing.T) {
	texts := map[string]string{
		"bad":   `local lib = require("lib") return { state = { n = 0 }, init = function(world) world:on("spawned", function(w, e) world.resources.score = world.resources.score + 1 end) end, update = function(world) lib.go() end }`,
		"lib":   `return { go = function() error("no") end }`,
		"other": `return function(world) world:spawn{} end`,
	}
	scripts := fstest.MapFS{}
	put := func(name, text string) { scripts[name+".lua"] = &fstest.MapFile{Data: []byte(text)} }
	for name, text := range texts {
		put(name, text)
	}
	rt, err := opened(t, Options{Scripts: scripts, Limits: Limits{OnError: Disable}}, System{Name: "bad", Script: "bad.lua"}, System{Name: "other", Script: "other.lua"})
	if err != nil {
		t.Fatal(err)
	}
	score := func() float64 {
		id, _ := rt.World().LookupResource("score")
		return rt.World().Resource(id).Number(0)
	}
	frame := func() {
		t.Helper()
		if err := rt.Frame(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
	}
	reload := func(fresh string) {
		t.Helper()
		done, err := rt.Reload(context.Background(), Change{})
		if err != nil || strings.Join(done.Fresh, " ") != fresh {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	bad := rt.Schedule().Find("bad")
	frame()
	if bad.Enabled() || rt.named["bad"].instance != nil || len(rt.World().Observers()) != 0 || score() != 0 {
		t.Fatalf("enabled %v, %d observers, score %v", bad.Enabled(), len(rt.World().Observers()), score())
	}
	put("other", `return function(world) world:spawn{} world:spawn{} end`)
	reload("")
	frame()
	if rt.named["bad"].instance != nil || score() != 0 {
		t.Fatalf("it is loaded again although its files are the same; score %v", score())
	}
	kept, err := rt.Copy()
	if err != nil {
		t.Fatal(err)
	}
	put("lib", `return { go = function() end }`)
	reload("bad")
	frame()
	if !bad.Enabled() || bad.Turns() != 2 || score() != 2 {
		t.Fatalf("enabled %v, %d turns, score %v", bad.Enabled(), bad.Turns(), score())
	}
	if err := rt.RestoreCopy(kept); err != nil {
		t.Fatal(err)
	}
}

// A copy of a Runtime gives a system back that was dropped since, with its observers.
func TestCopiesBringDroppedSystemsBack(t *testing.T) {
	rt, err := opened(t, Options{Limits: Limits{OnError: Disable}, Scripts: files(map[string]string{
		"bad":   `local n = 0; return { init = function(world) world:on("spawned", function(w, e) n = n + 1 world.resources.score = n end) end, update = function(world) if world.frame == 2 then error("no") end end }`,
		"other": `return function(world) world:spawn{} end`,
	})}, System{Name: "other", Script: "other.lua"}, System{Name: "bad", Script: "bad.lua"})
	if err != nil {
		t.Fatal(err)
	}
	frames := func(n int) {
		t.Helper()
		for range n {
			if err := rt.Frame(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	frames(1)
	kept, err := rt.Copy()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		frames(2)
		id, _ := rt.World().LookupResource("score")
		if n := len(rt.World().Observers()); n != 0 || rt.Schedule().Find("bad").Enabled() {
			t.Fatalf("it is not dropped: %d observers", n)
		}
		if err := rt.RestoreCopy(kept); err != nil {
			t.Fatal(err)
		}
		if n := len(rt.World().Observers()); n != 1 || !rt.Schedule().Find("bad").Enabled() || rt.World().Resource(id).Number(0) != 1 {
			t.Fatalf("it is not back: %d observers, score %v", n, rt.World().Resource(id).Number(0))
		}
	}
}

// A snapshot keeps a dropped system dropped. When one of its files has changed since, it runs again.
func TestSnapshotsOfDroppedSystems(t *testing.T) {
	open := func(lib string) *Runtime {
		t.Helper()
		w := ecs.NewWorld(ecs.Options{Seed: 1})
		declareForTests(t, w)
		rt, err := New(Options{World: w, Report: func(*ScriptError) {}, Limits: Limits{OnError: Disable}, Scripts: files(map[string]string{
			"bad":   `local lib = require("lib"); return { state = { n = 0 }, update = function(world) lib.go() world.resources.score = 7 end }`,
			"lib":   lib,
			"other": `return function(world) world:spawn{} end`,
		})})
		if err == nil {
			err = errors.Join(rt.Add(System{Name: "bad", Script: "bad.lua"}), rt.Add(System{Name: "other", Script: "other.lua"}))
		}
		if err != nil {
			t.Fatal(err)
		}
		return rt
	}
	const fails = `return { go = function() error("no") end }`
	frames := func(rt *Runtime, n int) {
		t.Helper()
		for range n {
			if err := rt.Frame(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	whole := open(fails)
	start(t, whole)
	frames(whole, 2)
	var file bytes.Buffer
	if err := whole.Save(&file); err != nil {
		t.Fatal(err)
	}
	frames(whole, 2)
	for lib, mended := range map[string]bool{fails: false, `return { go = function() end }`: true} {
		rt := open(lib)
		if err := rt.Restore(bytes.NewReader(file.Bytes())); err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		if err := rt.Save(&again); err != nil {
			t.Fatal(err)
		}
		frames(rt, 2)
		if on := rt.Schedule().Find("bad").Enabled(); on != mended || (rt.named["bad"].instance != nil) != mended {
			t.Errorf("enabled %v, want %v", on, mended)
		}
		if same := rt.World().Digest() == whole.World().Digest(); same == mended {
			t.Errorf("mended %v, and the digest is the same %v", mended, same)
		}
		if !mended && !bytes.Equal(file.Bytes(), again.Bytes()) {
			t.Error("it saves another file than it was restored from")
		}
	}
}

// An observer of a system fails, which disables the system, and then the turn that has called it fails, too: the system stays disabled, and is named once.
func TestAnObserverAndItsSystemFailInOneTurn(t *testing.T) {
	for _, policy := range []Policy{Disable, Skip} {
		rt, err := opened(t, Options{Limits: Limits{OnError: policy}, Report: func(*ScriptError) {}, Scripts: files(map[string]string{
			"bad":   `return { init = function(world) world:on("spawned", function() error("seen") end) end, update = function(world) world:spawn{} for e in world:read("Hit") do end error("no") end }`,
			"other": `return function(world) world:send("Hit", {}) end`,
		})}, System{Name: "bad", Script: "bad.lua"}, System{Name: "other", Script: "other.lua"})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := rt.Frame(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
		}
		want, errs := []string{"bad"}, 2
		if policy == Skip {
			want, errs = nil, 6
		}
		f, bad := rt.Failures(), rt.Schedule().Find("bad")
		if !slices.Equal(f.Disabled, want) || f.Errors != errs || bad.Enabled() != (policy == Skip) || rt.World().Stats().Entities != 0 {
			t.Errorf("%v: %+v, enabled: %v, %d entities", policy, f, bad.Enabled(), rt.World().Stats().Entities)
		}
	}
}
