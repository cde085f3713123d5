package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/portable"
)

// Ships fire in all directions; thousands of bullets fly, end after some time, and take life from the rocks that they meet.
func Example_shooter() {
	type (
		Gun    struct{ Turn float64 }
		Bullet struct{ Left float64 }
		Rock   struct{ Radius, Life float64 }
		Struck struct{ Rock, Bullet ecs.Entity }
	)
	w := ecs.NewWorld(ecs.Options{})
	ecs.MustRegister[Position](w, "Position")
	ecs.MustRegister[Velocity](w, "Velocity")
	ecs.MustRegister[Gun](w, "Gun")
	ecs.MustRegister[Bullet](w, "Bullet")
	rock := ecs.MustRegister[Rock](w, "Rock")
	struck := ecs.Must(ecs.RegisterEvent[Struck](w, "Struck"))
	score := ecs.Must(ecs.RegisterResource[struct{ Hits, Rocks int64 }](w, "Score"))

	ships := ecs.Must(ecs.NewSpawner2[Position, Gun](w))
	rocks := ecs.Must(ecs.NewSpawner2[Position, Rock](w))
	bullets := ecs.Must(ecs.NewSpawner3[Position, Velocity, Bullet](w))
	for i := range 10 {
		ecs.Must(ships.Spawn(Position{float64(i), 0}, Gun{Turn: float64(i)}))
		ecs.Must(rocks.Spawn(Position{float64(i*60 - 300), float64(40 * (i%5 + 1))}, Rock{12, 50}))
	}

	guns := ecs.Must(ecs.NewQuery2[Position, ecs.Mut[Gun]](w))
	flying := ecs.Must(ecs.NewQuery3[ecs.Mut[Position], Velocity, ecs.Mut[Bullet]](w))
	shots := ecs.Must(ecs.NewQuery2[Position, Bullet](w))
	targets := ecs.Must(ecs.NewQuery2[Position, Rock](w))
	game := ecs.NewSchedule(w).Add("fire", func(w *ecs.World, _ float64) error {
		for e := guns.Start(); e.Ok(); e = e.Next() {
			p, gun := e.Get()
			for range 5 {
				gun.V.Turn += 0.7
				way := Velocity{200 * portable.Cos(gun.V.Turn), 200 * portable.Sin(gun.V.Turn)}
				if _, err := bullets.Queue(w.Commands(), *p, way, Bullet{2}); err != nil {
					return err
				}
			}
		}
		return nil
	}).Add("fly", func(w *ecs.World, dt float64) error {
		for e := flying.Start(); e.Ok(); e = e.Next() {
			p, v, b := e.Get()
			p.V.X, p.V.Y = p.V.X+v.DX*dt, p.V.Y+v.DY*dt
			if b.V.Left -= dt; b.V.Left <= 0 {
				w.Commands().Despawn(e.Entity())
			}
		}
		return nil
	}).Add("strike", func(_ *ecs.World, _ float64) error {
		for t := targets.Start(); t.Ok(); t = t.Next() {
			at, r := t.Get()
			for e := shots.Start(); e.Ok(); e = e.NextRun() {
				places, _ := e.Slices()
				list := e.Entities()
				for i, p := range places {
					if dx, dy := p.X-at.X, p.Y-at.Y; dx*dx+dy*dy < r.Radius*r.Radius {
						struck.Send(Struck{t.Entity(), list[i]})
					}
				}
			}
		}
		return nil
	}).Add("damage", func(w *ecs.World, _ float64) error {
		for _, s := range struck.Read() {
			w.Commands().Despawn(s.Bullet)
			score.Hits++
			if r := rock.Write(s.Rock); r != nil && r.Life > 0 {
				if r.Life--; r.Life <= 0 {
					w.Commands().Despawn(s.Rock)
					score.Rocks++
				}
			}
		}
		return nil
	})
	for range 3 {
		for range 60 {
			if err := game.Run(1.0 / 60); err != nil {
				fmt.Println(err)
			}
		}
		fmt.Println(shots.Count(), "bullets,", score.Hits, "hits,", score.Rocks, "rocks gone")
	}
	// Output:
	// 2880 bullets, 120 hits, 2 rocks gone
	// 5610 bullets, 390 hits, 5 rocks gone
	// 5942 bullets, 475 hits, 8 rocks gone
}
