package machine

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// What a row stores beyond its own fields is kept in a log first: the host puts a
// row back from there, and stamps other rows when the call has ended. A record has
// the address, how large the value is and which view it belongs to, its old bits,
// and for a view of another entity the address of that entity's slot.

const (
	keptAddress = 0
	keptWhat    = 4 // bytes, and 16 for each view before that of [ir.Program.Refs], from 1 on; 0 needs no stamp
	keptBits    = 8
	keptSlot    = 16
	keptSize    = 24

	logSize = 1 << 17
)

// logs reports whether a body stores beyond its own fields.
func logs(p *ir.Program) bool {
	found := false
	for _, ref := range p.Refs {
		found = found || ref.Stored
	}
	walk(p.Body, func(s *ir.Stmt) { found = found || s.Op == ir.Put }, func(*ir.Expr) {})
	return found
}

// keep notes a value of some bytes before it is stored at an offset from the
// address in a local: one of view ref beyond those of the loop, or -1. A full log
// stops the row.
func (e *emitter) keep(at int, offset uint32, size uintptr, ref int) {
	e.Get(e.log)
	e.Get(e.word(wordLogEnd, 0))
	e.I32(logSize/2 - keptSize)
	e.Op(wasm.I32Add, wasm.I32GtU)
	e.JumpIf(e.stop)
	e.Get(e.log)
	e.Get(at)
	e.I32(int32(offset))
	e.Op(wasm.I32Add)
	e.Memory(wasm.I32Store, keptAddress)
	e.Get(e.log)
	e.I32(int32(size) + 16*int32(ref+1))
	e.Memory(wasm.I32Store, keptWhat)
	load, store, _ := rawBits(size)
	e.Get(e.log)
	e.Get(at)
	e.Memory(load, offset)
	e.Memory(store, keptBits)
	if ref >= 0 {
		e.Get(e.log)
		e.Get(e.slots[ref])
		e.Memory(wasm.I32Store, keptSlot)
	}
	e.Get(e.log)
	e.I32(keptSize)
	e.Op(wasm.I32Add)
	e.Set(e.log)
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
		if ref := *(*uint32)(k.memory.At(at + keptWhat)) / 16; ref > 0 {
			k.stampOther(k.program.Refs[ref-1].Component, *(*uint32)(k.memory.At(at + keptSlot)))
		}
	}
	*k.logAt = k.log
}

// putBack gives a place the bits back that a record has.
func (k *Kernel) putBack(at uint32) {
	p, old := k.memory.At(*(*uint32)(k.memory.At(at + keptAddress))), k.memory.At(at+keptBits)
	size := *(*uint32)(k.memory.At(at + keptWhat)) % 16
	copy(unsafe.Slice((*byte)(p), size), unsafe.Slice((*byte)(old), size))
}

// stampOther stamps a component of the entity whose slot lies at an address.
func (k *Kernel) stampOther(id ecs.ComponentID, slot uint32) {
	table := *(*uint32)(k.memory.At(slot + uint32(ecs.SlotTable)))
	row := *(*uint32)(k.memory.At(slot + uint32(ecs.SlotRow)))
	k.outside.world.Tables()[table].Column(id).Stamp(int(row))
}
