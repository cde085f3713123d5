package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// This file reads the fields of components and events and their defaults, in the short form and in the long form.

// The types of fields, with their names and ranges, come from package ecs. This package has no list of its own.

// ParseField parses the short form of a field, "x f64" or "current f64 = 100". The error is a *Problem without a
// position.
func ParseField(text string) (Field, error) {
	d := &decoder{}
	f := d.fieldText(text, Pos{}, "", "field")
	if len(d.problems) > 0 {
		return Field{}, d.problems[0]
	}
	if hint := identifierHint(f.Name); hint != "" {
		return Field{}, &Problem{Message: fmt.Sprintf("%q is not a name for a field", f.Name), Hint: hint}
	}
	return f, nil
}

const fieldHint = `write NAME TYPE or NAME TYPE = DEFAULT, as in "x f64 = 1"`

// fieldText parses NAME TYPE [= DEFAULT]. what is "field" or "resource", for messages.
func (d *decoder) fieldText(text string, pos Pos, path, what string) Field {
	left, def, hasDefault := strings.Cut(text, "=")
	words := strings.Fields(left)
	switch {
	case len(words) == 1:
		d.add(pos, path, fmt.Sprintf("%s %q has no type", what, words[0]), fieldHint)
		return Field{Name: words[0], Pos: pos}
	case len(words) != 2:
		d.add(pos, path, fmt.Sprintf("%q is not a %s", text, what), fieldHint)
		return Field{Pos: pos}
	}
	_, typeFirst := ecs.ParseFieldType(words[0])
	if _, typeSecond := ecs.ParseFieldType(words[1]); typeFirst && !typeSecond {
		d.add(pos, path, fmt.Sprintf("%q has its type before its name", strings.TrimSpace(left)), fmt.Sprintf("write %s %s", words[1], words[0]))
		return Field{Name: words[1], Type: words[0], Pos: pos}
	}
	f := Field{Name: words[0], Type: words[1], Pos: pos}
	t, ok := d.fieldType(f.Type, pos, path)
	if ok && hasDefault {
		def = strings.TrimSpace(def)
		f.Default = d.defaultValue(t, &node{kind: kindPlain, text: def, pos: pos}, path)
	}
	return f
}

// fieldType returns the field type of that name. If there is none, it reports that.
func (d *decoder) fieldType(name string, pos Pos, path string) (ecs.FieldType, bool) {
	t, ok := ecs.ParseFieldType(name)
	if ok {
		return t, true
	}
	if elem, _, isArray := strings.Cut(name, "["); isArray {
		if t, known := ecs.ParseFieldType(elem); known {
			hint := fmt.Sprintf("write a length from 1 to %d (%d in a resource), as in %s[8]", ecs.MaxFieldItems, ecs.MaxArrayItems, elem)
			if !t.Numeric() && t != ecs.Bool && t != ecs.EntityField {
				hint = "arrays hold numbers, bool or entity; use table"
			}
			d.add(pos, path, fmt.Sprintf("unknown type %q", name), hint)
			return 0, false
		}
	}
	hint := d.meant(name, "types", ecs.FieldTypes())
	if other, ok := foreignTypes[strings.ToLower(name)]; ok {
		hint = didYouMean(other.String())
	}
	d.add(pos, path, fmt.Sprintf("unknown type %q", name), hint)
	return 0, false
}

// foreignTypes are type names of other languages. Their edit distance to ours is too large for a suggestion.
var foreignTypes = map[string]ecs.FieldType{
	"float": ecs.F64, "float64": ecs.F64, "double": ecs.F64, "number": ecs.F64, "float32": ecs.F32,
	"int": ecs.I32, "int32": ecs.I32, "integer": ecs.I32, "uint": ecs.U32, "uint32": ecs.U32, "int16": ecs.I16, "uint16": ecs.U16,
	"int8": ecs.I8, "uint8": ecs.U8, "byte": ecs.U8, "boolean": ecs.Bool, "str": ecs.String, "text": ecs.String,
	"id": ecs.EntityField, "handle": ecs.EntityField, "map": ecs.TableField, "list": ecs.TableField, "object": ecs.TableField,
	"int64": ecs.I64, "long": ecs.I64, "uint64": ecs.U64,
}

