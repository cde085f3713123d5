package inputs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/inputs"
)

// seen prints what a system sees of edits: changed and added rows, removals, and what observers are told.
const seen = `local ecs = require("ecs")
local changed = ecs.query{ "Health", changed = { "Health" } }
local added = ecs.query{ "Health", added = { "Health" } }
return {
  init = function(world)
    world:spawn{ Health = {} }
    for _, what in ipairs{ "added", "removed", "set" } do
      world:on(what, "Health", function(world, e) print("told", what, ecs.name(e)) end)
    end
    world:on("tagged", "enemy", function(world, e)
      print("tagged", ecs.name(e), world:has(e, "Health") and world:get(e, "Health").current)
      if world.resources.score == 13 then error("an unlucky number") end
    end)
    world:on("despawned", function(world, e) print("despawned", ecs.name(e)) end)
  end,
  update = function(world)
    for e, h in world:each(changed) do print("changed", h) end
    for e, h in world:each(added) do print("new", h) end
    for e in world:removed("Health") do print("lost", ecs.name(e)) end
  end,
}`

// An edited is a world that is edited, with what scripts print.
type edited struct {
	t       testing.TB
	rt      *luabind.Runtime
	decoder inputs.Decoder
	out     bytes.Buffer
}

func edit(t testing.TB, impl luabind.Impl, policy luabind.Policy, systems ...luabind.System) *edited {
	e := &edited{t: t}
	w := ecs.NewWorld(ecs.Options{Seed: 7, MaxEntities: 100})
	for name, fields := range map[string][]ecs.Field{
		"Health": {{Name: "current", Type: ecs.F64, Default: ecs.Number(100)}, {Name: "max", Type: ecs.F64}},
	} {
		s, err := ecs.NewSchema(fields...)
		ok(t, err)
		_, err = w.DeclareComponent(name, s)
		ok(t, err)
	}
	s, err := ecs.NewSchema(ecs.Field{Name: "at", Type: ecs.EntityField}, ecs.Field{Name: "level", Type: ecs.U8})
	ok(t, err)
	_, err = w.DeclareComponent("Aim", s)
	ok(t, err)
	members, err := ecs.NewSchema(ecs.Field{Name: "members", Type: ecs.ArrayOf(ecs.EntityField, 3)})
	ok(t, err)
	_, err = w.DeclareComponent("Squad", members)
	ok(t, err)
	_, err = w.DeclareTag("enemy")
	ok(t, err)
	_, err = w.DeclareTag("dead")
	ok(t, err)
	_, err = w.DeclareEvent("Spotted", s)
	ok(t, err)
	_, err = w.DeclareResource("score", ecs.I32, ecs.Number(0))
	ok(t, err)
	e.rt, err = luabind.New(luabind.Options{World: w, Stdout: &e.out, Limits: luabind.Limits{OnError: policy}, Scripts: fstest.MapFS{
		"seen.lua":  {Data: []byte(seen)},
		"tick.lua":  {Data: []byte(`return { init = function() print("init") end, update = function(world) print("tick", world.frame) end }`)},
		"fails.lua": {Data: []byte(`local n = 0 return function(world) n = n + 1 if world.resources.score == 0 then error("no score") end print("turn", n) end`)},
		"lib.lua":   {Data: []byte(`return { answer = 42 }`)},
	}})
	ok(t, err)
	systems = append([]luabind.System{{Name: "seen", Script: "seen.lua", Impl: impl}}, systems...)
	for _, s := range systems {
		ok(t, e.rt.Add(s))
	}
	ok(t, e.rt.Load())
	e.decoder = inputs.Decoder{World: w, Systems: e.rt.Schedule().Names(), File: "in.jsonl", Next: 1}
	return e
}

func (e *edited) start() *edited {
	ok(e.t, e.rt.Start(context.Background()))
	e.frame()
	return e
}

// do decodes a line and applies it.
func (e *edited) do(line string) (luabind.Result, error) {
	in, _, err := e.decoder.Decode([]byte(line))
	if err != nil {
		return luabind.Result{}, err
	}
	return in.Apply(context.Background(), e.rt)
}

func (e *edited) must(lines ...string) (last luabind.Result) {
	e.t.Helper()
	for _, line := range lines {
		var err error
		if last, err = e.do(line); err != nil {
			e.t.Fatalf("%s: %v", line, err)
		}
	}
	return last
}

