package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// storedScript does the same with stored tables and with plain ones. BODY has statements about one of P, with the stored and the plain name.
const storedScript = `
local ecs = require("ecs")
ecs.component("Bag", { items = "table" })
ecs.component("Mark", { n = "f64" })
ecs.resource("map", "table")
ecs.resource("board", "table")
local M, m, before = {}, { map = {}, board = {}, items = {} }, nil
local function copy(t)
  if type(t) ~= "table" then return t end
  local c = {}
  for k, v in pairs(t) do c[k] = copy(v) end
  return c
end
local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for k, v in pairs(a) do if not same(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return true
end
local host = require("host")
local e
local function run(world)
  local bag, res = world:get(e, "Bag"), world.resources
  local mark = world:get(e, "Mark")
  local kept, plain = {}, {}
BODY
  for i = 1, #kept do assert(same(kept[i], plain[i]), "what was read has changed") end
end
function M.init(world)
  e = world:spawn{ Bag = {}, Mark = {} }
  for i = 1, 40 do world.resources.map[i], m.map[i] = i, i end
  assert(same(world.resources.map, m.map), "first values")
end
function M.update(world)
  if before then m = before end
  before = copy(m)
  local bag = world:get(e, "Bag")
  assert(same(world.resources.map, m.map) and same(world.resources.board, m.board) and same(bag.items, m.items), "after the last turn")
  run(world)
  assert(same(world.resources.map, m.map), "map")
  assert(same(world.resources.board, m.board), "board")
  assert(same(bag.items, m.items), "items")
  if world.frame % 3 == 0 then error("as it shall") end
  before = nil
end
return M
`

// A storedWriter writes random statements for storedScript.
type storedWriter struct{ *rand.Rand }

func (r storedWriter) of(list ...string) string { return list[r.IntN(len(list))] }

// statement does the same twice, with the names of the stored and of the plain table in place of P.
func (r storedWriter) statement() string {
	stored, plain := "res.map", "m.map"
	switch r.IntN(4) {
	case 0:
		stored, plain = "world.resources.board", "m.board"
	case 1:
		stored, plain = "bag.items", "m.items"
	}
	both := func(text string) string {
		return strings.ReplaceAll(text, "P", stored) + " " + strings.ReplaceAll(text, "P", plain)
	}
	i, k, v := r.of("1", "2", "#P", "#P + 1", "7", "40", "world.frame", "30", "2.5", "-1"), r.of("a", "b", "c"), r.of("1", "world.frame", `"s"`, "true", "2.5", "#P", "P[3] or 9", "-0")
	switch r.IntN(14) {
	case 0, 1:
		return both("P[" + i + "] = " + v)
	case 2:
		return both("P[#P + 1] = " + v)
	case 3:
		return both("P." + k + " = " + v)
	case 4:
		return both("P." + k + " = { 1, 2, x = { 3 } }")
	case 5:
		return both("if type(P." + k + ") == 'table' then P." + k + "[" + r.of("1", "2", "3", "'x'") + "] = " + r.of("1", "{ 4, 5 }", "nil") + " end")
	case 6:
		return both("if type(P." + k + ") == 'table' and type(P." + k + ".x) == 'table' then P." + k + ".x[1] = " + v + " P." + k + ".x[2] = #P." + k + ".x end")
	case 7:
		return both("table.insert(P, 5)")
	case 8:
		return both("table.remove(P)")
	case 9:
		return fmt.Sprintf("assert(same(%s, %s) and #%s == #%s, 'a read')", strings.ReplaceAll("P["+i+"]", "P", stored), strings.ReplaceAll("P["+i+"]", "P", plain), stored, plain)
	case 10:
		return fmt.Sprintf("kept[#kept + 1], plain[#plain + 1] = %s, copy(%s)", stored, plain)
	case 11:
		return fmt.Sprintf("kept[#kept + 1], plain[#plain + 1] = %s.%s, copy(%s.%s)", stored, k, plain, k)
	case 12:
		return r.of("host.look()", "mark.n = mark.n + 1")
	default:
		return both("for j = 1, #P do P[j] = type(P[j]) == 'number' and P[j] + 1 or j end")
	}
}

// Reads and writes of elements of stored tables do what they do with Lua tables, and what Go code has been given does not change.
func TestElementsOfStoredTables(t *testing.T) {
	t.Parallel()
	for seed := range uint64(effort.Of(480)) {
		r := storedWriter{rand.New(rand.NewPCG(seed, 7))}
		var body strings.Builder
		for range 4 + r.IntN(40) {
			fmt.Fprintln(&body, r.statement())
		}
		script := strings.Replace(storedScript, "BODY", body.String(), 1)
		var first string
		for _, impl := range []Impl{Lua, Auto} {
			out := storedRun(t, script, impl)
			if first == "" {
				first = out
			}
			if out != first || t.Failed() {
				t.Fatalf("seed %d, %v:\n%s\nwith gopher-lua:\n%s\n%s", seed, impl, out, first, script)
			}
		}
	}
}

// storedRun runs the script for some frames, and returns its errors and digests.
func storedRun(t *testing.T, script string, impl Impl) string {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 1})
	type held struct {
		data *ecs.Data
		text string
	}
	var all []held
	hold := func() {
		for _, name := range []string{"map", "board"} {
			if id, ok := w.LookupResource(name); ok {
				d := w.Resource(id).Get(0).Data()
				all = append(all, held{d, d.String()})
			}
		}
	}
	var out bytes.Buffer
	r, err := New(Options{
		World: w, Log: strictLog(t), Limits: Limits{OnError: Skip}, Scripts: files(map[string]string{"a": script}),
		Report: func(e *ScriptError) { fmt.Fprintln(&out, e) },
		Modules: map[string]map[string]Function{"host": {"look": func([]ecs.Value) ([]ecs.Value, error) {
			hold()
			return nil, nil
		}}},
	})
	err = errors.Join(err, r.Add(System{Name: "a", Script: "a.lua", Impl: impl}))
	if err == nil {
		err = errors.Join(r.Load(), r.Start(context.Background()))
	}
	if _, ok := w.LookupComponent("Mark"); ok {
		_, watch := w.Observe(ecs.ObserverSpec{Kind: ecs.OnSet, Name: "Mark", Run: func(*ecs.World, ecs.Change) error {
			hold()
			return nil
		}})
		err = errors.Join(err, watch)
	}
	for range 4 {
		if err == nil {
			err = r.Frame(context.Background(), 0.5)
		}
		hold()
		fmt.Fprintln(&out, w.Digest())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range all {
		if h.data.String() != h.text {
			t.Errorf("data that Go code had was %s, and is %s", h.text, h.data)
		}
	}
	if strings.Count(out.String(), "\n") != 5 || !strings.Contains(out.String(), "as it shall") {
		t.Errorf("got %s\n%s", out.String(), script)
	}
	return out.String()
}
