package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// A Row is the memory of one row of a known schema: a component of an entity, an event, a resource. It is valid until the next
// structural change (for events: until the end of the next frame). Reading and writing a Row stamps nothing; see [Ref] for that.
type Row struct {
	schema *Schema
	ptr    unsafe.Pointer
}

// Schema returns the layout, nil for the zero Row.
func (r Row) Schema() *Schema { return r.schema }

// Valid reports whether there is a row: lookups of something absent give the zero Row.
func (r Row) Valid() bool { return r.schema != nil }

// Get returns the value of field i of the schema.
func (r Row) Get(i int) Value {
	f := &r.schema.fields[i]
	return loadValue(r.field(f.Offset), f.Type)
}

// Set writes field i. A value of the wrong kind, or a number that does not fit, is an error and writes nothing.
func (r Row) Set(i int, v Value) error {
	f := &r.schema.fields[i]
	if err := storeValue(r.field(f.Offset), f.Type, v); err != nil {
		return fmt.Errorf("field %q: %w", f.Name, err)
	}
	return nil
}

// Number returns field i as a number: entities as their handle, booleans as 0 or 1, strings and tables as 0.
func (r Row) Number(i int) float64 {
	f := &r.schema.fields[i]
	return loadNumber(r.field(f.Offset), f.Type)
}

// SetNumber writes a number into the numeric field i; errors are as for Set.
func (r Row) SetNumber(i int, v float64) error {
	f := &r.schema.fields[i]
	if err := storeNumber(r.field(f.Offset), f.Type, v); err != nil {
		return fmt.Errorf("field %q: %w", f.Name, err)
	}
	return nil
}

func loadNumber(p unsafe.Pointer, t FieldType) float64 {
	switch t {
	case F64:
		return *(*float64)(p)
	case F32:
		return float64(*(*float32)(p))
	case I32:
		return float64(*(*int32)(p))
	case U32:
		return float64(*(*uint32)(p))
	case I16:
		return float64(*(*int16)(p))
	case U16:
		return float64(*(*uint16)(p))
	case I8:
		return float64(*(*int8)(p))
	case U8, Bool:
		return float64(*(*uint8)(p))
	case EntityField, U64:
		return float64(*(*uint64)(p))
	case I64:
		return float64(*(*int64)(p))
	default:
		return 0
	}
}

func storeNumber(p unsafe.Pointer, t FieldType, v float64) error {
	switch t {
	case F64:
		*(*float64)(p) = v
		return nil
	case F32:
		*(*float32)(p) = float32(v) // rounds to nearest; beyond the range: infinity
		return nil
	case Bool, EntityField, String, TableField:
		return fmt.Errorf("%s expected, got number", kindOf(t))
	}
	if err := checkNumber(t, v); err != nil {
		return err
	}
	switch t {
	case I32:
		*(*int32)(p) = int32(v)
	case U32:
		*(*uint32)(p) = uint32(v)
	case I16:
		*(*int16)(p) = int16(v)
	case U16:
		*(*uint16)(p) = uint16(v)
	case I8:
		*(*int8)(p) = int8(v)
	case U8:
		*(*uint8)(p) = uint8(v)
	case I64:
		*(*int64)(p) = int64(v)
	case U64:
		*(*uint64)(p) = uint64(v)
	default:
		panic("ecs: store into " + t.String())
	}
	return nil
}

// kindOf names what a field of type t takes, in messages.
func kindOf(t FieldType) string { return zeroValue(t).kind.String() }

func loadValue(p unsafe.Pointer, t FieldType) Value {
	switch t {
	case Bool:
		return Boolean(*(*bool)(p))
	case EntityField:
		return EntityOf(*(*Entity)(p))
	case String:
		return Text(*(*string)(p))
	case TableField:
		return TableOf(*(**Data)(p))
	case I64:
		return Int(*(*int64)(p))
	case U64:
		return Uint(*(*uint64)(p))
	default:
		return Number(loadNumber(p, t))
	}
}

// storeValue checks v against the type and writes it. No coercion: a string is not a number; nil into an entity field writes None.
func storeValue(p unsafe.Pointer, t FieldType, v Value) error {
	switch {
	case t == EntityField && v.kind == NilValue:
		*(*Entity)(p) = None
	case t == EntityField && v.kind == EntityValue:
		*(*Entity)(p) = v.Entity()
	case t == Bool && v.kind == BoolValue:
		*(*bool)(p) = v.bits != 0
	case t == String && v.kind == StringValue:
		*(*string)(p) = v.str
	case t == TableField && v.kind == TableValue:
		*(**Data)(p) = v.data
	case t == I64 && v.kind == IntValue, t == U64 && v.kind == UintValue, t == U64 && v.kind == IntValue && int64(v.bits) >= 0:
		*(*uint64)(p) = v.bits
	case (t == I64 || t == U64) && (v.kind == IntValue || v.kind == UintValue):
		return fmt.Errorf("%s does not fit %s (%s)", v, t, t.exactRange())
	case t.Numeric() && (v.kind == NumberValue || v.kind == IntValue || v.kind == UintValue):
		return storeNumber(p, t, v.Float())
	default:
		return fmt.Errorf("%s expected, got %s", kindOf(t), v.kind)
	}
	return nil
}

// canonicalBits returns the bits of a number field for digests and comparisons: every NaN is the same NaN.
func canonicalBits(v float64) uint64 {
	if v != v {
		return 0x7ff8000000000001
	}
	return math.Float64bits(v)
}

// field returns the address of the field at an offset.
func (r Row) field(offset uintptr) unsafe.Pointer { return unsafe.Add(r.ptr, offset) }
