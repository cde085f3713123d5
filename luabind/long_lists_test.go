package luabind

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A loop with a long list does the same however many rows it has, although the list is copied for many rows and looked up
// for few ones. The world grows from one to the other and shrinks again; elements become nil and other values meanwhile.
func TestLongLists(t *testing.T) {
	const source = `local ecs = require("ecs") ecs.component("P", { x = "f64" })
local list, sum = {}, 0
for i = 1, 6000 do list[i] = i * 0.5 end
return function(world)
  local frame = world.frame
  if frame % 3 == 1 then for i = 1, 1800 do world:spawn{ P = { x = i * 3 % 5999 } } end
  elseif frame % 3 == 0 then for e, p in world:each("P") do if p.x > 40 then world.commands:despawn(e) end end end
  if frame == 5 then list[5990] = nil elseif frame == 7 then list[5990] = 1 elseif frame == 8 then list[5999] = "x" elseif frame == 10 then list[5999] = -0.0 list[0] = 3 end
  for e, p in world:each("P") do
    local i = math.floor(p.x) + 1
    if i < 5000 then list[i] = list[i] + 0.25 end
    if list[i + 1] then sum = sum + i end
    p.x = (p.x * 7 + 1) % 5980
  end
  for e, p in world:each("P") do local i = math.floor(p.x) % 5900 + 1 list[i] = list[i] + 0.25 p.x = (p.x + list[i + 1]) % 5980 end
  local n = 0
  for i, v in ipairs(list) do n = (n * 3 + i + (type(v) == "number" and v or 7)) % 1000003 end
  print(sum, n)
end`
	run := func(impl Impl) (string, int, int) {
		var out bytes.Buffer
		w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
		r, err := New(Options{Log: strictLog(t), World: w, Stdout: &out, Scripts: files(map[string]string{"a": source})})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
		}
		if err == nil {
			err = r.Load()
		}
		if err == nil {
			err = r.Start(context.Background())
		}
		r.CountRows()
		for range 14 {
			if err == nil {
				err = r.Frame(context.Background(), 0.5)
			}
			fmt.Fprintln(&out, w.Digest(), err)
			err = nil
		}
		machine, closures := 0, 0
		for _, l := range r.LoopRuns() {
			machine, closures = machine+l.Machine, closures+l.Closures
		}
		return out.String(), machine, closures
	}
	want, _, _ := run(Lua)
	for _, impl := range []Impl{Closures, Auto} {
		got, machine, closures := run(impl)
		if got != want {
			t.Errorf("%v: got\n%s\nwant\n%s", impl, got, want)
		}
		if impl == Auto && machine < 10_000 || machine+closures < 10_000 {
			t.Errorf("%v: %d rows as machine code, %d as closures", impl, machine, closures)
		}
	}
}
