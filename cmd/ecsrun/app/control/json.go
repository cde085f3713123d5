package control

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"github.com/ecsrun/ecsrun/ecs"
)

// This file writes values of a world as JSON. Package ecs does it for files; here integers beyond 2^53 are strings, too, because
// the programs that read them may have no other numbers than float64.

// A field is a value of a world and its type, 0 if it has none. It becomes JSON on the goroutine of its reader.
type field struct {
	value ecs.Value
	of    ecs.FieldType
}

// MarshalJSON implements [json.Marshaler].
func (f field) MarshalJSON() ([]byte, error) { return appendValue(nil, f.value, f.of), nil }

const exact = 1 << 53

func appendValue(b []byte, v ecs.Value, of ecs.FieldType) []byte {
	switch v.Kind() {
	case ecs.IntValue:
		if n, _ := v.Int(); n > exact || n < -exact {
			return append(v.AppendText(append(b, '"'), math.MaxInt), '"')
		}
	case ecs.UintValue:
		return append(v.AppendText(append(b, '"'), math.MaxInt), '"')
	case ecs.NumberValue:
		if f := v.Float(); math.Abs(f) > exact && f == math.Trunc(f) && !math.IsInf(f, 0) {
			return append(append(append(b, '"'), digits(f)...), '"')
		}
	case ecs.TableValue:
		return appendTable(b, v)
	}
	return v.AppendJSON(b, of)
}

// appendTable appends a table in the form of [ecs.Value.AppendJSON]. A table that has large numbers anywhere is written again
// with these as strings.
func appendTable(b []byte, v ecs.Value) []byte {
	start := len(b)
	b = v.AppendJSON(b, 0)
	if !hasLarge(v.Data()) {
		return b
	}
	d := json.NewDecoder(bytes.NewReader(b[start:]))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		panic("control: a table that is no JSON: " + err.Error()) // ecs has written it
	}
	text, err := json.Marshal(quoteLarge(tree))
	if err != nil {
		panic("control: " + err.Error()) // it was JSON before
	}
	return append(b[:start], text...)
}

// digits returns a large whole number with all of its digits, or in the form 1e+21.
func digits(f float64) string {
	if math.Abs(f) >= 1e21 {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', 0, 64)
}

// hasLarge reports whether a table, or one in it, has a whole number beyond 2^53.
func hasLarge(d *ecs.Data) bool {
	for i := range d.Len() {
		key, v := d.At(i)
		if large(key) || large(v) || v.Kind() == ecs.TableValue && hasLarge(v.Data()) {
			return true
		}
	}
	return false
}

func large(v ecs.Value) bool {
	switch v.Kind() {
	case ecs.IntValue, ecs.NumberValue:
		f := v.Float()
		return math.Abs(f) > exact && f == math.Trunc(f)
	}
	return v.Kind() == ecs.UintValue
}

// quoteLarge replaces the whole numbers beyond 2^53 in decoded JSON by strings.
func quoteLarge(tree any) any {
	switch tree := tree.(type) {
	case json.Number:
		if f, _ := tree.Float64(); math.Abs(f) > exact && f == math.Trunc(f) {
			return digits(f)
		}
	case []any:
		for i, v := range tree {
			tree[i] = quoteLarge(v)
		}
	case map[string]any:
		for k, v := range tree {
			tree[k] = quoteLarge(v)
		}
	}
	return tree
}

// A record is a row of a schema, copied.
type record struct {
	schema *ecs.Schema
	values []ecs.Value
}

// recordOf copies a row.
func recordOf(row ecs.Row) record {
	r := record{schema: row.Schema()}
	for i := range r.schema.Fields() {
		r.values = append(r.values, row.Get(i))
	}
	return r
}

// MarshalJSON writes the fields in the order of their declaration.
func (r record) MarshalJSON() ([]byte, error) { return r.appendJSON(nil), nil }

func (r record) appendJSON(b []byte) []byte {
	b = append(b, '{')
	for i, f := range r.schema.Fields() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(ecs.AppendJSONString(b, f.Name), ':')
		b = appendValue(b, r.values[i], f.Type)
	}
	return append(b, '}')
}

// named is an object whose members have an order.
type named struct {
	names  []string
	values []any
}

func (n *named) add(name string, value any) {
	n.names, n.values = append(n.names, name), append(n.values, value)
}

// MarshalJSON implements [json.Marshaler].
func (n named) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, name := range n.names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(ecs.AppendJSONString(b, name), ':')
		if r, ok := n.values[i].(record); ok {
			b = r.appendJSON(b)
			continue
		}
		text, err := json.Marshal(n.values[i])
		if err != nil {
			return nil, err
		}
		b = append(b, text...)
	}
	return append(b, '}'), nil
}
