package scalar

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The search for a pair in a hash table (see package abi) is a function of its own: it is longer than that for a number, and bodies with
// pairs search often. Written out at each place, it would make most of them too long to compile.

// The parameters of a search: the address of the header of the table, and the key.
const (
	searchTable = iota
	searchFirst
	searchSecond
)

// search returns the number of the function that searches a table of pairs. It gives the address of the entry of a key, less
// abi.KeyedHeader, or that of the empty entry that the key gets.
func (e *Emitter) search(table int) int {
	n, ok := e.beyond.searches[table]
	if !ok {
		n = len(e.beyond.searches)
		e.beyond.searches[table] = n
		e.m.Functions = append(e.m.Functions, searchOf(&e.p.Keyed[table]))
	}
	return len(e.m.Imports) + len(e.m.Math) + 1 + n // after run
}

// searchOf writes the search in a table.
func searchOf(t *ir.Keyed) *wasm.Function {
	f := &wasm.Function{Params: []byte{wasm.I32, wasm.F64, wasm.F64}, Results: []byte{wasm.I32}}
	bits, next, at := f.Local(wasm.I64), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(searchFirst)
	f.Op(wasm.I64ReinterpretF64)
	hashed(f, bits, pairMultiplier) // abi.BitsOf
	f.Get(searchSecond)
	f.Op(wasm.I64ReinterpretF64, wasm.I64Xor)
	hashed(f, bits, hashMultiplier) // abi.HashOf
	f.Get(searchTable)
	f.Memory(wasm.I32Load, abi.KeyedShift)
	f.Op(wasm.I64ExtendI32U, wasm.I64ShrU, wasm.I32WrapI64)
	f.Set(next)
	again := f.Loop()
	f.Get(searchTable)
	f.Get(next)
	f.I32(int32(abi.KeyedStride(t)))
	f.Op(wasm.I32Mul, wasm.I32Add)
	f.Tee(at)
	f.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedState)
	f.Op(wasm.I32Eqz)
	for i, part := range []int{searchFirst, searchSecond} {
		f.Get(at)
		f.Memory(wasm.F64Load, abi.KeyedHeader+abi.KeyedKey(t)+8*uint32(i))
		f.Get(part)
		f.Op(wasm.F64Eq)
	}
	f.Op(wasm.I32And, wasm.I32Or)
	f.Then(wasm.Void)
	f.Get(at)
	f.Op(wasm.Return)
	f.End()
	f.Get(next)
	f.I32(1)
	f.Op(wasm.I32Add)
	f.Get(searchTable)
	f.Memory(wasm.I32Load, abi.KeyedMask)
	f.Op(wasm.I32And)
	f.Set(next)
	f.Jump(again)
	f.End()
	f.Op(wasm.Unreachable)
	return f
}

func (e *Emitter) entryOfPair(table int, key keyLocals, at, state int, make bool) {
	base, last := e.word(abi.WordKeyed, table), e.lastOf(table)
	found := e.Block()
	e.Get(last.at)
	e.Set(at)
	e.isKey(key, func(part int) { e.Get([...]int{last.key.first, last.key.second}[part]) })
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.Get(base)
	e.Get(key.first)
	e.Get(key.second)
	e.Call(e.search(table))
	e.Tee(at)
	e.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedState)
	e.Tee(state)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	if make {
		e.makeEntry(table, key, at, state)
	} else {
		e.emptyEntry(table, key, at)
		e.I32(0)
		e.Set(state)
		e.Jump(found) // it is no entry of the key
	}
	e.End()
	e.remember(last, key, at)
	e.End()
	e.Get(at)
	e.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedState)
	e.Set(state)
	e.End()
}
