package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// This file reads the design of a sweep, and checks the items of a sweep against each other and against its config.

// designWants are the keys that each kind of design takes besides kind, those that it needs with a star.
var designWants = map[string][]string{
	DesignGrid:     {"steps"},
	DesignList:     {"file*"},
	DesignRandom:   {"points*", "seed"},
	DesignLHS:      {"points*", "seed"},
	DesignSobol:    {"points*"},
	DesignMorris:   {"points*", "seed", "levels"},
	DesignSaltelli: {"points*", "seed"},
}

func (d *decoder) designKeys(s *Sweep) []key {
	number := func(to *int, lo, hi uint64) func(*node, string) {
		return func(n *node, path string) {
			v, _ := d.whole(n, path, lo, hi)
			*to = int(v)
		}
	}
	return []key{
		{"kind", true, func(n *node, path string) { s.Design.Kind, _ = d.word(n, path, designs) }},
		{"steps", false, number(&s.Design.Steps, 2, 1<<20)},
		{"points", false, number(&s.Design.Points, 1, mostPoints)},
		{"seed", false, func(n *node, path string) { s.Design.Seed, _ = d.whole(n, path, 0, math.MaxUint64) }},
		{"levels", false, func(n *node, path string) {
			levels, ok := d.whole(n, path, 2, 1<<20)
			if ok && levels%2 == 1 {
				d.add(n.pos, path, fmt.Sprintf("%d levels are odd", levels), "write an even number: half of them is the length of a step")
			}
			s.Design.Levels = int(levels)
		}},
		{"file", false, func(n *node, path string) { s.Design.File = d.besideSweep(n, path, s, "file: points.csv") }},
	}
}

// sweepItems checks the items of a sweep against each other.
func (d *decoder) sweepItems(s *Sweep) {
	kind := s.Design.Kind
	if _, written := d.where["design"]; !written {
		kind, s.Design.Kind = DesignGrid, DesignGrid
	}
	at := func(path string) Pos {
		for p := path; p != ""; p = enclosing(p) {
			if pos, ok := d.where[p]; ok {
				return pos
			}
		}
		return Pos{File: s.file, Line: 1, Column: 1}
	}
	for _, name := range []string{"steps", "points", "seed", "levels", "file"} {
		if kind == "" {
			break
		}
		path := join("design", name)
		_, written := d.where[path]
		wanted, needed := slices.Contains(designWants[kind], name), slices.Contains(designWants[kind], name+"*")
		switch {
		case written && !wanted && !needed:
			d.add(at(path), path, fmt.Sprintf("a design of kind %s has no %q", kind, name), "take it away; it has "+strings.ReplaceAll(strings.Join(append([]string{"kind"}, designWants[kind]...), ", "), "*", ""))
		case needed && !written:
			d.add(at("design"), "design", fmt.Sprintf("a design of kind %s needs %q", kind, name), fmt.Sprintf("add %s: …", name))
		}
	}
	ranges := slices.ContainsFunc(s.Vary, func(v Vary) bool { return v.Values == nil })
	switch {
	case kind == DesignGrid && ranges && s.Design.Steps == 0 && !d.broken("design") && !d.broken("vary"):
		d.add(at("design"), "design", `a grid over a range needs "steps"`, "add design: { kind: grid, steps: 5 }")
	case kind == DesignList && len(s.Vary) > 0:
		d.add(at("vary"), "vary", "a list has its keys in the first line of its file", "take vary away")
	case kind != DesignGrid && kind != DesignList && kind != "" && len(s.Vary) == 0:
		d.add(at("design"), "design", fmt.Sprintf("a design of kind %s needs keys that vary", kind), "add vary: [{ key: resources.units, from: 100, to: 900 }]")
	case kind == DesignSobol && len(s.Vary) > MostSobolKeys, kind == DesignSaltelli && len(s.Vary) > MostSobolKeys/2:
		most := MostSobolKeys
		if kind == DesignSaltelli {
			most /= 2
		}
		d.add(at("vary"), "vary", fmt.Sprintf("a design of kind %s varies at most %d keys", kind, most), "vary fewer; morris finds those that matter")
	}
	names := map[string]bool{}
	for i, m := range s.Measures {
		path := index("measure", i)
		switch {
		case m.Name == "":
		case !identifier.MatchString(m.Name):
			d.add(at(path+".name"), path+".name", fmt.Sprintf("%q is no name for a measure", clip(m.Name)), "write letters, digits and _, as in length")
		case slices.Contains(conditionWords, m.Name):
			d.add(at(path+".name"), path+".name", fmt.Sprintf("%q is a word of conditions", m.Name), "choose another name")
		case slices.Contains(resultColumns, m.Name):
			d.add(at(path+".name"), path+".name", fmt.Sprintf("%q is a column of the results already", m.Name), "choose another name")
		case names[m.Name]:
			d.add(at(path+".name"), path+".name", fmt.Sprintf("measure %q twice", m.Name), "choose another name")
		}
		names[m.Name] = true
	}
	if len(s.Measures) == 0 && !d.broken("measure") && s.Config != "" {
		d.add(at("measure"), "measure", "nothing is measured", "add measure: [{ name: length, value: frame }]")
	}
	keys := map[string]bool{}
	for i, v := range s.Vary {
		path := index("vary", i) + ".key"
		if keys[v.Key] && v.Key != "" {
			d.add(at(path), path, fmt.Sprintf("key %q varies twice", clip(v.Key)), "keep one of the two")
		}
		keys[v.Key] = true
		if hint := NotVaried(v.Key, s.Frames > 0); hint != "" {
			d.add(at(path), path, fmt.Sprintf("%q cannot vary", clip(v.Key)), hint)
		}
	}
}

