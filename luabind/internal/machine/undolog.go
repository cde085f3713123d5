package machine

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// settleStores puts a row back that failed, and stamps what the others stored.
func (k *Kernel) settleStores(status int) {
	if !k.unit.Logs {
		return
	}
	end := *k.logAt
	for status == abi.Failed && end > *k.undoAt {
		end -= abi.LogRecord
		k.putBack(end)
	}
	for at := k.log; at < end; at += abi.LogRecord {
		if ref := *(*uint32)(k.memory.At(at + abi.LogWhat)) / 16; ref > 0 {
			k.stampOther(k.program.Refs[ref-1].Component, *(*uint32)(k.memory.At(at + abi.LogSlot)))
		}
	}
	*k.logAt = k.log
}

// putBack gives a place the bits back that a record has.
func (k *Kernel) putBack(at uint32) {
	p, old := k.memory.At(*(*uint32)(k.memory.At(at + abi.LogAddress))), k.memory.At(at+abi.LogBits)
	size := *(*uint32)(k.memory.At(at + abi.LogWhat)) % 16
	copy(unsafe.Slice((*byte)(p), size), unsafe.Slice((*byte)(old), size))
}

// stampOther stamps a component of the entity whose slot lies at an address.
func (k *Kernel) stampOther(id ecs.ComponentID, slot uint32) {
	table := *(*uint32)(k.memory.At(slot + uint32(ecs.SlotTable)))
	row := *(*uint32)(k.memory.At(slot + uint32(ecs.SlotRow)))
	k.outside.world.Tables()[table].Column(id).Stamp(int(row))
}
