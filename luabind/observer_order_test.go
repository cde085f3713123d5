package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

// toldIn runs an init of observers and a turn for each frame, and returns what they print.
func toldIn(t *testing.T, impl Impl, o Options, frames int, init, update string) string {
	t.Helper()
	var out strings.Builder
	o.World, o.Stdout = ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()}), &out
	o.Report = func(e *ScriptError) { fmt.Fprintf(&out, "%v\n", e) }
	o.Scripts = files(map[string]string{"act": `local ecs = require("ecs")
ecs.component("A", { v = "f64" }) ecs.tag("new") ecs.tag("shy") ecs.relation("Owns") ecs.event("Hit", { n = "f64" })
return { init = function(w)
` + init + `
end, update = function(w)
` + update + `
end }`})
	if _, err := run(t, o, frames, System{Name: "act", Impl: impl}); err != nil {
		fmt.Fprintln(&out, err)
	}
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(out.String()), "\t", " "), "\n", "|")
}

// What is told about an entity is told in the order in which it was so, and what never was is told by nobody.
func TestObserversAreToldWhatIsSo(t *testing.T) {
	const tags = `w:on("tagged", "shy", function(w, e) print("+", ecs.name(e), w:tagged(e, "shy")) end)
w:on("untagged", "shy", function(w, e) print("-", ecs.name(e), w:tagged(e, "shy")) end)
`
	for _, c := range []struct{ name, init, update, want string }{
		{
			"a tag taken off before it was told", `w:on("tagged", "new", function(w, e) w:untag(e, "shy") end)
` + tags, `local e = w:spawn{ "new", "shy" } print(w:tagged(e, "shy"))`, "+ 0v1 true|- 0v1 true|false",
		},
		{
			"a tag taken off and set again before it was told", `w:on("tagged", "new", function(w, e) w:untag(e, "shy") w:tag(e, "shy") end)
` + tags, `w:spawn{ "new", "shy" }`, "+ 0v1 true|- 0v1 true|+ 0v1 true",
		},
		{
			"a tag of a later entity", `local last w:on("spawned", function(w, e) if last then w:untag(last, "shy") w:untag(e + 1, "shy") end last = e end)
` + tags, `w:spawn_many(4, { "shy" })`, "+ 0v1 true|- 0v1 true|+ 2v1 true|- 2v1 true|+ 1v1 true|- 1v1 true|+ 3v1 true|- 3v1 true",
		},
		{
			"a tag of the last of many", `w:on("tagged", "new", function(w, e) if ecs.name(e) == "0v1" then w:untag(e + 199, "shy") end end)
local n = 0 w:on("tagged", "shy", function(w, e) n = n + 1 if n <= 2 then print("+", ecs.name(e)) end end)
w:on("untagged", "shy", function(w, e) print("-", ecs.name(e), n) end)`, `w:spawn_many(200, { "new", "shy" })`, "+ 199v1|- 199v1 1|+ 0v1",
		},
		{
			"a tag set on what dies", `w:on("removed", "A", function(w, e) w:tag(e, "shy") end)
` + tags, `w:despawn((w:spawn{ A = {} })) w:despawn((w:spawn{ A = {}, "shy" }))`, "+ 0v1 true|- 0v1 true|+ 0v2 true|- 0v2 true",
		},
		{
			"a tag set on a child that dies", `w:on("despawned", function(w, e) for c in w:sources("ChildOf", e) do w:tag(c, "shy") end end)
` + tags, `local p = w:spawn{} w:spawn{ ChildOf = p } w:despawn(p)`, "+ 1v1 true|- 1v1 true",
		},
		{
			"a tag that was told as lost and is set anew", tags + `w:on("despawned", function(w, e) w:untag(e, "shy") w:tag(e, "shy") end)`,
			`w:despawn((w:spawn{ "shy" }))`, "+ 0v1 true|- 0v1 true|+ 0v1 true|- 0v1 true",
		},
		{
			"a tag that was told as lost is taken off", tags + `w:on("despawned", function(w, e) w:untag(e, "shy") end)`,
			`w:despawn((w:spawn{ "shy" }))`, "+ 0v1 true|- 0v1 true",
		},
		{
			"tags that lead to each other", `w:on("untagged", "shy", function(w, e) w:untag(e, "new") w:tag(e, "new") end)
w:on("untagged", "new", function(w, e) w:untag(e, "shy") w:tag(e, "shy") end)`, `local e = w:spawn{ "new" } w:despawn(e) print(w:alive(e))`,
			`act.lua:5: system "act", frame 1: observers call each other without an end`,
		},
		{
			"a relation that is given twice", `w:on("related", "Owns", function(w, e, to) print("+", ecs.name(e), ecs.name(to)) end)
w:on("unrelated", "Owns", function(w, e, to) print("-", ecs.name(e), ecs.name(to)) end)`,
			`local x, y = w:spawn{}, w:spawn{} w:spawn_many(1, { Owns = x }, function() return { Owns = y } end)`, "+ 2v1 1v1",
		},
		{
			"an event sent by an observer of an observer", `w:on("set", "A", function(w, e) w:tag(e, "new") end)
w:on("tagged", "new", function(w, e) w:send("Hit", { n = 1 }) w.commands:spawn{ A = { v = 2 }, "shy" } end)
` + tags, `local e = w:spawn{ "A" } w:set(e, "A", { v = 1 })`, "+ 1v1 true",
		},
	} {
		for _, impl := range []Impl{Auto, Closures, Lua} {
			if got := toldIn(t, impl, Options{Limits: Limits{OnError: Skip}}, 1, c.init, c.update); got != c.want && (c.want[0] != 'a' || !strings.HasPrefix(got, c.want)) {
				t.Errorf("%s, %v:\n got %s\nwant %s", c.name, impl, got, c.want)
			}
		}
	}
}

