package frame

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// What rows have assigned in tables that are looked up by key: at the end of a run it goes to the Lua tables, and a run that is
// watched takes it back.

// returnKeyed writes to the Lua tables what rows have assigned.
func (f *Frame) returnKeyed() {
	for table := range f.keyed {
		p, k := &f.Program.Keyed[table], &f.keyed[table]
		if f.lists.entries[table].start == nil {
			continue
		}
		if p.Key == ir.Number {
			k.hashed.last = f.count(table)
		}
		if p.Stored {
			f.returnTable(table)
		}
	}
}

// returnTable writes to a Lua table what rows have assigned, new keys in the order in which rows have made them.
func (f *Frame) returnTable(table int) {
	p, k := &f.Program.Keyed[table], &f.keyed[table]
	f.findWritten(table)
	for _, entry := range k.wrote {
		if entry == noEntry {
			continue
		}
		e := f.values(table, entry)
		e.Return(k.source, f.keyOf(table, entry), p.Rows)
	}
	clear(k.slots)
}

// noEntry stands in keyed.wrote for a key that a row has made which failed.
const noEntry = 1<<32 - 1

// findWritten lists the entries of a table that rows have assigned: new keys first, in their order.
func (f *Frame) findWritten(table int) {
	k := &f.keyed[table]
	k.wrote = k.wrote[:0]
	for range *f.header(table, abi.KeyedCounter) - abi.FirstOrder {
		k.wrote = append(k.wrote, noEntry)
	}
	e, stride := f.entry(table, 0), uintptr(abi.KeyedStride(&f.Program.Keyed[table]))
	for i := range f.entries(table) {
		e := unsafe.Add(e, uintptr(i)*stride)
		order := *(*uint32)(unsafe.Add(e, abi.KeyedOrder))
		if wroteIn(*(*uint32)(unsafe.Add(e, abi.KeyedState))) == 0 && order < abi.FirstOrder || !f.isKnown(table, i) {
			continue
		}
		if order >= abi.FirstOrder {
			k.wrote[order-abi.FirstOrder] = i
		} else {
			k.wrote = append(k.wrote, i)
		}
	}
}

// RestoreKeyed restores the entries of a table to an earlier state of the run, which before returns for each key. For a
// key that was not known then, the Lua table is asked again. Orders that were used since then are not used again.
func (f *Frame) RestoreKeyed(table int, before func(key kernel.Key) (e kernel.Entry, ok bool)) {
	p, k := &f.Program.Keyed[table], &f.keyed[table]
	more := uint32(0)
	if p.Key == ir.Number {
		more = abi.KeyedUsed
	}
	for i := range f.entries(table) {
		if !f.isKnown(table, i) {
			continue
		}
		key := f.keyOf(table, i)
		was, ok := before(key)
		if !ok {
			clear(k.slots)
			found := k.source.Find(key, k.slots)
			f.fillEntry(p, f.entry(table, i), found, k.slots, more)
			continue
		}
		e := f.entry(table, i)
		f.fillEntry(p, e, kernel.Found, was.Values, more|was.Wrote<<abi.KeyedWrote)
		*(*uint32)(unsafe.Add(e, abi.KeyedOrder)) = uint32(was.Order)
	}
	clear(k.slots)
}
