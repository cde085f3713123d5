package luabind

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// observedRun runs scripts with a system "act" and a system "hud", which observes, and returns what they print.
func observedRun(t *testing.T, o Options, frames int, act, hud string) (*Runtime, string, error) {
	t.Helper()
	var out strings.Builder
	o.Stdout = &out
	o.World = ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
	head := `local ecs = require("ecs")
ecs.component("Health", { current = "f64", name = "string", bag = "table" }) ecs.component("Mana", { n = "f64" }) ecs.tag("hurt") ecs.relation("Likes") ecs.event("Hit", { n = "f64" })
`
	o.Scripts = files(map[string]string{"act": head + act, "hud": head + hud})
	if o.Report == nil {
		o.Report = func(e *ScriptError) { fmt.Fprintf(&out, "%v\n", e) }
	}
	r, err := run(t, o, frames, System{Name: "act"}, System{Name: "hud"})
	return r, out.String(), err
}

const tellAll = `local M = {}
function M.init(world)
  for _, kind in ipairs{ "added", "removed", "set" } do
    world:on(kind, "Health", function(w, e, h) print(kind, ecs.name(e), h.current, h.bag.n) end)
  end
  for _, kind in ipairs{ "tagged", "untagged" } do world:on(kind, "hurt", function(w, e, x) print(kind, ecs.name(e), x, w:tagged(e, "hurt")) end) end
  for _, kind in ipairs{ "related", "unrelated" } do world:on(kind, "Likes", function(w, e, to) print(kind, ecs.name(e), ecs.name(to)) end) end
  for _, kind in ipairs{ "spawned", "despawned" } do world:on(kind, function(w, e, x) print(kind, ecs.name(e), x, w:alive(e)) end) end
end
return M`

func TestObserversOfScripts(t *testing.T) {
	for _, c := range []struct{ name, act, want string }{
		{"spawn", `world:spawn{ Health = { current = 3, bag = { n = 1 } }, "hurt" }`, "added 0v1 3 1|tagged 0v1 nil true|spawned 0v1 nil true"},
		{"queued spawn", `world.commands:spawn{ Health = { current = 3 }, "hurt" }`, "added 0v1 3 nil|tagged 0v1 nil true|spawned 0v1 nil true"},
		{"spawn_many", `world:spawn_many(2, { Health = { current = 3 }, "hurt" })`, "added 0v1 3 nil|tagged 0v1 nil true|spawned 0v1 nil true|added 1v1 3 nil|tagged 1v1 nil true|spawned 1v1 nil true"},
		{
			"spawn_many with a function", `world:spawn_many(2, { "hurt" }, function(i) return { Health = { current = i } } end)`,
			"added 0v1 1 nil|tagged 0v1 nil true|spawned 0v1 nil true|added 1v1 2 nil|tagged 1v1 nil true|spawned 1v1 nil true",
		},
		{"set", `local e = world:spawn{} world:set(e, "Health", { current = 2 }) world:set(e, "Health", { current = 4 })`, "spawned 0v1 nil true|added 0v1 2 nil|set 0v1 2 nil|set 0v1 4 nil"},
		{
			"views", `local e = world:spawn{} world:add(e, "Health") local h = world:get(e, "Health") h.current = 1 h.bag.n = 7 h.bag = {} table.insert(h.bag, 1) world:get(e, "Health").current = 5 h.name = "x"`,
			"spawned 0v1 nil true|added 0v1 0 nil|set 0v1 1 nil|set 0v1 1 7|set 0v1 1 nil|set 0v1 1 nil|set 0v1 5 nil|set 0v1 5 nil",
		},
		{"a loop", `world:spawn_many(2, { Mana = {} }) world:spawn{ Health = {} } for e, h in world:each("Health") do h.current = h.current + 1 end`, "spawned 0v1 nil true|spawned 1v1 nil true|added 2v1 0 nil|spawned 2v1 nil true|set 2v1 1 nil"},
		{"tags", `local e = world:spawn{} world:tag(e, "hurt") world:tag(e, "hurt") world:untag(e, "hurt") world.commands:tag(e, "hurt")`, "spawned 0v1 nil true|tagged 0v1 nil true|untagged 0v1 nil true|tagged 0v1 nil true"},
		{
			"relations", `local a, b = world:spawn{}, world:spawn{} local e = world:spawn{ Likes = a } world:relate(e, "Likes", b) world:despawn(b)`,
			"spawned 0v1 nil true|spawned 1v1 nil true|related 2v1 0v1|spawned 2v1 nil true|unrelated 2v1 0v1|related 2v1 1v1|despawned 1v1 nil true|unrelated 2v1 1v1",
		},
		{"children", `local a = world:spawn{} world:spawn{ ChildOf = a, Health = {} } world.commands:despawn(a)`, "spawned 0v1 nil true|added 1v1 0 nil|spawned 1v1 nil true|despawned 0v1 nil true|removed 1v1 0 nil|despawned 1v1 nil true"},
	} {
		for _, impl := range []Impl{Auto, Closures, Lua} {
			var out strings.Builder
			head := `local ecs = require("ecs")
ecs.component("Health", { current = "f64", name = "string", bag = "table" }) ecs.component("Mana", { n = "f64" }) ecs.tag("hurt") ecs.relation("Likes")
`
			_, err := run(t, Options{World: ecs.NewWorld(ecs.Options{Memory: NewMemory()}), Stdout: &out, Scripts: files(map[string]string{
				"act": head + "return function(world) " + c.act + " end", "hud": head + tellAll,
			})}, 1, System{Name: "hud", Impl: impl}, System{Name: "act", Impl: impl})
			if got := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(out.String()), "\t", " "), "\n", "|"); err != nil || got != c.want {
				t.Errorf("%s, %v: %v\n got %s\nwant %s", c.name, impl, err, got, c.want)
			}
		}
	}
}

