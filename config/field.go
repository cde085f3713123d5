package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

var fieldTypes = []string{"f64", "f32", "i64", "u64", "i32", "u32", "i16", "u16", "i8", "u8", "bool", "entity", "string", "table"}

// FieldTypes returns the names of all types a field or resource can have.
func FieldTypes() []string { return slices.Clone(fieldTypes) }

// ParseField reads the short form of a field, "x f64" or "current f64 = 100".
// The error is a *Problem without a position.
func ParseField(text string) (Field, error) {
	d := &decoder{}
	f := d.fieldText(text, Pos{}, "")
	if len(d.problems) > 0 {
		return Field{}, d.problems[0]
	}
	if hint := identifierHint(f.Name); hint != "" {
		return Field{}, &Problem{Message: fmt.Sprintf("%q is not a name for a field", f.Name), Hint: hint}
	}
	return f, nil
}

const fieldHint = `write NAME TYPE or NAME TYPE = DEFAULT, as in "x f64 = 1"`

// fieldText reads NAME TYPE [= DEFAULT].
func (d *decoder) fieldText(text string, pos Pos, path string) Field {
	left, def, hasDefault := strings.Cut(text, "=")
	words := strings.Fields(left)
	switch {
	case len(words) == 1:
		d.add(pos, path, fmt.Sprintf("field %q has no type", words[0]), fieldHint)
		return Field{Name: words[0], Pos: pos}
	case len(words) != 2:
		d.add(pos, path, fmt.Sprintf("%q is not a field", text), fieldHint)
		return Field{Pos: pos}
	}
	if slices.Contains(fieldTypes, words[0]) && !slices.Contains(fieldTypes, words[1]) {
		d.add(pos, path, fmt.Sprintf("%q has its type before its name", strings.TrimSpace(left)), fmt.Sprintf("write %s %s", words[1], words[0]))
		return Field{Name: words[1], Type: words[0], Pos: pos}
	}
	f := Field{Name: words[0], Type: words[1], Pos: pos}
	if !d.fieldType(f.Type, pos, path) {
		return f
	}
	if hasDefault {
		def = strings.TrimSpace(def)
		f.Default = d.defaultValue(f.Type, &node{kind: kindPlain, text: def, pos: pos}, path)
	}
	return f
}

func (d *decoder) fieldType(t string, pos Pos, path string) bool {
	if slices.Contains(fieldTypes, t) {
		return true
	}
	hint := d.meant(t, "types", fieldTypes)
	if other, ok := foreignTypes[strings.ToLower(t)]; ok {
		hint = fmt.Sprintf("did you mean %q?", other)
	}
	d.add(pos, path, fmt.Sprintf("unknown type %q", t), hint)
	return false
}

// foreignTypes are what people type who come from other languages; edit distance
// would not find them.
var foreignTypes = map[string]string{
	"float": "f64", "float64": "f64", "double": "f64", "number": "f64", "float32": "f32",
	"int": "i32", "int32": "i32", "integer": "i32", "uint": "u32", "uint32": "u32", "int16": "i16", "uint16": "u16",
	"int8": "i8", "uint8": "u8", "byte": "u8", "boolean": "bool", "str": "string", "text": "string",
	"id": "entity", "handle": "entity", "map": "table", "list": "table", "object": "table",
	"int64": "i64", "long": "i64", "uint64": "u64",
}

// integerRange holds the bounds of the integer field types: of i64 and u64 those of a number in Lua.
var integerRange = map[string][2]int64{
	"i64": {-1 << 53, 1 << 53}, "u64": {0, 1 << 53},
	"i32": {math.MinInt32, math.MaxInt32}, "u32": {0, math.MaxUint32},
	"i16": {math.MinInt16, math.MaxInt16}, "u16": {0, math.MaxUint16},
	"i8": {math.MinInt8, math.MaxInt8}, "u8": {0, math.MaxUint8},
}

// defaultValue turns a node into the Go value of a field type, or reports why it
// is none and returns nil.
func (d *decoder) defaultValue(t string, n *node, path string) any {
	fail := func(want, hint string) any {
		if want != t {
			want += " expected for " + t
		} else {
			want += " expected"
		}
		d.add(n.pos, path, want+", got "+n.describe(), hint)
		return nil
	}
	switch t {
	case "entity":
		d.add(n.pos, path, "an entity has no default but none", "leave the default out")
		return nil
	case "table":
		d.add(n.pos, path, "a table has no default but the empty one", "leave the default out")
		return nil
	case "bool":
		if b, ok := n.boolean(); ok {
			return b
		}
		return fail("true or false", boolHint(n))
	case "string":
		s, err := n.fieldString()
		if err != nil {
			return fail("string", `put it in quotes, as in "none"`)
		}
		return s
	}
	num, ok := n.number()
	if !ok {
		return fail("number", "write a number, as in 1 or 0.5")
	}
	return d.numericDefault(t, num, n, path)
}

func (d *decoder) numericDefault(t string, num number, n *node, path string) any {
	switch t {
	case "f64":
		if num.overflow {
			d.add(n.pos, path, n.text+" does not fit f64", "the largest number is about 1.8e308")
			return nil
		}
		return num.float
	case "f32":
		// Stored values may overflow to infinity; a default that does is a slip.
		f := float32(num.float)
		if math.IsInf(float64(f), 0) && (num.overflow || !math.IsInf(num.float, 0)) {
			d.add(n.pos, path, n.text+" does not fit f32", "the largest f32 is about 3.4e38; use f64")
			return nil
		}
		return f
	}
	lo, hi := integerRange[t][0], integerRange[t][1]
	i, ok := num.integer()
	switch {
	case num.float != math.Trunc(num.float) || math.IsInf(num.float, 0):
		d.add(n.pos, path, fmt.Sprintf("%s is not a whole number, which %s holds", n.text, t), "use f64 or drop the fraction")
		return nil
	case !ok || i < lo || i > hi:
		d.add(n.pos, path, fmt.Sprintf("%s does not fit %s", n.text, t), fitHint(num, lo, hi))
		return nil
	}
	switch t {
	case "i64":
		return i
	case "u64":
		return uint64(i)
	case "i32":
		return int32(i)
	case "u32":
		return uint32(i)
	case "i16":
		return int16(i)
	case "u16":
		return uint16(i)
	case "i8":
		return int8(i)
	default:
		return uint8(i)
	}
}

// fitHint names the smallest type that would hold the number, beside the range.
func fitHint(num number, lo, hi int64) string {
	hint := fmt.Sprintf("it holds %d to %d", lo, hi)
	i, ok := num.integer()
	for _, t := range []string{"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"} {
		if r := integerRange[t]; ok && i >= r[0] && i <= r[1] {
			return hint + ", use " + t
		}
	}
	return hint + ", use f64"
}

// fieldString is the string default: a quoted or bare word of the short form, or
// a string node.
func (n *node) fieldString() (string, error) {
	if n.kind == kindText {
		return n.text, nil
	}
	if n.kind != kindPlain {
		return "", errors.New("not a string")
	}
	switch {
	case n.override || n.text == "":
		return n.text, nil
	case n.text[0] == '"':
		return strconv.Unquote(n.text)
	case n.text[0] == '\'':
		inner := strings.TrimPrefix(n.text, "'")
		inner, closed := strings.CutSuffix(inner, "'")
		if !closed || strings.Contains(inner, "'") {
			return "", errors.New("quote is not closed")
		}
		return inner, nil
	}
	return n.text, nil
}
