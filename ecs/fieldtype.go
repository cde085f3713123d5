package ecs

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// A FieldType is the type of one field of a component, event or resource: one of the constants, or an array of one ([ArrayOf]).
type FieldType uint32 // the constant; for an array also the length, from bit arrayShift on

// The field types. Scripts and config files may use all of them. A Lua number holds the integers of I64 and U64
// exactly only up to 2^53 in either direction: scripts and files cannot write larger ones, and a script that reads
// a larger one, written by Go code, gets an error.
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

// A fieldDescriptor describes one field type.
type fieldDescriptor struct {
	name   string       // the name in scripts, config files and messages
	goType reflect.Type // the type of such a field in a Go struct; it determines size, alignment and kind
	zero   Value        // the value of a fresh row without a default; reads return values of the same kind

	// The range of integers that a number can write, for an integer type. Both are 0 for other types.
	lo, hi float64
}

// maxExact is the largest integer up to which a float64, and so a Lua number, holds every integer exactly.
const maxExact = 1 << 53

// fieldTypes describes each field type. It is the only list of them: storage, config files, scripts and compiled
// loops use it through the methods of FieldType. A new field type begins with an entry here.
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

func (t FieldType) valid() bool {
	if t.Len() > 0 {
		return t.Elem().inArrays()
	}
	return t > 0 && int(t) < len(fieldTypes)
}

func (t FieldType) goType() reflect.Type {
	of := fieldTypes[t.Elem()].goType
	if n := t.Len(); n > 0 {
		return reflect.ArrayOf(n, of)
	}
	return of
}

// FieldTypes lists the names of all field types in the order in which the documentation shows them.
func FieldTypes() []string {
	list := make([]string, 0, len(fieldTypes)-1)
	for _, t := range [...]FieldType{F64, F32, I64, U64, I32, U32, I16, U16, I8, U8, Bool, EntityField, String, TableField} {
		list = append(list, t.String())
	}
	return list
}

// ParseFieldType returns the field type of that name, false if there is none. An array is written as entity[8].
func ParseFieldType(name string) (FieldType, bool) {
	if elem, length, ok := strings.Cut(name, "["); ok {
		t, known := ParseFieldType(strings.TrimSpace(elem))
		digits := strings.TrimSuffix(length, "]")
		n, err := strconv.Atoi(digits)
		if !known || err != nil || digits == length || strings.Trim(digits, "0123456789") != "" || !t.inArrays() || n < 1 || n > MaxArrayItems {
			return 0, false
		}
		return ArrayOf(t, n), true
	}
	for t := F64; int(t) < len(fieldTypes); t++ {
		if fieldTypes[t].name == name {
			return t, true
		}
	}
	return 0, false
}

// String returns the name used in scripts, files and messages.
func (t FieldType) String() string {
	if !t.valid() {
		return fmt.Sprintf("FieldType(%d)", uint32(t))
	}
	if n := t.Len(); n > 0 {
		return fmt.Sprintf("%s[%d]", t.Elem(), n)
	}
	return fieldTypes[t].name
}

// Size returns the size of one value in bytes. Panics if t is not one of the constants.
func (t FieldType) Size() uintptr {
	if !t.valid() {
		panic("ecs: FieldType.Size of a type that there is not")
	}
	return fieldTypes[t.Elem()].goType.Size() * uintptr(max(1, t.Len()))
}

// align returns the alignment that Go gives a field of this type. On 32-bit machines the alignment of an 8-byte
// type may be 4.
func (t FieldType) align() uintptr { return uintptr(fieldTypes[t.Elem()].goType.FieldAlign()) }

// Numeric reports whether values are numbers: true for all types except bool, entity, string and table.
func (t FieldType) Numeric() bool {
	if !t.valid() || t.Len() > 0 {
		return false
	}
	kind := fieldTypes[t].zero.kind
	return kind == NumberValue || kind == IntValue
}

// pointerFree reports whether the garbage collector can ignore values of this type.
func (t FieldType) pointerFree() bool { return t != String && t != TableField }

// HasOrder reports whether [Query.Ordered] takes fields of the type: numbers, booleans and strings.
func (t FieldType) HasOrder() bool { return t.Numeric() || t == Bool || t == String }

// uniform converts a number to the kind that reads of this type return, so that equal defaults compare as equal
// whether they were written as Int(3) or Number(3). Any other value, and a number that does not fit the type, is
// returned unchanged.
func (t FieldType) uniform(v Value) Value {
	t = t.Elem()
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

// exactRange returns the full range of a 64-bit integer type as text, for messages about integers that are not Lua
// numbers.
func (t FieldType) exactRange() string {
	if t == U64 {
		return "0 to 18446744073709551615"
	}
	return "-9223372036854775808 to 9223372036854775807"
}

// Range returns the smallest and the largest integer that a number can write into a field of an integer type; ok
// is false for other types. For I64 and U64 the bounds are those up to which a number is exact, 2^53.
func (t FieldType) Range() (lo, hi float64, ok bool) {
	if !t.valid() || t.Len() > 0 {
		return 0, 0, false
	}
	d := &fieldTypes[t]
	return d.lo, d.hi, d.hi != 0
}
