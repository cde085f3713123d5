package frame

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// Strings. In code a string is a number: its index in a list that the host keeps. The strings of the Unit come
// first. Others are added when the host meets them: in inputs, in rows that it copies into a block, in Lua tables.
// A string keeps its number until Trim, also from run to run.

// mostTexts is the length of the list above which Trim shortens it.
const mostTexts = 4096

// A texts is the list of strings, with two ways to find the number of a string.
type texts struct {
	list    []string
	numbers map[string]uint32
	recent  [256]recentText
	run     uint32   // number of the run
	known   []uint32 // by number: the run in which the keyed tables were last asked for it
	asking  []uint32 // numbers for which the keyed tables still have to be asked
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
	t := &texts{numbers: map[string]uint32{}, run: 1} // an empty recentText has run 0
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

// NumberOf returns the number of a string.
func (f *Frame) NumberOf(s string) uint32 {
	p := uintptr(unsafe.Pointer(unsafe.StringData(s)))
	r := &f.texts.recent[(p>>4^p>>12^uintptr(len(s)))%uintptr(len(f.texts.recent))]
	if len(r.text) == len(s) && unsafe.StringData(r.text) == unsafe.StringData(s) && r.run == f.texts.run {
		return r.number
	}
	return f.meet(r, s)
}

// meet is NumberOf for a string that is not in the cache.
func (f *Frame) meet(r *recentText, s string) uint32 {
	t := f.texts
	n, ok := t.numbers[s]
	if !ok {
		n = t.add(s)
	}
	*r = recentText{s, t.run, n}
	f.askKeyed(n)
	return n
}

// TextOf returns the string with a number.
func (f *Frame) TextOf(number uint32) string { return f.texts.list[number] }

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
