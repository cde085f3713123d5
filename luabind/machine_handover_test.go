package luabind

import (
	"bytes"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Where machine code hands the rest of a walk to closures, at entities that share the
// component of their base, a variable that the closures make nil is nil afterwards.
func TestHandOverKeepsWhatIsNil(t *testing.T) {
	const source = `return function(world)
  if world.frame == 1 then
    local base = world:spawn{ P = { x = 5 } }
    world:spawn{ P = { x = 1 } }
    world:spawn{ IsA = base }
  end
  local last, best
  for e, p in world:each("P") do
    if p.x > 2 then last = nil elseif last == nil or p.x > last then last = p.x end
    if best == nil or p.x > best then best = p.x end
  end
  print(last, best)
end`
	for _, impl := range []Impl{Lua, Closures, Auto} {
		var out bytes.Buffer
		w := ecs.NewWorld(ecs.Options{Memory: restlessMemory()})
		s, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.DeclareComponent("P", s); err != nil {
			t.Fatal(err)
		}
		if _, err := run(t, Options{World: w, Stdout: &out, Scripts: files(map[string]string{"a": source})}, 1, System{Name: "a", Script: "a.lua", Impl: impl}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != "nil\t5\n" {
			t.Errorf("%v: %q", impl, got)
		}
	}
}
