package scalar

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Calls on strings: code puts the arguments into slots of the frame, and asks the host (see [abi.TextCall]). A result of type Any is two
// locals, with the kind and the value of its slot.

// An anyLocals is the locals of a value that is no table: its kind, as in a slot, and its number.
type anyLocals struct{ kind, value int }

// anyOf returns the locals of a register of type Any.
func (e *Emitter) anyOf(reg int) anyLocals {
	l, ok := e.regs.anys[reg]
	if !ok {
		l = anyLocals{e.Local(wasm.I32), e.Local(wasm.F64)}
		e.regs.anys[reg] = l
	}
	return l
}

// loadRoom reads how many bytes may still be allocated for strings.
func (e *Emitter) loadRoom() {
	e.Get(abi.ArgFrame)
	e.Memory(wasm.I64Load, e.layout.Calls()+abi.CallRoom)
	e.Set(e.out.room)
}

// storeRoom is the reverse of loadRoom.
func (e *Emitter) storeRoom() {
	e.Get(abi.ArgFrame)
	e.Get(e.out.room)
	e.Memory(wasm.I64Store, e.layout.Calls()+abi.CallRoom)
}

// slotAt returns where a part of a slot is in the frame.
func (e *Emitter) slotAt(slot int, part uint32) uint32 {
	return e.layout.Calls() + abi.CallSlots + abi.SlotSize*uint32(slot) + part
}

// argument evaluates an argument of a call into locals.
func (e *Emitter) argument(x *ir.Expr) anyLocals {
	if x.Op == ir.Reg && x.Type == ir.Any {
		return e.anyOf(x.I)
	}
	if x.Op == ir.Wrap {
		x = x.A
	}
	l, kind := anyLocals{e.Local(wasm.I32), e.Local(wasm.F64)}, int32(abi.SlotNil)
	switch x.Type {
	case ir.Any: // nil
	case ir.Number:
		kind = abi.SlotNumber
		e.Number(x, true)
		e.Set(l.value)
	case ir.Bool:
		kind = abi.SlotBool
		e.value(x)
		e.Set(l.value)
	case ir.Text:
		kind = abi.SlotText
		e.value(x)
		e.Set(l.value)
	}
	e.I32(kind)
	e.Set(l.kind)
	return l
}

// callTexts writes a call, and returns the locals of its results. The row stops where the host declines.
func (e *Emitter) callTexts(c abi.TextCall, args ...*ir.Expr) (results []anyLocals) {
	c.Args = len(args)
	if max(c.Args, c.Results) > ir.MostTextValues {
		abi.Refuse("a call of a function on strings has too many values")
	}
	var keys []anyLocals
	locals := make([]anyLocals, len(args))
	for i, x := range args {
		locals[i] = e.argument(x)
		if x.Op != ir.Const && (x.Op != ir.Wrap || x.A.Op != ir.Const) {
			keys, c.Keys = append(keys, locals[i]), append(c.Keys, i)
		}
	}
	for range c.Results {
		results = append(results, anyLocals{e.Local(wasm.I32), e.Local(wasm.F64)})
	}
	entry := e.Local(wasm.I32)
	if c.Results > 1 || len(keys) > abi.CacheKeys || c.Func == "print" {
		c.Keys = nil
	}
	found := e.Block()
	if len(c.Keys) > 0 {
		e.cachedCall(keys, results, entry, found)
	}
	for i, l := range locals {
		e.Get(abi.ArgFrame)
		e.Get(l.value)
		e.Memory(wasm.F64Store, e.slotAt(i, abi.SlotValue))
		e.Get(abi.ArgFrame)
		e.Get(l.kind)
		e.Memory(wasm.I32Store, e.slotAt(i, abi.SlotKind))
	}
	e.storeRoom()
	e.meetTexts(func() {
		e.I32(int32(len(e.out.calls)))
		e.Get(entry)
		e.out.calls = append(e.out.calls, c)
		e.Call(abi.ImportCall)
		e.Op(wasm.I32Eqz)
		e.JumpIf(e.iter.stop)
	})
	e.loadRoom()
	if c.Func != abi.CallJoin && c.Func != abi.CallLength {
		e.burnOf(func() {
			e.Get(abi.ArgFrame)
			e.Memory(wasm.I64Load, e.layout.Calls()+abi.CallCost)
		})
	}
	for i, l := range results {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.F64Load, e.slotAt(i, abi.SlotValue))
		e.Set(l.value)
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I32Load, e.slotAt(i, abi.SlotKind))
		e.Set(l.kind)
	}
	e.End()
	return results
}

