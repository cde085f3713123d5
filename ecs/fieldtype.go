package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// A FieldType is the type of one field of a component, event or resource.
type FieldType uint8

// The field types. Scripts and config files may use all of them. A number of Lua holds the integers of I64 and U64 up to 2^53 either way: what scripts and files write is
// no larger, and a script that reads a larger one, which Go code has written, gets an error.
const (
	F64         FieldType = iota + 1 // float64
	F32                              // float32
	I32                              // int32
	U32                              // uint32
	I16                              // int16
	U16                              // uint16
	I8                               // int8
	U8                               // uint8
	Bool                             // bool, one byte
	EntityField                      // Entity
	String                           // string
	TableField                       // *Data: plain data, a tree of numbers, strings and booleans
	I64                              // int64, and int of Go types
	U64                              // uint64, and uint of Go types
)

var fieldTypeNames = [...]string{
	F64: "f64", F32: "f32", I32: "i32", U32: "u32", I16: "i16", U16: "u16", I8: "i8", U8: "u8",
	Bool: "bool", EntityField: "entity", String: "string", TableField: "table", I64: "i64", U64: "u64",
}

// FieldTypes lists the names of all types, in the order of the documents.
func FieldTypes() []string {
	list := make([]string, 0, len(fieldTypeNames)-1)
	for _, t := range [...]FieldType{F64, F32, I64, U64, I32, U32, I16, U16, I8, U8, Bool, EntityField, String, TableField} {
		list = append(list, t.String())
	}
	return list
}

// ParseFieldType returns the type of that name, false when there is none.
func ParseFieldType(name string) (FieldType, bool) {
	for t := F64; int(t) < len(fieldTypeNames); t++ {
		if fieldTypeNames[t] == name {
			return t, true
		}
	}
	return 0, false
}

// String returns the name used in scripts, files and messages.
func (t FieldType) String() string {
	if t == 0 || int(t) >= len(fieldTypeNames) {
		return fmt.Sprintf("FieldType(%d)", uint8(t))
	}
	return fieldTypeNames[t]
}

// Size returns the bytes of one value.
func (t FieldType) Size() uintptr {
	switch t {
	case U8, I8, Bool:
		return 1
	case U16, I16:
		return 2
	case F32, I32, U32:
		return 4
	case F64, I64, U64, EntityField:
		return 8
	case String:
		return unsafe.Sizeof("")
	case TableField:
		return unsafe.Sizeof((*Data)(nil))
	default:
		panic("ecs: size of " + t.String())
	}
}

// align returns the alignment Go gives a field of this type: with 32 bits that of 8 bytes may be 4.
func (t FieldType) align() uintptr {
	switch {
	case t == String || t == TableField:
		return unsafe.Alignof("")
	case t.Size() == 8:
		return unsafe.Alignof(struct{ v uint64 }{}.v)
	default:
		return t.Size()
	}
}

// Numeric reports whether values are numbers: everything but bool, entity, string and table.
func (t FieldType) Numeric() bool {
	return t <= U8 || t == I64 || t == U64
}

// pointerFree reports whether the collector can ignore values of this type.
func (t FieldType) pointerFree() bool { return t != String && t != TableField }

// exactRange returns the bounds of a 64-bit type for integers that are not numbers of Lua, as messages show them.
func (t FieldType) exactRange() string {
	if t == U64 {
		return "0 to 18446744073709551615"
	}
	return "-9223372036854775808 to 9223372036854775807"
}

// maxExact is the largest integer up to which a float64, which is what a number of Lua is, holds every integer.
const maxExact = 1 << 53

// Range returns the least and the greatest integer that a number can write into a field of an integer type; ok is false for the other types. For
// I64 and U64 these are the integers that a number holds exactly, up to 2^53 either way.
func (t FieldType) Range() (lo, hi float64, ok bool) {
	switch t {
	case I32:
		return math.MinInt32, math.MaxInt32, true
	case U32:
		return 0, math.MaxUint32, true
	case I16:
		return math.MinInt16, math.MaxInt16, true
	case U16:
		return 0, math.MaxUint16, true
	case I8:
		return math.MinInt8, math.MaxInt8, true
	case U8:
		return 0, math.MaxUint8, true
	case I64:
		return -maxExact, maxExact, true
	case U64:
		return 0, maxExact, true
	default:
		return 0, 0, false
	}
}
