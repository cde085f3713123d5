package luabind

import (
	"context"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

const bounceLoop = `
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * dt
    pos.y = pos.y + vel.dy * dt
    if pos.x < 0 or pos.x > 100 then vel.dx = -vel.dx end
    if pos.y < 0 or pos.y > 100 then vel.dy = -vel.dy end
  end
`

// kernelRuntime is a runtime of one system that has run two frames.
func kernelRuntime(t testing.TB, w *ecs.World, source string, impl Impl) *Runtime {
	t.Helper()
	r, err := New(Options{Log: strictLog(t), World: w, Limits: Limits{Instructions: 1 << 40}, Scripts: files(map[string]string{"a": source})})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	for range 2 {
		if err == nil {
			err = r.Frame(context.Background(), 1.0/60)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// kernelTestWorld has 500 moving entities.
func kernelTestWorld(t testing.TB) *ecs.World {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 1})
	declareForTests(t, w)
	p, _ := w.LookupComponent("Position")
	v, _ := w.LookupComponent("Velocity")
	for i := range 500 {
		e, err := w.Spawn()
		if err == nil {
			_, err = w.Set(e, p)
		}
		if err == nil {
			_, err = w.Set(e, v, ecs.FieldValue{Index: 0, Value: ecs.Number(float64(i))})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return w
}
