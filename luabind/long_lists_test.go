package luabind

import (
	"bytes"
	"context"
	"fmt"
	"strings"
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

// A list that was filled by index has its length and its items behind the place where gopher-lua's list part ends, too.
func TestListsLongerThanTheListPart(t *testing.T) {
	t.Parallel()
	const source = `local ecs = require("ecs") ecs.component("P", { x = "f64", y = "f64" })
local t = {}
return function(world)
  for i = 1, 3 do world:spawn{ P = { x = i } } end
  for i = 1, 1048580 do t[i] = i end
  local n = 0
  for i, v in ipairs(t) do n = n + (i == v and 1 or 0) end
  print(#t, n, t[#t], table.getn(t), table.maxn(t), (#setmetatable(t, {})))
  setmetatable(t, nil)
  print(table.concat(t, " ", 1048574), unpack(t, 1048578))
  print(pcall(function() t[#t + 1] = 1 end))
  print(pcall(table.insert, t, 1))
  for e, p in world:each("P") do p.y = #t t[p.x] = t[#t] end
  for e, p in world:each("P") do
    if p.x == 2 then
      local kept = { p.x, t }
      for i, v in ipairs(kept[2]) do p.y = p.y + (i > 1048570 and v or 0) end
      for i, v in ipairs(t) do p.x = i end
    end
  end
  for e, p in world:each("P") do print(p.x, p.y) end
  print(table.remove(t), table.remove(t, 1048577), #t, t[1048578], t[1048579])
  local last for i = 1, 6 do last = table.remove(t) end
  print(#t, last, t[1048572], t[1048573])
  t[#t + 1] = "x"
  print(#t, t[1048573])
end`
	const want = "1048580\t1048580\t1048580\t1048580\t1048580\t1048580\n" +
		"1048574 1048575 1048576 1048577 1048578 1048579 1048580\t1048578\t1048579\t1048580\n" +
		"false\tlist too long: at most 1,048,575 items\nfalse\tlist too long: at most 1,048,575 items\n"
	trace := ""
	for _, impl := range everyTier {
		var out bytes.Buffer
		r, err := run(t, Options{Stdout: &out, Limits: Limits{}, Scripts: files(map[string]string{"a": source})}, 1, System{Name: "a", Script: "a.lua", Impl: impl})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, r.World().Digest())
		switch got := out.String(); {
		case trace == "":
			if trace = got; !strings.HasPrefix(strings.ReplaceAll(got, "a.lua:11: ", ""), want) {
				t.Errorf("got\n%s", got)
			}
		case got != trace:
			t.Errorf("%v: got\n%s\nwant\n%s", impl, got, trace)
		}
	}
}
