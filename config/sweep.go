package config

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// This file reads the file of a sweep: which worlds of a config to run, and what to measure in them.

// The kinds of designs: how the points of a sweep are chosen.
const (
	DesignGrid     = "grid"
	DesignList     = "list"
	DesignRandom   = "random"
	DesignLHS      = "lhs"
	DesignSobol    = "sobol"
	DesignMorris   = "morris"
	DesignSaltelli = "saltelli"
)

var designs = []string{DesignGrid, DesignList, DesignRandom, DesignLHS, DesignSobol, DesignMorris, DesignSaltelli}

// A Sweep is a file that describes many runs of one config. It is plain data.
type Sweep struct {
	Config     string // the path of the config, joined with the folder of the file
	Frames     uint64 // 0: what the config says
	Seeds      Seeds
	Vary       []Vary
	Design     Design
	Measures   []Measure
	Thresholds []Text
	Stop       Stop
	Worst      Text   // empty: no rows are named
	Out        string // the folder of the results, joined with the folder of the file; "" if the file says nothing

	file  string
	where map[string]Pos
}

// Seeds are the seeds of each point: a list, or Count of them from From.
type Seeds struct {
	List        []uint64
	From, Count uint64
}

// Len returns the number of seeds.
func (s Seeds) Len() int {
	if s.List != nil {
		return len(s.List)
	}
	return int(s.Count)
}

// At returns a seed by its index.
func (s Seeds) At(i int) uint64 {
	if s.List != nil {
		return s.List[i]
	}
	return s.From + uint64(i)
}

// A Vary is a key of the config that has other values at other points: one of Values, or a number in a range.
type Vary struct {
	Key      string
	Values   []string // as --set takes them; nil for a range
	From, To float64
	Whole    bool // the key holds whole numbers; set by Sweep.Check
	Pos      Pos
}

// A Design says how points are chosen.
type Design struct {
	Kind   string
	Steps  int    // of a grid, for each range
	Points int    // of random, lhs and sobol; trajectories of morris; base points of saltelli
	Seed   uint64 // of the design itself
	Levels int    // of morris
	File   string // of a list, joined with the folder of the sweep
}

// A Measure is a number or a text that is read from each world.
type Measure struct {
	Name, Value string
	Every       uint64 // frames between two entries of a series; 0: only the end counts
	Pos         Pos
}

// A Text is an expression with its place.
type Text struct {
	Text string
	Path string
	Pos  Pos
}

// A Stop ends a sweep early.
type Stop struct {
	When       Text // empty: it does not end early
	CheckEvery int  // rows between two checks
}

// mostPoints is the largest number of points, seeds and rows.
const mostPoints = 1 << 30

// LoadSweep reads the file of a sweep. If anything is wrong, the error is Problems, and the sweep is nil. The config that it names is not read: Check does.
func LoadSweep(path string) (*Sweep, error) {
	data, problem := read(path)
	if problem != nil {
		return nil, Problems{problem}
	}
	return ParseSweep(path, data)
}

