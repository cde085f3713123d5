package luabind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// put changes files without a reload.
func (c *changing) put(files map[string]string) {
	for name, text := range files {
		c.files[name] = &fstest.MapFile{Data: []byte(text)}
	}
}

// reload reloads with a change of the schedule.
func (c *changing) reload(t *testing.T, with Change) *Reloaded {
	t.Helper()
	done, err := c.Reload(context.Background(), with)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// described returns the systems as they were added.
func (c *changing) described() []System {
	var out []System
	for _, sys := range c.systems {
		out = append(out, sys.System)
	}
	return out
}

// What becomes of the state of a system, for each way in which a file can write it.
func TestReloadedState(t *testing.T) {
	const old = "local M = { state = { n = 1, seen = {} } }\nfunction M.update() M.state.n = M.state.n + 1 M.state.seen[1] = true print(M.state.n) end\nreturn M"
	for name, c := range map[string]struct {
		text, want string
		fresh      bool
	}{
		"the same shape":    {strings.Replace(old, "print(", "print('new', ", 1), "new\t4\n", false},
		"another key":       {strings.Replace(old, "seen = {}", "seen = {}, more = 0", 1), "2\n", true},
		"another type":      {strings.Replace(old, "seen = {}", "seen = 0", 1) + "--", "", true},
		"on_reload":         {strings.Replace(old, "return M", "function M.on_reload(old) M.state.n = old.n * 100 end return M", 1), "301\n", false},
		"on_reload keeps":   {strings.Replace(old, "return M", "function M.on_reload(old) M.state = old end return M", 1), "4\n", false},
		"no state any more": {"return function() print('none') end", "none\n", true},
	} {
		r := startChanging(t, Auto, map[string]string{"a.lua": old}, "a")
		r.frames(t, 2)
		r.put(map[string]string{"a.lua": c.text})
		done := r.reload(t, Change{})
		if !slices.Equal(done.Files, []string{"a.lua"}) || (len(done.Fresh) == 1) != c.fresh {
			t.Errorf("%s: reloaded %+v", name, done)
		}
		if got := r.frames(t, 1); c.want != "" && got != c.want {
			t.Errorf("%s: printed %q, want %q", name, got, c.want)
		}
	}
}

// An on_reload that fails changes nothing, not even the state that it was given.
func TestReloadThatFailsInOnReload(t *testing.T) {
	const old = "local M = { state = { n = 1, list = { 1 } } }\nfunction M.update() M.state.n = M.state.n + 1 print(M.state.n, #M.state.list) end\nreturn M"
	for text, want := range map[string]string{
		"function M.on_reload(old)\n old.n = -1 old.list[2] = 5 local x = nil\n x.y = 1 end return M": `a.lua:5: system "a": attempt to index a nil value (local "x")`,
		"function M.on_reload(old) M.state = 5 end return M":                                          `a.lua: system "a": on_reload makes state a number; it must be a table`,
		"function M.on_reload(old)\n ecs.random() end return M":                                       `a.lua:4`,
	} {
		r := startChanging(t, Auto, map[string]string{"a.lua": old}, "a")
		r.frames(t, 1)
		r.put(map[string]string{"a.lua": "local ecs = require('ecs') " + strings.Replace(old, "return M", text, 1)})
		if _, err := r.Reload(context.Background(), Change{}); err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, ErrLoad) {
			t.Errorf("error %v, want %s", err, want)
		}
		if got := r.frames(t, 1); got != "3\t1\n" {
			t.Errorf("after %q it printed %q", text, got)
		}
	}
}

