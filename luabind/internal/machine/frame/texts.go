package frame

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// In code a string is a number: its place in a list that the host keeps. The strings of the Unit come first; others are added
// when the host meets them: in inputs, in the rows that it copies into a block, in Lua tables. A string keeps its number until
// Trim, also from run to run.

// mostTexts is the length of the list from which on Trim shortens it.
const mostTexts = 4096

// texts is the list, and two ways to find a string in it.
type texts struct {
	list    []string
	numbers map[string]uint32
	recent  [256]recentText
	run     uint32   // number of the run
	known   []uint32 // by number: the run in which the keyed tables were last asked for it
	asking  []uint32 // numbers that they are still to be asked for
}

// recentText is a string that was met, by its address: most strings are met again and again. It holds the string, so that no
// other one gets that address.
type recentText struct {
	text   string
	run    uint32
	number uint32
}

// newTexts begins the list with the strings of the Unit.
func newTexts(unit []string) *texts {
	t := &texts{numbers: map[string]uint32{}, run: 1} // a recentText of run 0 is none
	for _, s := range unit {
		t.add(s)
	}
	return t
}

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

// meet is NumberOf for a string that was not met at this address in this run.
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

// TextOf returns the string of a number.
func (f *Frame) TextOf(number uint32) string { return f.texts.list[number] }

// Trim shortens the list when it has become long: what code holds a number for stays, in registers. It must not be called
// between a call and what is made of it. It reports whether it did: then copies of rows are to be made again.
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

// TextAt is a register of type Text in the frame: the number of a string.
func (f *Frame) TextAt(reg int) *uint32 {
	return (*uint32)(f.Memory.At(f.Address + f.Unit.Layout.Texts + 4*uint32(reg)))
}

// LentText returns a register of type Text while strings are lent.
func (f *Frame) LentText(reg int) string { return f.TextOf(*f.TextAt(reg)) }

// lendTexts gives the strings from around the loop numbers.
func (f *Frame) lendTexts() {
	for n := range f.Unit.Strings {
		f.askKeyed(uint32(n))
	}
	for reg, v := range f.registers {
		*f.TextAt(reg) = f.NumberOf(v)
	}
}

// returnTexts takes the strings that code assigned.
func (f *Frame) returnTexts() {
	for _, out := range f.Program.Outputs {
		if out.Type == ir.Text {
			f.registers[out.Reg] = f.LentText(out.Reg)
		}
	}
}
