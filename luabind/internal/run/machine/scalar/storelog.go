package scalar

import (
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/fieldcode"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The log of stores: what a row stores beyond its own fields, with the old value. The host restores a row that fails from
// it, and stamps the rows of other entities: see [abi.LogRecord].

// keep logs a value before it is stored at an offset from the address in the local at. size is its bytes, ref the number of
// its view in [ir.Program.Refs], or -1. If the log is full, the row stops.
func (e *Emitter) keep(at int, offset uint32, size uintptr, ref int) {
	slot := -1
	if ref >= 0 {
		slot = e.beyond.slots[ref]
	}
	e.keepAs(at, offset, size, int32(size)+16*int32(ref+1), slot)
}

// keepAs is keep with what [abi.LogWhat] says, and a local for [abi.LogSlot]; -1 for none.
func (e *Emitter) keepAs(at int, offset uint32, size uintptr, what int32, slot int) {
	e.Get(e.out.log)
	e.Get(e.word(abi.WordLogEnd, 0))
	e.I32(abi.LogSize/2 - abi.LogRecord)
	e.Op(wasm.I32Add, wasm.I32GtU)
	e.JumpIf(e.iter.stop)
	e.Get(e.out.log)
	e.Get(at)
	e.I32(int32(offset))
	e.Op(wasm.I32Add)
	e.Memory(wasm.I32Store, abi.LogAddress)
	e.Get(e.out.log)
	e.I32(what)
	e.Memory(wasm.I32Store, abi.LogWhat)
	load, store, _ := fieldcode.Raw(size)
	e.Get(e.out.log)
	e.Get(at)
	e.Memory(load, offset)
	e.Memory(store, abi.LogBits)
	if slot >= 0 {
		e.Get(e.out.log)
		e.Get(slot)
		e.Memory(wasm.I32Store, abi.LogSlot)
	}
	e.Get(e.out.log)
	e.I32(abi.LogRecord)
	e.Op(wasm.I32Add)
	e.Set(e.out.log)
}
