package native

import "github.com/ecsrun/ecsrun/ecs"

// Damage subtracts every Hit from its target's Health. A Shield absorbs most of it until it breaks; a fiery hit
// tags the target "burning". It is the native "damage".
func Damage(w *ecs.World) (ecs.SystemFunc, error) {
	s := setup{world: w}
	health, shield := component[Health](&s, "Health"), component[Shield](&s, "Shield")
	hits := event[Hit](&s, "Hit")
	burning := s.tag("burning")
	return func(w *ecs.World, _ float64) error {
		for _, hit := range hits.Read() {
			// Of several blows in one frame only those count whose target is still alive.
			if h := health.Get(hit.Target); h == nil || h.Current <= 0 {
				continue
			}
			amount := hit.Amount
			if s := shield.Write(hit.Target); s != nil {
				s.Strength = plusZero(s.Strength - amount)
				amount = plusZero(amount * 0.4)
				if s.Strength <= 0 {
					if err := w.Commands().Remove(hit.Target, shield.ID()); err != nil {
						return err
					}
				}
			}
			h := health.Write(hit.Target)
			h.Current = plusZero(h.Current - amount)
			if hit.Fire {
				w.Tag(hit.Target, burning)
			}
		}
		return nil
	}, s.err()
}
