package worldfile_test

import (
	"context"
	"fmt"
	"os"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/worldfile"
)

func Example() {
	rt, c, err := worldfile.Open("testdata/world.yaml", config.Overrides{}, luabind.Options{
		Stdout: os.Stdout,
		Natives: map[string]ecs.NativeFunc{"move": func(*ecs.World) (ecs.SystemFunc, error) {
			return func(*ecs.World, float64) error { return nil }, nil // the config chooses it with impl: native
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rt.Close()
	ctx := context.Background()
	err = rt.Start(ctx)
	for err == nil && rt.World().Frame() < c.Run.Frames {
		err = rt.Frame(ctx, c.Run.DT)
	}
	fmt.Println(rt.World().Len(), "entities,", rt.World().Time()+rt.World().DT(), "seconds, error", err)
	// Output:
	// 1	1
	// 2	2
	// 3	3
	// 2 entities, 1.5 seconds, error <nil>
}