func TestErrorsOfScriptObservers(t *testing.T) {
	const hud = `local M = {}
function M.init(world)
  world:on("set", "Health", function(w, e, h)
    w.commands:spawn{ "hurt" }
    error("no bar")
  end)
end
return M`
	const act = `local e
return { init = function(world) e = world:spawn{ Health = {} } end, update = function(world)
  pcall(function() world:set(e, "Health", { current = 1 }) end)
  world.commands:set(e, "Health", { current = 2 })
  print("still here", world:count("Health"))
end }`
	_, out, err := observedRun(t, Options{Limits: Limits{OnError: Skip}}, 1, act, hud)
	want := `hud.lua:7: system "hud", frame 1: no bar (while Health of 0v1 was set by act.lua:5)
still here	1
hud.lua:7: system "hud", frame 1: no bar (while Health of 0v1 was set by act.lua:6)
`
	if err != nil || out != want {
		t.Errorf("%v\n%s", err, out)
	}
	r, out, err := observedRun(t, Options{Limits: Limits{OnError: Disable, Errors: 2}}, 3, act, hud)
	if err != nil || strings.Count(out, "no bar") != 2 || strings.Count(out, "still here") != 3 || strings.Join(r.Failures().Disabled, " ") != "hud" {
		t.Errorf("%v, %v\n%s", err, r.Failures(), out)
	}
	r, out, err = observedRun(t, Options{}, 3, act, hud)
	if err == nil || err.Error() != `hud.lua:7: system "hud", frame 1: no bar (while Health of 0v1 was set by act.lua:5)` || out != "" || r.Failures().Errors != 1 || r.world.Len() != 1 {
		t.Errorf("%v, %d, %d, %q", err, r.Failures().Errors, r.world.Len(), out)
	}
}

