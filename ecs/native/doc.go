// Package native holds systems written in Go that ship with ecsrun. A config chooses one by name:
//
//	systems:
//	  - { name: movement, script: arena/movement.lua, native: movement, impl: native }
//
// Each does what the Lua script of the same name in scripts/arena does, to the last bit: `ecsrun run --set systems.movement.impl=lua` gives
// the same digest after every frame. [Systems] lists them; a program with systems of its own adds them to that map (docs/native-systems.md).
//
// # The components they work on
//
// A native finds its components by name: "Position" is [Position], "Velocity" is [Velocity], and so on. A config or a script declares them;
// where it does not, the native does. A declaration of another layout is an error before the first frame, and shows both.
//
// # How a native stays equal to its script
//
//   - It visits the rows in the order of the query and reads and writes them in the order of the script.
//   - It stamps the rows and components the script would have written, also when the value is equal, and no others.
//   - It draws from [ecs.World.Random] where the script calls ecs.random, the same number of times.
//   - A product that is added to something is wrapped in float64(), so that no platform fuses the two into one rounding.
//   - A sum, difference or product that can be -0 passes through plusZero: arithmetic in Lua never gives -0 here.
package native

import "github.com/ecsrun/ecsrun/ecs"

// Systems returns the natives by the name a config uses. The map is the caller's own.
func Systems() map[string]ecs.NativeFunc {
	return map[string]ecs.NativeFunc{
		"movement":  Movement,
		"bounce":    Bounce,
		"lifetime":  Lifetimes,
		"targeting": Targeting,
		"attack":    Attack,
		"damage":    Damage,
		"burning":   Burning,
	}
}

// plusZero returns x, and +0 for -0. The Lua interpreter does the same to every arithmetic result. The conversion keeps a product
// from being computed together with the sum: a tiny negative one is -0 first, and the sum is then +0.
func plusZero(x float64) float64 { return float64(x) + 0 }