// defaultValue converts a node to the default of a field: a float64, a bool or a string. If it does not fit, it
// reports why and returns nil.
func (d *decoder) defaultValue(t ecs.FieldType, n *node, path string) any {
	t = t.Elem() // each value of an array has it
	fail := func(want, hint string) any {
		if want != t.String() {
			want += " expected for " + t.String()
		} else {
			want += " expected"
		}
		d.add(n.pos, path, want+", got "+n.describe(), hint)
		return nil
	}
	switch t {
	case ecs.EntityField:
		d.add(n.pos, path, "an entity has no default but none", "leave the default out")
		return nil
	case ecs.TableField:
		d.add(n.pos, path, "a table has no default but the empty one", "leave the default out")
		return nil
	case ecs.Bool:
		if b, ok := n.boolean(); ok {
			return b
		}
		return fail("true or false", boolHint(n))
	case ecs.String:
		s, err := n.fieldString()
		if err != nil {
			if strings.HasPrefix(n.text, `"`) || strings.HasPrefix(n.text, "'") {
				return fail("string", `close the quote; where a comma ends it, put the whole field in quotes, as in 'name string = "a, b"'`)
			}
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

// numericDefault converts a number to the default of a field, as it will be stored: rounded to a float32 for f32.
func (d *decoder) numericDefault(t ecs.FieldType, num number, n *node, path string) any {
	switch t {
	case ecs.F64:
		if num.overflow {
			d.add(n.pos, path, n.text+" does not fit f64", "the largest number is about 1.8e308")
			return nil
		}
		return num.float
	case ecs.F32:
		// A stored value may overflow to infinity, but a default that does is a mistake.
		f := float32(num.float)
		if math.IsInf(float64(f), 0) && (num.overflow || !math.IsInf(num.float, 0)) {
			d.add(n.pos, path, n.text+" does not fit f32", "the largest f32 is about 3.4e38; use f64")
			return nil
		}
		return float64(f)
	}
	lo, hi := bounds(t)
	i, ok := num.integer()
	switch {
	case num.float != math.Trunc(num.float) || math.IsInf(num.float, 0):
		d.add(n.pos, path, fmt.Sprintf("%s is not a whole number, which %s holds", n.text, t), "use f64 or drop the fraction")
		return nil
	case !ok || i < lo || i > hi:
		d.add(n.pos, path, fmt.Sprintf("%s does not fit %s", n.text, t), fitHint(num, lo, hi))
		return nil
	}
	return float64(i) // exact: the bounds are at most 2^53 either way
}

// bounds returns the range of an integer type.
func bounds(t ecs.FieldType) (lo, hi int64) {
	least, greatest, ok := t.Range()
	if !ok {
		panic("config: a default of type " + t.String())
	}
	return int64(least), int64(greatest)
}

// fitHint returns a hint with the smallest type that can hold the number, and the range.
func fitHint(num number, lo, hi int64) string {
	hint := fmt.Sprintf("it holds %d to %d", lo, hi)
	i, ok := num.integer()
	for _, name := range slices.Backward(ecs.FieldTypes()) { // the types of a kind are listed by size
		t, _ := ecs.ParseFieldType(name)
		if _, _, integer := t.Range(); !integer || !ok {
			continue
		}
		if lo, hi := bounds(t); i >= lo && i <= hi {
			return hint + ", use " + name
		}
	}
	if num.whole && uint64(math.Abs(num.float)) != num.size { // no type but string holds it
		return hint + ", and f64 would round it; use string"
	}
	return hint + ", use f64"
}

// fieldString returns the default of a string field: a quoted or bare word of the short form, or a string node.
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
