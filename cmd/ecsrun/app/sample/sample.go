// Package sample reads numbers from a world: aggregates of a field over the entities of a query, and resources.
//
//	sum(Health.current)   mean(Health.current; #enemy, !Frozen)   count(Health, #enemy)   score   wind.x
package sample

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/query"
	"github.com/ecsrun/ecsrun/ecs"
)

// functions are those that a sample may call.
var functions = []string{"count", "sum", "mean", "min", "max"}

// A Sample is a number that can be read from a world again and again. It changes nothing there.
type Sample struct {
	Text string // as it was written

	world    *ecs.World
	function string // "" for a resource
	resource ecs.ResourceID
	field    int // of the resource, or of value
	value    ecs.ComponentID
	query    *query.Query
}

// Parse makes a sample of a text. The error says what is wrong with it, and what might be meant.
func Parse(w *ecs.World, text string) (*Sample, error) {
	s := &Sample{Text: strings.TrimSpace(text), world: w}
	name, rest, call := strings.Cut(s.Text, "(")
	name = strings.TrimSpace(name)
	if !call {
		return s, s.ofResource(name)
	}
	inner, closed := strings.CutSuffix(strings.TrimSpace(rest), ")")
	switch {
	case !slices.Contains(functions, name):
		return nil, s.wrong("there is no function %q%s", name, query.Meant(name, "functions", functions))
	case !closed:
		return nil, s.wrong("a ) is missing at its end")
	}
	s.function = name
	if name == "count" {
		return s, s.ofQuery(inner)
	}
	field, words, _ := strings.Cut(inner, ";")
	if err := s.ofField(strings.TrimSpace(field)); err != nil {
		return nil, err
	}
	if err := s.ofQuery(words); err != nil {
		return nil, err
	}
	s.query.Require(s.value)
	return s, nil
}

func (s *Sample) wrong(format string, args ...any) error {
	return fmt.Errorf("%q: %s", s.Text, fmt.Sprintf(format, args...))
}

func (s *Sample) ofResource(text string) error {
	name, field, dotted := strings.Cut(text, ".")
	id, err := query.Resource(s.world, name)
	if err != nil {
		return s.wrong("%v", err)
	}
	schema := s.world.Resource(id).Schema()
	if !dotted {
		field = "value"
	}
	s.resource = id
	return s.fieldOf(name, schema, field)
}

// fieldOf finds a field that holds a number.
func (s *Sample) fieldOf(owner string, schema *ecs.Schema, field string) error {
	var err error
	if s.field, err = query.Field(owner, schema, field); err != nil {
		return s.wrong("%v", err)
	}
	if t := schema.Fields()[s.field].Type; !t.Numeric() && t != ecs.Bool {
		return s.wrong("%s.%s is a %s, and no number", owner, field, t)
	}
	return nil
}

func (s *Sample) ofField(text string) error {
	name, field, dotted := strings.Cut(text, ".")
	id, err := query.Component(s.world, name)
	if err != nil {
		return s.wrong("%v", err)
	}
	if !dotted {
		return s.wrong("%s(%s.FIELD) expected", s.function, name)
	}
	info, _ := s.world.ComponentInfo(id)
	s.value = id
	return s.fieldOf(name, info.Schema, strings.TrimSpace(field))
}

// ofQuery parses the words of a query. Those that say which values a row shows mean nothing here.
func (s *Sample) ofQuery(text string) (err error) {
	if s.query, err = query.Parse(s.world, text, query.Words{}); err != nil {
		return s.wrong("%v", err)
	}
	if strings.Contains(text, "?") {
		return s.wrong("a component behind ? leaves no entity out; leave the word out")
	}
	return nil
}

// Read returns the number of now. ok is false if there is none: the mean, minimum or maximum of no entity.
func (s *Sample) Read() (v float64, ok bool) {
	if s.function == "" {
		return number(s.world.Resource(s.resource), s.field), true
	}
	n, sum, low, high := 0, 0.0, math.Inf(1), math.Inf(-1)
	for _, t := range s.world.Tables() {
		if !s.query.Takes(t) {
			continue
		}
		whole, column := s.query.Whole(t), t.Column(s.value)
		if whole && s.function == "count" {
			n += t.Len()
			continue
		}
		for i, e := range t.Entities() {
			if !whole && !s.query.Row(t, i) {
				continue
			}
			n++
			if s.function == "count" {
				continue
			}
			var row ecs.Row
			if column != nil {
				row = column.Row(i)
			} else {
				row, _ = s.world.Ref(e, s.value).Row() // its base has one
			}
			v := number(row, s.field)
			sum += v
			if low = min(low, v); high < v || math.IsNaN(v) {
				high = max(high, v)
			}
		}
	}
	switch s.function {
	case "count":
		return float64(n), true
	case "sum":
		return sum, true
	case "mean":
		return sum / float64(n), n > 0
	case "min":
		return low, n > 0
	default:
		return high, n > 0
	}
}

// number returns the value of a field as a number.
func number(row ecs.Row, field int) float64 {
	if row.Schema().Fields()[field].Type == ecs.Bool {
		if row.Get(field).Bool() {
			return 1
		}
		return 0
	}
	return row.Number(field)
}
