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
		ball, err := ecs.Register[Ball](w, "Ball")
		if err != nil {
			return nil, err
		}
		balls, err := w.Query(ecs.Filter{Required: []ecs.ComponentID{ball.ID()}})
		if err != nil {
			return nil, err
		}
		return func(_ *ecs.World, dt float64) error {
			for _, c := range balls.Each {
				b := ball.MutAt(c)
				b.Speed -= float64(10 * dt)
				b.Height += float64(b.Speed * dt) // the conversions keep every platform from fusing two roundings into one
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
