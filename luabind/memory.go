package luabind

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/machine"
)

// NewMemory returns memory for a world's columns in which query loops under impl
// auto run as machine code over the columns where they are: give it to
// [ecs.Options]. In a world without it, rows are copied for that, some hundred at a
// time, and loops that look at other entities, at tags or at who is near run as
// closures, as all do where there is no compiler for the processor or system. The
// results are the same.
//
// It reserves 4 GiB of addresses and takes room as it is written; what does not
// fit lies on Go's heap, and so do components with strings or tables: their rows
// are copied, too. The addresses are
// given back when the world is gone: a slice of a column does not keep it, so use
// the world after the slice, or call [runtime.KeepAlive] with it.
func NewMemory() ecs.Memory { return machine.NewMemory() }
