package app_test

import (
	"fmt"
	"os"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
	"github.com/ecsrun/ecsrun/ecs"
)

// A build of one's own: a main of a few lines that registers what its configs name. The config of this one says
//
//   - { name: gravity, native: gravity }
func Example() {
	type Ball struct{ Height, Speed float64 }

	gravity := func(w *ecs.World) (ecs.SystemFunc, error) {
		if _, err := ecs.Register[Ball](w, "Ball"); err != nil {
			return nil, err
		}
		balls, err := ecs.NewQuery1[ecs.Mut[Ball]](w)
		if err != nil {
			return nil, err
		}
		return func(_ *ecs.World, dt float64) error {
			for e := balls.Start(); e.Ok(); e = e.Next() {
				b := e.Get()
				b.V.Speed -= float64(10 * dt)
				b.V.Height += float64(b.V.Speed * dt) // the conversions keep every platform from fusing two roundings into one
			}
			return nil
		}, nil
	}

	args := []string{"run", "testdata/gravity/world.yaml", "--quiet"} // a main says os.Args[1:], and ends with os.Exit(code)
	code := app.Main(args, os.Stdin, os.Stdout, os.Stderr, app.Natives(map[string]ecs.NativeFunc{"gravity": gravity}))
	fmt.Println("exit code", code)
	// Output:
	// landed after 3.75 s
	// exit code 0
}