// frame runs a frame, and returns what was printed since the last call.
func (e *edited) frame() string {
	e.t.Helper()
	ok(e.t, e.rt.Frame(context.Background(), 1))
	return e.printed()
}

func (e *edited) printed() string {
	text := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(e.out.String()), "\t", " "), "\n", "; ")
	e.out.Reset()
	return text
}

var impls = []luabind.Impl{luabind.Lua, luabind.Closures, luabind.Auto}

// Every word is seen by queries and observers, equally under each implementation.
func TestEditsAreSeen(t *testing.T) {
	var digests []string
	for _, impl := range impls {
		e := edit(t, impl, luabind.Stop).start()
		for _, c := range []struct{ line, want string }{
			{`{"spawn": {"Health": {"current": 3}}, "tags": ["enemy"], "as": "boss"}`, `told added 1v1; tagged 1v1 3; changed Health of 1v1 {current = 3, max = 0}; new Health of 1v1 {current = 3, max = 0}`},
			{`{"entity": "@boss", "set": {"Health": {"max": 7}, "Aim": {"at": "@boss", "level": 255}}}`, `told set 1v1; changed Health of 1v1 {current = 3, max = 7}`},
			{`{"entity": "1v1", "remove": ["Health", "Aim"]}`, `told removed 1v1; lost 1v1`},
			{`{"entity": "@boss", "add": ["Health"]}`, `told added 1v1; changed Health of 1v1 {current = 100, max = 0}; new Health of 1v1 {current = 100, max = 0}`},
			{`{"entity": "@boss", "untag": ["enemy", "dead"]}`, ``},
			{`{"entity": "@boss", "tag": ["dead", "enemy"]}`, `tagged 1v1 100`},
			{`{"entity": "0v1", "relate": {"ChildOf": "@boss"}}`, ``},
			{`{"entity": "0v1", "unrelate": {"ChildOf": "@boss"}}`, ``},
			{`{"eval": "local e = world:first(ecs.query{ tagged = {'enemy'} }) world:get(e, 'Health').current = 5"}`, `told set 1v1; changed Health of 1v1 {current = 5, max = 0}`},
			{`{"eval": "world.commands:despawn((world:first(ecs.query{ tagged = {'enemy'} })))"}`, `told removed 1v1; despawned 1v1; lost 1v1`},
			{`{"spawn": {}, "as": "boss"}`, ``},
			{`{"entity": "@boss", "despawn": true}`, `despawned 1v2`},
		} {
			if res := e.must(c.line); !res.Done {
				t.Errorf("%v: %s: not done", impl, c.line)
			}
			if got := e.frame(); got != c.want {
				t.Errorf("%v: %s:\n got %s\nwant %s", impl, c.line, got, c.want)
			}
		}
		ok(t, e.rt.World().Check())
		if e.rt.Edits() != 12 || e.rt.Failures().Errors != 0 {
			t.Errorf("%d edits, %+v", e.rt.Edits(), e.rt.Failures())
		}
		digests = append(digests, e.rt.World().Digest().String())
	}
	if digests = slices.Compact(digests); len(digests) > 1 {
		t.Errorf("digests %v", digests)
	}
}

// A dead entity and a relation with another target: nothing is done. It changes no digest.
func TestEditsThatDoNothing(t *testing.T) {
	e := edit(t, luabind.Auto, luabind.Stop).start()
	e.must(`{"spawn": {}, "as": "gone"}`, `{"entity": "@gone", "despawn": true}`, `{"spawn": {}, "as": "a"}`, `{"entity": "0v1", "relate": {"ChildOf": "@a"}}`)
	before := e.rt.World().Digest()
	for _, line := range []string{
		`{"entity": "@gone", "despawn": true}`, `{"entity": "@gone", "set": {"Health": {}}}`, `{"entity": "@gone", "add": ["Health"]}`, `{"entity": "9v9", "remove": ["Health"]}`,
		`{"entity": "@gone", "tag": ["enemy"]}`, `{"entity": "@gone", "untag": ["enemy"]}`, `{"entity": "@gone", "relate": {"ChildOf": "@a"}}`, `{"entity": "@gone", "unrelate": {"ChildOf": null}}`,
		`{"entity": "0v1", "unrelate": {"ChildOf": "0v1"}}`,
	} {
		if res := e.must(line); res.Done {
			t.Errorf("%s: done", line)
		}
	}
	if now := e.rt.World().Digest(); now != before {
		t.Error("the world has changed")
	}
	if res := e.must(`{"entity": "0v1", "unrelate": {"ChildOf": null}}`); !res.Done {
		t.Error("not done")
	}
}

