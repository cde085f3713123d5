package inputs

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// This file converts JSON to values of fields. It never converts between kinds: "1" is no number, and 1 is no boolean.

// valueFor returns the value of a node for a field of this type. Whether a number fits the type is checked by package ecs.
func valueFor(t ecs.FieldType, n *node) (ecs.Value, error) {
	switch {
	case t.Len() > 0:
		return list(t, n)
	case t.Numeric() && n.kind == numberNode:
		return number(t, n.text)
	case t.Numeric() && n.kind == stringNode && (t == ecs.F64 || t == ecs.F32):
		if v, ok := unusual[n.text]; ok {
			return ecs.Number(v), nil
		}
		return ecs.Value{}, fmt.Errorf(`a number expected, got the string %s; only "nan", "inf" and "-inf" are written as strings`, quoted(n.text))
	case (t == ecs.I64 || t == ecs.U64) && n.kind == stringNode && digits(n.text): // of a program whose numbers end at 2^53
		return number(t, n.text)
	case t.Numeric():
		return ecs.Value{}, fmt.Errorf("a number expected, got %s", n.kind)
	case t == ecs.Bool:
		if n.kind != boolNode {
			return ecs.Value{}, fmt.Errorf("true or false expected, got %s", n.kind)
		}
		return ecs.Boolean(n.text != ""), nil
	case t == ecs.String:
		if n.kind != stringNode {
			return ecs.Value{}, fmt.Errorf("a string expected, got %s", n.kind)
		}
		return ecs.Text(strings.Clone(n.text)), nil
	case t == ecs.EntityField:
		switch n.kind {
		case nullNode:
			return ecs.EntityOf(ecs.None), nil
		case stringNode:
			if e, ok := parseEntity(n.text); ok {
				return ecs.EntityOf(e), nil
			}
			return ecs.Value{}, fmt.Errorf(`an entity expected, got %s; entities are written as "17v2", and none as null`, quoted(n.text))
		default:
			return ecs.Value{}, fmt.Errorf(`an entity expected, got %s; entities are written as "17v2", and none as null`, n.kind)
		}
	case t == ecs.TableField:
		if n.kind != listNode && n.kind != objectNode {
			return ecs.Value{}, fmt.Errorf("a list or an object expected, got %s", n.kind)
		}
		return plain(n)
	default:
		return ecs.Value{}, fmt.Errorf("a field of type %s cannot be set by an input", t)
	}
}

// list converts a list to the value of an array. Its length is checked by package ecs.
func list(t ecs.FieldType, n *node) (ecs.Value, error) {
	if n.kind != listNode {
		return ecs.Value{}, fmt.Errorf("a list expected, got %s", n.kind)
	}
	entries := make([]ecs.DataEntry, len(n.list))
	for i := range n.list {
		v, err := valueFor(t.Elem(), &n.list[i])
		if err != nil {
			return v, fmt.Errorf("[%d]: %w", i+1, err)
		}
		entries[i] = ecs.DataEntry{Key: ecs.Number(float64(i + 1)), Value: v}
	}
	d, err := ecs.NewData(entries)
	return ecs.TableOf(d), err
}

// unusual are the numbers that JSON does not have.
var unusual = map[string]float64{"nan": math.NaN(), "inf": math.Inf(1), "-inf": math.Inf(-1)}

// number converts the text of a number. Integers that a field of 64 bits can hold stay exact.
func number(t ecs.FieldType, text string) (ecs.Value, error) {
	if t == ecs.I64 || t == ecs.U64 {
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			return ecs.Int(v), nil
		}
		if v, err := strconv.ParseUint(text, 10, 64); err == nil {
			return ecs.Uint(v), nil
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return ecs.Value{}, fmt.Errorf("%s is beyond the numbers of 64 bits", shorten(text))
	}
	return ecs.Number(v), nil
}

// digits reports whether a text is a whole number.
func digits(text string) bool {
	text = strings.TrimPrefix(text, "-")
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// parseEntity converts "17v2". Only the form that is printed is taken, so that one entity has one text.
func parseEntity(text string) (ecs.Entity, bool) {
	index, generation, ok := strings.Cut(text, "v")
	i, err1 := strconv.ParseUint(index, 10, 32)
	g, err2 := strconv.ParseUint(generation, 10, 32)
	if !ok || err1 != nil || err2 != nil || g < 1 || g > ecs.MaxGeneration {
		return ecs.None, false
	}
	e := ecs.Entity(g<<32 | i)
	return e, e.String() == text
}

var errNull = errors.New("null has no place in a table; leave it out")

// plain converts a value in a table.
func plain(n *node) (ecs.Value, error) {
	switch n.kind {
	case boolNode:
		return ecs.Boolean(n.text != ""), nil
	case numberNode:
		return number(ecs.F64, n.text)
	case stringNode:
		return ecs.Text(strings.Clone(n.text)), nil
	case listNode, objectNode:
		if pairs := n.field("$pairs"); pairs != nil {
			return pairsOf(n, pairs)
		}
		entries := make([]ecs.DataEntry, len(n.list))
		for i := range n.list {
			v, err := plain(&n.list[i])
			if err != nil {
				return v, err
			}
			entries[i].Value = v
			if n.kind == listNode {
				entries[i].Key = ecs.Number(float64(i + 1))
			} else {
				entries[i].Key = ecs.Text(strings.Clone(n.keys[i]))
			}
		}
		d, err := ecs.NewData(entries)
		return ecs.TableOf(d), err
	default:
		return ecs.Value{}, errNull
	}
}

// pairsOf converts an object {"$pairs": [[key, value], …]}, as which a table is written whose keys are not those of a list or
// an object.
func pairsOf(n, pairs *node) (ecs.Value, error) {
	if len(n.keys) > 1 || pairs.kind != listNode {
		return ecs.Value{}, errors.New(`"$pairs" stands alone in its object and has a list of pairs: {"$pairs": [[1, "a"], ["x", "b"]]}`)
	}
	entries := make([]ecs.DataEntry, len(pairs.list))
	for i := range pairs.list {
		pair := &pairs.list[i]
		if pair.kind != listNode || len(pair.list) != 2 {
			return ecs.Value{}, fmt.Errorf(`item %d of "$pairs" is no pair; write [key, value]`, i+1)
		}
		for k, to := range []*ecs.Value{&entries[i].Key, &entries[i].Value} {
			v, err := plain(&pair.list[k])
			if err != nil {
				return v, err
			}
			*to = v
		}
	}
	d, err := ecs.NewData(entries)
	if err == nil && d.Len() < len(entries) {
		err = errors.New(`a key is there twice in "$pairs"`)
	}
	return ecs.TableOf(d), err
}

// quoted returns a text of an input for a message: in quotes, without control characters, and not too long.
func quoted(text string) string { return strconv.QuoteToGraphic(shorten(text)) }

// shorten cuts a long text.
func shorten(text string) string {
	const most = 60
	for i := range text {
		if i >= most {
			return text[:i] + "…"
		}
	}
	return text
}