// MostSobolKeys is the number of dimensions for which there are directions.
const MostSobolKeys = 128

// No measure has the name of a column of results.csv that is always there, or of a word that conditions have.
var (
	resultColumns  = []string{"row", "point", "seed", "status", "frames", "stop", "failures", "digest"}
	conditionWords = []string{"ok", "failed", "limit", "unrepeatable", "parked", "and", "or", "not", "true", "false", "nan", "inf"}
)

// NotVaried returns why a key cannot vary, "" if it can.
func NotVaried(key string, frames bool) string {
	section, _, _ := strings.Cut(key, ".")
	switch {
	case key == "":
		return ""
	case key == "run.seed":
		return "seeds: says which seeds there are"
	case key == "run.realtime":
		return "worlds of a sweep run as fast as they can"
	case key == "run.frames" && frames:
		return "take frames: away, which sets it"
	case section == "run", section == "limits", section == "systems", section == "resources", section == "mods":
		return ""
	}
	return "keys are run.*, limits.*, systems.NAME.*, resources.NAME and mods.NAME.enabled"
}

// A VaryProblem has the problem of one value of a key, for the file that names it.
func (s *Sweep) varyProblem(i, value int, p *Problem) *Problem {
	path := index("vary", i)
	if value >= 0 {
		path = index(path+".values", value)
	} else if value == -1 {
		path += ".key"
	}
	return s.Problem(path, p.Message, p.Hint)
}

