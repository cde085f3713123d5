package frame

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Strings. In code a string is a number: its index in a list that the host keeps. The strings of the Unit come
// first. Others are added when the host meets them: in inputs, in rows that it copies into a block, in Lua tables.
// A string keeps its number until Trim, also from run to run.

// mostTexts is the length of the list above which Trim shortens it.
const mostTexts = 4096

// leastRecent is the first size of the cache by address. It grows with the list.
const leastRecent = 64

// A texts is the list of strings, with two ways to find the number of a string.
type texts struct {
	list    []string
	numbers map[string]uint32
	recent  []recentText // a cache by address; its length is a power of two
	run     uint32       // number of the run
	known   []uint32     // by number: the run in which the keyed tables were last asked for it
	asked   int          // how many strings were looked up in keyed tables in this run
	asking  []uint32     // numbers for which the keyed tables still have to be asked
}

// A recentText is an entry of a cache by address, because most strings are met repeatedly. It keeps the string
// alive, so that no other string can get the same address.
type recentText struct {
	text   string
	run    uint32
	number uint32
}

// newTexts makes the list, with the strings of the Unit.
func newTexts(unit []string) *texts {
	t := &texts{numbers: map[string]uint32{}, run: 1, recent: make([]recentText, leastRecent)} // an empty recentText has run 0
	for _, s := range unit {
		t.add(s)
	}
	return t
}

// add gives a new string the next number.
func (t *texts) add(s string) uint32 {
	n := uint32(len(t.list))
	t.list, t.known = append(t.list, s), append(t.known, 0)
	t.numbers[s] = n
	return n
}

// ways is the number of successive entries of the cache in which a string may stand. Few strings are met alternately in
// most loops; if two of them had one entry, each would be looked up by its text, again and again.
const ways = 4

// placeOf returns the first entry in which a string may stand in a cache of some entries, by its address and length. Short
// strings that were made together share 16 bytes, so all bits of the address count.
func placeOf(s string, entries int) uintptr {
	h := (uint64(uintptr(unsafe.Pointer(unsafe.StringData(s)))) + uint64(len(s))) * 0x9e3779b97f4a7c15
	return uintptr(h>>40) & uintptr(entries-1)
}

// is reports whether an entry is about a string at this address.
func (r *recentText) is(s string) bool {
	return unsafe.StringData(r.text) == unsafe.StringData(s) && len(r.text) == len(s) && r.run != 0
}

// NumberOf returns the number of a string.
func (f *Frame) NumberOf(s string) uint32 {
	t := f.texts
	place := placeOf(s, len(t.recent))
	for i := range uintptr(ways) {
		if r := &t.recent[(place+i)&uintptr(len(t.recent)-1)]; r.is(s) {
			n := r.number
			if r.run != t.run { // the first time in this run
				r.run = t.run
				f.askKeyed(n)
			}
			return n
		}
	}
	return f.meet(s)
}

// Asked returns how many strings were looked up in keyed tables in this run.
func (f *Frame) Asked() int { return f.texts.asked }

// NumberRows writes the numbers of the strings of some rows. from is the string of the first row, to the place of its
// number; both are stride bytes from those of the next row.
func (f *Frame) NumberRows(to, from unsafe.Pointer, stride uintptr, rows int) {
	run, recent := f.texts.run, f.texts.recent
	for at := uintptr(0); rows > 0; at, rows = at+stride, rows-1 {
		s := *(*string)(unsafe.Add(from, at))
		if r := &recent[placeOf(s, len(recent))]; r.run == run && r.is(s) {
			*(*uint32)(unsafe.Add(to, at)) = r.number
			continue
		}
		*(*uint32)(unsafe.Add(to, at)) = f.NumberOf(s)
		recent = f.texts.recent
	}
}

// TakeRows assigns the strings whose numbers rows have stored, except where the number is abi.NoText. Addresses are
// those of NumberRows.
func (f *Frame) TakeRows(to, from unsafe.Pointer, stride uintptr, rows int) {
	list := f.texts.list
	for at := uintptr(0); rows > 0; at, rows = at+stride, rows-1 {
		number := *(*uint32)(unsafe.Add(from, at))
		if number == abi.NoText {
			continue
		}
		s, p := list[number], (*string)(unsafe.Add(to, at))
		if unsafe.StringData(*p) != unsafe.StringData(s) || len(*p) != len(s) { // a store costs more than the comparison
			*p = s
		}
	}
}

// meet is NumberOf for a string that is not in the cache.
func (f *Frame) meet(s string) uint32 {
	t := f.texts
	n, ok := t.numbers[s]
	if !ok {
		n = t.add(s)
		if len(t.list) > len(t.recent)/2 {
			t.recent = make([]recentText, 2*len(t.recent))
		}
	}
	*t.free(s) = recentText{s, t.run, n}
	f.askKeyed(n)
	return n
}

// free returns the entry that a string gets in the cache: one that this run does not use, if there is one.
func (t *texts) free(s string) *recentText {
	place := placeOf(s, len(t.recent))
	for i := range uintptr(ways) {
		if r := &t.recent[(place+i)&uintptr(len(t.recent)-1)]; r.run != t.run {
			return r
		}
	}
	return &t.recent[place]
}

// TextOf returns the string with a number.
func (f *Frame) TextOf(number uint32) string {
	if number >= firstLine {
		return f.lines[number-firstLine]
	}
	return f.texts.list[number]
}

// firstLine is the number of the first line that rows print.
const firstLine = 1 << 31

// Line returns a number for a line that a row prints. The line is not in the list of strings: nothing else uses it.
func (f *Frame) Line(s string) uint32 {
	f.lines = append(f.lines, s)
	return firstLine + uint32(len(f.lines)-1)
}

// ForgetLines drops all lines. No record with one may be left.
func (f *Frame) ForgetLines() {
	clear(f.lines)
	f.lines = f.lines[:0]
}

// Known returns how many strings are in the list.
func (f *Frame) Known() int { return len(f.texts.list) }

// Trim shortens the list if it has become long. Strings in registers stay known. It must not be called between a
// call of code and the use of its records. It reports whether it has shortened the list; then copies of rows have
// to be made again.
func (f *Frame) Trim() bool {
	if len(f.texts.list) <= mostTexts {
		return false
	}
	f.returnKeyed()
	for _, out := range f.Program.Outputs {
		if out.Type == ir.Text {
			f.registers[out.Reg] = f.LentText(out.Reg)
		}
	}
	f.texts = newTexts(f.Unit.Strings)
	f.lendKeyed()
	f.lendTexts()
	return true
}

// TextAt returns the place of a text register in the frame, which has the number of a string.
func (f *Frame) TextAt(reg int) *uint32 {
	return (*uint32)(f.Memory.At(f.Address + f.Unit.Layout.Texts + 4*uint32(reg)))
}

// LentText returns the value of a text register while strings are lent.
func (f *Frame) LentText(reg int) string { return f.TextOf(*f.TextAt(reg)) }

// lendTexts writes the numbers of strings to the text registers.
func (f *Frame) lendTexts() {
	for n := range f.Unit.Strings {
		f.askKeyed(uint32(n))
	}
	for reg, v := range f.registers {
		*f.TextAt(reg) = f.NumberOf(v)
	}
}

// returnTexts reads the outputs that are strings from the text registers.
func (f *Frame) returnTexts() {
	for _, out := range f.Program.Outputs {
		if out.Type == ir.Text {
			f.registers[out.Reg] = f.LentText(out.Reg)
		}
	}
}
