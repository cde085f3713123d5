package config

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ecsrun/ecsrun/ecs"
)

// This file reads data files: CSV, JSON, YAML, TOML and lines of text become plain data.

// ReadData reads the text of a data file, whose format is the ending of its name. A .csv becomes a list of rows, with cells by the names in the header; a
// .txt a list of lines; the others what they say. The error is a *Problem with the place.
func ReadData(file, text string) (ecs.Value, error) {
	data := []byte(strings.TrimPrefix(text, "\ufeff"))
	r := &report{}
	if at := invalidUTF8(data); at >= 0 {
		r.add(newText(file, data).at(at), "", "not UTF-8 text", "save the file as UTF-8")
		return ecs.Value{}, r.problems[0]
	}
	d := dataReader{report: r, file: file}
	var out ecs.Value
	switch strings.ToLower(filepath.Ext(file)) {
	case ".csv":
		out = d.csv(data)
	case ".json":
		out = d.document(parseJSON(r, file, data))
	case ".yaml", ".yml":
		out = d.document(parseYAML(r, file, data))
	case ".toml":
		out = d.document(parseTOML(r, file, data))
	case ".txt":
		out = textLines(data)
	default:
		r.add(Pos{File: file}, "", "no format for this ending", dataFiles.hint)
	}
	if len(r.problems) > 0 {
		p := r.problems[0]
		switch p.Message { // the hints of a config
		case "nested too deeply":
			p.Hint = fmt.Sprintf("at most %d levels are read", maxDepth)
		case "a second document begins here":
			p.Hint = `a data file is one document; drop the "---"`
		}
		return ecs.Value{}, p
	}
	return out, nil
}

// invalidUTF8 returns where a text is no UTF-8; -1 if it is.
func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// textLines returns the lines of a text as a list.
func textLines(data []byte) ecs.Value {
	var list []ecs.Value
	for text := string(data); text != ""; {
		line, rest, _ := strings.Cut(text, "\n")
		list, text = append(list, ecs.Text(strings.TrimSuffix(line, "\r"))), rest
	}
	return listOf(list)
}

// listOf returns a list as plain data.
func listOf(items []ecs.Value) ecs.Value {
	entries := make([]ecs.DataEntry, len(items))
	for i, v := range items {
		entries[i] = ecs.DataEntry{Key: ecs.Number(float64(i + 1)), Value: v}
	}
	d, err := ecs.NewData(entries)
	if err != nil {
		panic("config: a list of plain data: " + err.Error()) // maxDepth is less than the depth of plain data
	}
	return ecs.TableOf(d)
}

// A dataReader reads one file.
type dataReader struct {
	*report
	file string
}

// document returns what a document says; nil of ecs after a problem.
func (d *dataReader) document(n *node) ecs.Value {
	switch {
	case len(d.problems) > 0:
		return ecs.Value{}
	case n == nil || n.kind == kindNull:
		d.add(Pos{File: d.file}, "", "the file is empty", "write a list or a table")
		return ecs.Value{}
	}
	return d.value(n)
}

func (d *dataReader) value(n *node) ecs.Value {
	switch n.kind {
	case kindNull:
		return ecs.Value{}
	case kindBool:
		return ecs.Boolean(n.bool)
	case kindNumber:
		num, ok := n.number()
		switch {
		case !ok:
			d.add(n.pos, "", fmt.Sprintf("%q is no number here", clip(n.text)), "put it in quotes, or write a number without leading zeros")
		case num.overflow:
			d.add(n.pos, "", fmt.Sprintf("%s is too large for a number", clip(n.text)), "put it in quotes")
		}
		return ecs.Number(num.float)
	case kindList:
		items := make([]ecs.Value, len(n.items))
		for i, item := range n.items {
			if items[i] = d.value(item); item.kind == kindNull {
				d.add(item.pos, "", "a list has no place for nothing", "leave the item out, or write false")
			}
		}
		return listOf(items)
	case kindMapping:
		seen := map[string]int{}
		var entries []ecs.DataEntry
		for _, e := range n.entries {
			if line, twice := seen[e.key]; twice {
				d.add(e.pos, "", fmt.Sprintf("the key %q is written twice", clip(e.key)), fmt.Sprintf("keep this one or that of line %d", line))
			}
			seen[e.key] = e.pos.Line
			entries = append(entries, ecs.DataEntry{Key: ecs.Text(e.key), Value: d.value(e.value)})
		}
		table, err := ecs.NewData(entries)
		if err != nil {
			d.add(n.pos, "", err.Error(), "make it flatter")
		}
		return ecs.TableOf(table)
	}
	return ecs.Text(n.text) // a date is a text
}

