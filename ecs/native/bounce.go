package native

import "github.com/ecsrun/ecsrun/ecs"

// Bounce turns back whatever leaves the field, which extends from (0, 0) to the resources "field_width" and
// "field_height". It is the native "bounce".
func Bounce(w *ecs.World) (ecs.SystemFunc, error) {
	s := setup{world: w}
	position, velocity := component[Position](&s, "Position"), component[Velocity](&s, "Velocity")
	width, height := resource[float64](&s, "field_width"), resource[float64](&s, "field_height")
	moving := s.query("Position", "Velocity")
	return func(*ecs.World, float64) error {
		for t := range moving.Tables {
			pos, vel, column := position.Slice(t), velocity.Slice(t), velocity.Column(t)
			for i := range pos {
				p, v := &pos[i], &vel[i]
				// Only what moves outwards is turned: what is on its way back already must not be turned again.
				if (p.X < 0 && v.DX < 0) || (p.X > *width && v.DX > 0) {
					v.DX = -v.DX
					column.Stamp(i)
				}
				if (p.Y < 0 && v.DY < 0) || (p.Y > *height && v.DY > 0) {
					v.DY = -v.DY
					column.Stamp(i)
				}
			}
		}
		return nil
	}, s.err()
}
