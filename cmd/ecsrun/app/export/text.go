package export

import (
	"encoding/csv"
	"io"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// The two formats of text, and the values in them.

// jsonLines writes an object a line.
type jsonLines struct {
	to    io.Writer
	keys  [][]byte // `{"entity":`, `,"x":`
	types []ecs.FieldType
	line  []byte
}

func newJSONLines(to io.Writer, columns []column) *jsonLines {
	j := &jsonLines{to: to}
	for i, c := range columns {
		key := []byte{'{'}
		if i > 0 {
			key[0] = ','
		}
		j.keys = append(j.keys, append(ecs.AppendJSONString(key, c.name), ':'))
		j.types = append(j.types, c.typ)
	}
	return j
}

func (j *jsonLines) row(values []ecs.Value) error {
	j.line = j.line[:0]
	for i, v := range values {
		j.line = v.AppendJSON(append(j.line, j.keys[i]...), j.types[i])
	}
	j.line = append(j.line, '}', '\n')
	_, err := j.to.Write(j.line)
	return err
}

func (j *jsonLines) end() error { return nil }

// separated writes comma-separated values as RFC 4180 has them.
type separated struct {
	to     *csv.Writer
	types  []ecs.FieldType
	record []string
}

func newSeparated(to io.Writer, columns []column) (*separated, error) {
	s := &separated{to: csv.NewWriter(to)}
	for _, c := range columns {
		s.record, s.types = append(s.record, c.name), append(s.types, c.typ)
	}
	return s, s.to.Write(s.record)
}

func (s *separated) row(values []ecs.Value) error {
	for i, v := range values {
		s.record[i] = plainText(v, s.types[i])
	}
	return s.to.Write(s.record)
}

func (s *separated) end() error {
	s.to.Flush()
	return s.to.Error()
}

// plainText returns a value for a cell: a string as it is, no entity and nil as nothing, a table as JSON. of is the type of
// the column.
func plainText(v ecs.Value, of ecs.FieldType) string {
	switch v.Kind() {
	case ecs.StringValue:
		return ecs.ValidText(v.Str())
	case ecs.NilValue:
		return ""
	case ecs.EntityValue:
		if v.Entity() == ecs.None {
			return ""
		}
		return v.Entity().String()
	}
	return strings.Trim(string(v.AppendJSON(nil, of)), `"`) // nan and inf without quotes
}
