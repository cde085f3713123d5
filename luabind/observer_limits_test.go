package luabind

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// toldUnderAll runs toldIn under each implementation, and returns what all of them print.
func toldUnderAll(t *testing.T, limits Limits, frames int, init, update string) string {
	t.Helper()
	first := ""
	for i, impl := range []Impl{Lua, Closures, Auto} {
		got := toldIn(t, impl, Options{Limits: limits}, frames, init, update)
		if i == 0 {
			first = got
		} else if got != first {
			t.Errorf("%v: %s\ninterpreted: %s", impl, got, first)
		}
	}
	return first
}

// An observer whose commands double ends the turn that has woken it, by a limit that is counted. The turn is taken back,
// and the next one meets the limit at the same place.
func TestObserversThatDouble(t *testing.T) {
	const init = `n = 0 w:on("set", "A", function(w, e)
n = n + 1
w.commands:set(e, "A", { v = 1 }) w.commands:set(e, "A", { v = 2 }) end)`
	const update = `print(n, w:count("A")) n = 0 local e = w:spawn{ A = {} } w:set(e, "A", { v = 0 })`
	got := toldUnderAll(t, Limits{OnError: Skip, Instructions: 1_000_000}, 2, "rawset(_G, 'n', 0) "+init, update)
	const passed = `act.lua:6: system "act", frame %d: more than 1,000,000 instructions (limits.instructions), most of them in observers; it was passed while the queued commands were applied`
	lines := strings.Split(got, "|")
	if len(lines) != 4 || lines[0] != "0 0" || lines[1] != fmt.Sprintf(passed, 1) || !strings.HasSuffix(lines[2], " 0") || lines[3] != fmt.Sprintf(passed, 2) {
		t.Error(got)
	}
	if n := 0; len(lines) > 2 {
		if _, err := fmt.Sscan(lines[2], &n); err != nil || n < 2000 || n > 5000 {
			t.Errorf("%d calls", n)
		}
	}
}

// A chain of observers ends at the same place under all implementations, whatever the loops of the turn and those of the observers are
// charged.
func TestAChainOfObserversEndsAtTheSamePlace(t *testing.T) {
	const init = `local n = 0
w:on("tagged", "new", function(w, e)
for h in w:read("Hit") do n = n + h.n end
n = n + 1 print(n)
for i = 1, n % 7 do w:send("Hit", { n = i }) end
for e, a in w:each("A") do if a.v > n % 5 then n = n + 1 end end
for i = 1, 2 do w.commands:untag(e, "new") w.commands:tag(e, "new") end
end)`
	for _, update := range []string{
		`local e = w:spawn{} w:tag(e, "new")`,
		`for i = 1, 40 do w:spawn{ A = { v = i } } w:send("Hit", { n = i }) end
local s = 0 for e, a in w:each("A") do for k = 1, 100 + a.v do s = s + k a.v = k end end print(s)
for h in w:drain("Hit") do s = s + h.n end
for e, a in w:each("A") do if a.v > 135 then w:tag(e, "new") end end
print("whole")`,
	} {
		got := toldUnderAll(t, Limits{OnError: Skip, Instructions: 150_000}, 3, init, update)
		if n := strings.Count(got, "most of them in observers; it was passed while the queued commands were applied"); n != 3 {
			t.Errorf("%d turns end in the chain: %s", n, got)
		}
	}
}

// A walk that a coroutine has begun in a compiled loop goes on where the coroutine does: in an observer, or in a system with impl: lua.
func TestACoroutineGoesOnInAnObserver(t *testing.T) {
	for _, impl := range []Impl{Lua, Closures, Auto} {
		got := toldIn(t, impl, Options{}, 1, `rawset(_G, "n", 0) w:on("tagged", "new", function(w, e) co() co() end)`, `for i = 1, 6 do w:spawn{ A = { v = i } } end
rawset(_G, "co", coroutine.wrap(function()
for e, a in w:each("A") do n = n + 1 a.v = a.v + 1 if a.v > 3 then print(n) coroutine.yield() end end
end))
co() w.commands:tag(w:first("A"), "new") w:tag(w:first("A"), "new") co() print(n)`)
		if want := "3|4|5|6|6"; got != want {
			t.Errorf("%v: %s, want %s", impl, got, want)
		}
	}
}

// The turn pays for what observers allocate, and so does their system.
func TestObserversAllocate(t *testing.T) {
	got := toldUnderAll(t, Limits{OnError: Skip, Allocations: 100_000}, 1, `w:on("set", "A", function(w, e, a) local s = string.rep("x", a.v) end)`,
		`local e = w:spawn{ A = {} }
for i = 1, 10 do print(i)
w:set(e, "A", { v = 40000 })
end`)
	const want = `1|2|3|act.lua:4: system "act", frame 1: more than 100,000 bytes of strings, tables, functions and coroutines were made (limits.allocations) (while A of 0v1 was set by act.lua:8)|` +
		`act.lua:7: system "act", frame 1: more than 100,000 bytes of strings, tables, functions and coroutines were made (limits.allocations)`
	if got != want {
		t.Error(got)
	}
}

// A large world ends no turn: rows and commands add to what observers may use, and so do the commands that observers queue for them.
func TestObserversOfALargeWorld(t *testing.T) {
	const n = 5000
	const init = `w:spawn_many(5000, { A = {} })
w:on("set", "A", function(w, e) for i = 1, 50 do local x = i end w.commands:tag(e, "new") end)
w:on("tagged", "new", function(w, e) for i = 1, 50 do local x = i end end)`
	for _, update := range []string{
		`for e, a in w:each("A") do a.v = 1 end`,
		`for e, a in w:each("A") do w.commands:set(e, "A", { v = 1 }) end`,
	} {
		if got := toldUnderAll(t, Limits{OnError: Skip, Instructions: 300_000}, 1, init, update+` print(w:count("A"))`); got != fmt.Sprint(n) {
			t.Error(got)
		}
	}
}

