package native

import "github.com/ecsrun/ecsrun/ecs"

// Bounce turns back whatever leaves the field, which extends from (0, 0) to the resources "field_width" and
// "field_height". It is the native "bounce".
func Bounce(w *ecs.World) (ecs.SystemFunc, error) {
	s := setup{world: w}
	component[Position](&s, "Position")
	velocity := component[Velocity](&s, "Velocity")
	width, height := resource[float64](&s, "field_width"), resource[float64](&s, "field_height")
	if s.err() != nil {
		return nil, s.err()
	}
	moving, err := ecs.NewQuery2[Position, Velocity](w)
	return func(*ecs.World, float64) error {
		for e := moving.Start(); e.Ok(); e = e.Next() {
			p, v := e.Get()
			// Only what moves outwards is turned: what is on its way back already must not be turned again. Few are, so the
			// query reads, and only what turns is written and stamped.
			if (p.X < 0 && v.DX < 0) || (p.X > *width && v.DX > 0) {
				velocity.WriteOf(e.Visit).DX = -v.DX
			}
			if (p.Y < 0 && v.DY < 0) || (p.Y > *height && v.DY > 0) {
				velocity.WriteOf(e.Visit).DY = -v.DY
			}
		}
		return nil
	}, err
}
