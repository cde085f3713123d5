package ecs

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// This file writes values as JSON, for everything that does: emitted events, exported worlds, the log. Package
// luabind/inputs reads what it writes.

// pairsKey is the key of an object that stands for a table whose keys are not those of a list or an object.
const pairsKey = "$pairs"

// AppendJSON appends the value as JSON to b. of is the type of its field, 0 if there is none: a number of an [F32] has a shorter
// text.
//
// Numbers are written as JavaScript writes them, so whole ones have all their digits below 1e21; "nan", "inf" and "-inf" are strings.
// An entity is "17v2"; [None] and nil are null. Bytes that are no UTF-8 become U+FFFD. A table with the keys 1, 2, … is a list,
// one whose keys are strings an object; the empty table is {}. Any other table, and one whose keys JSON could not tell
// apart, is {"$pairs": [[key, value], …]}.
func (v Value) AppendJSON(b []byte, of FieldType) []byte {
	switch v.kind {
	case NumberValue:
		return appendJSONNumber(b, v.Float(), of == F32)
	case IntValue, UintValue:
		return v.AppendText(b, math.MaxInt)
	case BoolValue:
		return strconv.AppendBool(b, v.Bool())
	case EntityValue:
		if v.Entity() != None {
			return append(append(append(b, '"'), v.Entity().String()...), '"')
		}
	case StringValue:
		return AppendJSONString(b, v.Str())
	case TableValue:
		return v.Data().appendJSON(b)
	}
	return append(b, "null"...)
}

func appendJSONNumber(b []byte, f float64, single bool) []byte {
	switch {
	case f != f:
		return append(b, `"nan"`...)
	case math.IsInf(f, 1):
		return append(b, `"inf"`...)
	case math.IsInf(f, -1):
		return append(b, `"-inf"`...)
	}
	format, size := byte('f'), 64
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	if single {
		size = 32
	}
	return strconv.AppendFloat(b, f, format, -1, size)
}

func (d *Data) appendJSON(b []byte) []byte {
	open, end, pairs := "{", "}", false
	switch {
	case d.Len() == 0:
	case d.Items() == d.Len():
		open, end = "[", "]"
	case !d.isObject():
		open, end, pairs = `{"`+pairsKey+`":[`, "]}", true
	}
	b = append(b, open...)
	for i := range d.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		key, v := d.At(i)
		switch {
		case pairs:
			b = append(key.AppendJSON(append(b, '['), 0), ',')
		case open == "{":
			b = append(AppendJSONString(b, key.Str()), ':')
		}
		b = v.AppendJSON(b, 0)
		if pairs {
			b = append(b, ']')
		}
	}
	return append(b, end...)
}

// isObject reports whether the keys are strings that JSON can tell apart, and none stands for pairs.
func (d *Data) isObject() bool {
	replaced := map[string]bool(nil) // the keys that are written in another way
	for i := range d.Len() {
		key, _ := d.At(i)
		if key.kind != StringValue || key.Str() == pairsKey {
			return false
		}
		if utf8.ValidString(key.Str()) {
			continue
		}
		text := ValidText(key.Str())
		if _, taken := d.find(Text(text)); taken || replaced[text] {
			return false
		}
		if replaced == nil {
			replaced = map[string]bool{}
		}
		replaced[text] = true
	}
	return true
}

// ValidText returns a string in which each byte that is no UTF-8 has become U+FFFD.
func ValidText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// AppendJSONString appends a string in quotes, with each byte that is no UTF-8 as U+FFFD. Control characters are escaped, so that a terminal obeys none.
func AppendJSONString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s { // a byte that is no UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < ' ' || r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
