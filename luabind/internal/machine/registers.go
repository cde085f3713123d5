package machine

import "github.com/ecsrun/ecsrun/luabind/internal/kernel"

// Registers: see [kernel.Kernel].

func (k *Kernel) number(reg int) *float64 {
	return (*float64)(k.memory.At(k.frame + k.unit.Layout.Numbers + 8*uint32(reg)))
}

func (k *Kernel) bool(reg int) *uint32 {
	return (*uint32)(k.memory.At(k.frame + k.unit.Layout.Bools + 4*uint32(reg)))
}

// SetNumber sets a register.
func (k *Kernel) SetNumber(reg int, v float64) { *k.number(reg) = v }

// SetBool sets a register.
func (k *Kernel) SetBool(reg int, v bool) {
	*k.bool(reg) = 0
	if v {
		*k.bool(reg) = 1
	}
}

// SetTable gives the elements of a table.
func (k *Kernel) SetTable(i int, e kernel.Elements) { k.given[i] = e }

// Number returns a register.
func (k *Kernel) Number(reg int) float64 { return *k.number(reg) }

// Bool returns a register.
func (k *Kernel) Bool(reg int) bool { return *k.bool(reg) != 0 }

// Results are the values of the return that ended the loop.
func (k *Kernel) Results() []kernel.Result { return k.results }
