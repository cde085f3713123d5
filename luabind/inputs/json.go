package inputs

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ecsrun/ecsrun/ecs"
)

// This file parses one JSON value as RFC 8259 has it. It is stricter than encoding/json: a key may be there once, and a
// \u escape must be a whole character. Numbers keep their text, so that integers of 64 bits stay exact.

// A kind of JSON value.
type kind uint8

const (
	nullNode kind = iota
	boolNode
	numberNode
	stringNode
	listNode
	objectNode
)

func (k kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// A node is a parsed value.
type node struct {
	kind kind
	text string // of a string its characters; of a number its text; "true" or ""
	list []node // the elements of a list, or the values of an object
	keys []string
}

// field returns the value of a key of an object, nil if it has none.
func (n *node) field(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return &n.list[i]
		}
	}
	return nil
}

// deepest is how deep values may nest: a line has an object in an object, and in this the data of a table field, of which
// each table may be an object with a list of pairs.
const deepest = 3*ecs.MaxDataDepth + 2

// A parser reads one line.
type parser struct {
	text string
	at   int
}

// A syntaxError is an error at a column, counted in bytes from 1.
type syntaxError struct {
	column int
	what   string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("column %d: %s", e.column, e.what) }

func (p *parser) fail(format string, args ...any) error {
	return &syntaxError{p.at + 1, fmt.Sprintf(format, args...)}
}

// parse returns the only value of a text.
func parse(text string) (node, error) {
	if !utf8.ValidString(text) {
		at := 0
		for at < len(text) {
			r, size := utf8.DecodeRuneInString(text[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return node{}, &syntaxError{at + 1, "a byte that is no UTF-8"}
	}
	p := parser{text: text}
	n, err := p.value(0)
	if err != nil {
		return node{}, err
	}
	if p.space(); p.at < len(p.text) {
		return node{}, p.fail("%s after the end of the object; a line has one", p.here())
	}
	return n, nil
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// next returns the next byte that is no space, 0 at the end.
func (p *parser) next() byte {
	if p.space(); p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// here describes the next character.
func (p *parser) here() string {
	if p.at >= len(p.text) {
		return "the end of the line"
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return strconv.QuoteRune(r)
}

func (p *parser) value(depth int) (n node, err error) {
	c := p.next()
	switch {
	case depth > deepest:
		return n, p.fail("values nest more than %d deep", deepest)
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.listOf(depth)
	case c == '"':
		n.kind = stringNode
		n.text, err = p.str()
		return n, err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for word, as := range map[string]node{"true": {kind: boolNode, text: "true"}, "false": {kind: boolNode}, "null": {}} { // at most one is there
		if strings.HasPrefix(p.text[p.at:], word) {
			p.at += len(word)
			return as, nil
		}
	}
	return n, p.fail("a value expected, got %s", p.here())
}

func (p *parser) object(depth int) (node, error) {
	n := node{kind: objectNode}
	p.at++
	seen := map[string]bool{}
	for p.next() != '}' {
		if len(n.keys) > 0 {
			if p.next() != ',' {
				return n, p.fail("a comma or } expected, got %s", p.here())
			}
			p.at++
		}
		if p.next() != '"' {
			return n, p.fail("a key in quotes expected, got %s", p.here())
		}
		start := p.at
		key, err := p.str()
		if err != nil {
			return n, err
		}
		if seen[key] {
			p.at = start
			return n, p.fail("the key %s is there twice", strconv.Quote(key))
		}
		seen[key] = true
		if p.next() != ':' {
			return n, p.fail("a colon expected, got %s", p.here())
		}
		p.at++
		v, err := p.value(depth + 1)
		if err != nil {
			return n, err
		}
		n.keys, n.list = append(n.keys, key), append(n.list, v)
	}
	p.at++
	return n, nil
}

func (p *parser) listOf(depth int) (node, error) {
	n := node{kind: listNode}
	p.at++
	for p.next() != ']' {
		if len(n.list) > 0 {
			if p.next() != ',' {
				return n, p.fail("a comma or ] expected, got %s", p.here())
			}
			p.at++
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return n, err
		}
		n.list = append(n.list, v)
	}
	p.at++
	return n, nil
}

// number reads the text of a number: -1, 0.5, 1e9.
func (p *parser) number() (node, error) {
	start := p.at
	digits := func() bool {
		from := p.at
		for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
			p.at++
		}
		return p.at > from
	}
	is := func(chars string) bool { return p.at < len(p.text) && strings.IndexByte(chars, p.text[p.at]) >= 0 }
	if is("-") {
		p.at++
	}
	whole := p.at
	ok := digits() && (p.text[whole] != '0' || p.at == whole+1)
	if ok && is(".") {
		p.at++
		ok = digits()
	}
	if ok && is("eE") {
		if p.at++; is("+-") {
			p.at++
		}
		ok = digits()
	}
	if !ok {
		p.at = start
		return node{}, p.fail("this is no number of JSON")
	}
	return node{kind: numberNode, text: p.text[start:p.at]}, nil
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// str reads a string in quotes.
func (p *parser) str() (string, error) {
	start := p.at
	p.at++
	from := p.at
	for p.at < len(p.text) && p.text[p.at] != '"' && p.text[p.at] != '\\' && p.text[p.at] >= ' ' {
		p.at++
	}
	if p.at < len(p.text) && p.text[p.at] == '"' { // no escapes: a part of the line
		p.at++
		return p.text[from : p.at-1], nil
	}
	out := []byte(p.text[from:p.at])
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c == '"':
			p.at++
			return string(out), nil
		case c < ' ':
			return "", p.fail("a control character in a string; write it as \\u%04x", c)
		case c != '\\':
			out = append(out, c)
			p.at++
		default:
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		}
	}
	p.at = start
	return "", p.fail("a string without an end")
}

// escape reads a backslash and what belongs to it.
func (p *parser) escape() (rune, error) {
	if p.at+1 < len(p.text) {
		if c, ok := escapes[p.text[p.at+1]]; ok {
			p.at += 2
			return rune(c), nil
		}
	}
	unit := func(at int) rune {
		if at+6 > len(p.text) || p.text[at] != '\\' || p.text[at+1] != 'u' {
			return -1
		}
		v, err := strconv.ParseUint(p.text[at+2:at+6], 16, 16)
		if err != nil {
			return -1
		}
		return rune(v)
	}
	r := unit(p.at)
	switch {
	case r < 0:
		return 0, p.fail("this is no escape of JSON")
	case !utf16.IsSurrogate(r):
		p.at += 6
		return r, nil
	}
	if both := utf16.DecodeRune(r, unit(p.at+6)); both != utf8.RuneError {
		p.at += 12
		return both, nil
	}
	return 0, p.fail("half a character: \\u%04x needs its other half", r)
}