// A file that fails while it is loaded leaves no declaration behind, so that the next version may declare otherwise.
func TestReloadThatFailsDeclaresNothing(t *testing.T) {
	r := startChanging(t, Auto, map[string]string{"a.lua": "return function() end"}, "a")
	before := r.world.Digest()
	for _, text := range []string{
		"require('ecs').component('Mana', { current = 'f64' }) local x = nil + 1",
		"require('ecs').component('Mana', { current = 'f64' }) return function(world) world:first('Manna') end",
		"require('ecs').component('Mana', { current = 'f64' }) return 5",
	} {
		r.put(map[string]string{"a.lua": text})
		if _, err := r.Reload(context.Background(), Change{}); err == nil {
			t.Errorf("%s: no error", text)
		}
		if slices.Contains(r.world.ComponentNames(), "Mana") || r.world.Digest() != before {
			t.Fatalf("%s: it has declared a component", text)
		}
	}
	r.put(map[string]string{"a.lua": "require('ecs').component('Mana', { current = 'i32' }) return function(world) print(world:count('Mana')) end"})
	r.reload(t, Change{})
	if got := r.frames(t, 1); got != "0\n" {
		t.Errorf("printed %q", got)
	}
}

// The list of systems changes: order, condition, every, implementation, enabled, and a new system with its init.
func TestReloadedSchedule(t *testing.T) {
	say := func(name string) string {
		return fmt.Sprintf("local M = {} function M.init() print('init %s') end function M.update(world, dt) print('%[1]s', dt) end return M", name)
	}
	r := startChanging(t, Auto, map[string]string{"a.lua": say("a"), "b.lua": say("b"), "c.lua": say("c")}, "a", "b")
	r.frames(t, 1)
	for i, step := range []struct {
		change func(list []System) []System
		during string
		frame  string
	}{
		{func(l []System) []System { l[0].After = []string{"b"}; return l }, "", "b\t0.5\na\t0.5\n"},
		{func(l []System) []System { l[0].After = nil; l[0].When = "frame > 100"; return l }, "", "b\t0.5\n"},
		{func(l []System) []System { l[0].When = ""; l[1].Disabled = true; return l }, "", "a\t0.5\n"},
		{func(l []System) []System { l[1].Disabled = false; l[1].Impl = Lua; return l }, "", "a\t0.5\nb\t0.5\n"},
		{func(l []System) []System { return append(l, System{Name: "c", Script: "c.lua", Every: 2}) }, "init c\n", "a\t0.5\nb\t0.5\nc\t1\n"},
		{func(l []System) []System { l[2].Disabled = true; return l }, "", "a\t0.5\nb\t0.5\n"},
		{func(l []System) []System { l[2].Disabled = false; l[2].Every = 1; return l }, "", "a\t0.5\nb\t0.5\nc\t0.5\n"},
		{func(l []System) []System { return []System{l[2], l[0]} }, "", "c\t0.5\na\t0.5\n"},
	} {
		r.out.Reset()
		r.reload(t, Change{Systems: step.change(r.described())})
		if got := r.out.String(); got != step.during {
			t.Errorf("step %d: the reload printed %q, want %q", i, got, step.during)
		}
		if got := r.frames(t, 1); got != step.frame {
			t.Errorf("step %d: printed %q, want %q", i, got, step.frame)
		}
	}
}