// cachedCall looks into the cache of the next call. If the result is there, it is put into locals, its bytes are paid, and code goes on at
// found. Otherwise entry has the address of the entry that gets the result.
func (e *Emitter) cachedCall(keys, results []anyLocals, entry int, found wasm.Label) {
	hash, bits := e.Local(wasm.I64), e.Local(wasm.I64)
	e.I64(0)
	e.Set(hash)
	for _, k := range keys {
		e.Get(k.value)
		e.Op(wasm.I64ReinterpretF64)
		e.Get(hash)
		e.Op(wasm.I64Xor)
		hashed(e.Function, bits, hashMultiplier)
		e.Set(hash)
	}
	e.Get(hash)
	e.I64(abi.CacheShift)
	e.Op(wasm.I64ShrU, wasm.I32WrapI64)
	e.I32(abi.CacheStride)
	e.Op(wasm.I32Mul)
	e.Get(abi.ArgFrame)
	e.Memory(wasm.I32Load, e.layout.Calls()+abi.CallCache)
	e.Op(wasm.I32Add)
	e.I32(int32(abi.CachedCalls(e.out.calls)) * abi.CacheEntries * abi.CacheStride)
	e.Op(wasm.I32Add)
	e.Tee(entry)
	e.Memory(wasm.I32Load, abi.CacheState)
	e.I32(abi.CacheUsed)
	for i, k := range keys {
		e.Get(k.kind)
		e.I32(int32(4 * i))
		e.Op(wasm.I32Shl, wasm.I32Or)
	}
	e.Op(wasm.I32Eq)
	for i, k := range keys {
		e.Get(entry)
		e.Memory(wasm.I64Load, abi.CacheKey+8*uint32(i))
		e.Get(k.value)
		e.Op(wasm.I64ReinterpretF64, wasm.I64Eq, wasm.I32And)
	}
	e.Then(wasm.Void)
	e.Get(entry)
	e.Memory(wasm.I64Load, abi.CacheBytes)
	e.Tee(bits)
	e.Op(wasm.I64Eqz, wasm.I32Eqz)
	e.Then(wasm.Void)
	e.Get(e.out.room)
	e.Get(bits)
	e.Op(wasm.I64Sub)
	e.Tee(e.out.room)
	e.I64(0)
	e.Op(wasm.I64LtS)
	e.JumpIf(e.iter.stop)
	e.End()
	for _, l := range results {
		e.Get(entry)
		e.Memory(wasm.F64Load, abi.CacheValue)
		e.Set(l.value)
		e.Get(entry)
		e.Memory(wasm.I32Load, abi.CacheKind)
		e.Set(l.kind)
	}
	e.Jump(found)
	e.End()
}

// invoke writes a call of a function on strings.
func (e *Emitter) invoke(s *ir.Stmt) {
	for i, l := range e.callTexts(abi.TextCall{Func: s.Func, Results: s.J, Some: s.Mark == 1}, s.Args...) {
		to := e.anyOf(s.I + i)
		e.Get(l.value)
		e.Set(to.value)
		e.Get(l.kind)
		e.Set(to.kind)
	}
}

// join puts the number of the string that a chain of a .. b makes on the stack. In (a .. b) .. c the first operand is a string of its own.
func (e *Emitter) join(x *ir.Expr) {
	l := e.callTexts(abi.TextCall{Func: abi.CallJoin, Results: 1}, joinedParts(nil, x)...)
	e.Get(l[0].value)
	e.Saturating(wasm.I32TruncSatF64U)
}

// joinedParts appends the parts of a chain, in their order.
func joinedParts(parts []*ir.Expr, x *ir.Expr) []*ir.Expr {
	switch {
	case x.Op == ir.Join && x.A.Op == ir.Join:
		return joinedParts(append(parts, x.A), x.B)
	case x.Op == ir.Join:
		return joinedParts(joinedParts(parts, x.A), x.B)
	case x.Op == ir.Shown:
		return append(parts, x.A)
	}
	return append(parts, x)
}

// lengthOfText puts the length of a string on the stack.
func (e *Emitter) lengthOfText(x *ir.Expr) {
	e.Get(e.callTexts(abi.TextCall{Func: abi.CallLength, Results: 1}, x.A)[0].value)
}

// as puts a result of a call on the stack as a value of a type. The row stops where it is of another one.
func (e *Emitter) as(x *ir.Expr) {
	l := e.anyOf(x.A.I)
	kind := int32(abi.SlotNil)
	switch x.Type {
	case ir.Any: // no machine code has it: see emit.vet
	case ir.Number:
		kind = abi.SlotNumber
	case ir.Bool:
		kind = abi.SlotBool
	case ir.Text:
		kind = abi.SlotText
	}
	e.Get(l.kind)
	e.I32(kind)
	e.Op(wasm.I32Ne)
	e.JumpIf(e.iter.stop)
	e.Get(l.value)
	if x.Type != ir.Number {
		e.Saturating(wasm.I32TruncSatF64U)
	}
}

// isTrue puts whether a result of a call is neither nil nor false on the stack.
func (e *Emitter) isTrue(x *ir.Expr) {
	l := e.anyOf(x.A.I)
	e.Get(l.kind)
	e.I32(abi.SlotNil)
	e.Op(wasm.I32Ne)
	e.Get(l.kind)
	e.I32(abi.SlotBool)
	e.Op(wasm.I32Ne)
	e.Get(l.value)
	e.constant(0)
	e.Op(wasm.F64Ne, wasm.I32Or, wasm.I32And)
}

// sameResult puts whether two results of calls, or one and another value, are equal on the stack.
func (e *Emitter) sameResult(x *ir.Expr) {
	a, b := e.argument(x.A), e.argument(x.B)
	e.Get(a.kind)
	e.Get(b.kind)
	e.Op(wasm.I32Eq)
	e.Get(a.value)
	e.Get(b.value)
	e.Op(wasm.F64Eq, wasm.I32And)
}