// What a loop does on trial and takes back is told by nobody: the rows that machine code is compared on, and a row that fails.
func TestObserversAreNotToldOfWhatIsTakenBack(t *testing.T) {
	const init = `w:spawn_many(2000, nil, function(i) return { A = { v = i } } end)
local n = 0 w:on("untagged", "shy", function(w, e) n = n + 1 print("untagged", n) end)`
	for _, impl := range []Impl{Auto, Closures, Lua} {
		if got := toldIn(t, impl, Options{}, 3, init, `for e, a in w:each("A") do w:tag(e, "shy") end`); got != "" {
			t.Errorf("%v: %s", impl, got)
		}
		got := toldIn(t, impl, Options{Limits: Limits{OnError: Skip}}, 1, init, `for e, a in w:each("A") do w:tag(e, "shy") if a.v == 1500 then error("row") end end`)
		if want := `act.lua:7: system "act", frame 1: row`; got != want {
			t.Errorf("%v: %s", impl, got)
		}
	}
}

const orderedObservers = `local ecs = require("ecs")
ecs.component("A", { v = "f64" }) ecs.tag("new")
return { init = function(w)
  w:on("tagged", "new", function(w, e) print("tagged") end)
  w:on("spawned", function(w, e) print("spawned") end)
  w:on("added", "A", function(w, e) print("added") end)
end, update = function(w) w:spawn{ "A", "new" } end }`

// A reload of an equal text leaves the observers in their order, among themselves and among those of others, and so does
// resuming from a snapshot after it.
func TestReloadKeepsTheOrderOfObservers(t *testing.T) {
	const other = `return { init = function(w) w:on("spawned", function(w, e) print("other") end) end, update = function() end }`
	scripts := map[string]string{"a.lua": orderedObservers, "b.lua": other}
	r := startChanging(t, Auto, scripts, "a", "b")
	const want = "tagged\nspawned\nadded\nother\n"
	for i := range 3 {
		if got := r.frames(t, 1); got != want {
			t.Fatalf("%d reloads: %s", i, got)
		}
		r.put(map[string]string{"a.lua": orderedObservers + strings.Repeat(" ", i+1)})
		r.reload(t, Change{})
	}
	var file bytes.Buffer
	if err := r.Save(&file); err != nil {
		t.Fatal(err)
	}
	resumed := &changing{files: r.files}
	w := ecs.NewWorld(ecs.Options{Seed: 1})
	ecs.MustRegister[benchPos](w, "Position")
	ecs.MustRegister[benchVel](w, "Velocity")
	resumed.Runtime = must(New(Options{World: w, Scripts: r.files, Stdout: &resumed.out}))
	if err := errors.Join(resumed.Add(System{Name: "a", Script: "a.lua"}), resumed.Add(System{Name: "b", Script: "b.lua"}), resumed.Restore(&file)); err != nil {
		t.Fatal(err)
	}
	if got := resumed.frames(t, 1); got != want {
		t.Errorf("resumed: %s", got)
	}
}

// A system that a reload enables is told of what its own init does, as one that was there from the start. If the reload
// fails, nothing of its observers is left.
func TestObserversOfASystemThatAReloadEnables(t *testing.T) {
	const text = `return { init = function(w) w:on("spawned", function() print("told") end) w:spawn{} end, update = function(w) w:spawn{} end }`
	r := startChanging(t, Auto, map[string]string{"a.lua": "return function() end"}, "a")
	r.put(map[string]string{"b.lua": text, "c.lua": "return { init = function() error('no') end, update = function() end }"})
	list := append(r.described(), System{Name: "b", Script: "b.lua"})
	r.out.Reset()
	if _, err := r.Reload(context.Background(), Change{Systems: append(list[:2:2], System{Name: "c", Script: "c.lua"})}); err == nil || len(r.observers) != 0 || len(r.world.Observers()) != 0 {
		t.Errorf("%v, %d observers are left", err, len(r.world.Observers()))
	}
	r.out.Reset()
	r.reload(t, Change{Systems: list})
	if got := r.out.String(); got != "told\n" {
		t.Errorf("init printed %q", got)
	}
	if got := r.frames(t, 1); got != "told\n" || len(r.observers) != 1 {
		t.Errorf("the frame printed %q, with %d observers", got, len(r.observers))
	}
}

// Each variable that a snapshot lists has a name of its own, so that two snapshots can be compared by them.
func TestVariablesOfASnapshotHaveDifferentNames(t *testing.T) {
	x := scriptOf(`local deep, long = {}, string.rep("k", 300) deep[long .. "1" .. long] = 1 deep[long .. "2" .. long] = 2
return { init = function(w) for i = 1, 2 do w:on("spawned", function() deep.n = i end) end w:on("added", "Bag", function() end) end, update = function() end }`)
	file, err := snapfile.Read(bytes.NewReader(x.saved(t, 1)))
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadVariables(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, v := range list {
		if seen[v.Path] {
			t.Errorf("two variables are called %q", v.Path)
		}
		seen[v.Path] = true
	}
	if !seen["a.lua: observer of added Bag (line 2)"] {
		t.Errorf("the variables are called %v", slices.Sorted(maps.Keys(seen)))
	}
}
