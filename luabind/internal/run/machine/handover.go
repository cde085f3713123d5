package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Closures take over the rest of a run that code cannot go on with. They get the inputs, the outputs so far and the fuel
// that is left, so that the end is the same.

// byClosures does the rest of a walk as closures. The cursor has just given rows and mask. That is so for rows whose
// columns code cannot reach, rows with more effects than there is room to record, rows after a tag has moved to where code
// cannot reach it, and rows for which code was found to be wrong.
func (k *Kernel) byClosures(c *ecs.Cursor, rows int, mask uint64) kernel.Ending {
	return k.handOver(func(rest *closures.Kernel) kernel.Ending { return rest.Resume(c, rows, mask) })
}

// handOver leaves the rest of a run to closures: resume does it.
func (k *Kernel) handOver(resume func(*closures.Kernel) kernel.Ending) kernel.Ending {
	k.lendToClosures()
	how := resume(k.rest)
	k.exits.ended = true
	k.exits.rows += k.rest.Rows()
	k.current.done += k.rest.Rows()
	k.frame.Results = append(k.frame.Results, k.rest.Results()...)
	k.frame.CopyOutputs(k.rest)
	return how
}

// lendToClosures gives closures everything that code has: registers, tables, the random stream, fuel.
func (k *Kernel) lendToClosures() {
	if k.rest == nil {
		k.makeRest()
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
}

// makeRest makes the closures.
func (k *Kernel) makeRest() {
	k.rest = closures.Compile(k.whole, k.budget)
	k.rest.SetTableWriter(k.tables)
}
