package stats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/config/suggest"
)

// This file reads what `rate` counts: failed, winner == "red", length > 500 and not over.

// A condition is asked of a row; it is about one of the statuses, or about the measures that the row has.
type condition func(t *Table, row int) truth

// A truth is what a condition says of a row. It is unknown of a measure that the row does not have, and what depends on it is unknown, too (Kleene 1938).
type truth int8

const (
	no      truth = -1
	unknown truth = 0
	yes     truth = 1
)

func truthOf(is bool) truth {
	if is {
		return yes
	}
	return no
}

// A parser reads conditions and statistics.
type parser struct {
	words    []string
	at       int
	measures []string
	used     []int
	wants    []want
}

// A want says of what kind the values of a measure have to be.
type want struct {
	measure int
	text    bool // a text, else a number, true or false
	by      string
}

func (p *parser) want(measure int, text bool, by string) {
	p.wants = append(p.wants, want{measure, text, by})
}

func newParser(text string, measures []string) (*parser, error) {
	words, err := split(text)
	return &parser{words: words, measures: measures}, err
}

// split cuts a text into words: names, numbers, quoted texts, operators.
func split(text string) (words []string, err error) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		n := 1
		switch c := text[0]; {
		case c == '"' || c == '\'':
			end := strings.IndexByte(text[1:], c)
			if end < 0 {
				return nil, fmt.Errorf("a text has no end: %s", text)
			}
			n = end + 2
		case letter(c):
			for n < len(text) && (letter(text[n]) || digit(text[n])) {
				n++
			}
		case digit(c) || c == '.' || c == '-':
			for n < len(text) && (digit(text[n]) || text[n] == '.' || letter(text[n]) || (text[n] == '-' || text[n] == '+') && (text[n-1] == 'e' || text[n-1] == 'E')) {
				n++
			}
		case strings.IndexByte("<>=!~", c) >= 0 && len(text) > 1 && text[1] == '=':
			n = 2
		case strings.IndexByte("<>()", c) >= 0:
		default:
			return nil, fmt.Errorf("%q means nothing here", string(text[0]))
		}
		words = append(words, text[:n])
		text = text[n:]
	}
	return words, nil
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

func (p *parser) peek() string {
	if p.at == len(p.words) {
		return ""
	}
	return p.words[p.at]
}

func (p *parser) next() string {
	w := p.peek()
	p.at = min(p.at+1, len(p.words))
	return w
}

func (p *parser) expect(word string) error {
	if got := p.next(); got != word {
		if got == "" {
			return fmt.Errorf("%q expected at the end", word)
		}
		return fmt.Errorf("%q expected, got %q", word, got)
	}
	return nil
}

// either reads a condition: and binds closer than or.
func (p *parser) either() (condition, error) {
	a, err := p.both()
	for err == nil && p.peek() == "or" {
		p.next()
		var b condition
		first := a
		b, err = p.both()
		a = func(t *Table, row int) truth { return max(first(t, row), b(t, row)) }
	}
	return a, err
}

func (p *parser) both() (condition, error) {
	a, err := p.one()
	for err == nil && p.peek() == "and" {
		p.next()
		var b condition
		first := a
		b, err = p.one()
		a = func(t *Table, row int) truth { return min(first(t, row), b(t, row)) }
	}
	return a, err
}

func (p *parser) one() (condition, error) {
	switch p.peek() {
	case "not":
		p.next()
		a, err := p.one()
		return func(t *Table, row int) truth { return -a(t, row) }, err
	case "(":
		p.next()
		a, err := p.either()
		if err == nil {
			err = p.expect(")")
		}
		return a, err
	}
	return p.comparison()
}

// comparison reads a status, a measure that is true or false, or a measure compared with a constant.
func (p *parser) comparison() (condition, error) {
	name := p.next()
	if i := slices.Index(statuses, name); i >= 0 {
		return func(t *Table, row int) truth { return truthOf(t.status[row] == uint8(i)) }, nil
	}
	m, err := p.measure(name)
	if err != nil {
		return nil, err
	}
	op := p.peek()
	if !slices.Contains(operators, op) {
		p.want(m, false, "a condition")
		return ofNumber(m, func(v float64) bool { return v != 0 }), nil
	}
	p.next()
	value := p.next()
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		text := value[1 : len(value)-1]
		if op != "==" && op != "~=" && op != "!=" {
			return nil, fmt.Errorf("texts are compared by == and ~=, not by %s", op)
		}
		p.want(m, true, op+" "+value)
		return func(t *Table, row int) truth {
			v, ok := t.Text(row, m)
			if !ok {
				return unknown
			}
			return truthOf((v == text) == (op == "=="))
		}, nil
	}
	x, ok := job.Value(value).Number()
	if !ok {
		return nil, fmt.Errorf("a number, a text in quotes, true or false expected after %s, got %q", op, value)
	}
	p.want(m, false, op+" "+value)
	return ofNumber(m, func(v float64) bool { return compare(v, op, x) }), nil
}

// ofNumber is a condition about the number of a measure.
func ofNumber(m int, is func(float64) bool) condition {
	return func(t *Table, row int) truth {
		v, ok := t.Number(row, m)
		if !ok {
			return unknown
		}
		return truthOf(is(v))
	}
}

var operators = []string{"<", "<=", ">", ">=", "==", "~=", "!="}

func compare(a float64, op string, b float64) bool {
	switch op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "==":
		return a == b
	case "~=", "!=":
		return a != b
	}
	panic("stats: operator " + op) // the parser knows the same ones
}

// measure finds a measure by its name.
func (p *parser) measure(name string) (int, error) {
	i := slices.Index(p.measures, name)
	if i >= 0 {
		p.used = append(p.used, i)
		return i, nil
	}
	if name == "" {
		return 0, fmt.Errorf("the name of a measure expected at the end")
	}
	if near, ok := suggest.Closest(name, p.measures); ok {
		return 0, fmt.Errorf("there is no measure %q; did you mean %q?", name, near)
	}
	return 0, fmt.Errorf("there is no measure %q; measures are %s", name, strings.Join(p.measures, ", "))
}

// number reads a number.
func (p *parser) number() (float64, error) {
	word := p.next()
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return 0, fmt.Errorf("a number expected, got %q", word)
	}
	return v, nil
}

// A Needs says of what kinds measures have to be for a statistic.
type Needs []want

// Check returns an error for a measure of another kind. names and isText have one entry a measure.
func (n Needs) Check(names []string, isText []bool) error {
	for _, w := range n {
		name := names[w.measure]
		switch {
		case w.text && !isText[w.measure]:
			return fmt.Errorf("the measure %q is a number, and %s compares texts", name, w.by)
		case !w.text && isText[w.measure]:
			return fmt.Errorf(`the measure %q is a text, and %s needs a number; count texts by rate(%s == "…")`, name, w.by, name)
		}
	}
	return nil
}
