package fieldcode

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Storing fields: the code that checks whether a value fits, and the code that stores it.

// Fit writes code that branches to stop if a field of a type cannot hold the number in a local. Otherwise the local gets
// the number that the field will hold: it differs by the sign of a zero only. All numbers fit F64, F32 and Bool; they have no
// code here.
func Fit(e *wasm.Function, t ecs.FieldType, local int, stop wasm.Label) {
	switch {
	case t == ecs.EntityField:
		FitEntity(e, local, stop)
		return
	case Wide(t):
		fitWide(e, t, local, stop)
		return
	}
	whole := e.Local(wasm.I32)
	signed := t == ecs.I8 || t == ecs.I16 || t == ecs.I32
	e.Get(local)
	if t == ecs.U32 {
		e.Saturating(wasm.I32TruncSatF64U)
	} else {
		e.Saturating(wasm.I32TruncSatF64S)
	}
	// Cut to the field's bits and back, it must still be the number.
	switch t {
	case ecs.I8:
		e.Op(wasm.I32Extend8S)
	case ecs.I16:
		e.Op(wasm.I32Extend16S)
	case ecs.U8:
		e.I32(0xff)
		e.Op(wasm.I32And)
	case ecs.U16:
		e.I32(0xffff)
		e.Op(wasm.I32And)
	}
	e.Tee(whole)
	if signed {
		e.Op(wasm.F64ConvertI32S)
	} else {
		e.Op(wasm.F64ConvertI32U)
	}
	number := e.Local(wasm.F64)
	e.Tee(number)
	e.Get(local)
	e.Op(wasm.F64Ne)
	e.JumpIf(stop)
	e.Get(number) // -0 is 0 now
	e.Set(local)
}

// fitWide is Fit for a field of 64 bits.
func fitWide(e *wasm.Function, t ecs.FieldType, local int, stop wasm.Label) {
	lo, hi, _ := t.Range()
	e.Get(local)
	e.F64(lo)
	e.Op(wasm.F64Ge)
	e.Get(local)
	e.F64(hi)
	e.Op(wasm.F64Le, wasm.I32And)
	e.Get(local)
	e.Get(local)
	e.Op(wasm.F64Trunc, wasm.F64Eq, wasm.I32And, wasm.I32Eqz)
	e.JumpIf(stop)
	e.Get(local)
	e.F64(0) // an integer is never -0
	e.Op(wasm.F64Add)
	e.Set(local)
}

// FitEntity writes code that branches to stop if the number in a local is no handle. A handle is 0, or a whole number of at
// most 53 bits with a generation. The entity may be dead.
func FitEntity(e *wasm.Function, local int, stop wasm.Label) {
	number, handle := e.Local(wasm.F64), e.Local(wasm.I64)
	e.Get(local)
	e.Saturating(wasm.I64TruncSatF64S)
	e.Tee(handle)
	e.Op(wasm.F64ConvertI64S)
	e.Tee(number)
	e.Get(local)
	e.Op(wasm.F64Ne)
	e.JumpIf(stop)
	e.Get(handle)
	e.Op(wasm.I64Eqz, wasm.I32Eqz)
	e.Then(wasm.Void)
	e.Get(handle)
	e.I64(1 << 32)
	e.Op(wasm.I64Sub)
	e.I64(1<<53 - 1<<32)
	e.Op(wasm.I64LtU, wasm.I32Eqz)
	e.JumpIf(stop)
	e.End()
	e.Get(number)
	e.Set(local)
}

// Store writes code that stores the value in a local as a field, at an offset from the address on the stack. The value fits.
func Store(e *wasm.Function, t ecs.FieldType, local int, at uint32) {
	e.Get(local)
	switch t {
	case ecs.F64:
		e.Memory(wasm.F64Store, at)
	case ecs.F32:
		e.Op(wasm.F32DemoteF64)
		e.Memory(wasm.F32Store, at)
	case ecs.EntityField, ecs.I64, ecs.U64:
		e.Saturating(wasm.I64TruncSatF64S)
		e.Memory(wasm.I64Store, at)
	case ecs.Bool:
		e.Memory(wasm.I32Store8, at)
	case ecs.String:
		e.Memory(wasm.I32Store, at)
	case ecs.U32:
		e.Saturating(wasm.I32TruncSatF64U)
		e.Memory(wasm.I32Store, at)
	case ecs.TableField:
		abi.Refuse("it stores a field of type %s", t)
	default:
		e.Saturating(wasm.I32TruncSatF64S)
		switch t.Size() {
		case 4:
			e.Memory(wasm.I32Store, at)
		case 2:
			e.Memory(wasm.I32Store16, at)
		default:
			e.Memory(wasm.I32Store8, at)
		}
	}
}
