package ecs

import (
	"fmt"
	"math"
	"reflect"
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

// A fieldDescriptor is what is known of a field type.
type fieldDescriptor struct {
	name   string       // in scripts, files and messages
	goType reflect.Type // what a field of it is in a Go struct: its size, alignment and kind
	zero   Value        // of a fresh row without a default; its kind is that of all values that are read

	// The least and the greatest integer that a number can write, of an integer type. Both are 0 for the others.
	lo, hi float64
}

// maxExact is the largest integer up to which a float64, which is what a number of Lua is, holds every integer.
const maxExact = 1 << 53

// fieldTypes describes each field type. It is the only list of them: storage, config files, scripts and compiled loops ask it through the methods of FieldType.
var fieldTypes = [...]fieldDescriptor{
	F64:         {name: "f64", goType: reflect.TypeFor[float64](), zero: Number(0)},
	F32:         {name: "f32", goType: reflect.TypeFor[float32](), zero: Number(0)},
	I32:         {name: "i32", goType: reflect.TypeFor[int32](), zero: Number(0), lo: math.MinInt32, hi: math.MaxInt32},
	U32:         {name: "u32", goType: reflect.TypeFor[uint32](), zero: Number(0), hi: math.MaxUint32},
	I16:         {name: "i16", goType: reflect.TypeFor[int16](), zero: Number(0), lo: math.MinInt16, hi: math.MaxInt16},
	U16:         {name: "u16", goType: reflect.TypeFor[uint16](), zero: Number(0), hi: math.MaxUint16},
	I8:          {name: "i8", goType: reflect.TypeFor[int8](), zero: Number(0), lo: math.MinInt8, hi: math.MaxInt8},
	U8:          {name: "u8", goType: reflect.TypeFor[uint8](), zero: Number(0), hi: math.MaxUint8},
	Bool:        {name: "bool", goType: reflect.TypeFor[bool](), zero: Boolean(false)},
	EntityField: {name: "entity", goType: reflect.TypeFor[Entity](), zero: EntityOf(None)},
	String:      {name: "string", goType: reflect.TypeFor[string](), zero: Text("")},
	TableField:  {name: "table", goType: reflect.TypeFor[*Data](), zero: TableOf(nil)},
	I64:         {name: "i64", goType: reflect.TypeFor[int64](), zero: Int(0), lo: -maxExact, hi: maxExact},
	U64:         {name: "u64", goType: reflect.TypeFor[uint64](), zero: Int(0), hi: maxExact},
}

// valid reports whether there is such a type.
func (t FieldType) valid() bool { return t > 0 && int(t) < len(fieldTypes) }

// FieldTypes lists the names of all types, in the order of the documents.
func FieldTypes() []string {
	list := make([]string, 0, len(fieldTypes)-1)
	for _, t := range [...]FieldType{F64, F32, I64, U64, I32, U32, I16, U16, I8, U8, Bool, EntityField, String, TableField} {
		list = append(list, t.String())
	}
	return list
}

// ParseFieldType returns the type of that name, false when there is none.
func ParseFieldType(name string) (FieldType, bool) {
	for t := F64; t.valid(); t++ {
		if fieldTypes[t].name == name {
			return t, true
		}
	}
	return 0, false
}

// String returns the name used in scripts, files and messages.
func (t FieldType) String() string {
	if !t.valid() {
		return fmt.Sprintf("FieldType(%d)", uint8(t))
	}
	return fieldTypes[t].name
}

// Size returns the bytes of one value.
func (t FieldType) Size() uintptr { return fieldTypes[t].goType.Size() }

// align returns the alignment Go gives a field of this type: with 32 bits that of 8 bytes may be 4.
func (t FieldType) align() uintptr { return uintptr(fieldTypes[t].goType.FieldAlign()) }

// Numeric reports whether values are numbers: everything but bool, entity, string and table.
func (t FieldType) Numeric() bool {
	if !t.valid() {
		return false
	}
	kind := fieldTypes[t].zero.kind
	return kind == NumberValue || kind == IntValue
}

// pointerFree reports whether the collector can ignore values of this type.
func (t FieldType) pointerFree() bool { return t != String && t != TableField }

// uniform returns a number with the kind that a field of this type has when it is read, so that equal defaults are equal however they were written: Int(3) and
// Number(3). Any other value, and a number that the type does not hold, comes back as it is.
func (t FieldType) uniform(v Value) Value {
	switch {
	case fieldTypes[t].zero.kind == NumberValue && (v.kind == IntValue || v.kind == UintValue):
		return Number(v.Float())
	case fieldTypes[t].zero.kind == IntValue && v.kind == NumberValue:
		if f := v.Float(); f == math.Trunc(f) && fieldTypes[t].lo <= f && f <= fieldTypes[t].hi {
			return Int(int64(f))
		}
	}
	return v
}

// exactRange returns the bounds of a 64-bit type for integers that are not numbers of Lua, as messages show them.
func (t FieldType) exactRange() string {
	if t == U64 {
		return "0 to 18446744073709551615"
	}
	return "-9223372036854775808 to 9223372036854775807"
}

// Range returns the least and the greatest integer that a number can write into a field of an integer type; ok is false for the other types. For
// I64 and U64 these are the integers that a number holds exactly, up to 2^53 either way.
func (t FieldType) Range() (lo, hi float64, ok bool) {
	if !t.valid() {
		return 0, 0, false
	}
	d := &fieldTypes[t]
	return d.lo, d.hi, d.hi != 0
}
