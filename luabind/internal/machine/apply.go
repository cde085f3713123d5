package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// applyRow sends the event whose row lies at an address, and returns where the next record is.
func (k *Kernel) applyRow(x *ir.Effect, at uint32) uint32 {
	ecs.Raw.AppendRow(k.outside.world, x.Event, k.memory.At(at))
	return at + abi.RowRecord(x.Schema)
}

// flip sets a tag, or takes it off. What is no entity has no tags.
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

// apply makes the effects that are recorded.
func (k *Kernel) apply() {
	if !k.unit.Effects {
		return
	}
	end := *k.ringAt
	for at := k.ring; at < end; {
		site := k.unit.Emits[*(*uint32)(k.memory.At(at))]
		at += 8
		if site.Op == ir.Do {
			k.flip(site.A, *(*float64)(k.memory.At(at)))
			at += 8
			continue
		}
		if abi.SendsRow(site.Effect) {
			at = k.applyRow(site.Effect, at)
			continue
		}
		k.args = k.args[:0]
		for _, x := range site.Args {
			n := 0.0
			if !abi.IsConstantText(x) {
				n = *(*float64)(k.memory.At(at))
				at += 8
			}
			n, s := k.valueOf(x, n)
			k.args = append(k.args, kernel.Arg{N: n, S: s})
		}
		k.effects.Call(site.Effect, k.args)
	}
	if end != k.ring {
		*k.ringAt = k.ring
		k.lookAgain()
	}
}
