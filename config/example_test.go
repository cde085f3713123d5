package config_test

import (
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/config"
)

func ExampleParse() {
	c, err := config.Parse("config/poison.yaml", []byte(`
version: 1
run: { frames: 60, seed: 7 }
scripts: ../scripts
components:
  - { name: Health, fields: [current f64 = 100] }
systems:
  - { name: poison, script: poison.lua, every: 10 }
`), config.YAML)
	if err != nil {
		fmt.Println(err)
		return
	}
	health := c.Components[0]
	fmt.Println(health.Name, health.Fields[0].Name, health.Fields[0].Type, health.Fields[0].Default)
	for _, s := range c.Systems {
		fmt.Printf("%s: %s of %s, stage %s, every %d frames\n", s.Pos, s.Name, s.Script, s.Stage, s.Every)
	}
	fmt.Println(c.Run.Frames, "frames, scripts in", c.Scripts.Dir)
	// Output:
	// Health current f64 100
	// config/poison.yaml:8:5: poison of poison.lua, stage update, every 10 frames
	// 60 frames, scripts in scripts
}

// All mistakes of a file come at once.
func ExampleProblems() {
	_, err := config.Parse("arena.yaml", []byte(`version: 1
components:
  - { name: Health, fields: [current u8 = 300] }
systems:
  - { name: movement, scirpt: movement.lua }
  - { name: collision, script: collision.lua, after: [movment] }
`), config.YAML)
	var problems config.Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			fmt.Println(p)
		}
	}
	// Output:
	// arena.yaml:3:30: components[0].fields[0]: 300 does not fit u8; it holds 0 to 255, use u16
	// arena.yaml:5:23: systems[0].scirpt: unknown key; did you mean "script"?
	// arena.yaml:6:55: systems[1].after[0]: no system "movment"; did you mean "movement"?
}

// Flags are stronger than --set, --set than the environment, and that than the
// file.
func ExampleParseWith() {
	file := []byte("version: 1\nrun: { seed: 1, dt: 0.5 }\nsystems:\n  - { name: movement, script: movement.lua, native: movement }\n")
	frames := uint64(100)
	c, err := config.ParseWith("arena.yaml", file, config.YAML, config.Overrides{
		Env:    []string{"ECSRUN_RUN_SEED=2", "ECSRUN_LOG_LEVEL=warn"},
		Set:    []string{"run.seed=3", "systems.movement.impl=native"},
		Frames: &frames,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Run.Frames, c.Run.Seed, c.Run.DT, c.Log.Level, c.Systems[0].Impl)

	_, err = config.ParseWith("arena.yaml", file, config.YAML, config.Overrides{Set: []string{"systems.movment.impl=lua"}})
	fmt.Println(err)
	// Output:
	// 100 3 0.5 warn native
	// --set systems.movment.impl=lua: no system "movment"; did you mean "movement"?
}

// A later stage reports what it finds in the same form, at the same place.
func ExampleConfig_Problem() {
	c, err := config.Parse("arena.yaml", []byte("version: 1\nsystems:\n  - { name: move, native: movment }\n"), config.YAML)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Problem("systems[0].native", `no native "movment" is registered`, `did you mean "movement"?`))
	// Output:
	// arena.yaml:3:27: systems[0].native: no native "movment" is registered; did you mean "movement"?
}
