package scalar

import (
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// Tables that are looked up by strings. The host keeps an entry for each string, by its number: see package abi.

// entry leaves the address of the entry for a string in a local, and its state in another one. The row stops where there is
// no entry, or the Lua table has something there that the Program does not expect.
func (e *Emitter) entry(table int, key *ir.Expr) (at, state int) {
	t := &e.p.Keyed[table]
	if t.Width() > abi.MostMembers {
		abi.Refuse("it uses too many members of a table")
	}
	at, state = e.Local(wasm.I32), e.Local(wasm.I32)
	e.text(key)
	e.Tee(at)
	e.Get(e.word(abi.WordKeyedCount, table))
	e.Op(wasm.I32LtU, wasm.I32Eqz)
	e.JumpIf(e.iter.stop)
	e.Get(e.word(abi.WordKeyed, table))
	e.Get(at)
	e.I32(int32(abi.KeyedStride(t)))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(at)
	e.Get(at)
	e.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedState)
	e.Tee(state)
	e.I32(abi.KeyedUnfit)
	e.Op(wasm.I32And)
	e.JumpIf(e.iter.stop)
	return at, state
}

// hasValue stops the row where an entry has no value.
func (e *Emitter) hasValue(at int) {
	e.Get(at)
	e.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedOrder)
	e.Op(wasm.I32Eqz)
	e.JumpIf(e.iter.stop)
}

// keyedSlot returns where a value is in an entry, and the instructions that read and store it.
func (e *Emitter) keyedSlot(table, member int) (offset uint32, load, store byte) {
	offset = abi.KeyedHeader + abi.KeyedValues + 8*uint32(max(0, member))
	if e.p.Keyed[table].ValueType(member) == ir.Number {
		return offset, wasm.F64Load, wasm.F64Store
	}
	return offset, wasm.I32Load, wasm.I32Store
}

// lookup puts what is looked up on the stack; nil stops the row.
func (e *Emitter) lookup(x *ir.Expr) {
	at, state := e.entry(x.I, x.A)
	e.Get(state)
	e.I32(1 << max(0, x.Member))
	e.Op(wasm.I32And, wasm.I32Eqz)
	e.JumpIf(e.iter.stop)
	offset, load, _ := e.keyedSlot(x.I, x.Member)
	e.Get(at)
	e.Memory(load, offset)
}

// hasKey puts whether a table has a value at a string, or whether that has a member, on the stack.
func (e *Emitter) hasKey(x *ir.Expr) {
	at, state := e.entry(x.I, x.A)
	if x.Member < 0 {
		e.Get(at)
		e.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedOrder)
		e.Op(wasm.I32Eqz, wasm.I32Eqz)
		return
	}
	e.hasValue(at)
	e.Get(state)
	e.I32(1 << x.Member)
	e.Op(wasm.I32And, wasm.I32Eqz, wasm.I32Eqz)
}

// putKey assigns the value at a string, or a member of it.
func (e *Emitter) putKey(s *ir.Stmt) {
	table := s.I
	at, state := e.entry(table, s.A)
	if s.Member >= 0 {
		e.hasValue(at)
	}
	offset, _, store := e.keyedSlot(table, s.Member)
	typ := byte(wasm.I32)
	if store == wasm.F64Store {
		typ = wasm.F64
	}
	value := e.Local(typ)
	switch s.B.Type {
	case ir.Any: // no machine code has it: see emit.vet
	case ir.Bool:
		e.Condition(s.B)
	case ir.Text:
		e.text(s.B)
	case ir.Number:
		e.Number(s.B, true)
	}
	e.Set(value)
	e.keep(at, abi.KeyedHeader+abi.KeyedOrder, 8, -1)
	e.keep(at, offset, 8, -1)
	if s.Member < 0 {
		e.newKey(at, table)
	}
	bit := int32(1) << max(0, s.Member)
	e.Get(at)
	e.Get(state)
	e.I32(bit | bit<<abi.KeyedWrote)
	e.Op(wasm.I32Or)
	e.Memory(wasm.I32Store, abi.KeyedHeader+abi.KeyedState)
	e.Get(at)
	e.Get(value)
	e.Memory(store, offset)
}

// newKey gives an entry without a value its order among the new keys. A row that fails leaves a gap in the order, which
// does not matter.
func (e *Emitter) newKey(at, table int) {
	next := e.Local(wasm.I32)
	e.Get(at)
	e.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedOrder)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.Get(e.word(abi.WordKeyed, table))
	e.Memory(wasm.I32Load, abi.KeyedCounter)
	e.Set(next)
	e.Get(at)
	e.Get(next)
	e.Memory(wasm.I32Store, abi.KeyedHeader+abi.KeyedOrder)
	e.Get(e.word(abi.WordKeyed, table))
	e.Get(next)
	e.I32(1)
	e.Op(wasm.I32Add)
	e.Memory(wasm.I32Store, abi.KeyedCounter)
	e.End()
}
