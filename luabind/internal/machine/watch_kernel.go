package machine

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// lend gives a register to closures while code has them.
func (k *Kernel) lend(to kernel.Kernel, p ir.Place) {
	switch p.Type {
	case ir.Bool:
		to.SetBool(p.Reg, k.Bool(p.Reg))
	case ir.Text:
		to.SetText(p.Reg, k.strings[*k.textAt(p.Reg)])
	default:
		to.SetNumber(p.Reg, k.Number(p.Reg))
	}
}

// elements are those of a table while code has them.
func (k *Kernel) elements(table int) []float64 {
	n := len(k.given[table].Values)
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*float64)(k.taken.tables[table].Start), n)
}

// logPlace is the place of a record, and how many bytes it has.
func (k *Kernel) logPlace(at uint32) (p unsafe.Pointer, size uintptr) {
	return k.memory.At(*(*uint32)(k.memory.At(at + abi.LogAddress))), uintptr(*(*uint32)(k.memory.At(at + abi.LogWhat)) % 16)
}

// inTable reports whether a record is of an element of a table: closures have a copy
// of those.
func (k *Kernel) inTable(at uint32) bool {
	address := *(*uint32)(k.memory.At(at + abi.LogAddress))
	for i := range k.given {
		l := &k.taken.tables[i]
		if l.Start != nil && address >= l.Address && address < l.Address+4*uint32(l.Room) {
			return true
		}
	}
	return false
}