func TestScriptObserversCountForTheirSystem(t *testing.T) {
	const act = `local e
return { init = function(world) e = world:spawn{ Health = {} } end, update = function(world)
  for i = 1, 500 do world:set(e, "Health", { current = i }) end
  print("done")
end }`
	_, out, err := observedRun(t, Options{Limits: Limits{OnError: Skip, Instructions: 20_000}}, 1, act, `return { init = function(world)
  world:on("set", "Health", function(w, e, h) while h.current == 7 do end end)
end }`)
	if err != nil || !strings.HasPrefix(out, `hud.lua:4: system "hud", frame 1: more than 20,000 instructions (limits.instructions); is there an endless loop? (while Health of 0v1 was set by act.lua:5)
act.lua:5: system "act", frame 1: more than 20,000 instructions (limits.instructions), most of them in observers`) {
		t.Errorf("%v %s", err, out)
	}
	_, out, err = observedRun(t, Options{Limits: Limits{OnError: Skip}}, 1, `local ecs = require("ecs") return function(world) world:spawn{} print(ecs.random()) end`, `return { init = function(world)
  world:on("spawned", function(w, e) for _ in w:each() do break end math.random() end)
end }`)
	_, plain, _ := observedRun(t, Options{}, 1, `local ecs = require("ecs") return function(world) world:spawn{} print(ecs.random()) end`, `return function() end`)
	if err != nil || out != plain {
		t.Errorf("the observer draws from the stream of act: %s, %s", out, plain)
	}
}

func TestMisuseOfScriptObservers(t *testing.T) {
	for code, want := range map[string]string{
		`world:on("spawnd", print)`:            `unknown kind "spawnd"; did you mean "spawned"?`,
		`world:on("x", print)`:                 `unknown kind "x"; there are added, removed, set,`,
		`world:on("added", "Helth", print)`:    `component "Helth" is not declared; did you mean "Health"?`,
		`world:on("tagged", "Health", print)`:  `"Health" is a component; world:on("tagged") needs a tag: use "added", "removed" or "set"`,
		`world:on("set", "Likes", print)`:      `"Likes" is a relation; world:on("set") needs a component: use "related" or "unrelated"`,
		`world:on("set", "Health")`:            `bad argument #3 to 'on' (function expected, got no value)`,
		`world:on("spawned", "Health", print)`: `"spawned" is about entities and takes no name; write world:on("spawned", function)`,
		`world:on("set")`:                      `bad argument #2 to 'on' (component name expected, got no value)`,
		`world:on("spawned", function(w) w:on("spawned", print) end) world:spawn{}`:                                                   `world:on outside of init`,
		`world:on("spawned", function(w) w:spawn{} end) world:spawn{}`:                                                                `world:spawn in an observer; use world.commands:spawn (while 0v1 was spawned by hud.lua:3)`,
		`world:on("spawned", function(w, e) w:set(e, "Health", {}) end) world:spawn{}`:                                                `world:set in an observer; use world.commands:set`,
		`world:on("set", "Health", function(w, e, h) h.current = 2 end) world:spawn{ Health = {} } world:set(1 * 2^32, "Health", {})`: `observers call each other without an end: set Health (hud.lua:3) -> set Health (hud.lua:3) -> `,
	} {
		_, _, err := observedRun(t, Options{}, 0, "return function() end", "return { init = function(world) "+code+" end }")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", code, err, want)
		}
	}
	if _, _, err := observedRun(t, Options{}, 1, "return function() end", `return function(world) world:on("spawned", print) end`); err == nil || !strings.Contains(err.Error(), "observers are declared in the init of a system") {
		t.Error(err)
	}
}

// A loop is compiled until somebody observes what it writes, and explain says so.
func TestObservedLoops(t *testing.T) {
	const act = `local M = {}
function M.init(world) world:spawn_many(3, { Health = {}, Mana = {} }) end
function M.update(world)
  for e, h in world:each("Health") do h.current = h.current + 1 end
  for e, m in world:each("Mana") do m.n = m.n + 1 world:tag(e, "hurt") end
  for e, m in world:each("Mana") do m.n = m.n + 1 end
end
return M`
	r, out, err := observedRun(t, Options{Limits: Limits{}}, 3, act, `return { init = function(world)
  world:on("set", "Health", function(w, e, h) print(h.current) end)
  world:on("tagged", "hurt", function(w, e) print(ecs.name(e)) end)
end }`)
	if err != nil || out != "1\n1\n1\n0v1\n1v1\n2v1\n2\n2\n2\n3\n3\n3\n" {
		t.Errorf("%v %q", err, out)
	}
	var falls []string
	for _, f := range r.Fallbacks() {
		falls = append(falls, fmt.Sprintf("%d %s %d", f.Line, f.Reason, f.Times))
	}
	want := `6 it writes "Health", which the observer at hud.lua:4 watches 3; 7 it sets the tag "hurt", which the observer at hud.lua:5 watches 3`
	if got := strings.Join(falls, "; "); got != want {
		t.Errorf("falls: %s", got)
	}
	for _, l := range r.Explain() {
		if want := map[int]string{6: `writes "Health", which the observer at hud.lua:4 watches`, 7: `sets the tag "hurt", which the observer at hud.lua:5 watches`}[l.Line]; l.Reason != want {
			t.Errorf("line %d: %q", l.Line, l.Reason)
		}
	}
}

