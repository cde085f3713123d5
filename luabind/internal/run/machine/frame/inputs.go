package frame

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Inputs that are not numbers. Strings and tables declared outside the loop are in Go memory. A run lends them to the
// code: elements are copied into linear memory, and each string becomes a number. When the run ends, they are
// returned.

// farthestKey is the largest absolute value of keys of elements, so that code can compute with them in 32 bits.
const farthestKey = 1 << 29

// SetTable sets the elements of a table. They stay in Go memory until LendInputs.
func (f *Frame) SetTable(i int, e kernel.Elements) { f.given[i] = e }

// Table returns the elements that SetTable has set. They are up to date while they are not lent.
func (f *Frame) Table(i int) kernel.Elements { return f.given[i] }

// Tables returns how many tables there are.
func (f *Frame) Tables() int { return len(f.given) }

// LendInputs copies strings and elements into linear memory. It returns false if code cannot have them, because
// there is no memory, or a key is too large. It must be followed by ReturnInputs in both cases.
func (f *Frame) LendInputs() bool {
	if !f.lendKeyed() {
		return false
	}
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

// ReturnInputs copies back what code may have changed. If nothing is lent, it does nothing.
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
