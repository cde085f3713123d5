package luabind

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

// A crew has fields that scripts see, and fields that only Go sees.
type crew struct {
	Morale float64
	Names  crewNames
	Ship   string
	Since  time.Time
	Hook   func() string `ecs:",transient"`
}

type crewNames []string

func (n crewNames) AppendBinary(b []byte) ([]byte, error) {
	return append(b, strings.Join(n, "/")...), nil
}

func (n *crewNames) UnmarshalBinary(b []byte) error {
	*n = strings.Split(string(b), "/")
	return nil
}

// Scripts read and write the fields that they see, under each implementation; the rest stays with the entity, also in a
// snapshot that another runtime restores.
func TestScriptsOverGoTypes(t *testing.T) {
	const source = `
local ecs = require("ecs")
local crews = ecs.query{ "Crew" }
return function(world)
  for e, c in world:each(crews) do
    c.morale = c.morale * 2 + 1
    if c.morale > 400 then c.ship = c.ship .. "!" end
  end
  for e, c in world:each(crews) do
    if c.morale > 300 and world.frame == 2 then world.commands:add(e, "Position") end
    if c.morale > 500 and world.frame == 3 then world.commands:despawn(e) end
  end
  if world.frame == 2 then world.commands:spawn{ Crew = { morale = 3 } } end
end`
	open := func(impl Impl) (*Runtime, ecs.Component[crew]) {
		w := ecs.NewWorld(ecs.Options{})
		c := ecs.MustRegister[crew](w, "Crew")
		ecs.MustRegister[struct{ X, Y float64 }](w, "Position")
		r, err := New(Options{World: w, Scripts: files(map[string]string{"a": source})})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
		}
		if err != nil {
			t.Fatal(err)
		}
		return r, c
	}
	ctx := context.Background()
	var want []ecs.Digest
	for _, impl := range []Impl{Lua, Closures, Auto} {
		r, c := open(impl)
		made := map[ecs.Entity]crew{}
		for i := range 100 {
			e, err := r.World().Spawn(c.ID())
			if err != nil {
				t.Fatal(err)
			}
			v := crew{Morale: float64(i), Names: crewNames{fmt.Sprint("ann", i), "bob"}, Ship: fmt.Sprint("s", i), Since: time.Unix(int64(i), 0).UTC(), Hook: func() string { return fmt.Sprint(i) }}
			*c.Write(e), made[e] = v, v
		}
		if err := r.Load(); err != nil {
			t.Fatal(err)
		}
		if err := r.Start(ctx); err != nil {
			t.Fatal(err)
		}
		var got []ecs.Digest
		var file bytes.Buffer
		for frame := 1; frame <= 5; frame++ {
			if err := r.Frame(ctx, 1); err != nil {
				t.Fatal(err)
			}
			runtime.GC()
			got = append(got, r.World().Digest())
			if frame == 2 {
				if err := r.Save(&file); err != nil {
					t.Fatal(err)
				}
			}
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: digests %v, interpreted %v", impl, got, want)
		}
		second, c2 := open(impl)
		if err := second.Restore(&file); err != nil {
			t.Fatal(err)
		}
		for frame := 3; frame <= 5; frame++ {
			if err := second.Frame(ctx, 1); err != nil {
				t.Fatal(err)
			}
			if second.World().Digest() != want[frame-1] {
				t.Errorf("%v: frame %d of the restored run differs", impl, frame)
			}
		}
		alive := 0
		for e, v := range made {
			now, again := c.Get(e), c2.Get(e)
			if (now == nil) != (again == nil) {
				t.Fatalf("%v: %s lives in one run only", impl, e)
			}
			if now == nil {
				continue
			}
			alive++
			if !slices.Equal(now.Names, v.Names) || !now.Since.Equal(v.Since) || now.Hook() != v.Hook() || !strings.HasPrefix(now.Ship, v.Ship) {
				t.Errorf("%v: %s is %+v, was made as %+v", impl, e, now, v)
			}
			if !slices.Equal(again.Names, v.Names) || !again.Since.Equal(v.Since) || again.Hook != nil || again.Morale != now.Morale || again.Ship != now.Ship {
				t.Errorf("%v: %s is %+v in the restored run, %+v in the first", impl, e, again, now)
			}
		}
		if alive == 0 || alive == len(made) {
			t.Errorf("%d of %d are alive", alive, len(made))
		}
	}
}
