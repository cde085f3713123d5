package luabind

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/snapfile"
	"github.com/ecsrun/ecsrun/luabind/internal/host/heap"
)

// fuzzed is a world whose scripts remember something of every kind.
var fuzzed = &resumable{
	sources: map[string]string{
		"hub.lua": `return { n = 0 }`,
		"a.lua": `local hub, ecs = require("hub"), require("ecs") local n, list, co = 0, { 1, nil, 3, x = { y = "z" }, [1.5] = true }, coroutine.wrap(function() end) co()
local q = ecs.query{ "Position", tagged = { "marked" } } local C = {} C.__index = C local o = setmetatable({ f = math.floor }, C) list.self = list
return { state = { list = list }, init = function(world) world:on("spawned", function(w, e) n = n + 1 end) end, update = function(world, dt)
local e = world:spawn{ "marked", Position = { x = 1 } } list.v, list.w, list.c = world:get(e, "Position"), world, world.commands
world:send("Hit", { how = "x", data = { 1, { 2 } } }) for h in world:read("Hit") do hub.h = h end
for _, p in world:each("Position") do p.x = p.x + n end for _, p in world:each(q) do n = n + 1 end
list[#list + 1] = function() n = n + 1 return o.f(n) end list[#list]() print(n, tostring(list.v), #list, hub.h and hub.h.how) end }`,
	},
	systems: []System{{Name: "a", Script: "a.lua"}},
}

// frozenScripts runs the world for some frames, and returns what is saved.
func frozenScripts(t testing.TB) *Frozen {
	t.Helper()
	tr := &runTrace{}
	rt := fuzzed.open(t, tr)
	start(t, rt)
	tr.frames(t, rt, 3)
	f, err := rt.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// tryScripts restores the sections, and runs a frame if that succeeds. Every outcome but a panic is right.
func tryScripts(t *testing.T, schedule *ecs.Schedule, files, scripts []byte) error {
	t.Helper()
	rt := fuzzed.open(t, &runTrace{})
	defer func() { _ = rt.Close() }()
	rt.options.Limits.Instructions = 100_000
	of := &savedFiles{}
	if json.Unmarshal(files, of) != nil || len(of.Units) > 8 || len(of.Instances) > 64 {
		return errors.New("not tried")
	}
	_, _ = heap.Describe(scripts, nil)
	err := rt.resume(schedule, of, scripts)
	if err == nil {
		_ = rt.Frame(context.Background(), 1)
	}
	return err
}

// FuzzRestoreScripts changes what is saved of scripts. The sections have checksums in a file; this is what stands behind them.
func FuzzRestoreScripts(f *testing.F) {
	kept := frozenScripts(f)
	files, err := json.Marshal(&kept.files)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(files, kept.scripts)
	f.Add(files, []byte{1, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, files, scripts []byte) { _ = tryScripts(t, kept.schedule, files, scripts) })
}

// Every byte of the section is changed in several ways: the result is an error or a world, never a panic, and little memory.
func TestRestoreDamagedScripts(t *testing.T) {
	kept := frozenScripts(t)
	files, err := json.Marshal(&kept.files)
	if err != nil {
		t.Fatal(err)
	}
	if err := tryScripts(t, kept.schedule, files, kept.scripts); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	refused := 0
	for i := 0; i < len(kept.scripts); i += 1 + len(kept.scripts)/200 {
		for _, x := range []byte{0x01, 0x80, 0xff} {
			b := bytes.Clone(kept.scripts)
			b[i] ^= x
			runtime.ReadMemStats(&before)
			if err := tryScripts(t, kept.schedule, files, b); err != nil {
				refused++
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Fatalf("byte %d: %d MB", i, used>>20)
			}
		}
		if err := tryScripts(t, kept.schedule, files, kept.scripts[:i]); err == nil {
			t.Errorf("the first %d bytes are restored", i)
		}
	}
	if refused < 100 {
		t.Errorf("%d of the changes are refused", refused)
	}
	// What only the section files says.
	for _, change := range []func(*savedFiles){
		func(f *savedFiles) { f.Instances[0].Unit = 7 },
		func(f *savedFiles) { f.Instances[0].Mod = 1 << 20 },
		func(f *savedFiles) { f.Instances[0].Entered = []savedEntered{{-1, "hub"}} },
		func(f *savedFiles) { f.Systems[0].Instance = 9 },
		func(f *savedFiles) { f.Instances = f.Instances[:1] },
		func(f *savedFiles) { f.Units[0].Text = []byte("return return") },
		func(f *savedFiles) { f.Observers = nil },
		func(f *savedFiles) { f.Mods[0].Builtins = []string{"nothing"} },
		func(f *savedFiles) { f.Mods = append(f.Mods, savedMod{Name: "more"}) },
		func(f *savedFiles) { f.Late = []lateName{{"wish", "x"}} },
		func(f *savedFiles) { f.Late = []lateName{{"component", "x"}} },
	} {
		var of savedFiles
		if err := json.Unmarshal(files, &of); err != nil {
			t.Fatal(err)
		}
		change(&of)
		text, err := json.Marshal(&of)
		if err != nil {
			t.Fatal(err)
		}
		if err := tryScripts(t, kept.schedule, text, kept.scripts); err == nil {
			t.Errorf("restored: %s", text[:80])
		}
	}
}

// A file that was cut is damaged.
func TestRestoreCutFile(t *testing.T) {
	file := fuzzed.saved(t, 2)
	for n := 0; n < len(file); n += 1 + len(file)/20 {
		if err := fuzzed.open(t, &runTrace{}).Restore(bytes.NewReader(file[:n])); !errors.As(err, new(*snapfile.Damage)) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
