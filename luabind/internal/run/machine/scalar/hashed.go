package scalar

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Tables that are looked up by numbers: the search in their hash table (see package abi).

// The multipliers of package abi as signed numbers.
const (
	hashMultiplier = int64(math.MinInt64 + abi.HashMultiplier - 1<<63)
	pairMultiplier = int64(math.MinInt64 + abi.PairMultiplier - 1<<63)
)

// hashed replaces the number b on the stack, of 64 bits, by (b ^ b>>32) * multiplier: see abi.HashOf. bits is a local that it may use.
func hashed(f *wasm.Function, bits int, multiplier int64) {
	f.Tee(bits)
	f.Get(bits)
	f.I64(32)
	f.Op(wasm.I64ShrU, wasm.I64Xor)
	f.I64(multiplier)
	f.Op(wasm.I64Mul)
}

// A lastEntry is the locals with the key that was last found in a hash table, and with the address of its entry. Entries do not
// move during a call. Many bodies use a key several times in a row: count[k] = (count[k] or 0) + 1.
type lastEntry struct {
	key keyLocals
	at  int
}

// lastOf returns the locals of a table. Before the first row the key is NaN.
func (e *Emitter) lastOf(table int) lastEntry {
	l, ok := e.beyond.lastEntries[table]
	if !ok {
		l = lastEntry{keyLocals{e.Local(wasm.F64), -1}, e.Local(wasm.I32)}
		if e.p.Keyed[table].Pairs {
			l.key.second = e.Local(wasm.F64)
		}
		e.beyond.lastEntries[table] = l
		e.loop.ahead.F64(math.NaN())
		e.loop.ahead.Set(l.key.first)
	}
	return l
}

// remember makes the entry at an address the last one.
func (e *Emitter) remember(last lastEntry, key keyLocals, at int) {
	e.Get(key.first)
	e.Set(last.key.first)
	if key.second >= 0 {
		e.Get(key.second)
		e.Set(last.key.second)
	}
	e.Get(at)
	e.Set(last.at)
}

// entryOfNumber is entry for a number, which is not NaN and not -0. The key does not get an entry if make is false.
func (e *Emitter) entryOfNumber(table int, key keyLocals, at, state int, make bool) {
	t := &e.p.Keyed[table]
	base, next, bits, last := e.word(abi.WordKeyed, table), e.Local(wasm.I32), e.Local(wasm.I64), e.lastOf(table)
	found := e.Block()
	e.isKey(key, func(int) { e.Get(last.key.first) })
	e.Then(wasm.Void)
	e.Get(last.at)
	e.Tee(at)
	e.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedState)
	e.Set(state)
	e.Jump(found)
	e.End()
	e.Get(key.first)
	e.Op(wasm.I64ReinterpretF64)
	hashed(e.Function, bits, hashMultiplier)
	e.Get(base)
	e.Memory(wasm.I32Load, abi.KeyedShift)
	e.Op(wasm.I64ExtendI32U, wasm.I64ShrU, wasm.I32WrapI64)
	e.Set(next)
	again := e.Loop()
	e.Get(base)
	e.Get(next)
	e.I32(int32(abi.KeyedStride(t)))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Tee(at)
	e.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedState)
	e.Tee(state)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	if make {
		e.makeEntry(table, key, at, state)
		e.remember(last, key, at)
	} else {
		e.emptyEntry(table, key, at)
	}
	e.Jump(found)
	e.End()
	e.isKey(key, func(int) {
		e.Get(at)
		e.Memory(wasm.F64Load, abi.KeyedHeader+abi.KeyedKey(t))
	})
	e.Then(wasm.Void)
	e.remember(last, key, at)
	e.Jump(found)
	e.End()
	e.Get(next)
	e.I32(1)
	e.Op(wasm.I32Add)
	e.Get(base)
	e.Memory(wasm.I32Load, abi.KeyedMask)
	e.Op(wasm.I32And)
	e.Set(next)
	e.Jump(again)
	e.End()
	e.End()
}

// isKey puts on the stack whether a key equals another one, of which other puts a part on the stack.
func (e *Emitter) isKey(key keyLocals, other func(part int)) {
	e.Get(key.first)
	other(0)
	e.Op(wasm.F64Eq)
	if key.second >= 0 {
		e.Get(key.second)
		other(1)
		e.Op(wasm.F64Eq, wasm.I32And)
	}
}

// makeEntry makes the unused entry at an address that of a key. It has no value yet. The row is run again where there is no
// room.
func (e *Emitter) makeEntry(table int, key keyLocals, at, state int) {
	base := e.word(abi.WordKeyed, table)
	e.Get(base)
	e.Memory(wasm.I32Load, abi.KeyedRoom)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.missing(table, key)
	e.End()
	e.Get(base)
	e.Get(base)
	e.Memory(wasm.I32Load, abi.KeyedRoom)
	e.I32(1)
	e.Op(wasm.I32Sub)
	e.Memory(wasm.I32Store, abi.KeyedRoom)
	e.I32(abi.KeyedUsed)
	e.Set(state)
	e.Get(at)
	e.Get(state)
	e.Memory(wasm.I32Store, abi.KeyedHeader+abi.KeyedState)
	e.storeKey(key, at, abi.KeyedHeader+abi.KeyedKey(&e.p.Keyed[table]))
}

// emptyEntry sets a local to the address of the entry that is always empty. The row is run again where the host has to
// look the key up.
func (e *Emitter) emptyEntry(table int, key keyLocals, at int) {
	base := e.word(abi.WordKeyed, table)
	e.Get(base)
	e.Memory(wasm.I32Load, abi.KeyedComplete)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.missing(table, key)
	e.End()
	e.Get(base)
	e.Get(base)
	e.Memory(wasm.I32Load, abi.KeyedMask)
	e.I32(1)
	e.Op(wasm.I32Add)
	e.I32(int32(abi.KeyedStride(&e.p.Keyed[table])))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(at)
}

// missing stops the row, and says which key the host has to look up.
func (e *Emitter) missing(table int, key keyLocals) {
	e.Get(abi.ArgFrame)
	e.I32(int32(table) + 1)
	e.Memory(wasm.I32Store, e.layout.Missing+abi.MissingTable)
	e.storeKey(key, abi.ArgFrame, e.layout.Missing+abi.MissingKey)
	e.Jump(e.iter.stop)
}

// storeKey stores a key at an offset from the address in a local: the two parts of a pair side by side.
func (e *Emitter) storeKey(key keyLocals, at int, offset uint32) {
	e.Get(at)
	e.Get(key.first)
	e.Memory(wasm.F64Store, offset)
	if key.second >= 0 {
		e.Get(at)
		e.Get(key.second)
		e.Memory(wasm.F64Store, offset+8)
	}
}

// noteFuel notes the fuel that is left when a row begins, if the row may be run again after some iterations of loops.
func (e *Emitter) noteFuel() {
	if e.evenRows() || !abi.ByNumbers(e.p) && !e.p.SideExits && len(e.p.Layers) == 0 {
		return
	}
	e.Get(abi.ArgFrame)
	e.Get(e.loop.fuel)
	e.Memory(wasm.I64Store, e.layout.Missing+abi.MissingFuel)
}
