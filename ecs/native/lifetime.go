package native

import "github.com/ecsrun/ecsrun/ecs"

// Lifetimes reduces every Lifetime by dt and despawns the entity when it is over. It is the native "lifetime".
func Lifetimes(w *ecs.World) (ecs.SystemFunc, error) {
	s := setup{world: w}
	component[Lifetime](&s, "Lifetime")
	if s.err() != nil {
		return nil, s.err()
	}
	mortal, err := ecs.NewQuery1[ecs.Mut[Lifetime]](w)
	return func(w *ecs.World, dt float64) error {
		for e := mortal.Start(); e.Ok(); e = e.Next() {
			life := e.Get()
			life.V.Left = plusZero(life.V.Left - dt)
			if life.V.Left <= 0 {
				w.Commands().Despawn(e.Entity()) // when the system returns: the table stays as it is until then
			}
		}
		return nil
	}, err
}