// A change of the schedule that cannot be leaves everything as it was: the world too, when an init fails, but for the handles that the init gave out.
func TestReloadOfTheScheduleThatFails(t *testing.T) {
	counts := "local M = { state = { n = 0 } } function M.update(world) M.state.n = M.state.n + 1 print(M.state.n, world:count()) end return M"
	r := startChanging(t, Auto, map[string]string{
		"a.lua": counts, "b.lua": "return { init = function(world)\n world:spawn{ Position = {} } local x = nil x.y = 1\nend }",
	}, "a")
	r.frames(t, 1)
	bad := func(list ...System) Change { return Change{Systems: append(r.described(), list...)} }
	before := must(r.world.Copy())
	for want, change := range map[string]Change{
		`b.lua:2: system "b", frame 1: `:             bad(System{Name: "b", Script: "b.lua"}),
		`there is no such file in the script folder`: bad(System{Name: "b", Script: "gone.lua"}),
		`there already`:                              bad(System{Name: "a", Script: "b.lua"}),
		`after each other: b after c after b`:        bad(System{Name: "b", Script: "a.lua", After: []string{"c"}}, System{Name: "c", Script: "a.lua", After: []string{"b"}}),
		`unknown name "fame"; did you mean "frame"?`: bad(System{Name: "b", Script: "a.lua", When: "fame > 1"}),
		`no native system "move" is registered`:      bad(System{Name: "b", Native: "move"}),
		`cannot move to stage last`:                  {Systems: []System{{Name: "a", Script: "a.lua", Stage: ecs.Last}}},
		`no room for it`:                             {Declare: func(*ecs.World) error { return errors.New("no room for it") }},
	} {
		if _, err := r.Reload(context.Background(), change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
		if change.Systems != nil && change.Systems[len(change.Systems)-1].Script == "b.lua" {
			ecs.Raw.UseUp(before, ecs.Raw.GivenOut(r.world))
		}
		if r.world.Digest() != before.Digest() || len(r.schedule.Systems()) != 1 || len(r.systems) != 1 {
			t.Fatalf("%s: something has changed", want)
		}
	}
	if got := r.frames(t, 1); got != "2\t10\n" {
		t.Errorf("printed %q", got)
	}
	if err := r.world.Check(); err != nil {
		t.Error(err)
	}
}

// A system that the policy has disabled runs again when its file is mended.
func TestReloadEnablesWhatIsMended(t *testing.T) {
	r := startChanging(t, Auto, map[string]string{"a.lua": "return function() local x = nil print(x.y) end", "b.lua": "return function() print('b') end"}, "a", "b")
	r.options.Limits.OnError = Disable
	r.frames(t, 2)
	if r.schedule.Find("a").Enabled() {
		t.Fatal("the system is enabled")
	}
	r.put(map[string]string{"b.lua": "return function() print('B') end"})
	r.reload(t, Change{})
	if got := r.frames(t, 1); got != "B\n" {
		t.Errorf("with another file mended it printed %q", got)
	}
	r.put(map[string]string{"a.lua": "return function() print('a') end"})
	r.reload(t, Change{})
	if got := r.frames(t, 1); got != "a\nB\n" {
		t.Errorf("mended it printed %q", got)
	}
}

// Files that are gone, files that come back, and files that only a turn has required.
func TestReloadOfFilesThatComeAndGo(t *testing.T) {
	r := startChanging(t, Auto, map[string]string{
		"a.lua": "return function(world) print('a', require('late').word) end", "late.lua": "return { word = 'one' }",
	}, "a")
	if got := r.frames(t, 1); got != "a\tone\n" || r.Stale() != nil {
		t.Fatalf("printed %q, stale %v", got, r.Stale())
	}
	was := r.files["a.lua"]
	delete(r.files, "a.lua")
	if _, err := r.Reload(context.Background(), Change{}); err == nil || !slices.Equal(r.Stale(), []string{"a.lua"}) {
		t.Errorf("error %v, stale %v", err, r.Stale())
	}
	r.files["a.lua"] = was
	if done := r.reload(t, Change{}); done.Files != nil || r.Stale() != nil {
		t.Errorf("reloaded %+v", done)
	}
	r.put(map[string]string{"late.lua": "return {"})
	if _, err := r.Reload(context.Background(), Change{}); err == nil || !strings.Contains(err.Error(), "late.lua:1") {
		t.Errorf("error %v", err)
	}
	if got := r.frames(t, 1); got != "a\tone\n" {
		t.Errorf("printed %q", got)
	}
	r.put(map[string]string{"late.lua": "return { word = 'two' }"})
	if done := r.reload(t, Change{}); !slices.Equal(done.Files, []string{"late.lua"}) {
		t.Errorf("reloaded %+v", done)
	}
	if got := r.frames(t, 1); got != "a\ttwo\n" {
		t.Errorf("printed %q", got)
	}
	delete(r.files, "late.lua")
	r.reload(t, Change{})
	if got := r.frames(t, 1); got != "a\ttwo\n" {
		t.Errorf("printed %q", got)
	}
}

// Reload has its place: after Load, between frames.
func TestReloadAtAWrongTime(t *testing.T) {
	rt, err := New(Options{World: ecs.NewWorld(ecs.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rt.Reload(context.Background(), Change{}); err == nil {
		t.Error("no error before Load")
	}
	r := startChanging(t, Auto, map[string]string{"a.lua": "return function() end"}, "a")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r.put(map[string]string{"a.lua": "return function() print(1) end"})
	if _, err := r.Reload(ctx, Change{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// New limits hold from the next turn on; those of a change that fails do not.
func TestReloadedLimits(t *testing.T) {
	const text = "return function() local n = 0 for i = 1, 5000 do n = n + i end print('done') end"
	r := startChanging(t, Lua, map[string]string{"a.lua": text, "b.lua": "return { init = function() local x = nil + 1 end }"}, "a")
	few := Limits{OnError: Skip, Instructions: 1000}
	if _, err := r.Reload(context.Background(), Change{Systems: append(r.described(), System{Name: "b", Script: "b.lua"}), Limits: &few}); err == nil {
		t.Error("an init that fails is no error")
	}
	if got := r.frames(t, 1); got != "done\n" {
		t.Errorf("after a change that failed it printed %q", got)
	}
	r.reload(t, Change{Limits: &few})
	if got := r.frames(t, 1); !strings.Contains(got, "more than 1,000 instructions") {
		t.Errorf("with new limits it printed %q", got)
	}
}

// What on_reload gets is the old state in all that a script can see of it: order of keys, shared tables and cycles, metatables.
func TestReloadedStateIsCopiedWhole(t *testing.T) {
	const old = `local shared = { n = 1 }
local M = { state = { z = 1, a = 2, m = 3, one = shared, two = shared, meta = setmetatable({}, { __index = { deep = 7 } }) } }
M.state.me = M.state
function M.update() shared.n = shared.n + 1 end
return M`
	r := startChanging(t, Auto, map[string]string{"a.lua": old}, "a")
	r.frames(t, 1)
	r.put(map[string]string{"a.lua": `local M = { state = {} }
function M.on_reload(old)
  local keys = {}
  for k in pairs(old) do keys[#keys + 1] = k end
  print(table.concat(keys, " "), old.one == old.two, old.one.n, old.me == old, old.meta.deep)
  M.state = old
end
function M.update() end
return M`})
	r.out.Reset()
	r.reload(t, Change{})
	if got, want := r.out.String(), "z a m one two meta me\ttrue\t2\ttrue\t7\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

// A file that is gone and that nothing loads any more is stale until one reload, not for ever.
func TestFilesThatAreGoneAreReloadedOnce(t *testing.T) {
	r := startChanging(t, Auto, map[string]string{"a.lua": `require("h") return function() end`, "h.lua": "return 1"}, "a")
	r.put(map[string]string{"a.lua": `require("h2") return function() end`, "h2.lua": "return 1"})
	delete(r.files, "h.lua")
	stale := func(want ...string) {
		t.Helper()
		if got := r.Stale(); !slices.Equal(got, want) {
			t.Errorf("stale: %v, not %v", got, want)
		}
	}
	stale("a.lua", "h.lua")
	r.reload(t, Change{})
	stale()
	r.put(map[string]string{"h.lua": "return 1"})
	stale()
	r.put(map[string]string{"h.lua": "return 2"})
	stale("h.lua")
	r.reload(t, Change{})
	stale()
	delete(r.files, "h.lua")
	stale("h.lua")
	r.reload(t, Change{})
	stale()
	delete(r.files, "h2.lua")
	if _, err := r.Reload(context.Background(), Change{}); !errors.Is(err, ErrLoad) {
		t.Errorf("error %v", err)
	}
	stale("h2.lua") // nothing was reloaded
}
