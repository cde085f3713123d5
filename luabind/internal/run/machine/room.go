package machine

import (
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// This file asks whether limits leave room for what one call can record.

// mostRecords is how many effects one call can record.
const mostRecords = abi.RingSize / 8

// room reports whether the effects of a call can be made in any case. If a limit is near, closures do the rows, because
// they check it effect by effect.
func (k *Kernel) room() bool {
	commands, entities := k.effects.Room()
	return commands > 1<<20 && entities > 1<<14 && k.roomForEvents() && k.roomForBytes() && k.roomForAllocations()
}

// roomForEvents reports whether the limits of events and of tag entries leave room for all that one call can record.
func (k *Kernel) roomForEvents() bool {
	sends, tags := 0, 0
	for _, s := range k.unit.Emits {
		switch {
		case s.Op == ir.Do:
			tags = mostRecords
		case s.Effect.Op == ir.Send:
			sends = mostRecords
		}
	}
	w := k.outside.world
	return (sends == 0 || sends <= ecs.Raw.EventsLeft(w)) && (tags == 0 || tags <= ecs.Raw.TagsLeft(w))
}

// roomForAllocations reports whether the limit of allocations leaves room for all that one call can record.
func (k *Kernel) roomForAllocations() bool {
	left := k.budget.AllocationsLeft()
	return left == math.MaxInt64 || k.mostRecorded() <= left
}

// mostRecorded returns what the effects that one call can record allocate at most, in bytes.
func (k *Kernel) mostRecorded() int64 {
	most := int64(0)
	for _, s := range k.unit.Emits {
		if s.Op == ir.Do {
			continue
		}
		bytes := s.Effect.Bytes
		if s.Effect.Op == ir.TableSet {
			bytes += sandbox.EntryBytes
		}
		most = max(most, bytes)
	}
	return most * mostRecords
}

// roomForBytes reports whether the limit of bytes of the world leaves room for everything that one call can record.
func (k *Kernel) roomForBytes() bool {
	w := k.outside.world
	left, most := ecs.Raw.BytesLeft(w), uint64(0)
	if left == math.MaxUint64 {
		return true
	}
	for _, s := range k.unit.Emits {
		switch {
		case s.Op == ir.Do:
			most += ecs.Raw.TagBytes(w, ecs.TagID(s.A.ID), mostRecords)
		case s.Effect.Op == ir.Send:
			most += ecs.Raw.SendBytes(w, s.Effect.Event, mostRecords)
		}
	}
	return most <= left
}
