package scalar

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Tables that are looked up by key. The host keeps entries for them: see package abi.

// A keyLocals is the locals with a key: a number, or the number of a string. second is the second part of a pair, otherwise -1. Both parts of
// a pair are numbers of type f64.
type keyLocals struct{ first, second int }

// keyOf evaluates a key into locals. A row whose key is NaN stops. minus is a local that says whether a number that is assigned to, or the
// second part of a pair, was -0; -1 if it never is, or is only looked up.
func (e *Emitter) keyOf(x *ir.Expr, assigns bool) (key keyLocals, minus int) {
	if x.Op != ir.Pair {
		local, minus := e.partOf(x, assigns)
		return keyLocals{local, -1}, minus
	}
	first, _ := e.partOf(x.A, false)
	second, minus := e.partOf(x.B, assigns)
	return keyLocals{e.asNumber(x.A, first), e.asNumber(x.B, second)}, minus
}

// asNumber returns a local of type f64 with a part of a key that is in another local.
func (e *Emitter) asNumber(x *ir.Expr, local int) int {
	if x.Type != ir.Text {
		return local
	}
	number := e.Local(wasm.F64)
	e.Get(local)
	e.Op(wasm.F64ConvertI32U)
	e.Set(number)
	return number
}

// partOf is keyOf for a key that is no pair, or for a part of one.
func (e *Emitter) partOf(x *ir.Expr, assigns bool) (local, minus int) {
	if x.Type == ir.Text {
		local = e.Local(wasm.I32)
		e.text(x)
		e.Set(local)
		return local, -1
	}
	local, minus = e.Local(wasm.F64), -1
	e.Number(x, true)
	if assigns && !e.signs.NeverNegativeZero(x, true) {
		minus = e.Local(wasm.I32)
		e.Tee(local)
		e.Get(local)
		e.Op(wasm.I64ReinterpretF64)
		e.I64(math.MinInt64)
		e.Op(wasm.I64Eq)
		e.Set(minus)
	}
	e.F64(0) // -0 becomes 0
	e.Op(wasm.F64Add)
	e.Tee(local)
	e.Get(local)
	e.Op(wasm.F64Ne)
	e.JumpIf(e.iter.stop)
	return local, minus
}

// entry leaves the address of the entry of a key in a local, and its state in another one. make says that the key gets a
// value. The row stops where the Lua table has something that the Program does not expect.
func (e *Emitter) entry(table int, key keyLocals, make bool) (at, state int) {
	t := &e.p.Keyed[table]
	if t.Width() > abi.MostMembers {
		abi.Refuse("it uses too many members of a table")
	}
	at, state = e.Local(wasm.I32), e.Local(wasm.I32)
	switch {
	case t.Pairs:
		e.entryOfPair(table, key, at, state, make)
	case t.Key == ir.Number:
		e.entryOfNumber(table, key, at, state, make)
	default:
		e.entryOfText(table, key.first, at, state)
	}
	e.Get(state)
	e.I32(abi.KeyedUnfit)
	e.Op(wasm.I32And)
	e.JumpIf(e.iter.stop)
	return at, state
}

// entryOfText is entry for a string. The row stops where there is no entry.
func (e *Emitter) entryOfText(table, key, at, state int) {
	e.Get(key)
	e.Get(e.word(abi.WordKeyedCount, table))
	e.Op(wasm.I32LtU, wasm.I32Eqz)
	e.JumpIf(e.iter.stop)
	e.Get(e.word(abi.WordKeyed, table))
	e.Get(key)
	e.I32(int32(abi.KeyedStride(&e.p.Keyed[table])))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Tee(at)
	e.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedState)
	e.Set(state)
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
	at, state := e.located(x.I, x.A)
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
	at, state := e.located(x.I, x.A)
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

// putKey assigns the value at a key, or a member of it.
func (e *Emitter) putKey(s *ir.Stmt) {
	table := s.I
	key, minus, kept := keyLocals{}, -1, s.Member >= 0 && (s.A.Op == ir.Reg || s.A.Op == ir.Entity || s.A.Op == ir.Const)
	if !kept {
		key, minus = e.keyOf(s.A, s.Member < 0)
	}
	value := e.valueIn(s.B)
	var at, state int
	if kept {
		at, state = e.located(table, s.A)
	} else if at, state = e.entry(table, key, s.Member < 0); s.Member < 0 {
		e.made(table, s.A, at)
	}
	offset, _, store := e.keyedSlot(table, s.Member)
	if s.Member >= 0 {
		e.hasValue(at)
	}
	if minus >= 0 { // Lua keeps -0 as a new key: that is left to the interpreter
		e.Get(at)
		e.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedOrder)
		e.Op(wasm.I32Eqz)
		e.Get(minus)
		e.Op(wasm.I32And)
		e.JumpIf(e.iter.stop)
	}
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

// valueIn evaluates a value that is stored in an entry into a local.
func (e *Emitter) valueIn(x *ir.Expr) (local int) {
	switch x.Type {
	case ir.Any: // no machine code has it: see emit.vet
	case ir.Bool:
		local = e.Local(wasm.I32)
		e.Condition(x)
	case ir.Text:
		local = e.Local(wasm.I32)
		e.text(x)
	case ir.Number:
		local = e.Local(wasm.F64)
		e.Number(x, true)
	}
	e.Set(local)
	return local
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
