package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// Sheep walk over grass that grows again. They eat, have lambs when they are well fed, and starve when they are not.
func Example_sheep() {
	type (
		Place  struct{ X, Y int32 }
		Energy struct{ Left float64 }
	)
	const size = 40
	w := ecs.NewWorld(ecs.Options{Seed: 7})
	ecs.MustRegister[Place](w, "Place")
	ecs.MustRegister[Energy](w, "Energy")
	grass := ecs.Must(ecs.DeclareLayer[uint8](w, ecs.LayerSpec{Name: "grass", Width: size, Height: size, Wrap: true}, 5))
	sheep := ecs.Must(ecs.NewSpawner2[Place, Energy](w))
	chance := w.Stream("sheep")
	step := func() int32 { return int32(chance.Between(-1, 1)) }
	for range 60 {
		ecs.Must(sheep.Spawn(Place{int32(chance.Between(0, size-1)), int32(chance.Between(0, size-1))}, Energy{4}))
	}

	walking := ecs.Must(ecs.NewQuery2[ecs.Mut[Place], ecs.Mut[Energy]](w))
	flock := ecs.Must(ecs.NewQuery2[Place, ecs.Mut[Energy]](w))
	days := ecs.NewSchedule(w).Add("walk", func(_ *ecs.World, _ float64) error {
		for e := walking.Start(); e.Ok(); e = e.Next() {
			p, energy := e.Get()
			p.V.X, p.V.Y = p.V.X+step(), p.V.Y+step()
			energy.V.Left -= 0.5
		}
		return nil
	}).Add("eat", func(_ *ecs.World, _ float64) error {
		for e := flock.Start(); e.Ok(); e = e.Next() {
			p, energy := e.Get()
			x, y := int(p.X), int(p.Y)
			if ecs.Must(grass.Get(x, y)) == 5 {
				if err := grass.Set(x, y, 0); err != nil {
					return err
				}
				energy.V.Left++
			}
		}
		return nil
	}).Add("live", func(w *ecs.World, _ float64) error {
		for e := flock.Start(); e.Ok(); e = e.Next() {
			switch p, energy := e.Get(); {
			case energy.V.Left <= 0:
				w.Commands().Despawn(e.Entity())
			case energy.V.Left >= 6: // lambs are born when the system returns
				energy.V.Left = 3
				if _, err := sheep.Queue(w.Commands(), *p, Energy{3}); err != nil {
					return err
				}
			}
		}
		return nil
	}).Add("grow", func(_ *ecs.World, _ float64) error {
		for i, v := range grass.Slice() {
			if v < 5 && chance.Float64() < 0.25 {
				grass.Slice()[i]++
			}
		}
		return nil
	})
	for range 5 {
		for range 40 {
			if err := days.Run(1); err != nil {
				fmt.Println(err)
			}
		}
		fmt.Println("day", w.Frame(), "sheep", w.Len())
	}
	// Output:
	// day 40 sheep 39
	// day 80 sheep 37
	// day 120 sheep 29
	// day 160 sheep 32
	// day 200 sheep 33
}
