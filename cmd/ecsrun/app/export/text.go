package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// The two formats of text, and the values in them. nan and inf are strings in JSON, which has no such numbers.

// jsonLines writes an object a line.
type jsonLines struct {
	to   io.Writer
	keys [][]byte // `{"entity":`, `,"x":`
	line []byte
}

func newJSONLines(to io.Writer, columns []column) *jsonLines {
	j := &jsonLines{to: to}
	for i, c := range columns {
		key := []byte{'{'}
		if i > 0 {
			key[0] = ','
		}
		j.keys = append(j.keys, append(appendString(key, c.name), ':'))
	}
	return j
}

func (j *jsonLines) row(values []ecs.Value) error {
	j.line = j.line[:0]
	for i, v := range values {
		j.line = appendJSON(append(j.line, j.keys[i]...), v)
	}
	j.line = append(j.line, '}', '\n')
	_, err := j.to.Write(j.line)
	return err
}

func (j *jsonLines) end() error { return nil }

// separated writes comma-separated values as RFC 4180 has them.
type separated struct {
	to     *csv.Writer
	record []string
}

func newSeparated(to io.Writer, columns []column) (*separated, error) {
	s := &separated{to: csv.NewWriter(to)}
	for _, c := range columns {
		s.record = append(s.record, c.name)
	}
	return s, s.to.Write(s.record)
}

func (s *separated) row(values []ecs.Value) error {
	for i, v := range values {
		s.record[i] = plainText(v)
	}
	return s.to.Write(s.record)
}

func (s *separated) end() error {
	s.to.Flush()
	return s.to.Error()
}

// plainText returns a value for a cell: a string as it is, no entity and nil as nothing, a table as JSON.
func plainText(v ecs.Value) string {
	switch v.Kind() {
	case ecs.StringValue:
		return valid(v.Str())
	case ecs.NilValue:
		return ""
	case ecs.EntityValue:
		if v.Entity() == ecs.None {
			return ""
		}
		return v.Entity().String()
	case ecs.NumberValue:
		if text, special := specialNumber(v.Float()); special {
			return text
		}
	}
	return string(appendJSON(nil, v))
}

// valid returns a string with the bytes that are not UTF-8 replaced, because files of text have no place for them.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// specialNumber returns the name of a number that JSON cannot write.
func specialNumber(f float64) (name string, special bool) {
	switch {
	case f != f:
		return "nan", true
	case math.IsInf(f, 1):
		return "inf", true
	case math.IsInf(f, -1):
		return "-inf", true
	default:
		return "", false
	}
}

// appendJSON appends a value as JSON. A table with the keys 1, 2, … is a list, any other an object, whose keys are
// strings, also where they were numbers; the empty table is {}.
func appendJSON(b []byte, v ecs.Value) []byte {
	switch v.Kind() {
	case ecs.NumberValue:
		f := v.Float()
		if text, special := specialNumber(f); special {
			return appendString(b, text)
		}
		if f == math.Trunc(f) && math.Abs(f) < 1e15 && !(f == 0 && math.Signbit(f)) {
			return strconv.AppendFloat(b, f, 'f', 0, 64)
		}
		return strconv.AppendFloat(b, f, 'g', -1, 64)
	case ecs.StringValue:
		return appendString(b, v.Str())
	case ecs.EntityValue:
		if v.Entity() == ecs.None {
			return append(b, "null"...)
		}
		return appendString(b, v.Entity().String())
	case ecs.TableValue:
		return appendData(b, v.Data())
	case ecs.NilValue:
		return append(b, "null"...)
	default:
		return v.AppendText(b, math.MaxInt) // true, and integers with all their digits
	}
}

func appendData(b []byte, d *ecs.Data) []byte {
	if n := d.Len(); n > 0 && d.Items() == n {
		b = append(b, '[')
		for i := range n {
			if i > 0 {
				b = append(b, ',')
			}
			_, v := d.At(i)
			b = appendJSON(b, v)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i := range d.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		key, v := d.At(i)
		b = appendString(b, plainText(key))
		b = appendJSON(append(b, ':'), v)
	}
	return append(b, '}')
}

// appendString appends a string as JSON, without the escapes that only pages of HTML need.
func appendString(b []byte, s string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(valid(s)) // a string has no errors
	return append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
}
