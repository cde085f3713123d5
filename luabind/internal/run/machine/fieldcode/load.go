package fieldcode

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Reading fields: the code that loads a field of each type, and the sizes that code sees.

// ValueType returns the type of a local that holds the value of a field: 32 bits for a boolean and for the number
// of a string, otherwise float64.
func ValueType(t ecs.FieldType) byte {
	if t == ecs.Bool || t == ecs.String {
		return wasm.I32
	}
	return wasm.F64
}

// Load writes code that replaces the address on the stack by the value of the field at an offset from it.
func Load(e *wasm.Function, t ecs.FieldType, at uint32) {
	switch t {
	case ecs.F64:
		e.Memory(wasm.F64Load, at)
	case ecs.F32:
		e.Memory(wasm.F32Load, at)
		e.Op(wasm.F64PromoteF32)
	case ecs.EntityField:
		e.Memory(wasm.I64Load, at)
		e.Op(wasm.F64ConvertI64S)
	case ecs.I32:
		e.Memory(wasm.I32Load, at)
		e.Op(wasm.F64ConvertI32S)
	case ecs.U32:
		e.Memory(wasm.I32Load, at)
		e.Op(wasm.F64ConvertI32U)
	case ecs.I16:
		e.Memory(wasm.I32Load16S, at)
		e.Op(wasm.F64ConvertI32S)
	case ecs.U16:
		e.Memory(wasm.I32Load16U, at)
		e.Op(wasm.F64ConvertI32S)
	case ecs.I8:
		e.Memory(wasm.I32Load8S, at)
		e.Op(wasm.F64ConvertI32S)
	case ecs.U8:
		e.Memory(wasm.I32Load8U, at)
		e.Op(wasm.F64ConvertI32S)
	case ecs.Bool:
		e.Memory(wasm.I32Load8U, at)
	case ecs.String: // the host has put the number of the string there
		e.Memory(wasm.I32Load, at)
	default:
		abi.Refuse("it uses a field of type %s", t)
	}
}

// Wide reports whether a number may not be able to hold what a field has: those of 64 bits.
func Wide(t ecs.FieldType) bool { return t == ecs.I64 || t == ecs.U64 }

// mostExact is the largest integer up to which a number holds all.
const mostExact = 1 << 53

// LoadWide is Load for a field of 64 bits. It writes code that branches to stop if a number cannot hold what the field has.
func LoadWide(e *wasm.Function, t ecs.FieldType, at uint32, stop wasm.Label) {
	value := e.Local(wasm.I64)
	e.Memory(wasm.I64Load, at)
	e.Tee(value)
	if t == ecs.I64 {
		e.I64(mostExact)
		e.Op(wasm.I64Add)
		e.I64(2*mostExact + 1)
	} else {
		e.I64(mostExact + 1)
	}
	e.Op(wasm.I64LtU, wasm.I32Eqz)
	e.JumpIf(stop)
	e.Get(value)
	e.Op(wasm.F64ConvertI64S)
}

// Size returns the bytes that code reads and stores of a field: of a string, those of its number.
func Size(t ecs.FieldType) uintptr {
	if t == ecs.String {
		return 4
	}
	return t.Size()
}

// Raw returns the instructions that load and store the bits of a value of 1, 2, 4 or 8 bytes, and the type of a local for
// them.
func Raw(size uintptr) (load, store, typ byte) {
	switch size {
	case 1:
		return wasm.I32Load8U, wasm.I32Store8, wasm.I32
	case 2:
		return wasm.I32Load16U, wasm.I32Store16, wasm.I32
	case 4:
		return wasm.I32Load, wasm.I32Store, wasm.I32
	}
	return wasm.I64Load, wasm.I64Store, wasm.I64
}
