package frame

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Registers, by their index in the Program: see [kernel.Kernel]. Strings are Go strings between runs; LendInputs
// and ReturnInputs convert them to numbers of the code and back.

// number returns the place of a number register.
func (f *Frame) number(reg int) *float64 {
	return (*float64)(f.Memory.At(f.Address + f.Unit.Layout.Numbers + 8*uint32(reg)))
}

// bool returns the place of a boolean register.
func (f *Frame) bool(reg int) *uint32 {
	return (*uint32)(f.Memory.At(f.Address + f.Unit.Layout.Bools + 4*uint32(reg)))
}

// SetNumber sets a register of type Number.
func (f *Frame) SetNumber(reg int, v float64) { *f.number(reg) = v }

// SetBool sets a boolean register, a word of 32 bits that machine code expects to be 0 or 1.
func (f *Frame) SetBool(reg int, v bool) {
	*f.bool(reg) = 0
	if v {
		*f.bool(reg) = 1
	}
}

// SetText sets a register of type Text.
func (f *Frame) SetText(reg int, v string) { f.registers[reg] = v }

// Number returns a register of type Number.
func (f *Frame) Number(reg int) float64 { return *f.number(reg) }

// Bool returns a register of type Bool.
func (f *Frame) Bool(reg int) bool { return *f.bool(reg) != 0 }

// Text returns a register of type Text.
func (f *Frame) Text(reg int) string { return f.registers[reg] }

// CopyTo copies the inputs, and the outputs with their marks, to another kernel of the Program, in the middle of a
// run.
func (f *Frame) CopyTo(to kernel.Kernel) {
	for _, in := range f.Program.Inputs {
		if in.Used {
			f.copyTo(to, in)
		}
	}
	for _, out := range f.Program.Outputs {
		f.copyTo(to, out.Place)
		if out.Mark >= 0 {
			to.SetBool(out.Mark, f.Bool(out.Mark))
		}
	}
}

// copyTo copies one register.
func (f *Frame) copyTo(to kernel.Kernel, p ir.Place) {
	switch p.Type {
	case ir.Bool:
		to.SetBool(p.Reg, f.Bool(p.Reg))
	case ir.Text:
		if f.lent {
			to.SetText(p.Reg, f.LentText(p.Reg))
		} else {
			to.SetText(p.Reg, f.registers[p.Reg])
		}
	default:
		to.SetNumber(p.Reg, f.Number(p.Reg))
	}
}

// CopyOutputs copies the outputs that another kernel of the Program has assigned, with their marks.
func (f *Frame) CopyOutputs(from kernel.Kernel) {
	for _, out := range f.Program.Outputs {
		if out.Mark >= 0 {
			has := from.Bool(out.Mark)
			f.SetBool(out.Mark, has)
			if !has {
				continue
			}
		}
		switch out.Type {
		case ir.Any: // no machine code has it: see emit.vet
		case ir.Bool:
			f.SetBool(out.Reg, from.Bool(out.Reg))
		case ir.Text:
			f.SetText(out.Reg, from.Text(out.Reg))
		case ir.Number:
			f.SetNumber(out.Reg, from.Number(out.Reg))
		}
	}
}
