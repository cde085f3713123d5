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
	health, shield := component[Health](&s, "Health"), component[Shield](&s, "Shield")
	burning := s.tag("burning")
	alight := s.queryOf(ecs.Filter{Tagged: []ecs.TagID{burning}}, []string{"Health"}, "Shield")
	return func(w *ecs.World, dt float64) error {
		random := w.Random()
		// Only few rows of a table burn, so this loop visits single rows; the query skips blocks of 64 rows
		// without one.
		c := alight.Begin()
		defer c.End()
		for c.Next() {
			perSecond := float64(fireDamage)
			if shield.At(&c) != nil {
				perSecond = shieldedFire
			}
			h := health.MutAt(&c)
			h.Current = plusZero(h.Current - float64(perSecond*dt))
			if random.Float64() < fireGoesOut {
				w.Untag(c.Entity(), burning)
			}
		}
		return nil
	}, s.err()
}