// An observer that runs without an end ends by the limit of its system, and so does the turn that has called it: a plain loop that wakes it
// again and again is no way around limits.instructions.
func TestObserversInAnEndlessLoop(t *testing.T) {
	got := toldUnderAll(t, Limits{OnError: Skip, Instructions: 100_000}, 1, `w:on("set", "A", function(w, e, a) for i = 1, 200 do local x = i end end)`,
		`local e = w:spawn{ A = {} }
while true do w:set(e, "A", { v = 1 }) end`)
	if want := `act.lua:7: system "act", frame 1: more than 100,000 instructions (limits.instructions), most of them in observers; is there an endless loop?`; got != want {
		t.Error(got)
	}
}

// Observers that a native system wakes count for their system alone: it has one failure, and they are silent until that turn is over.
func TestObserversThatDoubleInANativeTurn(t *testing.T) {
	for _, impl := range []Impl{Lua, Closures, Auto} {
		w := ecs.NewWorld(ecs.Options{Seed: 1})
		schema, err := ecs.NewSchema(ecs.Field{Name: "v", Type: ecs.F64})
		if err != nil {
			t.Fatal(err)
		}
		a := must(w.DeclareComponent("A", schema))
		var out strings.Builder
		_, err = run(t, Options{
			World: w, Limits: Limits{OnError: Skip, Instructions: 300_000}, Report: func(e *ScriptError) { fmt.Fprintln(&out, e) },
			Natives: map[string]ecs.NativeFunc{"go": func(*ecs.World) (ecs.SystemFunc, error) {
				return func(w *ecs.World, _ float64) error {
					e, err := w.Spawn(a)
					if err == nil {
						_, err = w.Set(e, a, ecs.FieldValue{Index: 0, Value: ecs.Number(1)})
					}
					return err
				}, nil
			}},
			Scripts: files(map[string]string{"hud": `return { init = function(w) w:on("set", "A", function(w, e)
w.commands:set(e, "A", { v = 1 }) w.commands:set(e, "A", { v = 2 }) end) end, update = function() end }`}),
		}, 2, System{Name: "hud", Impl: impl}, System{Name: "go", Native: "go"})
		got := strings.Split(strings.TrimSpace(out.String()), "\n")
		if err != nil || len(got) != 2 || !strings.HasPrefix(got[0], `hud.lua:2: system "hud", frame 1: more than 300,000 instructions`) || !strings.Contains(got[1], "frame 2: more than") || w.Len() != 2 {
			t.Errorf("%v: %v, %d entities\n%s", impl, err, w.Len(), out.String())
		}
	}
}

// What the host does between frames gives new allowances to all observers that it wakes, also to those behind the first: what turns before have
// used does not count, nor that a resumed run has had none.
func TestObserversThatTheHostWakes(t *testing.T) {
	x := &resumable{
		sources: map[string]string{
			"a.lua": `return { init = function(w) w:on("spawned", function(w, e) w:tag(e, "marked") end) end, update = function() end }`,
			"b.lua": `return { init = function(w) w:on("tagged", "marked", function(w, e) for i = 1, 50000 do end print("seen") end) end, update = function() end }`,
		},
		systems: []System{{Name: "a", Script: "a.lua"}, {Name: "b", Script: "b.lua"}},
		policy:  Skip,
	}
	var whole, resumed runTrace
	runs := map[*runTrace]*Runtime{&whole: x.open(t, &whole), &resumed: x.open(t, &resumed)}
	start(t, runs[&whole])
	whole.frames(t, runs[&whole], 1)
	if err := runs[&resumed].Restore(bytes.NewReader(x.saved(t, 1))); err != nil {
		t.Fatal(err)
	}
	for tr, rt := range runs {
		rt.options.Limits.Instructions = 150_000
		for range 5 {
			if _, err := rt.world.Spawn(); err != nil {
				t.Fatal(err)
			}
		}
		tr.frames(t, rt, 1)
		if got := tr.out.String(); got != strings.Repeat("seen\n", 5) {
			t.Errorf("%s%s", got, &tr.log)
		}
	}
}

// After a resume too, what the host does and what it has queued before the next frame are of one tick, which an observer's system does not see as a change.
func TestWindowsOfObserversThatTheHostWakes(t *testing.T) {
	x := &resumable{
		sources: map[string]string{"a.lua": `local changed = require("ecs").query{ "Position", changed = { "Position" } }
return { init = function(w) w:on("added", "Position", function(w) print(w:count(changed)) end) end, update = function() end }`},
		systems: []System{{Name: "a", Script: "a.lua"}},
		policy:  Skip,
	}
	var whole, resumed runTrace
	runs := map[*runTrace]*Runtime{&whole: x.open(t, &whole), &resumed: x.open(t, &resumed)}
	start(t, runs[&whole])
	whole.frames(t, runs[&whole], 1)
	if err := runs[&resumed].Restore(bytes.NewReader(x.saved(t, 1))); err != nil {
		t.Fatal(err)
	}
	for tr, rt := range runs {
		position, _ := rt.world.LookupComponent("Position")
		if _, err := rt.world.Spawn(position); err != nil {
			t.Fatal(err)
		}
		if _, err := rt.world.Commands().Spawn(position); err != nil {
			t.Fatal(err)
		}
		tr.frames(t, rt, 1)
	}
	if got, want := resumed.out.String(), whole.out.String(); got != want || got == "" {
		t.Errorf("resumed %q, without a stop %q", got, want)
	}
}
