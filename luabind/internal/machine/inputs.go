package machine

import (
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// farthestKey bounds the keys of elements, so that code can look for them with 32
// bits.
const farthestKey = 1 << 29

// bringInputs tells code what strings there are, and copies the elements of tables
// into memory; false when that cannot be.
func (k *Kernel) copyInInputs() bool {
	k.copyInTexts()
	for i := range k.given {
		given, l := &k.given[i], &k.taken.tables[i]
		to := l.Set(2 * len(given.Values))
		if len(given.Values) == 0 {
			continue
		}
		if to == nil || given.From < -farthestKey || given.From > farthestKey-len(given.Values) {
			return false
		}
		copy(unsafe.Slice((*float64)(l.Start), len(given.Values)), given.Values)
	}
	k.brought = true
	return true
}

// returnInputs copies back what the loop may have assigned.
func (k *Kernel) returnInputs() {
	if !k.brought {
		return
	}
	k.brought = false
	k.returnTexts()
	for i := range k.given {
		if values := k.given[i].Values; k.program.Tables[i].Stored && len(values) > 0 {
			copy(values, unsafe.Slice((*float64)(k.taken.tables[i].Start), len(values)))
		}
	}
}

// tableWord is a word about a table.
func (k *Kernel) tableWord(w abi.Word) uint32 {
	switch w.Kind {
	case abi.WordTableFrom:
		return uint32(int32(k.given[w.ID].From))
	case abi.WordTableCount:
		return uint32(len(k.given[w.ID].Values) / abi.ElementWidth(&k.program.Tables[w.ID]))
	}
	return k.taken.tables[w.ID].Address
}

// valueOf is a value that code left as a number, unless it is known.
func (k *Kernel) valueOf(x *ir.Expr, n float64) (number float64, text string) {
	switch {
	case abi.IsConstantText(x):
		return 0, x.S
	case x.Type == ir.Text:
		return 0, k.strings[int(n)]
	}
	return n, ""
}

// SetText sets a register.
func (k *Kernel) SetText(reg int, v string) { k.texts[reg] = v }

// Text returns a register.
func (k *Kernel) Text(reg int) string { return k.texts[reg] }

func (k *Kernel) textAt(reg int) *uint32 {
	return (*uint32)(k.memory.At(k.frame + k.unit.Layout.Texts + 4*uint32(reg)))
}

// bringTexts tells code where in the list the strings from around the loop are.
func (k *Kernel) copyInTexts() {
	k.strings = append(k.strings[:0], k.unit.Strings...)
	for reg, v := range k.texts {
		i := slices.Index(k.strings, v)
		if i < 0 {
			i = len(k.strings)
			k.strings = append(k.strings, v)
		}
		*k.textAt(reg) = uint32(i)
	}
}

// returnTexts takes the strings that code assigned.
func (k *Kernel) returnTexts() {
	for _, out := range k.program.Outputs {
		if out.Type == ir.Text {
			k.texts[out.Reg] = k.strings[*k.textAt(out.Reg)]
		}
	}
}
