package machine

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// The elements of tables from around the loop are copied into memory when a run
// begins, and back when it ends.

// farthestKey bounds the keys of elements, so that code can look for them with 32
// bits.
const farthestKey = 1 << 29

// bringInputs tells code what strings there are, and copies the elements of tables
// into memory; false when that cannot be.
func (k *Kernel) copyInInputs() bool {
	k.copyInTexts()
	for i := range k.given {
		given, l := &k.given[i], &k.taken.tables[i]
		to := l.Set(2 * len(given.Values))
		if len(given.Values) == 0 {
			continue
		}
		if to == nil || given.From < -farthestKey || given.From > farthestKey-len(given.Values) {
			return false
		}
		copy(unsafe.Slice((*float64)(l.Start), len(given.Values)), given.Values)
	}
	k.brought = true
	return true
}

// returnInputs copies back what the loop may have assigned.
func (k *Kernel) returnInputs() {
	if !k.brought {
		return
	}
	k.brought = false
	k.returnTexts()
	for i := range k.given {
		if values := k.given[i].Values; k.program.Tables[i].Stored && len(values) > 0 {
			copy(values, unsafe.Slice((*float64)(k.taken.tables[i].Start), len(values)))
		}
	}
}

// tableWord is a word about a table.
func (k *Kernel) tableWord(w word) uint32 {
	switch w.kind {
	case wordTableFrom:
		return uint32(int32(k.given[w.id].From))
	case wordTableCount:
		return uint32(len(k.given[w.id].Values) / width(&k.program.Tables[w.id]))
	}
	return k.taken.tables[w.id].Address
}

// width is how many values an element has.
func width(t *ir.Table) int { return max(1, len(t.Members)) }

// element puts the element, or a member of it, at a key on the stack.
func (e *emitter) element(x *ir.Expr) {
	key := e.Local(wasm.F64)
	e.number(x.A, true)
	e.Set(key)
	e.Get(e.elementAt(x.I, key))
	e.Memory(wasm.F64Load, 8*uint32(max(0, x.Member)))
}

// elementAt leaves the address of the element at a key in a local; without one the
// row stops.
func (e *emitter) elementAt(table, key int) int {
	at := e.Local(wasm.I32)
	e.Get(key)
	e.Saturating(wasm.I32TruncSatF64S)
	e.Tee(at)
	e.Op(wasm.F64ConvertI32S)
	e.Get(key)
	e.Op(wasm.F64Ne)
	e.JumpIf(e.stop)
	e.Get(at)
	e.Get(e.word(wordTableFrom, table))
	e.Op(wasm.I32Sub)
	e.Tee(at)
	e.Get(e.word(wordTableCount, table))
	e.Op(wasm.I32LtU, wasm.I32Eqz)
	e.JumpIf(e.stop)
	e.Get(e.word(wordTable, table))
	e.Get(at)
	e.I32(8 * int32(width(&e.p.Tables[table])))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(at)
	return at
}

// putElement assigns an element, or a member of it.
func (e *emitter) putElement(s *ir.Stmt) {
	key, value := e.Local(wasm.F64), e.Local(wasm.F64)
	e.number(s.A, true)
	e.Set(key)
	e.number(s.B, true)
	e.Set(value)
	at := e.elementAt(s.I, key)
	offset := 8 * uint32(max(0, s.Member))
	e.keep(at, offset, 8, -1)
	e.Get(at)
	e.Get(value)
	e.Memory(wasm.F64Store, offset)
}

// fit sets a register to what a resource holds of a value.
func (e *emitter) fit(s *ir.Stmt) {
	switch s.A.Type {
	case ir.Bool:
		e.condition(s.A)
		e.Set(e.bools[s.I])
		return
	case ir.Text:
		e.text(s.A)
		e.Set(e.texts[s.I])
		return
	case ir.Number:
	}
	switch s.Field.Type {
	case ecs.I64, ecs.U64:
		refuse("it uses a resource of type %s", s.Field.Type)
	}
	e.assign(&cell{field: s.Field, local: e.numbers[s.I]}, s.A)
}
