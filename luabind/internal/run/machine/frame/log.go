package frame

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// The log of stores, from the host's side. The host reads it to restore a row that failed, and to stamp rows of
// other entities.

// A Log is the place of the log of stores, if Unit.Logs. Its records are old values of what rows have stored beyond
// their own fields. They have [abi.LogRecord] bytes each and are between Start and *End. Those from *Row on belong
// to the last row that was begun.
type Log struct {
	Start uint32  // address
	End   *uint32 // in the frame
	Row   *uint32 // in the frame
}

// Logged returns the place of the value that a record is about, and its size in bytes. at is the address of the record.
func (f *Frame) Logged(at uint32) (p unsafe.Pointer, size uintptr) {
	return f.Memory.At(*(*uint32)(f.Memory.At(at + abi.LogAddress))), uintptr(*(*uint32)(f.Memory.At(at + abi.LogWhat)) % 16)
}

// LogTells reports whether a record says more than an old value: LoggedRow or LoggedMove has it.
func (f *Frame) LogTells(at uint32) bool { return *(*uint32)(f.Memory.At(at + abi.LogWhat)) >= 16 }

// LoggedRow returns the component and the row that a record is about; ok is false for an element of a Lua table.
func (f *Frame) LoggedRow(at uint32) (id ecs.ComponentID, table, row int, ok bool) {
	ref := *(*uint32)(f.Memory.At(at + abi.LogWhat)) / 16
	if ref == 0 || int(ref) > len(f.Program.Refs) {
		return 0, 0, 0, false
	}
	slot := *(*uint32)(f.Memory.At(at + abi.LogSlot))
	table = int(*(*uint32)(f.Memory.At(slot + uint32(ecs.SlotTable))))
	row = int(*(*uint32)(f.Memory.At(slot + uint32(ecs.SlotRow))))
	return f.Program.Refs[ref-1].Component, table, row, true
}

// LoggedMove returns the move in an index that a record is about: the number of the index in the layers of the Program, the slot of the entity, and what
// its entry said before; ok is false for another record.
func (f *Frame) LoggedMove(at uint32) (layer int, slot, place, previous uint32, ok bool) {
	layer = int(*(*uint32)(f.Memory.At(at + abi.LogWhat))/16) - 1 - len(f.Program.Refs)
	if layer < 0 {
		return 0, 0, 0, 0, false
	}
	old := (*[2]uint32)(f.Memory.At(at + abi.LogBits))
	return layer, *(*uint32)(f.Memory.At(at + abi.LogSlot)), old[0], old[1], true
}

// LoggedElement reports whether a record is about a Lua table: an element, or an entry of a keyed table.
func (f *Frame) LoggedElement(at uint32) bool {
	address := *(*uint32)(f.Memory.At(at + abi.LogAddress))
	for i := range f.lists.tables {
		l := &f.lists.tables[i]
		if l.Start != nil && address >= l.Address && address < l.Address+4*uint32(l.Room) {
			return true
		}
	}
	for i := range f.lists.entries {
		if x := &f.lists.entries[i]; x.start != nil && address >= x.address && uintptr(address) < uintptr(x.address)+x.size {
			return true
		}
	}
	return false
}

// UndoLast restores the value of the last record, and removes the record.
func (f *Frame) UndoLast() {
	*f.Log.End -= abi.LogRecord
	p, size := f.Logged(*f.Log.End)
	old := f.Memory.At(*f.Log.End + abi.LogBits)
	copy(unsafe.Slice((*byte)(p), size), unsafe.Slice((*byte)(old), size))
}

// UndoRow restores everything that the last row has stored, because the row failed.
func (f *Frame) UndoRow() {
	for f.Unit.Logs && *f.Log.End > *f.Log.Row {
		f.UndoLast()
	}
}