// ParseSweep is LoadSweep for a file in memory.
func ParseSweep(name string, data []byte) (*Sweep, error) {
	d := &decoder{where: map[string]Pos{}}
	root := d.parse(name, data, FormatOf(name), "sweep", "version: 1")
	if root == nil {
		return nil, d.problems.err()
	}
	s := &Sweep{file: name, Design: Design{Seed: 1, Levels: 4}, Stop: Stop{CheckEvery: 100}}
	d.object(root, "", "sweep", d.sweepKeys(s))
	d.sweepItems(s)
	s.where = d.where
	if err := d.problems.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// Problem returns a problem with the value at path, with its position.
func (s *Sweep) Problem(path, message, hint string) *Problem {
	for at := path; ; at = enclosing(at) {
		if pos, ok := s.where[at]; ok {
			return &Problem{Pos: pos, Path: path, Message: message, Hint: hint}
		}
		if at == "" {
			return &Problem{Pos: Pos{File: s.file, Line: 1, Column: 1}, Path: path, Message: message, Hint: hint}
		}
	}
}

// File returns the path of the file.
func (s *Sweep) File() string { return s.file }

func (d *decoder) sweepKeys(s *Sweep) []key {
	text := func(to *Text, example string) func(*node, string) {
		return func(n *node, path string) {
			*to = Text{d.str(n, path, "write "+example), path, n.pos}
		}
	}
	return []key{
		{"version", true, func(n *node, path string) { d.version(n, path) }},
		{"config", true, func(n *node, path string) { s.Config = d.besideSweep(n, path, s, "config: arena.yaml") }},
		{"frames", false, func(n *node, path string) { s.Frames, _ = d.whole(n, path, 1, math.MaxUint64) }},
		{"seeds", true, func(n *node, path string) { d.seeds(n, path, &s.Seeds) }},
		{"vary", false, func(n *node, path string) {
			d.each(n, path, "vary: [{ key: resources.units, values: [1000, 2000] }]", func(n *node, path string) {
				v := Vary{Pos: n.pos}
				d.vary(n, path, &v)
				s.Vary = append(s.Vary, v)
			})
		}},
		{"design", false, func(n *node, path string) { d.object(n, path, "design", d.designKeys(s)) }},
		{"measure", true, func(n *node, path string) {
			d.each(n, path, "measure: [{ name: length, value: frame }]", func(n *node, path string) {
				m := Measure{Pos: n.pos}
				d.object(n, path, "measure", []key{
					{"name", true, func(n *node, path string) { m.Name = d.str(n, path, "write a name, as in length") }},
					{"value", true, func(n *node, path string) {
						m.Value = d.str(n, path, `write what to read, as in frame, resources.score or "count(Health)"`)
					}},
					{"every", false, func(n *node, path string) { m.Every, _ = d.whole(n, path, 1, math.MaxUint64) }},
				})
				s.Measures = append(s.Measures, m)
			})
		}},
		{"thresholds", false, func(n *node, path string) {
			d.each(n, path, `thresholds: ["mean(length) < 500"]`, func(n *node, path string) {
				var t Text
				text(&t, "a condition, as in mean(length) < 500")(n, path)
				s.Thresholds = append(s.Thresholds, t)
			})
		}},
		{"stop", false, func(n *node, path string) {
			d.object(n, path, "stop", []key{
				{"when", true, text(&s.Stop.When, "a condition, as in halfwidth(mean(length)) < 5")},
				{"check_every", false, func(n *node, path string) {
					every, _ := d.whole(n, path, 1, mostPoints)
					s.Stop.CheckEvery = int(every)
				}},
			})
		}},
		{"worst", false, text(&s.Worst, "max(NAME) or min(NAME) of a measure")},
		{"out", false, func(n *node, path string) { s.Out = d.besideSweep(n, path, s, "out: results/") }},
	}
}

// besideSweep reads a path that starts from the folder of the sweep.
func (d *decoder) besideSweep(n *node, path string, s *Sweep, example string) string {
	at := d.str(n, path, "write "+example)
	if at == "" {
		return ""
	}
	return beside(s.file, filepath.FromSlash(at))
}

func (d *decoder) seeds(n *node, path string, to *Seeds) {
	if n.kind == kindList {
		seen := map[uint64]bool{}
		d.each(n, path, "", func(n *node, path string) {
			seed, ok := d.whole(n, path, 0, math.MaxUint64)
			if ok && seen[seed] {
				d.add(n.pos, path, fmt.Sprintf("seed %d twice", seed), "a world with the same seed is the same world; take one away")
			}
			seen[seed] = true
			to.List = append(to.List, seed)
		})
		if len(to.List) == 0 {
			d.add(n.pos, path, "there are no seeds", "write seeds: { from: 1, count: 100 }")
		}
		return
	}
	d.object(n, path, "seeds", []key{
		{"from", true, func(n *node, path string) { to.From, _ = d.whole(n, path, 0, math.MaxUint64) }},
		{"count", true, func(n *node, path string) { to.Count, _ = d.whole(n, path, 1, mostPoints) }},
	})
	if to.Count > 0 && to.From > math.MaxUint64-(to.Count-1) {
		d.add(n.pos, path, "the last seed is beyond 64 bits", "write a smaller from")
	}
}

func (d *decoder) vary(n *node, path string, v *Vary) {
	var has [3]bool
	number := func(to *float64, i int) func(*node, string) {
		return func(n *node, path string) {
			has[i] = true
			num, ok := n.number()
			if !ok || math.IsNaN(num.float) || math.IsInf(num.float, 0) {
				d.add(n.pos, path, "finite number expected, got "+n.describe(), "write the end of the range in digits")
				return
			}
			*to = num.float
		}
	}
	d.object(n, path, "vary", []key{
		{"key", true, func(n *node, path string) { v.Key = d.str(n, path, "write a key of the config, as in resources.units") }},
		{"values", false, func(n *node, path string) {
			has[2] = true
			v.Values = []string{}
			d.each(n, path, "values: [1, 2, 5]", func(n *node, path string) {
				text, ok := settable(n)
				if !ok {
					d.add(n.pos, path, "a single value expected, got "+n.describe(), "write a number, a text, true or false")
				}
				if slices.Contains(v.Values, text) {
					p := twice(text)
					d.add(n.pos, path, p.Message, p.Hint)
				}
				v.Values = append(v.Values, text)
			})
			if len(v.Values) == 0 {
				d.add(n.pos, path, "there are no values", "write values: [1, 2, 5]")
			}
		}},
		{"from", false, number(&v.From, 0)},
		{"to", false, number(&v.To, 1)},
	})
	switch {
	case d.broken(path):
	case has[2] && (has[0] || has[1]):
		d.add(n.pos, path, "values and a range", "keep values, or from and to")
	case !has[2] && has[0] != has[1]:
		d.add(n.pos, path, "the range has one end", "add the other one: from and to")
	case !has[2] && !has[0]:
		d.add(n.pos, path, "neither values nor a range", "add values: […], or from: and to:")
	case !has[2] && v.From >= v.To:
		d.add(n.pos, path, "the range is empty", "from must be less than to")
	}
}

// settable returns a value as --set takes it, numbers in their shortest form.
func settable(n *node) (string, bool) {
	switch n.kind {
	case kindBool:
		return strconv.FormatBool(n.bool), true
	case kindNumber:
		if num, ok := n.number(); ok && !num.overflow {
			return num.short(), true
		}
		return strings.ReplaceAll(n.text, "_", ""), true
	case kindText, kindPlain:
		return n.text, true
	}
	return "", false
}

// twice is the problem of a value that a key has already.
func twice(value string) *Problem {
	return &Problem{Message: fmt.Sprintf("value %q twice", clip(value)), Hint: "take one away"}
}

// short returns the shortest text that is read back as the same number, all digits of a whole one.
func (v number) short() string {
	switch {
	case !v.whole:
		return ShortNumber(v.float)
	case v.negative:
		return "-" + strconv.FormatUint(v.size, 10)
	}
	return strconv.FormatUint(v.size, 10)
}

// ShortNumber returns the shortest text that is read back as the same number: 0.1, 1000000, 1e+21, nan, inf, -inf.
func ShortNumber(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(v, 'g', -1, 64)), "+")
	}
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
