package frame

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// Log is the log of stores, if Unit.Logs: values that rows have stored beyond their own fields, with the old bits. Records
// have [abi.LogRecord] bytes and lie between Start and *End. Those behind *Row are of the last row that was begun.
type Log struct {
	Start uint32  // address
	End   *uint32 // in the frame
	Row   *uint32 // in the frame
}

// Logged returns the place of the value that a record is about, and its size in bytes. at is the address of the record.
func (f *Frame) Logged(at uint32) (p unsafe.Pointer, size uintptr) {
	return f.Memory.At(*(*uint32)(f.Memory.At(at + abi.LogAddress))), uintptr(*(*uint32)(f.Memory.At(at + abi.LogWhat)) % 16)
}

// LoggedRow returns which row of which component a record is about; ok is false for an element of a table, which has none.
func (f *Frame) LoggedRow(at uint32) (id ecs.ComponentID, table, row int, ok bool) {
	ref := *(*uint32)(f.Memory.At(at + abi.LogWhat)) / 16
	if ref == 0 {
		return 0, 0, 0, false
	}
	slot := *(*uint32)(f.Memory.At(at + abi.LogSlot))
	table = int(*(*uint32)(f.Memory.At(slot + uint32(ecs.SlotTable))))
	row = int(*(*uint32)(f.Memory.At(slot + uint32(ecs.SlotRow))))
	return f.Program.Refs[ref-1].Component, table, row, true
}

// LoggedElement reports whether a record is about an element of a table, or an entry of one that is looked up by strings.
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

// UndoRow restores what the last row that was begun has stored, because it failed.
func (f *Frame) UndoRow() {
	for f.Unit.Logs && *f.Log.End > *f.Log.Row {
		f.UndoLast()
	}
}
