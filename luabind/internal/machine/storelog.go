package machine

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// What a row stores beyond its own fields is kept in a log first: the host puts a
// row back from there, and stamps other rows when the call has ended. A record has
// the address, how large the value is and which view it belongs to, its old bits,
// and for a view of another entity the address of that entity's slot.

const (
	keptAddress = 0
	keptWhat    = 4 // bytes, and 16 for each view before that of [kernel.Program.Refs], from 1 on; 0 needs no stamp
	keptBits    = 8
	keptSlot    = 16
	keptSize    = 24

	logSize = 1 << 17
)

// logs reports whether a body stores beyond its own fields.
func logs(p *kernel.Program) bool {
	found := false
	for _, ref := range p.Refs {
		found = found || ref.Stored
	}
	walk(p.Body, func(s *kernel.Stmt) { found = found || s.Op == kernel.Put }, func(*kernel.Expr) {})
	return found
}

// keep notes a value of some bytes before it is stored at an offset from the
// address in a local: one of view ref beyond those of the loop, or -1. A full log
// stops the row.
func (e *emitter) keep(at int, offset uint32, size uintptr, ref int) {
	e.get(e.log)
	e.get(e.word(wordLogEnd, 0))
	e.i32(logSize/2 - keptSize)
	e.op(opI32Add, opI32GtU)
	e.jumpIf(e.stop)
	e.get(e.log)
	e.get(at)
	e.i32(int32(offset))
	e.op(opI32Add)
	e.memory(opI32Store, keptAddress)
	e.get(e.log)
	e.i32(int32(size) + 16*int32(ref+1))
	e.memory(opI32Store, keptWhat)
	load, store, _ := rawBits(size)
	e.get(e.log)
	e.get(at)
	e.memory(load, offset)
	e.memory(store, keptBits)
	if ref >= 0 {
		e.get(e.log)
		e.get(e.slots[ref])
		e.memory(opI32Store, keptSlot)
	}
	e.get(e.log)
	e.i32(keptSize)
	e.op(opI32Add)
	e.set(e.log)
}

// settleStores puts a row back that failed, and stamps what the others stored.
func (k *Kernel) settleStores(status int) {
	if !k.unit.logs {
		return
	}
	end := *k.logAt
	for status == failed && end > *k.undoAt {
		end -= keptSize
		k.putBack(end)
	}
	for at := k.log; at < end; at += keptSize {
		if ref := *(*uint32)(k.memory.at(at + keptWhat)) / 16; ref > 0 {
			k.stampOther(k.program.Refs[ref-1].Component, *(*uint32)(k.memory.at(at + keptSlot)))
		}
	}
	*k.logAt = k.log
}

// putBack gives a place the bits back that a record has.
func (k *Kernel) putBack(at uint32) {
	p, old := k.memory.at(*(*uint32)(k.memory.at(at + keptAddress))), k.memory.at(at+keptBits)
	size := *(*uint32)(k.memory.at(at + keptWhat)) % 16
	copy(unsafe.Slice((*byte)(p), size), unsafe.Slice((*byte)(old), size))
}

// stampOther stamps a component of the entity whose slot lies at an address.
func (k *Kernel) stampOther(id ecs.ComponentID, slot uint32) {
	table := *(*uint32)(k.memory.at(slot + uint32(ecs.SlotTable)))
	row := *(*uint32)(k.memory.at(slot + uint32(ecs.SlotRow)))
	k.outside.world.Tables()[table].Column(id).Stamp(int(row))
}
