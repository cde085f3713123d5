package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Effects: after a call, the host makes the events, commands and changes of tags that rows have recorded in the ring, in
// their order.

// applyRow sends the event whose row lies at an address, and returns the address of the next record.
func (k *Kernel) applyRow(x *ir.Effect, at uint32) uint32 {
	k.effects.MadeRow(x)
	ecs.Raw.AppendRow(k.outside.world, x.Event, k.memory.At(at))
	return at + abi.RowRecord(x.Schema)
}

// flip sets a tag, or removes it. A number that is no handle is ignored: it has no tags.
func (k *Kernel) flip(x *ir.Expr, to float64) {
	e, ok := ecs.EntityFromNumber(to)
	set := k.outside.world.TagSet(ecs.TagID(x.ID))
	switch {
	case !ok:
	case x.Op == ir.Tag:
		set.Tag(e)
	default:
		set.Untag(e)
	}
}

// apply makes the recorded effects, and empties the ring. Effects may move slots and tags, so the words about them are set
// again.
func (k *Kernel) apply() {
	if !k.unit.Effects {
		return
	}
	end := *k.frame.Ring.End
	for at := k.frame.Ring.Start; at < end; {
		var site *ir.Stmt
		if site, at = k.frame.Site(at); site.Op == ir.Do {
			k.flip(site.A, k.frame.NumberAt(at))
			at += 8
			continue
		}
		if abi.SendsRow(site.Effect) {
			at = k.applyRow(site.Effect, at)
			continue
		}
		k.args = k.args[:0]
		for _, x := range site.Args {
			var arg kernel.Arg
			arg, at = k.frame.ArgAt(x, at)
			k.args = append(k.args, arg)
		}
		k.effects.Call(site.Effect, k.args)
	}
	if end != k.frame.Ring.Start {
		*k.frame.Ring.End = k.frame.Ring.Start
		k.lookAgain()
	}
}
