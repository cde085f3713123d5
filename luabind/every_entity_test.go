package luabind

import (
	"strings"
	"testing"
)

// world:each() without arguments visits all entities, those without components too, under every implementation.
func TestEachOfAllEntities(t *testing.T) {
	const source = `return function(world)
  local n, sum = 0, 0
  for e in world:each() do
    n = n + 1
    local p = world:get(e, "Position")
    if p then p.x = p.x + n sum = sum + p.x end
  end
  for e in world:each() do if not world:has(e, "Position") then world.commands:despawn(e) break end end
  if world:first() then n = n + 100 end
  print(n, sum, world:count())
end`
	const spawns = `return function(world) world:spawn{} if world.frame > 1 then world:spawn{ "selected" } end end`
	var want string
	for _, impl := range []Impl{Lua, Closures, Auto} {
		c := startChanging(t, impl, map[string]string{"a.lua": source, "b.lua": "require('ecs').tag('selected')\n" + spawns}, "b", "a")
		got := c.frames(t, 3)
		if impl == Lua {
			want = got
			if !strings.HasPrefix(got, "111\t65\t11\n") {
				t.Errorf("printed %q", got)
			}
			continue
		}
		if got != want {
			t.Errorf("%v printed %q, want %q", impl, got, want)
		}
		if c.runner("a.lua").Kernels() != 2 {
			t.Errorf("%v: %d loops are compiled", impl, c.runner("a.lua").Kernels())
		}
	}
}
