package luabind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

type (
	namedPos struct {
		Name string
		X, Y float64
	}
	namedVel struct {
		Name   string
		DX, DY float64
	}
)

// heapWorld has n entities whose columns machine code cannot reach: those of a
// world without NewMemory, or of components with strings.
func heapWorld(tb testing.TB, n int, named bool) *benchColumns {
	tb.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	c := &benchColumns{}
	var ids []ecs.ComponentID
	var fill func(t *ecs.Table, from, to int)
	if named {
		c.world = ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
		pos, vel := ecs.MustRegister[namedPos](c.world, "Position"), ecs.MustRegister[namedVel](c.world, "Velocity")
		ids = []ecs.ComponentID{pos.ID(), vel.ID()}
		fill = func(t *ecs.Table, _, _ int) {
			p, v := pos.Slice(t), vel.Slice(t)
			for i := range p {
				name := [...]string{"runner", "walker", "boss"}[rng.IntN(3)]
				p[i] = namedPos{name, rng.Float64() * 800, rng.Float64() * 600}
				v[i] = namedVel{name, rng.Float64()*200 - 100, rng.Float64()*200 - 100}
			}
		}
	} else {
		c.world = ecs.NewWorld(ecs.Options{Seed: 1})
		pos, vel := ecs.MustRegister[benchPos](c.world, "Position"), ecs.MustRegister[benchVel](c.world, "Velocity")
		ids = []ecs.ComponentID{pos.ID(), vel.ID()}
		fill = func(t *ecs.Table, _, _ int) {
			c.pos, c.vel = pos.Slice(t), vel.Slice(t)
			for i := range c.pos {
				c.pos[i] = benchPos{rng.Float64() * 800, rng.Float64() * 600}
				c.vel[i] = benchVel{rng.Float64()*200 - 100, rng.Float64()*200 - 100}
			}
		}
	}
	bundle, err := c.world.Bundle(ids...)
	if err == nil {
		c.all, err = bundle.SpawnMany(n, fill)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// Loops over columns on Go's heap: block by block, as closures, and in Go.
func BenchmarkBlocks(b *testing.B) {
	for _, name := range []string{"move", "bounce", "pull", "heavy"} {
		c := loopCases[slices.IndexFunc(loopCases, func(c loopCase) bool { return c.name == name })]
		for _, kind := range []string{"heap", "named"} {
			for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
				for _, impl := range []Impl{Closures, Auto, Native} {
					if n == 1_000_000 && impl == Closures || kind == "named" && impl == Native {
						continue
					}
					b.Run(fmt.Sprintf("%s/%s/entities=%d/%s", name, kind, n, impl), func(b *testing.B) {
						frame := loadLoop(b, c, heapWorld(b, n, kind == "named"), impl, nil)
						frame()
						b.ReportAllocs()
						for b.Loop() {
							frame()
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entity")
					})
				}
			}
		}
	}
}
