package ir

import (
	"slices"
	"testing"
)

// Departures of one reason are one text with all their places, in the order in which they were found.
func TestDeparturesOfOneReasonAreOneText(t *testing.T) {
	p := &Program{Leaves: []Departure{
		{Line: 3, Text: "calls print", Statement: true},
		{Line: 4, Text: "a view is nil"},
		{File: "util.lua", Line: 9, Text: "calls print", Statement: true},
		{Line: 4, Text: "calls print"},
		{Line: 3, Text: "calls print", Statement: true},
		{Line: 7, Text: "a view is nil"},
	}}
	want := []string{"rows that reach line 3, util.lua:9 (calls print)", "rows in which a view is nil (line 4, line 7)", "rows in which calls print (line 4)"}
	if got := p.Departures(); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := (&Program{}).Departures(); got != nil {
		t.Errorf("without departures: %q", got)
	}
}

// A line belongs to a departure if there is no other one at it.
func TestDepartureAtALine(t *testing.T) {
	p := &Program{Leaves: []Departure{
		{Line: 3, Text: "calls print", Statement: true},
		{File: "util.lua", Line: 4, Text: "calls print", Statement: true},
		{Line: 4, Text: "a view is nil"},
		{Line: 5, Text: "a view is nil"},
		{Line: 5, Text: "calls f", Statement: true},
	}}
	for _, c := range []struct {
		file string
		line int
		text string
	}{
		{"", 3, "rows that reach line 3, util.lua:4 (calls print)"},
		{"util.lua", 4, "rows that reach line 3, util.lua:4 (calls print)"},
		{"", 4, "rows in which a view is nil (line 4, line 5)"},
		{"", 5, ""},
		{"", 6, ""},
	} {
		if text, d, ok := p.DepartureAt(c.file, c.line); text != c.text || ok != (c.text != "") || ok && d.Text == "" {
			t.Errorf("%s:%d: %q %v %v, want %q", c.file, c.line, text, d, ok, c.text)
		}
	}
}
