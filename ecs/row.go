package ecs

import (
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// This file reads and writes single fields of rows: the only place where bytes of a row become values, and values
// become bytes. All checks of types and ranges on writing are in storeValue and storeNumber; compiled loops
// reproduce them.

// A Row is the memory of one row of a known schema: a component of an entity, an event, or a resource. A
// component's Row is valid until the next structural change, that of an event as long as [Events] or [Drained]
// says, that of a resource as long as the world. Reading and writing a Row stamps nothing; a [Ref] does. The zero
// Row is no row.
//
// The methods are too fast to look for the zero Row, and end in a nil dereference.
type Row struct {
	schema *Schema
	ptr    unsafe.Pointer
	pages  *rowPages // of a large resource: told before its bytes are written; nil otherwise
}

// Schema returns the layout of the row, nil for the zero Row.
func (r Row) Schema() *Schema { return r.schema }

// Valid reports whether there is a row. A look-up that finds nothing returns the zero Row.
func (r Row) Valid() bool { return r.schema != nil }

// Get returns the value of field i of the schema.
func (r Row) Get(i int) Value {
	return r.schema.fields[i].load(r.ptr)
}

// Set writes field i. If the value has the wrong kind, or a number does not fit, it returns an error and writes
// nothing.
func (r Row) Set(i int, v Value) error {
	f := &r.schema.fields[i]
	if r.pages != nil {
		r.pages.before(f.Offset, f.Type.Size())
	}
	if err := f.store(r.ptr, v); err != nil {
		return fmt.Errorf("field %q: %w", f.Name, err)
	}
	return nil
}

// Number returns field i as a number: an entity as its handle, a boolean as 0 or 1, a string, table or array as 0.
func (r Row) Number(i int) float64 {
	f := &r.schema.fields[i]
	return loadNumber(r.field(f.Offset), f.Type)
}

// SetNumber writes a number into the numeric field i. Its errors are those of [Row.Set].
func (r Row) SetNumber(i int, v float64) error {
	f := &r.schema.fields[i]
	if r.pages != nil {
		r.pages.before(f.Offset, f.Type.Size())
	}
	if err := storeNumber(r.field(f.Offset), f.Type, v); err != nil {
		return fmt.Errorf("field %q: %w", f.Name, err)
	}
	return nil
}

// loadNumber reads a field as a number. It returns 0 for strings and tables.
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

// storeNumber writes a number into a numeric field. Into an integer field only a whole number within the range of
// the type is written; a value beyond the range of an f32 becomes infinite. Other numbers and other types are
// errors, and nothing is written.
func storeNumber(p unsafe.Pointer, t FieldType, v float64) error {
	switch t {
	case F64:
		*(*float64)(p) = v
		return nil
	case F32:
		*(*float32)(p) = float32(v) // rounds to the nearest value; beyond the range to infinity
		return nil
	case Bool, EntityField, String, TableField:
		return fmt.Errorf("%s expected, got number", kindOf(t))
	}
	if t.Len() > 0 {
		return errors.New("list expected, got number")
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

// kindOf returns the kind of values that a field of type t takes, for messages.
func kindOf(t FieldType) string { return zeroValue(t).kind.String() }

// loadValue reads a field. Integers of 64 bits keep their exact value; other numbers are float64.
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

// storeValue checks that v fits the type and writes it; otherwise it returns an error and writes nothing. It never
// converts between kinds: a string is not a number. The only exception is nil, which an entity field stores as
// None.
func storeValue(p unsafe.Pointer, t FieldType, v Value) error {
	switch {
	case t == EntityField && v.kind == NilValue:
		*(*Entity)(p) = None
	case t == EntityField && v.kind == EntityValue:
		*(*Entity)(p) = v.Entity()
	case t == Bool && v.kind == BoolValue:
		*(*bool)(p) = v.bits != 0
	case t == String && v.kind == StringValue:
		*(*string)(p) = v.Str()
	case t == TableField && v.kind == TableValue:
		*(**Data)(p) = v.Data()
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

// canonicalBits returns the bits of a number for digests and seeds. All NaNs have the same bits.
func canonicalBits(v float64) uint64 {
	if v != v {
		return 0x7ff8000000000001
	}
	return math.Float64bits(v)
}

// field returns the address of the field that begins offset bytes into the row. It is valid as long as the row.
func (r Row) field(offset uintptr) unsafe.Pointer { return unsafe.Add(r.ptr, offset) }
