package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// busy is a world in which much changes between frames that a copy of the world does not have.
var busy = map[string]string{
	"lib.lua": "local n = 0 return { next = function() n = n + 1 return n end }",
	"a.lua": `local ecs = require("ecs") local late
ecs.component("Box", { n = "f64" }) ecs.event("Later", { n = "f64" }) ecs.layer("ground", { type = "u8", width = 4, height = 4 })
local seen, co, list = 0, nil, {}
return { state = { turns = 0 }, init = function(world)
  world:spawn({ Box = { n = 1 } })
  world:on("added", "Box", function(e) seen = seen + 1 end)
  co = coroutine.wrap(function() local k = 0 while true do k = k + 1 coroutine.yield(k) end end)
end, update = function(world)
  if world.frame == 4 then late = require("lib") end
  list[#list + 1] = function() return seen + #list end
  world.commands:send("Later", { n = world.frame }, { frames = 2 })
  for e in world:drain("Later") do world.layers.ground:set(e.n % 4, 1, e.n % 200) end
  local box = world:first("Box")
  world:get(box, "Box").n = co() + (late and late.next() or 0) * 100 + list[#list]() * 10 + ecs.random()
  world:spawn({ Box = { n = seen } })
end }`,
	"b.lua": "local n = 1 return function(world) n = n + 1 if world.frame % 3 == 0 then error('no ' .. n) end end",
}

func busyRuntime(t *testing.T) *Runtime {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range busy {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	rt, err := New(Options{World: ecs.NewWorld(ecs.Options{Seed: 3}), Scripts: fsys, Limits: Limits{OnError: Disable, Errors: 3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []System{{Name: "a", Script: "a.lua"}, {Name: "b", Script: "b.lua"}} {
		if err := rt.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(rt.Load(), rt.Start(context.Background())); err != nil {
		t.Fatal(err)
	}
	return rt
}

// edits are done before frames.
func busyEdit(t *testing.T, rt *Runtime) {
	t.Helper()
	impl, every, on := Closures, 2, true
	var list []Edit
	switch rt.World().Frame() + 1 {
	case 3:
		list = []Edit{{Kind: EditEval, Code: "x = (x or 0) + 1 world:spawn({ Box = { n = x } }) mine = (mine or 0) + x"}, {Kind: EditSystem, Name: "a", Impl: &impl}}
	case 5:
		list = []Edit{{Kind: EditSpawn, As: "boss"}, {Kind: EditEval, Code: "x = x + 1 world:spawn({ Box = { n = x + mine } })"}, {Kind: EditSystem, Name: "b", Every: &every}}
	case 14:
		list = []Edit{{Kind: EditSystem, Name: "b", Enabled: &on}}
	}
	for _, e := range list {
		if _, err := rt.Edit(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
}

// From each frame a run goes the same way again, whatever it has become in the meantime.
func TestGoBack(t *testing.T) {
	rt := busyRuntime(t)
	const frames = 19
	var moments []*Moment
	var saves [][]byte
	save := func() []byte {
		var b bytes.Buffer
		if err := rt.Save(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	frame := func() {
		busyEdit(t, rt)
		if err := rt.Frame(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
	}
	for range frames {
		m, err := rt.Remember(nil)
		if err != nil {
			t.Fatal(err)
		}
		moments, saves = append(moments, m), append(saves, save())
		frame()
	}
	saves = append(saves, save())
	if failures := rt.Failures(); failures.Errors < 4 || rt.Schedule().Find("b") == nil {
		t.Fatalf("%+v: the world is not as busy as it is meant to be", failures)
	}
	for i := range frames {
		at := (i*7 + 3) % frames
		if err := rt.GoBack(moments[at]); err != nil {
			t.Fatal(err)
		}
		if err := rt.World().Check(); err != nil {
			t.Fatal(err)
		}
		for k := at; k <= min(frames, at+6); k++ {
			if !bytes.Equal(save(), saves[k]) {
				t.Fatalf("gone back to frame %d: frame %d is another one", at, k)
			}
			if k < frames {
				frame()
			}
		}
	}
	if err := rt.GoBack(moments[3]); err != nil {
		t.Fatal(err)
	}
	again, err := rt.Remember(moments[frames-1]) // in the memory of another one
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.GoBack(moments[frames-1]); err == nil {
		t.Error("the run goes back to a moment whose memory has another one")
	}
	frame()
	if err := rt.GoBack(again); err != nil || !bytes.Equal(save(), saves[3]) {
		t.Error("a moment in the memory of another one is not that of its frame:", err)
	}
	if frame(); !bytes.Equal(save(), saves[4]) {
		t.Error("what follows a moment in the memory of another one differs")
	}
	if n := moments[8].Bytes(); n < 2000 || n > 1<<20 {
		t.Errorf("a moment of a small world has %d bytes", n)
	}
}

func TestGoBackMistakes(t *testing.T) {
	rt, other := busyRuntime(t), busyRuntime(t)
	m, err := rt.Remember(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []error{other.GoBack(m), rt.GoBack(nil)} {
		if wrong == nil || wrong.Error() != "the moment is one of another run, or was given for its memory" {
			t.Error(wrong)
		}
	}
	if _, err := rt.Edit(context.Background(), Edit{Kind: EditEval, Code: "ecs.tag('late')"}); err != nil {
		t.Fatal(err)
	}
	before := rt.World().Digest()
	if err := rt.GoBack(m); !errors.Is(err, ecs.ErrMismatch) || rt.World().Digest() != before {
		t.Error(err)
	}
	if m, err = rt.Remember(m); err != nil { // something was declared since
		t.Fatal(err)
	}
	rt.options.Scripts.(fstest.MapFS)["b.lua"] = &fstest.MapFile{Data: []byte(busy["b.lua"] + "-- new")}
	if _, err := rt.Reload(context.Background(), Change{}); err != nil {
		t.Fatal(err)
	}
	if err := rt.GoBack(m); !errors.Is(err, ErrReplaced) || !strings.Contains(fmt.Sprint(err), "frame 0") {
		t.Error(err)
	}
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := rt.Remember(nil); err == nil {
		t.Error("a closed run is remembered")
	}
	if err := rt.GoBack(m); err == nil {
		t.Error("a closed run goes back")
	}
}