// Check reads the config of the sweep, with --set, and checks each key that varies, and each of its values, against it. It sets
// Whole of the keys that hold whole numbers. The error is Problems, of the config if that is wrong by itself.
func (s *Sweep) Check(set []string) (*Config, error) {
	c, err := Load(s.Config, s.Overrides(set))
	if err != nil {
		return nil, s.unread(err)
	}
	var problems Problems
	if c.Run.Frames == 0 && !slices.ContainsFunc(s.Vary, func(v Vary) bool { return v.Key == "run.frames" }) {
		problems = append(problems, s.Problem("config", "the config runs until it is interrupted, and a sweep does not", "add frames: 600"))
	}
	for i := range s.Vary {
		v := &s.Vary[i]
		if v.Values != nil {
			for k, value := range v.Values {
				if value = c.ShortValue(v.Key, value); value != v.Values[k] && slices.Contains(v.Values, value) {
					problems = append(problems, s.varyProblem(i, k, twice(value)))
				}
				v.Values[k] = value
				if p := c.TrySet(v.Key, value); p != nil {
					problems = append(problems, s.varyProblem(i, k, p))
				} else if v.Key == "run.frames" && value == "0" {
					problems = append(problems, s.varyProblem(i, k, &Problem{Message: "0 frames is a run without an end", Hint: "write a number from 1"}))
				}
			}
			continue
		}
		numeric, whole := c.numericKey(v.Key)
		v.Whole = whole
		if !numeric {
			if p := c.TrySet(v.Key, "0"); p != nil && strings.Contains(p.Message, "no ") {
				problems = append(problems, s.varyProblem(i, -1, p))
			} else {
				problems = append(problems, s.varyProblem(i, -1, &Problem{Message: fmt.Sprintf("%q holds no numbers, so it has no range", clip(v.Key)), Hint: "write values: […]"}))
			}
			continue
		}
		for _, end := range []struct {
			name string
			v    float64
		}{{"from", v.From}, {"to", v.To}} {
			if whole {
				end.v = math.Round(end.v)
			}
			if p := c.TrySet(v.Key, ShortNumber(end.v)); p != nil {
				problems = append(problems, s.Problem(join(index("vary", i), end.name), p.Message, p.Hint))
			}
		}
	}
	if err := problems.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// unread returns the error of a config, with the line of the sweep that names it if the file could not be read.
func (s *Sweep) unread(err error) error {
	if list := Problems(nil); errors.As(err, &list) && len(list) == 1 && list[0].Pos == (Pos{File: s.Config}) {
		return Problems{s.Problem("config", s.Config+": "+list[0].Message, list[0].Hint)}
	}
	return err
}

// Overrides returns the overrides for all points: --set, and the frames of the sweep. The environment has no effect.
func (s *Sweep) Overrides(set []string) Overrides {
	o := Overrides{Set: set}
	if s.Frames > 0 {
		o.Frames = &s.Frames
	}
	return o
}

// TrySet returns what is wrong with KEY=VALUE of a --set for a config that was loaded, nil if nothing is. The config does not change.
func (c *Config) TrySet(key, value string) *Problem {
	try := *c
	try.Systems, try.Resources, try.Layers, try.listed = slices.Clone(c.Systems), slices.Clone(c.Resources), slices.Clone(c.Layers), slices.Clone(c.listed)
	d := &decoder{where: map[string]Pos{}, items: c.items}
	d.setFirst(key+"="+value, &try)
	d.set(key+"="+value, &try, map[string]any{})
	if len(d.problems) == 0 {
		return nil
	}
	return d.problems[0]
}

// ShortValue returns a value of the key of a --set in the form that results have: numbers in digits, as short as they can be.
func (c *Config) ShortValue(key, value string) string {
	if numeric, _ := c.numericKey(key); numeric {
		if n, ok := parseNumber(value); ok && !n.overflow {
			return n.short()
		}
	}
	return value
}

// numericKey reports whether the key of a --set holds numbers, and whether those are whole.
func (c *Config) numericKey(key string) (numeric, whole bool) {
	if s, ok := findScalar(key); ok {
		kind, _ := s.schema["type"].(string)
		return kind == "integer" || kind == "number", kind == "integer"
	}
	if strings.HasPrefix(key, "systems.") && strings.HasSuffix(key, ".every") {
		return c.TrySet(key, "1") == nil, true
	}
	if name, ok := strings.CutPrefix(key, "resources."); ok {
		i := slices.IndexFunc(c.Resources, func(r Resource) bool { return r.Name == name })
		if i < 0 {
			return false, false
		}
		switch kind := c.Resources[i].Type; kind {
		case "f64", "f32":
			return true, false
		case "bool", "string", "entity", "table":
			return false, false
		default:
			return true, true
		}
	}
	return false, false
}
