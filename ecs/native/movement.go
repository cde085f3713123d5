package native

import "github.com/ecsrun/ecsrun/ecs"

// Movement moves everything that has a Position by its Velocity times dt. It is the native "movement".
func Movement(w *ecs.World) (ecs.SystemFunc, error) {
	s := setup{world: w}
	position, velocity := component[Position](&s, "Position"), component[Velocity](&s, "Velocity")
	moving := s.query("Position", "Velocity")
	return func(_ *ecs.World, dt float64) error {
		for t := range moving.Tables {
			pos, vel := position.Slice(t), velocity.Slice(t)
			for i := range pos {
				p, v := &pos[i], &vel[i]
				p.X = plusZero(p.X + float64(v.DX*dt))
				p.Y = plusZero(p.Y + float64(v.DY*dt))
			}
			position.Column(t).StampAll() // every row was written: one store per 64 rows
		}
		return nil
	}, s.err()
}
