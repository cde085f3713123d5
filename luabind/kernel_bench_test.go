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

type benchVector struct{ X, Y float64 }

// Loops interpreted, as closures, and in Go over slices of whole components,
// which stamps nothing. All run in the same process; compare ns/entity.
func BenchmarkKernel(b *testing.B) {
	const n = 10_000
	for _, loop := range []struct {
		name, source string
		native       func(pos, vel []benchVector, dt float64)
	}{
		{"move", moveLoop, func(pos, vel []benchVector, dt float64) {
			for i := range pos {
				pos[i].X += vel[i].X * dt
				pos[i].Y += vel[i].Y * dt
			}
		}},
		{"bounce", bounceLoop, func(pos, vel []benchVector, dt float64) {
			for i := range pos {
				pos[i].X += vel[i].X * dt
				pos[i].Y += vel[i].Y * dt
				if pos[i].X < 0 || pos[i].X > 100 {
					vel[i].X = -vel[i].X
				}
				if pos[i].Y < 0 || pos[i].Y > 100 {
					vel[i].Y = -vel[i].Y
				}
			}
		}},
	} {
		for _, impl := range []Impl{Lua, Closures, Auto} {
			b.Run(loop.name+"/"+impl.String(), func(b *testing.B) {
				r := kernelRuntime(b, movingWorld(b, n), "return function(world, dt)"+loop.source+"end", impl)
				b.ReportAllocs()
				for b.Loop() {
					if err := r.Frame(context.Background(), 1.0/60); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entity")
			})
		}
		b.Run(loop.name+"/native", func(b *testing.B) {
			pos, vel := make([]benchVector, n), make([]benchVector, n)
			for i := range vel {
				vel[i].X = 1.5
			}
			for b.Loop() {
				loop.native(pos, vel, 1.0/60)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entity")
		})
	}
}

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

// A compiled loop allocates nothing: a frame with it makes as many allocations as
// one whose system does nothing.
func TestKernelAllocates(t *testing.T) {
	count := func(body string, kernels int) float64 {
		r := kernelRuntime(t, kernelTestWorld(t), "return function(world, dt)"+body+"end", Closures)
		if got := r.runner("a.lua").Kernels(); got != kernels {
			t.Errorf("%d loops are compiled in %s", got, body)
		}
		return testing.AllocsPerRun(100, func() {
			if err := r.Frame(context.Background(), 1.0/60); err != nil {
				t.Fatal(err)
			}
		})
	}
	want := count(" ", 0)
	for _, loop := range []string{moveLoop, bounceLoop} {
		if got := count(loop, 1); got != want {
			t.Errorf("%v allocations, %v without the loop %s", got, want, loop)
		}
	}
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
