package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// byClosures does the rest of a walk that machine code cannot go on with: its next
// rows are those of a table whose columns it cannot reach, may have more effects
// than there is room for, come after a tag moved to where it cannot reach it, or are rows where code was found wrong. The cursor has just given these rows, and the mask.
func (k *Kernel) byClosures(c *ecs.Cursor, rows int, mask uint64) kernel.Ending {
	return k.handOver(func(rest *closures.Kernel) kernel.Ending { return rest.Resume(c, rows, mask) })
}

// handOver leaves the rest of a run to closures.
func (k *Kernel) handOver(resume func(*closures.Kernel) kernel.Ending) kernel.Ending {
	if k.rest == nil {
		k.rest = closures.Compile(k.program, k.budget)
		k.rest.SetTableWriter(k.tables)
	}
	k.frame.ReturnInputs()
	k.frame.ReturnRandom()
	k.frame.CopyTo(k.rest)
	for i := range k.frame.Tables() {
		k.rest.SetTable(i, k.frame.Table(i))
	}
	for i := range k.frame.Program.Keyed {
		k.rest.SetKeyed(i, k.frame.Keyed(i))
	}
	k.flush()
	k.rest.HandOver(k.frame.Fuel.Granted, *k.frame.Fuel.Left)
	k.frame.Fuel.Granted, *k.frame.Fuel.Left = 0, 0
	how := resume(k.rest)
	k.frame.Results = append(k.frame.Results, k.rest.Results()...)
	k.frame.CopyOutputs(k.rest)
	return how
}