// A name may stand wherever an entity does.
func TestNamesOfEntities(t *testing.T) {
	e := edit(t, luabind.Auto, luabind.Stop).start()
	e.must(`{"spawn": {}, "as": "a"}`, `{"spawn": {"Aim": {"at": "@a"}}, "as": "b"}`, `{"send": "Spotted", "with": {"at": "@b"}}`)
	res := e.must(`{"eval": "local at for ev in world:peek('Spotted') do at = ev.at end return ecs.name(at), ecs.name(world:get(at, 'Aim').at)"}`)
	if got := fmt.Sprint(res.Values); got != `["2v1" "1v1"]` {
		t.Error(got)
	}
	if _, err := e.do(`{"entity": "@c", "despawn": true}`); err == nil || errors.Is(err, luabind.ErrTakenBack) || !strings.Contains(err.Error(), `no entity is named "@c"`) {
		t.Error(err)
	}
	res = e.must(`{"spawn": {"Squad": {"members": ["@b", null, "1v1"]}}, "as": "squad"}`, `{"entity": "@squad", "set": {"Squad": {"members": ["@squad", "2v1"]}}}`,
		`{"eval": "local e for s in world:each('Squad') do e = s end local m = world:get(e, 'Squad').members return ecs.name(m[1]), ecs.name(m[2]), m[3] == ecs.none, ecs.name(e)"}`)
	if got := fmt.Sprint(res.Values); got != `["3v1" "2v1" true "3v1"]` {
		t.Error(got)
	}
	for line, want := range map[string]string{
		`{"entity": "@a", "set": {"Squad": {"members": ["@a", "@c"]}}}`:             `[2]: no entity is named "@c"`,
		`{"entity": "@a", "set": {"Squad": {"members": ["@a", "@a", "@a", "@a"]}}}`: "a list of 4 values does not fit",
		`{"entity": "@a", "set": {"Squad": {"members": ["@a", 3]}}}`:                "[2]: an entity expected",
		`{"entity": "@a", "set": {"Squad": {"members": "@a"}}}`:                     "a list expected",
	} {
		if _, err := e.do(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
	e.must(`{"spawn": {}, "as": "boss"}`)
	if _, err := e.do(`{"entity": "@bos", "despawn": true}`); err == nil || !strings.HasSuffix(err.Error(), `no entity is named "@bos"; did you mean "@boss"?`) {
		t.Error(err)
	}
}

// Code has globals of its own, which are kept; what it returns is plain data; it has limits of its own, and what fails is taken back.
func TestEval(t *testing.T) {
	for _, policy := range []luabind.Policy{luabind.Stop, luabind.Skip, luabind.Disable} {
		e := edit(t, luabind.Auto, policy).start()
		e.must(`{"eval": "n = (n or 0) + 1 function double(x) return 2 * x end"}`, `{"eval": "n = n + 1"}`)
		res := e.must(`{"eval": "print('a', 1) print('b') local t = {n} t[2] = t return n, double(n), double, world, nil, world:get(world:first('Health'), 'Health'), t, require('lib').answer, require('ecs') == ecs"}`)
		if got, want := fmt.Sprint(res.Values), `[2 4 "function" "world" nil {current = 100, max = 0} {2, "table"} 42 true]`; got != want || res.Printed != "a\t1\nb\n" {
			t.Errorf("%s, printed %q; want %s", got, res.Printed, want)
		}
		e.must(`{"set": "score", "to": 13}`)
		before := e.rt.World().Digest()
		for line, want := range map[string]string{
			`{"eval": "n = 9 world.resources.score = 4 world:get(world:first('Health'), 'Health').current = 1 world:tag(world:first('Health'), 'dead') error('no')"}`: "eval:1: system \"inspector\", frame 2: no",
			`{"eval": "world.resources.score = 4 while true do end"}`:                                                              "more than 1,000,000 instructions (the limit of an eval)",
			`{"eval": "world.resources.score = 4 local t = {} for i = 1, 1e5 do t[i] = ('x'):rep(1000) .. i end"}`:                 "(the limit of an eval)",
			`{"eval": "world.resources.score = 4 world.commands:relate(world:first('Health'), 'ChildOf', world:first('Health'))"}`: "eval:1",
			`{"entity": "0v1", "tag": ["enemy"]}`:                                                                                  "an unlucky number",
			`{"eval": "world:tag(world:first('Health'), 'enemy')"}`:                                                                "an unlucky number",
			`{"entity": "0v1", "relate": {"ChildOf": "0v1"}}`:                                                                      "cycle",
		} {
			_, err := e.do(line)
			if !errors.Is(err, luabind.ErrTakenBack) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %s: %v", policy, line, err)
			}
			if now := e.rt.World().Digest(); now != before {
				t.Fatalf("%v: %s: the world has changed", policy, line)
			}
		}
		if f := e.rt.Failures(); f.Errors+f.Limits > 0 {
			t.Errorf("%+v", f)
		}
		e.printed()
		e.frame()                                                                   // goes on
		if res := e.must(`{"eval": "return n"}`); fmt.Sprint(res.Values) != "[9]" { // variables are not taken back
			t.Error(res.Values)
		}
		if _, err := e.do(`{"eval": "return doubel"}`); err == nil || !strings.Contains(err.Error(), `undeclared global "doubel"; did you mean "double"?`) {
			t.Error(err)
		}
	}
}

// A spawn beyond a limit is taken back, with the error of the limit.
func TestEditsAndLimits(t *testing.T) {
	e := edit(t, luabind.Auto, luabind.Stop).start()
	for e.rt.World().Len() < 100 {
		e.must(`{"spawn": {"Health": {}}}`)
	}
	if _, err := e.do(`{"spawn": {}}`); !errors.Is(err, ecs.ErrLimit) || !errors.Is(err, luabind.ErrLimit) || !errors.Is(err, luabind.ErrTakenBack) {
		t.Error(err)
	}
	if _, err := e.do(`{"eval": "for i = 1, 3 do world:spawn{} end"}`); !errors.Is(err, luabind.ErrLimit) {
		t.Error(err)
	}
	e.frame()
}

// The setting of a system: an init runs when it is enabled for the first time, and a failed change changes nothing.
func TestEditsOfSystems(t *testing.T) {
	e := edit(t, luabind.Auto, luabind.Disable, luabind.System{Name: "tick", Script: "tick.lua", Disabled: true}).start()
	for _, c := range []struct{ line, want string }{
		{`{"system": "tick", "enabled": true}`, "init; tick 2"},
		{`{"system": "tick", "every": 2}`, ""},
		{`{"system": "tick", "every": 1, "impl": "lua"}`, "tick 4"},
		{`{"system": "tick", "enabled": false}`, ""},
		{`{"system": "tick", "enabled": false}`, ""},
		{`{"system": "tick", "enabled": true, "impl": "closures"}`, "tick 7"},
	} {
		e.must(c.line)
		if got := e.frame(); got != c.want {
			t.Errorf("%s: %s, want %s", c.line, got, c.want)
		}
	}
	if _, err := e.do(`{"system": "tick", "impl": "native"}`); err == nil || !strings.Contains(err.Error(), "names no native function") {
		t.Error(err)
	}
	if got := e.frame(); got != "tick 8" {
		t.Error(got)
	}
	cp, err := e.rt.Copy()
	ok(t, err)
	e.must(`{"system": "tick", "enabled": false, "every": 5}`, `{"spawn": {}, "as": "x"}`)
	e.frame()
	ok(t, e.rt.RestoreCopy(cp))
	if got := e.frame(); got != "tick 9" {
		t.Errorf("after going back: %s", got)
	}
	if _, there := e.rt.Named("x"); there {
		t.Error("a name of a later time")
	}
}

// A system that a failure has disabled begins anew.
func TestEnablingWhatAFailureHasDisabled(t *testing.T) {
	e := edit(t, luabind.Auto, luabind.Disable, luabind.System{Name: "fails", Script: "fails.lua"}).start()
	if got := e.frame(); got != "" || e.rt.Schedule().Find("fails").Enabled() {
		t.Fatalf("%q", got)
	}
	e.must(`{"set": "score", "to": 1}`, `{"system": "fails", "enabled": true}`)
	if got := e.frame(); got != "turn 1" {
		t.Error(got)
	}
	e.must(`{"set": "score", "to": 13}`)
	if _, err := e.do(`{"entity": "0v1", "tag": ["enemy"]}`); !errors.Is(err, luabind.ErrTakenBack) || !e.rt.Schedule().Find("seen").Enabled() {
		t.Error("an edit has disabled a system", err)
	}
}

// Names, the globals of code and the number of edits are in snapshots.
func TestEditsInSnapshots(t *testing.T) {
	e := edit(t, luabind.Auto, luabind.Stop).start()
	e.must(`{"spawn": {"Health": {"current": 2}}, "as": "boss"}`, `{"eval": "n = 3 local kept = 4 function f() kept = kept + n return kept end"}`)
	e.frame()
	var file bytes.Buffer
	ok(t, e.rt.Save(&file))
	again := edit(t, luabind.Auto, luabind.Stop)
	ok(t, again.rt.Restore(&file))
	for _, one := range []*edited{e, again} {
		res := one.must(`{"entity": "@boss", "set": {"Health": {"max": 1}}}`, `{"eval": "return f() + f(), ecs.random(1000)"}`)
		if got := fmt.Sprint(res.Values[0]); got != "17" {
			t.Errorf("%s", got)
		}
		one.frame()
	}
	if a, b := e.rt.World().Digest(), again.rt.World().Digest(); a != b || e.rt.Edits() != again.rt.Edits() {
		t.Errorf("%v and %v, %d and %d edits", a, b, e.rt.Edits(), again.rt.Edits())
	}
}

// What is wrong with a line is said with its number, and what would be right.
func TestEditMistakes(t *testing.T) {
	e := edit(t, luabind.Auto, luabind.Stop).start()
	for line, want := range map[string]string{
		`{"spawn": {"Helth": {}}}`:                           `component "Helth" is not declared; did you mean "Health"?`,
		`{"spawn": {"Health": {"curent": 3}}}`:               `there is no field of Health "curent"; did you mean "current"?`,
		`{"spawn": {"Health": 3}}`:                           `Health: an object of its fields expected, got a number`,
		`{"spawn": ["Health"]}`:                              `"spawn": an object of components expected, got a list`,
		`{"spawn": {"Aim": {"level": 256}}}`:                 `Aim.level: 256 does not fit u8 (0 to 255)`,
		`{"spawn": {"Aim": {"at": 3}}}`:                      `Aim.at: an entity expected, got a number`,
		`{"spawn": {"ChildOf": {}}}`:                         `"ChildOf" is a relation; use "relate" and "unrelate"`,
		`{"spawn": {}, "tags": ["enemi"]}`:                   `tag "enemi" is not declared; did you mean "enemy"?`,
		`{"spawn": {}, "tags": ["enemy", "enemy"]}`:          `"tags": "enemy" is there twice`,
		`{"spawn": {}, "tags": "enemy"}`:                     `"tags": a list of names of tags expected, got a string`,
		`{"spawn": {}, "as": "@boss"}`:                       `"as": a name of 1 to 64 letters`,
		`{"spawn": {}, "despawn": true}`:                     `"despawn" belongs to "entity", and the line has "spawn"`,
		`{"entity": "17", "despawn": true}`:                  `"entity": an entity expected, got "17"`,
		`{"entity": "17v2"}`:                                 `nothing to do with the entity`,
		`{"entity": "17v2", "despawn": false}`:               `"despawn": true expected`,
		`{"entity": "17v2", "add": ["Health"], "tag": []}`:   `both "add" and "tag"; use a line for each`,
		`{"entity": "17v2", "set": {"Health": {}}, "to": 3}`: `"to" belongs to "set", and the line has "entity"`,
		`{"entity": "17v2", "relate": {"ChildOf": null}}`:    `ChildOf: an entity expected, got null`,
		`{"entity": "17v2", "relate": {"Child": "1v1"}}`:     `relation "Child" is not declared; did you mean "ChildOf"?`,
		`{"entity": "@", "despawn": true}`:                   `"@" is no name of an entity`,
		`{"system": "sen", "enabled": true}`:                 `there is no system "sen"; did you mean "seen"?`,
		`{"system": "seen"}`:                                 `nothing to do with the system`,
		`{"system": "seen", "every": 0}`:                     `"every": a whole number from 1 to 2147483647 expected`,
		`{"system": "seen", "impl": "luajit"}`:               `"impl": "auto", "lua", "closures" or "native" expected`,
		`{"system": "seen", "enabled": 1}`:                   `"enabled": true or false expected, got a number`,
		`{"eval": "return ("}`:                               `eval:1`,
		`{"eval": 3}`:                                        `"eval": a string expected, got a number`,
		`{"send": "Spotted", "entity": "17v2"}`:              `both "send" and "entity"; use a line for each`,
		`{"set": "score", "entity": "17v2"}`:                 `"set": an object of components expected, got a string`,
	} {
		_, err := e.do(line)
		if e := (*inputs.Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}
