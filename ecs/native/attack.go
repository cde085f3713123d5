package native

import "github.com/ecsrun/ecsrun/ecs"

// Attack lets every soldier whose weapon is ready strike its target, if the target is within reach: it sends a Hit
// and reloads. It is the native "attack".
func Attack(w *ecs.World) (ecs.SystemFunc, error) {
	s := setup{world: w}
	position, weapon, target := component[Position](&s, "Position"), component[Weapon](&s, "Weapon"), component[Target](&s, "Target")
	hits := event[Hit](&s, "Hit")
	armed := s.query("Position", "Weapon", "Target")
	return func(w *ecs.World, _ float64) error {
		now, random := w.Time(), w.Random()
		for t := range armed.Tables {
			pos, weapons, targets := position.Slice(t), weapon.Slice(t), target.Slice(t)
			column := weapon.Column(t)
			for i := range weapons {
				wp, enemy := &weapons[i], targets[i].Entity
				if enemy == ecs.None || now < wp.Ready {
					continue
				}
				at := position.Get(enemy)
				if at == nil {
					continue // it fell: targeting finds another
				}
				dx, dy := at.X-pos[i].X, at.Y-pos[i].Y
				if float64(dx*dx)+float64(dy*dy) > wp.Reach*wp.Reach {
					continue
				}
				wp.Ready = plusZero(now + float64(wp.Reload*(0.75+float64(0.5*random.Float64()))))
				column.Stamp(i)
				amount := plusZero(wp.Damage * (0.5 + random.Float64()))
				hits.Send(Hit{Target: enemy, Amount: amount, Fire: random.Float64() < wp.Fire})
			}
		}
		return nil
	}, s.err()
}
