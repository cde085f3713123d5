package frame

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// Strings and tables from around the loop are Go memory. A run lends them to the code: elements are copied into linear
// memory, and a string becomes its number in a list. When the run ends they are returned.

// farthestKey limits the keys of elements, so that code can look for them with 32 bits.
const farthestKey = 1 << 29

// SetTable gives the elements of a table.
func (f *Frame) SetTable(i int, e kernel.Elements) { f.given[i] = e }

// Table returns the elements that SetTable gave. They are current when they are not lent.
func (f *Frame) Table(i int) kernel.Elements { return f.given[i] }

// Tables returns how many tables there are.
func (f *Frame) Tables() int { return len(f.given) }

// LendInputs copies strings and elements into linear memory; false if code cannot have them, because there is no memory or a
// key is too far. It must be followed by ReturnInputs in any case.
func (f *Frame) LendInputs() bool {
	f.lendKeyed()
	f.lendTexts()
	for i := range f.given {
		given, l := &f.given[i], &f.lists.tables[i]
		to := l.Set(2 * len(given.Values))
		if len(given.Values) == 0 {
			continue
		}
		if to == nil || given.From < -farthestKey || given.From > farthestKey-len(given.Values) {
			return false
		}
		copy(unsafe.Slice((*float64)(l.Start), len(given.Values)), given.Values)
	}
	f.lent = true
	return true
}

// ReturnInputs copies back what code may have assigned. It does nothing if nothing is lent.
func (f *Frame) ReturnInputs() {
	if !f.lent {
		return
	}
	f.lent = false
	f.returnTexts()
	f.returnKeyed()
	for i := range f.given {
		if values := f.given[i].Values; f.Program.Tables[i].Stored && len(values) > 0 {
			copy(values, f.Elements(i))
		}
	}
}

// Elements returns the elements of a table as code sees them, while they are lent.
func (f *Frame) Elements(table int) []float64 {
	n := len(f.given[table].Values)
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*float64)(f.lists.tables[table].Start), n)
}

// TableWord returns a word about a table.
func (f *Frame) TableWord(w abi.Word) uint32 {
	switch w.Kind {
	case abi.WordTableFrom:
		return uint32(int32(f.given[w.ID].From))
	case abi.WordTableCount:
		return uint32(len(f.given[w.ID].Values) / abi.ElementWidth(&f.Program.Tables[w.ID]))
	case abi.WordTable:
		return f.lists.tables[w.ID].Address
	}
	panic("machine: a word that is not about a table")
}
