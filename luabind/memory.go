package luabind

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/machine"
)

// NewMemory returns memory for a world's columns in which query loops under impl
// auto run as machine code: give it to [ecs.Options]. In a world without it, and
// where there is no compiler for the processor or system, they run as closures,
// with the same results.
//
// It reserves 4 GiB of addresses and takes room as it is written; what does not
// fit lies on Go's heap, and loops over that run as closures. The addresses are
// given back when the world is gone: a slice of a column does not keep it, so use
// the world after the slice, or call [runtime.KeepAlive] with it.
func NewMemory() ecs.Memory { return machine.NewMemory() }
