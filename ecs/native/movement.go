package native

import "github.com/ecsrun/ecsrun/ecs"

// Movement moves everything that has a Position by its Velocity times dt. It is the native "movement".
func Movement(w *ecs.World) (ecs.SystemFunc, error) {
	s := setup{world: w}
	component[Position](&s, "Position")
	component[Velocity](&s, "Velocity")
	if s.err() != nil {
		return nil, s.err()
	}
	moving, err := ecs.NewQuery2[ecs.Mut[Position], Velocity](w)
	return func(_ *ecs.World, dt float64) error {
		for e := moving.Start(); e.Ok(); e = e.NextRun() {
			pos, vel := e.Slices()
			for i := range pos {
				p, v := &pos[i].V, &vel[i]
				p.X = plusZero(p.X + float64(v.DX*dt))
				p.Y = plusZero(p.Y + float64(v.DY*dt))
			}
		}
		return nil
	}, err
}
