package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
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
	if k.closures == nil {
		k.closures = closures.Compile(k.program, k.budget)
	}
	k.returnInputs()
	k.returnRandom()
	set := func(p ir.Place) {
		switch p.Type {
		case ir.Bool:
			k.closures.SetBool(p.Reg, k.Bool(p.Reg))
		case ir.Text:
			k.closures.SetText(p.Reg, k.Text(p.Reg))
		case ir.Number:
			k.closures.SetNumber(p.Reg, k.Number(p.Reg))
		}
	}
	for _, in := range k.program.Inputs {
		if in.Used {
			set(in)
		}
	}
	for _, out := range k.program.Outputs {
		set(out.Place)
		if out.Mark >= 0 {
			k.closures.SetBool(out.Mark, k.Bool(out.Mark))
		}
	}
	for i := range k.given {
		k.closures.SetTable(i, k.given[i])
	}
	k.flush()
	k.closures.HandOver(k.granted, *k.fuel)
	k.granted, *k.fuel = 0, 0
	how := resume(k.closures)
	k.results = append(k.results, k.closures.Results()...)
	for _, out := range k.program.Outputs {
		if out.Mark >= 0 {
			has := k.closures.Bool(out.Mark)
			k.SetBool(out.Mark, has)
			if !has {
				continue
			}
		}
		switch out.Type {
		case ir.Bool:
			k.SetBool(out.Reg, k.closures.Bool(out.Reg))
		case ir.Text:
			k.SetText(out.Reg, k.closures.Text(out.Reg))
		case ir.Number:
			k.SetNumber(out.Reg, k.closures.Number(out.Reg))
		}
	}
	return how
}
