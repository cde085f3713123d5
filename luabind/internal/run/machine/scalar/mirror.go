package scalar

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Mirrors, from the side of the code: see [abi.Mirror]. Before a row of a mirror is used, code looks whether it has been
// copied in, and asks the host for it if not.

// mirrored reports whether code sees a component in mirrors.
func (e *Emitter) mirrored(id ecs.ComponentID) bool {
	return slices.ContainsFunc(e.beyond.mirrors, func(m abi.Mirror) bool { return m.Component == id })
}

// fetchRow makes sure that the row of an entity is there, if its component is seen in mirrors. slot is a local with the
// address of its slot, at one with the address of the mirror.
func (e *Emitter) fetchRow(slot int, id ecs.ComponentID, at int) {
	if !e.mirrored(id) {
		return
	}
	row := e.Local(wasm.I32)
	e.Get(at)
	e.Get(slot)
	e.Memory(wasm.I32Load, uint32(ecs.SlotRow))
	e.Tee(row)
	e.I32(abi.MirrorShift)
	e.Op(wasm.I32ShrU, wasm.I32Sub)
	e.I32(abi.MirrorFlags)
	e.Op(wasm.I32Sub)
	e.Memory(wasm.I32Load8U, 0)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.askRows(id, at, func() { e.Get(row) })
	e.End()
}

// askRows asks the host for rows of a mirror.
func (e *Emitter) askRows(id ecs.ComponentID, mirror int, row func()) {
	e.meetTexts(func() {
		e.I32(int32(id))
		e.Get(mirror)
		row()
		e.Call(abi.ImportFetch)
		e.Op(wasm.Drop)
	})
}

// meetTexts writes a call of the host, which may meet new strings. Then the entries of tables that are looked up by
// strings may move. So it must know the records of the log, which lead there, and code must not keep the addresses.
func (e *Emitter) meetTexts(call func()) {
	byText := false
	for _, t := range e.p.Keyed {
		byText = byText || t.Key == ir.Text
	}
	if byText && e.out.log != 0 {
		e.Get(abi.ArgFrame)
		e.Get(e.out.log)
		e.Memory(wasm.I32Store, abi.FrameLog)
	}
	call()
	for table, t := range e.p.Keyed {
		if t.Key == ir.Text {
			e.wordAgain(abi.WordKeyed, table)
			e.wordAgain(abi.WordKeyedCount, table)
		}
	}
}

// fetchAll makes sure that all rows of the table at hand of a query within are there. Its view has been set to the first
// row, or to nil.
func (e *Emitter) fetchAll(view int) {
	id := e.component(view)
	if !e.mirrored(id) {
		return
	}
	first := e.beyond.refs[view-e.p.Views]
	test := func() {
		e.Get(first)
		e.I32(abi.MirrorWhole)
		e.Op(wasm.I32Sub)
		e.Memory(wasm.I32Load8U, 0)
		e.Op(wasm.I32Eqz)
		e.Then(wasm.Void)
		e.askRows(id, first, func() { e.I32(-1) })
		e.End()
	}
	if !e.optional(view) {
		test()
		return
	}
	e.Get(first)
	e.Then(wasm.Void)
	test()
	e.End()
}
