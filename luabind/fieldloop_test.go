package luabind

import (
	"context"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
)

// A loop that hands out fields reads, writes, stamps, locks and fails as the
// views it stands for.
func TestFieldLoop(t *testing.T) {
	layout := surface.Layout{
		Reads:  []surface.FieldRef{{View: 0, Field: "x"}, {View: 1, Field: "u8"}, {View: 1, Field: "f32"}},
		Writes: []surface.FieldRef{{View: 0, Field: "x"}, {View: 1, Field: "u8"}, {View: 1, Field: "f32"}},
		Views:  []bool{false, true},
	}
	try := func(body string) error {
		w := ecs.NewWorld(ecs.Options{})
		declareForTests(t, w)
		r, err := New(Options{World: w, Scripts: files(map[string]string{"a": `local ecs = require("ecs"); return function(world, dt)
for i = 1, 3 do world:spawn{ Position = { x = i }, Kinds = { u8 = i * 10 } } end
world:spawn{ Position = { x = 99 } }
` + body + "\nend"})})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Add(System{Name: "a", Script: "a.lua"}); err != nil {
			t.Fatal(err)
		}
		if err := r.Load(); err != nil {
			t.Fatal(err)
		}
		r.systems[0].env.Set("open", r.surface.FieldLoop(layout))
		return r.Frame(context.Background(), 1)
	}
	for name, c := range map[string]struct{ body, want string }{
		"reads and writes": {`local n = 0
local loop, set_x, set_u8, set_f32 = open(world, "Position", "Kinds")
for e, x, u8, f32, kinds in loop do
  n = n + 1
  assert(x == n and u8 == n * 10 and f32 == 0)
  assert(set_x(x + 0.5) == x + 0.5 and set_u8(7) == 7)
  assert(set_f32(0.1) ~= 0.1 and set_f32(0.5) == 0.5)
  assert(world:get(e, "Position").x == x + 0.5 and kinds.u8 == 7)
  assert(not pcall(function() world:spawn{} end))
  if n == 2 then break end
end
assert(n == 2)
world:spawn{}`, ""},
		"does not fit":        {`local loop, _, set = open(world, "Position", "Kinds") for e in loop do set(300) end`, "set Kinds.u8 on 0v1: 300 does not fit u8 (0 to 255)"},
		"wrong kind":          {`local loop, set = open(world, "Position", "Kinds") for e in loop do set("a") end`, `set Position.x on 0v1: number expected, got string "a"`},
		"no such component":   {`assert(open(world, "Position", "Kind") == nil)`, ""},
		"no such field":       {`assert(open(world, "Kinds", "Position") == nil)`, ""},
		"listed twice":        {`assert(open(world, "Position", "Position") == nil)`, ""},
		"no world":            {`assert(open(5, "Position", "Kinds") == nil)`, ""},
		"too few views":       {`assert(open(world, "Position") == nil)`, ""},
		"query":               {`local n = 0 for e in open(world, ecs.query{ "Position", "Kinds" }) do n = n + 1 end assert(n == 3)`, ""},
		"may be nil":          {`assert(open(world, ecs.query{ "Position", optional = { "Kinds" } }) == nil)`, ""},
		"wrong argument":      {`assert(open(world, 5) == nil and open(world) == nil)`, ""},
		"narrowed by a third": {`assert(open(world, ecs.query{ "Position", "Kinds" }, "x", 5) == nil)`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := try(c.body)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
