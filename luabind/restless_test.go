package luabind

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine"
)

// restlessMemory returns the memory of a world whose machine code runs also where closures would run walks because code copies
// more than it gains. Most worlds of tests are so small that this would be the case for every loop over components with strings.
func restlessMemory() ecs.Memory {
	m := machine.NewMemory()
	m.Instruments().NeverRests = true
	return m
}

// memoryOf returns such a memory for every second seed, and an ordinary one for the others.
func memoryOf(seed uint64) ecs.Memory {
	if seed%2 == 0 {
		return restlessMemory()
	}
	return NewMemory()
}
