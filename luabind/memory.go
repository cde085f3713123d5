package luabind

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine"
)

// NewMemory returns memory for the columns of a world, to be given to [ecs.Options].
// Query loops that run as machine code ([Auto]) access columns in this memory in
// place. In a world without it, they work on copies of some hundred rows at a time,
// and loops that use other entities, tags or world:near run as closures. All loops
// run as closures on processors and systems for which there is no compiler. The
// results are the same.
//
// It reserves 4 GiB of addresses; the system adds memory when it is written. Columns
// that do not fit are on Go's heap, and so are components with strings or tables.
// Machine code works on copies of their rows, too. The addresses are released when
// the garbage collector frees the world. A slice of a column does not keep the world
// alive: call [runtime.KeepAlive] with the world after the last use of the slice.
func NewMemory() ecs.Memory { return machine.NewMemory() }
