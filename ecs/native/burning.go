package native

import "github.com/ecsrun/ecsrun/ecs"

// The damage of a fire per second. scripts/mods/fire/burning.lua has the same numbers.
const (
	fireDamage   = 30
	shieldedFire = 12   // behind a shield
	fireGoesOut  = 0.08 // probability per frame
)

// Burning reduces the health of everything tagged "burning", until the fire goes out. It is the native "burning".
func Burning(w *ecs.World) (ecs.SystemFunc, error) {
	s := setup{world: w}
	component[Health](&s, "Health")
	component[Shield](&s, "Shield")
	burning := s.tag("burning")
	if s.err() != nil {
		return nil, s.err()
	}
	alight, err := ecs.NewQuery2[ecs.Mut[Health], ecs.Maybe[Shield]](w, ecs.Filter{Tagged: []ecs.TagID{burning}})
	return func(w *ecs.World, dt float64) error {
		random := w.Random()
		// Only few rows of a table burn; the query skips blocks of 64 rows without one.
		for e := alight.Start(); e.Ok(); e = e.Next() {
			perSecond := float64(fireDamage)
			h, shield := e.Get()
			if shield.Get() != nil {
				perSecond = shieldedFire
			}
			h.V.Current = plusZero(h.V.Current - float64(perSecond*dt))
			if random.Float64() < fireGoesOut {
				w.Untag(e.Entity(), burning)
			}
		}
		return nil
	}, err
}
