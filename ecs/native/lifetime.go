package native

import "github.com/ecsrun/ecsrun/ecs"

// Lifetimes reduces every Lifetime by dt and despawns the entity when it is over. It is the native "lifetime".
func Lifetimes(w *ecs.World) (ecs.SystemFunc, error) {
	s := setup{world: w}
	lifetime := component[Lifetime](&s, "Lifetime")
	mortal := s.query("Lifetime")
	return func(w *ecs.World, dt float64) error {
		for t := range mortal.Tables {
			lives := lifetime.Slice(t)
			for i := range lives {
				lives[i].Left = plusZero(lives[i].Left - dt)
				if lives[i].Left <= 0 {
					w.Commands().Despawn(t.Entities()[i]) // when the system returns: the table stays as it is until then
				}
			}
			lifetime.Column(t).StampAll()
		}
		return nil
	}, s.err()
}