func TestReloadedObservers(t *testing.T) {
	const v1 = `local M = { state = { n = 0 } }
function M.init(world)
  print("init")
  local first = world:first("Position")
  world:on("tagged", "x", function(w, e) M.state.n = M.state.n + 1 print("one", e == first, M.state.n) end)
end
return M`
	const other = `require("ecs").tag("x")
return { init = function(world) world:on("tagged", "x", function() print("other") end) end,
  update = function(world) local e = world:first("Position") world:untag(e, "x") world:tag(e, "x") end }`
	r := startChanging(t, Auto, map[string]string{"a.lua": "require('ecs').tag('x') " + v1, "b.lua": other}, "a", "b")
	if got := r.frames(t, 1); got != "one\ttrue\t1\nother\n" {
		t.Fatalf("printed %q", got)
	}
	before := r.world.Digest()
	change := func(text string) error { return r.change("a.lua", "require('ecs').tag('x') "+text) }
	if err := change(strings.Replace(v1, `"one"`, `"two"`, 1)); err != nil {
		t.Fatal(err)
	}
	if r.world.Digest() != before {
		t.Error("the rehearsal has left something behind")
	}
	if got := r.frames(t, 1); got != "two\ttrue\t2\nother\n" {
		t.Errorf("after a reload: %q", got)
	}
	for _, bad := range []string{
		strings.Replace(v1, `local first`, `error("wrong") local first`, 1),
		strings.Replace(v1, `local first`, `require("ecs").tag("new") local first`, 1),
		"return function( end",
	} {
		if err := change(bad); err == nil {
			t.Error("the reload does not fail")
		}
		if got := r.frames(t, 1); !strings.HasPrefix(got, "two\ttrue\t") || !strings.HasSuffix(got, "\nother\n") {
			t.Errorf("after a reload that failed: %q", got)
		}
	}
	if err := change("return function() end"); err != nil {
		t.Fatal(err)
	}
	if got := r.frames(t, 1); got != "other\n" {
		t.Errorf("without observers: %q", got)
	}
	if err := change(v1); err != nil {
		t.Fatal(err)
	}
	r.reload(t, Change{Systems: r.described()[:1]})
	if err := func() error {
		w := r.World()
		e := w.TagMembers(0)[0]
		w.Untag(e, 0)
		w.Tag(e, 0)
		return r.Frame(context.Background(), 1)
	}(); err != nil {
		t.Fatal(err)
	}
	if got := len(r.World().Observers()); got != 1 {
		t.Errorf("%d observers", got)
	}
}

