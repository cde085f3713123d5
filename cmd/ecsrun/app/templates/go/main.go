// The program is ecsrun with a native system: the same commands, and the function Fall, which configs name with native: fall.
package main

import (
	"os"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
	"github.com/ecsrun/ecsrun/ecs"
)

func main() {
	natives := map[string]ecs.NativeFunc{"fall": Fall}
	os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, app.Natives(natives)))
}

// height has the layout of the component Height in the config.
type height struct{ Y, DY float64 }

// Fall does what scripts/fall.lua does: balls fall, and bounce on the ground. It is called once for a world; the function that it returns runs each turn.
func Fall(w *ecs.World) (ecs.SystemFunc, error) {
	heights, err := ecs.Register[height](w, "Height")
	if err != nil {
		return nil, err
	}
	bounces, err := ecs.RegisterResource[int32](w, "bounces")
	if err != nil {
		return nil, err
	}
	balls, err := w.Query(ecs.Filter{Required: []ecs.ComponentID{heights.ID()}})
	if err != nil {
		return nil, err
	}
	return func(_ *ecs.World, dt float64) error {
		for t := range balls.Tables {
			rows := heights.Slice(t)
			for i := range rows {
				ball := &rows[i]
				// float64(…) keeps the compiler from joining a product and a sum: every machine gets the same bits, and so does Lua.
				ball.DY -= float64(9.81 * dt)
				ball.Y += float64(ball.DY * dt)
				if ball.Y < 0 {
					ball.Y, ball.DY = -ball.Y, float64(-ball.DY*0.5)
					*bounces++
				}
			}
			heights.Column(t).StampAll() // every row was written
		}
		return nil
	}, nil
}
