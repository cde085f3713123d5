package stats

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
)

// A Statistic is a number that rows have: mean(length), p95(length), rate(failed), halfwidth(mean(length)).
type Statistic struct {
	Text     string
	function string
	measure  int
	p        float64 // of a quantile, from 0 to 1
	half     bool    // half of the width of its interval is meant
	rate     condition
	used     []int // measures
	Needs    Needs
}

// Uses calls visit for each measure that the statistic is about.
func (s *Statistic) Uses(visit func(measure int)) {
	for _, m := range s.used {
		visit(m)
	}
}

// A Threshold compares a statistic with a number.
type Threshold struct {
	Statistic
	Text string
	op   string
	than float64
}

// functions are those of a statistic besides quantiles.
var functions = []string{"count", "mean", "sd", "min", "max", "rate", "halfwidth"}

// ParseThreshold reads a text such as p95(length) < 500.
func ParseThreshold(text string, measures []string) (*Threshold, error) {
	p, err := newParser(text, measures)
	if err != nil {
		return nil, err
	}
	t := &Threshold{Text: text}
	if t.Statistic, err = p.statistic(); err != nil {
		return nil, err
	}
	if t.op = p.next(); !slices.Contains(operators, t.op) {
		return nil, fmt.Errorf("one of %s expected after %s, got %q", strings.Join(operators[:6], " "), t.Statistic.Text, t.op)
	}
	if t.than, err = p.number(); err != nil {
		return nil, err
	}
	if rest := p.next(); rest != "" {
		return nil, fmt.Errorf("%q is too much; a condition compares one statistic with one number", rest)
	}
	return t, nil
}

func (p *parser) statistic() (s Statistic, err error) {
	from := p.at
	s.function = p.next()
	if rest, ok := strings.CutPrefix(s.function, "p"); ok && rest != "" {
		if n, err := strconv.ParseFloat(strings.ReplaceAll(rest, "_", "."), 64); err == nil && n >= 0 && n <= 100 {
			s.function, s.p = "quantile", n/100
		}
	}
	if s.function != "quantile" && !slices.Contains(functions, s.function) {
		if near, ok := suggest.Closest(s.function, functions); ok {
			return s, fmt.Errorf("there is no statistic %q; did you mean %q?", s.function, near)
		}
		return s, fmt.Errorf("there is no statistic %q; there are %s and p0 to p100, as in mean(length)", s.function, strings.Join(functions, ", "))
	}
	if err = p.expect("("); err != nil {
		return s, err
	}
	switch s.function {
	case "rate":
		s.rate, err = p.either()
	case "halfwidth":
		s, err = p.statistic()
		if err == nil && (s.half || !slices.Contains([]string{"mean", "quantile", "rate"}, s.function)) {
			err = fmt.Errorf("%s has no interval; mean, quantiles and rate have one", s.Text)
		}
		s.half = true
	default:
		if s.measure, err = p.measure(p.next()); err == nil {
			p.want(s.measure, false, p.words[from])
		}
	}
	if err == nil {
		err = p.expect(")")
	}
	s.Needs = p.wants
	s.Text, s.used = spaced(p.words[from:p.at]), p.used
	return s, err
}

func spaced(words []string) string {
	out := ""
	for i, w := range words {
		if i > 0 && w != "(" && w != ")" && words[i-1] != "(" {
			out += " "
		}
		out += w
	}
	return out
}

// Of returns the statistic of rows. It is NaN if no row counts. Every statistic but count is NaN, too, if one of its numbers is NaN.
func (s *Statistic) Of(t *Table, rows Rows) float64 {
	switch {
	case s.function == "rate":
		k, n := 0, 0
		for r := rows.From; r < rows.To; r += rows.Step {
			if n++; s.rate(t, r) == yes {
				k++
			}
		}
		if s.half && n > 0 {
			return Wilson(k, n).Half()
		}
		return float64(k) / float64(n)
	case s.function == "quantile":
		sum := Of(t.Numbers(s.measure, rows))
		if s.half && !math.IsNaN(sum.P50) {
			return quantileInterval(sum.sorted, s.p, bootstrapSeed).Half()
		}
		return quantile(sum.sorted, s.p)
	}
	numbers := t.Numbers(s.measure, rows)
	m := moments(numbers)
	switch s.function {
	case "count":
		return float64(m.n)
	case "mean":
		if s.half && !math.IsNaN(m.mean) {
			i := m.interval()
			return i.Half()
		}
		return m.mean
	case "sd":
		return m.sd()
	case "min", "max":
		sum := Of(numbers)
		if s.function == "min" {
			return sum.Min
		}
		return sum.Max
	}
	panic("stats: function " + s.function) // the parser knows the same ones
}

// bootstrapSeed is that of all bootstraps: equal numbers have equal intervals.
const bootstrapSeed = 1

// Holds reports whether a value of the statistic meets the threshold. NaN never does.
func (t *Threshold) Holds(value float64) bool {
	return !math.IsNaN(value) && compare(value, t.op, t.than)
}

// A Worst says which rows a report names: those with the largest or the smallest numbers of a measure.
type Worst struct {
	Measure int
	Largest bool
	Needs   Needs
}

// ParseWorst reads max(NAME) or min(NAME).
func ParseWorst(text string, measures []string) (*Worst, error) {
	p, err := newParser(text, measures)
	if err != nil {
		return nil, err
	}
	function := p.next()
	if function != "max" && function != "min" {
		return nil, fmt.Errorf("max(NAME) or min(NAME) expected, got %q", text)
	}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	w := &Worst{Largest: function == "max"}
	if w.Measure, err = p.measure(p.next()); err != nil {
		return nil, err
	}
	w.Needs = Needs{{w.Measure, false, function}}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	if rest := p.next(); rest != "" {
		return nil, fmt.Errorf("%q is too much; write max(NAME) or min(NAME)", rest)
	}
	return w, nil
}

// Rows returns at most so many rows with status ok, the worst first; of equal ones those that come first in the plan.
func (w *Worst) Rows(t *Table, most int) []int {
	var out []int
	better := func(a, b int) bool { // a is named before b
		x, y := t.numbers[w.Measure][a], t.numbers[w.Measure][b]
		if w.Largest {
			return x > y
		}
		return x < y
	}
	for r := range t.Len() {
		if v, ok := t.Number(r, w.Measure); !ok || math.IsNaN(v) || t.status[r] != 0 {
			continue
		}
		at := len(out)
		for at > 0 && better(r, out[at-1]) {
			at--
		}
		if at < most {
			out = slices.Insert(out, at, r)
			out = out[:min(len(out), most)]
		}
	}
	return out
}