// luaNumber matches what Lua code writes for a decimal number, with a minus in front.
var luaNumber = regexp.MustCompile(`^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// csv reads rows with a header. An empty cell has no value; one without quotes that is a decimal number of Lua is a number.
func (d *dataReader) csv(data []byte) ecs.Value {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord, r.ReuseRecord = -1, true
	t := newText(d.file, data)
	at := func(line, column int) int { return t.starts[min(line, len(t.starts))-1] + column - 1 }
	var header, rows []ecs.Value
	for {
		row, err := r.Read()
		var parse *csv.ParseError
		switch {
		case errors.Is(err, io.EOF) && header == nil:
			d.add(Pos{File: d.file, Line: 1, Column: 1}, "", "the file has no header", "begin with the names of the columns, as in kind,count")
			return ecs.Value{}
		case errors.Is(err, io.EOF):
			return listOf(rows)
		case errors.As(err, &parse):
			d.add(t.at(at(parse.Line, parse.Column)), "", parse.Err.Error(), `write a quote inside of quotes twice, as in "a ""b"" c"`)
			return ecs.Value{}
		case err != nil:
			d.add(Pos{File: d.file}, "", err.Error(), "")
			return ecs.Value{}
		}
		if header == nil {
			if header = d.header(t, at, r, row); header == nil {
				return ecs.Value{}
			}
			continue
		}
		if len(row) != len(header) {
			d.add(t.at(at(r.FieldPos(min(len(row)-1, len(header))))), "", fmt.Sprintf("the row has %d cells, and the header has %d", len(row), len(header)), "write as many cells as the header has; an empty cell is nil")
			return ecs.Value{}
		}
		entries := make([]ecs.DataEntry, 0, len(row))
		for i, cell := range row {
			offset := at(r.FieldPos(i))
			v := d.cell(cell, offset < len(data) && data[offset] == '"', func() Pos { return t.at(offset) })
			entries = append(entries, ecs.DataEntry{Key: header[i], Value: v})
		}
		table, err := ecs.NewData(entries)
		if err != nil {
			panic("config: a row of plain data: " + err.Error())
		}
		rows = append(rows, ecs.TableOf(table))
	}
}

// header returns the names of the columns; nil after a problem.
func (d *dataReader) header(t *lines, at func(line, column int) int, r *csv.Reader, row []string) (names []ecs.Value) {
	seen := map[string]int{}
	for i, name := range row {
		pos := func() Pos { return t.at(at(r.FieldPos(i))) }
		switch first, twice := seen[name]; {
		case name == "":
			d.add(pos(), "", fmt.Sprintf("column %d has no name", i+1), "give each column a name")
			return nil
		case twice:
			d.add(pos(), "", fmt.Sprintf("the columns %d and %d are both called %q", first, i+1, clip(name)), "give each column a name of its own")
			return nil
		}
		seen[name] = i + 1
		names = append(names, ecs.Text(strings.Clone(name)))
	}
	return names
}

// cell returns the value of a cell.
func (d *dataReader) cell(text string, quoted bool, pos func() Pos) ecs.Value {
	switch {
	case quoted:
	case text == "":
		return ecs.Value{}
	case luaNumber.MatchString(text):
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			d.add(pos(), "", fmt.Sprintf("%s is too large for a number", clip(text)), "put it in quotes")
		}
		return ecs.Number(x)
	}
	return ecs.Text(strings.Clone(text))
}
