package ecs

import (
	"fmt"
	"math"
	"strconv"
	"unsafe"
)

// A ValueKind says what a [Value] holds.
type ValueKind uint8

// The kinds of a Value. The zero Value is nil.
const (
	NilValue ValueKind = iota
	NumberValue
	IntValue // an integer that an int64 holds, kept exact
	BoolValue
	EntityValue
	StringValue
	TableValue
	UintValue // an integer beyond the range of an int64, kept exact
)

var valueKindNames = [...]string{"nil", "number", "number", "boolean", "entity", "string", "table", "number"}

// String returns the name messages use.
func (k ValueKind) String() string { return valueKindNames[k] }

// A Value is one value of any field type, for code that learns the types at run time: scripts, configs,
// inspectors. Compare values with [Value.Equal], not with ==. The zero Value is nil.
type Value struct {
	// What bits and p hold depends on the kind. A table field is a tree of values, and reading it costs the memory that
	// it touches, so a Value has three words. For a string the first two are a Go string, see [RawAccess.Text].
	p    unsafe.Pointer // the bytes of a string, or the *Data of a table; nil for other kinds
	bits uint64         // the number, integer (in two's complement for IntValue), boolean or entity; the length of a string
	kind ValueKind
}

// Number returns a number value.
func Number(v float64) Value { return Value{kind: NumberValue, bits: math.Float64bits(v)} }

// Int returns an integer value, exact to 64 bits.
func Int(v int64) Value { return Value{kind: IntValue, bits: uint64(v)} }

// Uint returns an integer value, exact to 64 bits. Its kind is [IntValue] if an int64 can hold it, so that Uint(5)
// equals Int(5), and [UintValue] otherwise.
func Uint(v uint64) Value {
	if v <= math.MaxInt64 {
		return Int(int64(v))
	}
	return Value{kind: UintValue, bits: v}
}

// Boolean returns a boolean value.
func Boolean(v bool) Value {
	if v {
		return Value{kind: BoolValue, bits: 1}
	}
	return Value{kind: BoolValue}
}

// EntityOf returns an entity value.
func EntityOf(e Entity) Value { return Value{kind: EntityValue, bits: uint64(e)} }

// Text returns a string value.
func Text(s string) Value {
	return Value{kind: StringValue, p: unsafe.Pointer(unsafe.StringData(s)), bits: uint64(len(s))}
}

// TableOf returns a plain-data value; nil means the empty table.
func TableOf(d *Data) Value { return Value{kind: TableValue, p: unsafe.Pointer(d)} }

// Kind says what v holds.
func (v Value) Kind() ValueKind { return v.kind }

// Int returns the exact integer that v holds. It returns 0 and false for a number that is not an integer within
// int64, and for any other kind.
func (v Value) Int() (int64, bool) {
	switch v.kind {
	case IntValue:
		return int64(v.bits), true
	case NumberValue:
		if f := v.Float(); f == math.Trunc(f) && f >= -1<<63 && f < 1<<63 {
			return int64(f), true
		}
	}
	return 0, false
}

// Uint returns the exact integer that v holds. It returns 0 and false for a number that is not an integer within
// uint64, and for any other kind.
func (v Value) Uint() (uint64, bool) {
	switch v.kind {
	case UintValue:
		return v.bits, true
	case IntValue:
		if int64(v.bits) >= 0 {
			return v.bits, true
		}
	case NumberValue:
		if f := v.Float(); f == math.Trunc(f) && f >= 0 && f < 1<<64 {
			return uint64(f), true
		}
	}
	return 0, false
}

// Float returns the number that v holds, rounded to the nearest float64 if necessary; for an entity its handle as
// a number; 0 for any other kind.
func (v Value) Float() float64 {
	switch v.kind {
	case NumberValue:
		return math.Float64frombits(v.bits)
	case IntValue:
		return float64(int64(v.bits))
	case EntityValue, UintValue:
		return float64(v.bits)
	default:
		return 0
	}
}

// Exact is [Value.Float], but reports false for an integer beyond 2^53 in either direction, which a Lua number may
// not hold exactly.
func (v Value) Exact() (float64, bool) {
	switch v.kind {
	case IntValue:
		i := int64(v.bits)
		return float64(i), i >= -maxExact && i <= maxExact
	case UintValue:
		return float64(v.bits), v.bits <= maxExact
	default:
		return v.Float(), true
	}
}

// Bool returns the boolean that v holds, false for any other kind.
func (v Value) Bool() bool { return v.kind == BoolValue && v.bits != 0 }

// Entity returns the entity that v holds, [None] for any other kind.
func (v Value) Entity() Entity {
	if v.kind != EntityValue {
		return None
	}
	return Entity(v.bits)
}

// Str returns the string that v holds, "" for any other kind.
func (v Value) Str() string {
	if v.kind != StringValue {
		return ""
	}
	return unsafe.String((*byte)(v.p), v.bits)
}

// Data returns the plain data that v holds, nil for the empty table and for any other kind.
func (v Value) Data() *Data {
	if v.kind != TableValue {
		return nil
	}
	return (*Data)(v.p)
}

// Equal reports whether both hold the same value of the same kind. NaN equals NaN, and 0 equals -0.
func (v Value) Equal(o Value) bool {
	if v.kind != o.kind {
		return false
	}
	switch v.kind {
	case NumberValue:
		a, b := v.Float(), o.Float()
		return a == b || (a != a && b != b)
	case StringValue:
		return v.Str() == o.Str()
	case TableValue:
		return v.Data().Equal(o.Data())
	default:
		return v.bits == o.bits
	}
}

// String returns the value as messages show it: strings quoted, entities as "17v2".
func (v Value) String() string { return string(v.AppendText(nil, math.MaxInt)) }

// AppendText appends [Value.String] to buf. It may stop early, after a part of the text, once buf is longer than
// most bytes, so that long strings and large data cost no more than the part that is wanted.
func (v Value) AppendText(buf []byte, most int) []byte {
	switch v.kind {
	case NumberValue:
		return strconv.AppendFloat(buf, v.Float(), 'g', -1, 64)
	case IntValue:
		return strconv.AppendInt(buf, int64(v.bits), 10)
	case UintValue:
		return strconv.AppendUint(buf, v.bits, 10)
	case BoolValue:
		return strconv.AppendBool(buf, v.bits != 0)
	case EntityValue:
		return append(buf, v.Entity().String()...)
	case StringValue:
		str := v.Str()
		if room := max(0, most-len(buf)); len(str) > room { // with the quotes the text is too long in any case
			str = str[:room]
		}
		return strconv.AppendQuote(buf, str)
	case TableValue:
		return v.Data().appendText(buf, most)
	default:
		return append(buf, "nil"...)
	}
}

// numberText formats v for a message that also shows the bounds of a type: a whole number up to 2^64 with all its
// digits.
func numberText(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) <= 1<<64 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return Number(v).String()
}

// checkNumber returns nil if a number can be stored in a field of type t, and otherwise why not.
func checkNumber(t FieldType, v float64) error {
	lo, hi, integer := t.Range()
	if !integer {
		return nil
	}
	if v != math.Trunc(v) || math.IsInf(v, 0) { // NaN fails the comparison
		return fmt.Errorf("%s is not a whole number, as %s needs", Number(v), t)
	}
	if v < lo || v > hi {
		return fmt.Errorf("%s does not fit %s (%s to %s)", numberText(v), t, strconv.FormatFloat(lo, 'f', -1, 64), strconv.FormatFloat(hi, 'f', -1, 64))
	}
	return nil
}