// A file with observers is reloaded whatever the states of systems hold: suspended coroutines, functions, tables that have themselves.
func TestReloadedObserversBesideAnyState(t *testing.T) {
	const watches = `local M = { state = { n = 0, talk = coroutine.wrap(function() for i = 1, 99 do coroutine.yield(i) end end), list = { 7 } } }
M.state.self, M.state.list.of = M.state, M.state
function M.init(world) M.state.n = M.state.n + 10 M.state.list[1] = 8 world:on("tagged", "x", function(w, e) M.state.n = M.state.n + 1 print("one", M.state.n, M.state.talk(), M.state.list[1], M.state.list.of == M.state) end) end
return M`
	const talks = `require("ecs").tag("x") local M = { state = { of = print, talk = coroutine.create(function() for i = 1, 99 do coroutine.yield(i) end end) } } M.state.all = { M.state }
function M.update(world) local e = world:first("Position") world:untag(e, "x") world:tag(e, "x") print(coroutine.resume(M.state.talk)) print(M.state.all[1] == M.state) end return M`
	r := startChanging(t, Auto, map[string]string{"a.lua": "require('ecs').tag('x') " + watches, "b.lua": talks}, "a", "b")
	if got := r.frames(t, 1); got != "one\t11\t1\t8\ttrue\ntrue\t1\ntrue\n" {
		t.Fatalf("printed %q", got)
	}
	if err := r.change("a.lua", "require('ecs').tag('x') "+strings.Replace(watches, `"one"`, `"two"`, 1)); err != nil {
		t.Fatal(err)
	}
	if got := r.frames(t, 1); got != "two\t12\t2\t8\ttrue\ntrue\t2\ntrue\n" {
		t.Errorf("after a reload: %q", got)
	}
	if _, err := r.Copy(); err == nil || !strings.Contains(err.Error(), `the state of system "a" cannot be copied`) {
		t.Error(err)
	}
}

// A restore calls no observers and keeps them.
func TestRestoredRuntimeKeepsItsObservers(t *testing.T) {
	r, _, err := observedRun(t, Options{}, 0, `return function(world) world:spawn{} end`, tellAll)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Copy()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Frame(context.Background(), 1), r.RestoreCopy(s)); err != nil {
		t.Fatal(err)
	}
	if n := len(r.world.Observers()); n != 9 {
		t.Errorf("%d observers", n)
	}
}

// TestNativeSystemsObserve: what a NativeFunc observes belongs to its system.
func TestNativeSystemsObserve(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	var seen []ecs.Entity
	r, err := run(t, Options{World: w, Scripts: files(map[string]string{"act": `return function(world) world:spawn{} end`}), Natives: map[string]ecs.NativeFunc{
		"watch": func(w *ecs.World) (ecs.SystemFunc, error) {
			_, err := w.Observe(ecs.ObserverSpec{Kind: ecs.OnSpawned, Run: func(_ *ecs.World, c ecs.Change) error {
				seen = append(seen, c.Entity)
				return errors.New("boom")
			}})
			return func(*ecs.World, float64) error { return nil }, err
		},
	}}, 1, System{Name: "act"}, System{Name: "watch", Native: "watch"})
	if err == nil || err.Error() != `system "watch", frame 1: observer spawned (watch): boom (while 0v1 was spawned)` || len(seen) != 1 || r.Failures().Errors != 1 {
		t.Errorf("%v, %v", err, seen)
	}
}

// Handles that the rehearsal of an init gives out, or the init of a reload that fails, are used up.
func TestHandlesOfInitsThatAreTakenBack(t *testing.T) {
	const a = `local lib = require("lib")
return {
  init = function(world)
    lib.hud = world:spawn{ Position = { x = 1 } }
    world:on("tagged", "x", function() end)
  end,
  update = function(world)
    local e = world:spawn{ Position = { x = 777 } }
    print(e == lib.hud, world:alive(lib.hud))
  end,
}`
	r := startChanging(t, Auto, map[string]string{"lib.lua": "return {}", "a.lua": "require('ecs').tag('x') " + a}, "a")
	if got := r.frames(t, 1); got != "false\ttrue\n" {
		t.Fatalf("printed %q", got)
	}
	if err := r.change("a.lua", "require('ecs').tag('x') -- another\n"+a); err != nil {
		t.Fatal(err)
	}
	if got := r.frames(t, 3); got != strings.Repeat("false\tfalse\n", 3) {
		t.Errorf("after a rehearsal: %q", got)
	}
	r.put(map[string]string{"b.lua": `local lib = require("lib") return { init = function(world) lib.hud = world:spawn{} error("wrong") end }`})
	if _, err := r.Reload(context.Background(), Change{Systems: append(r.described(), System{Name: "b", Script: "b.lua"})}); err == nil {
		t.Fatal("the reload does not fail")
	}
	if got := r.frames(t, 3); got != strings.Repeat("false\tfalse\n", 3) {
		t.Errorf("after a reload that failed: %q", got)
	}
	if err := r.world.Check(); err != nil {
		t.Error(err)
	}
}
