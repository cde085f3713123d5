package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// This file is the first step of reading a TOML config: it builds the tree of nodes that body.go decodes. yaml.go
// and json.go do the same for the other formats.

// parseTOML builds the tree of nodes of a TOML document from go-toml's syntax tree, which is its only interface
// with positions.
func parseTOML(r *report, file string, data []byte) *node {
	t := &tomlReader{report: r, text: newText(file, data)}
	t.root = &node{kind: kindMapping, pos: Pos{File: file, Line: 1, Column: 1}}
	t.table = t.root
	t.parser.Reset(data)
	for t.parser.NextExpression() {
		t.expression(t.parser.Expression())
		if t.full {
			return nil
		}
	}
	if err := t.parser.Error(); err != nil {
		pos := Pos{File: file, Line: 1, Column: 1}
		var at *unstable.ParserError
		if errors.As(err, &at) {
			pos = t.text.at(int(t.parser.Range(at.Highlight).Offset))
		}
		r.add(pos, "", oneLine(err.Error()), tomlHint(err.Error()))
		return nil
	}
	if len(r.problems) > 0 {
		return nil
	}
	// What is legal word by word and still no document: a table that is also a
	// value, an inline table that is added to.
	var whole map[string]any
	var at *toml.DecodeError
	if err := toml.Unmarshal(data, &whole); errors.As(err, &at) {
		line, column := at.Position()
		r.add(Pos{File: file, Line: line, Column: column}, "", oneLine(trimTOML(err)), tomlHint(err.Error()))
		return nil
	}
	return t.root
}

type tomlReader struct {
	*report
	text   *lines
	parser unstable.Parser
	root   *node
	table  *node // what the last [header] opened
	full   bool  // a table with more keys, or a key with more parts, than any config has was found: the rest is not read
}

// mostKeys is the largest number of keys of a table; the format needs at most eleven. This reader and that of
// go-toml search a table for each of its keys, so more would take quadratic time.
const mostKeys = 1000

// put appends an entry to a mapping.
func (t *tomlReader) put(in *node, e entry) {
	if len(in.entries) == mostKeys && !t.full {
		t.full = true
		t.add(e.pos, "", fmt.Sprintf("more than %d keys in one table", mostKeys), "what there are many of goes into a list, as in [[components]]")
	}
	in.entries = append(in.entries, e)
}

// deep reports a key with too many parts; such a key is not read.
func (t *tomlReader) deep(key unstable.Iterator) bool {
	parts := 0
	for key.Next() && parts <= maxDepth {
		parts++
	}
	if parts > maxDepth && !t.full {
		t.full = true
		t.add(t.pos(key.Node().Raw), "", "nested too deeply", "a config needs four levels at most")
	}
	return parts > maxDepth
}

func (t *tomlReader) expression(n *unstable.Node) {
	switch n.Kind {
	case unstable.KeyValue:
		t.keyValue(t.table, n, 0)
	case unstable.Table, unstable.ArrayTable:
		if t.deep(n.Key()) {
			return
		}
		at := t.root
		for it := n.Key(); it.Next(); {
			key := it.Node()
			if n.Kind == unstable.ArrayTable && it.IsLast() {
				at = t.push(at, key)
				continue
			}
			next := t.open(at, key)
			if it.IsLast() && next.kind == kindMapping {
				if first := next.text; first != "" { // this very header was there before
					t.add(t.pos(key.Raw), "", fmt.Sprintf("table [%s] is written twice", key.Data), "merge it with the one on "+first)
				}
				next.text = fmt.Sprintf("line %d", t.pos(key.Raw).Line)
			}
			at = next
		}
		t.table = at
	}
}

// open returns the mapping under key, and makes it if it is missing; of a list of tables it returns the last one,
// as TOML prescribes.
func (t *tomlReader) open(in *node, key *unstable.Node) *node {
	if v := in.find(string(key.Data)); v != nil {
		switch {
		case v.kind == kindMapping:
			return v
		case v.kind == kindList && len(v.items) > 0 && v.items[len(v.items)-1].kind == kindMapping:
			return v.items[len(v.items)-1]
		}
		t.add(t.pos(key.Raw), "", fmt.Sprintf("%q has a value already", key.Data), "define it once")
	}
	v := &node{kind: kindMapping, pos: t.pos(key.Raw)}
	t.put(in, entry{string(key.Data), v.pos, v})
	return v
}

// push appends a mapping to the list of tables under key.
func (t *tomlReader) push(in *node, key *unstable.Node) *node {
	item := &node{kind: kindMapping, pos: t.pos(key.Raw)}
	l := in.find(string(key.Data))
	if l == nil {
		l = &node{kind: kindList, pos: item.pos}
		t.put(in, entry{string(key.Data), item.pos, l})
	}
	if l.kind != kindList {
		t.add(item.pos, "", fmt.Sprintf("%q is not a list of tables", key.Data), "define it once")
	}
	l.items = append(l.items, item)
	return item
}

func (t *tomlReader) keyValue(in *node, n *unstable.Node, depth int) {
	if t.full || t.deep(n.Key()) {
		return
	}
	for it := n.Key(); it.Next(); {
		key := it.Node()
		if !it.IsLast() {
			in = t.open(in, key)
			continue
		}
		pos := t.pos(key.Raw)
		t.put(in, entry{string(key.Data), pos, t.value(n.Value(), pos, depth)})
	}
}

// value converts a value. Lists have no position of their own; they get that of the value around them.
func (t *tomlReader) value(n *unstable.Node, around Pos, depth int) *node {
	out := &node{pos: around, text: string(n.Data)}
	if n.Raw.Length > 0 {
		out.pos = t.pos(n.Raw)
	}
	if depth > maxDepth {
		t.add(out.pos, "", "nested too deeply", "a config needs four levels at most")
		return out
	}
	switch n.Kind {
	case unstable.String:
		out.kind = kindText
	case unstable.Bool:
		out.kind, out.bool = kindBool, out.text == "true"
	case unstable.Integer, unstable.Float:
		out.kind = kindNumber
	case unstable.Array:
		out.kind = kindList
		for it := n.Children(); it.Next(); {
			out.items = append(out.items, t.value(it.Node(), out.pos, depth+1))
		}
	case unstable.InlineTable:
		out.kind, out.text = kindMapping, ""
		for it := n.Children(); it.Next(); {
			t.keyValue(out, it.Node(), depth+1)
		}
	default: // dates and times
		out.kind = kindOther
	}
	return out
}

func (t *tomlReader) pos(r unstable.Range) Pos { return t.text.at(int(r.Offset)) }

// find returns the first value of a key, nil if there is none.
func (n *node) find(key string) *node {
	for _, e := range n.entries {
		if e.key == key {
			return e.value
		}
	}
	return nil
}

func tomlHint(message string) string {
	switch {
	case strings.Contains(message, "already"):
		return "define it once"
	case strings.Contains(message, "too large"):
		return "TOML's numbers end at 9223372036854775807; YAML and JSON go on"
	case strings.Contains(message, "after key"):
		return "write KEY = VALUE"
	case strings.Contains(message, "start of value"):
		return "a value comes after the =; text goes in quotes"
	case strings.Contains(message, "expected newline"):
		return "begin a new line"
	case strings.Contains(message, "new line"), strings.Contains(message, "not terminated"), strings.Contains(message, "unterminated"):
		return "close the quotes on the same line"
	}
	return "check the quotes and brackets around here"
}

func trimTOML(err error) string {
	const prefix = "toml: "
	if s := err.Error(); len(s) > len(prefix) && s[:len(prefix)] == prefix {
		return s[len(prefix):]
	}
	return err.Error()
}
