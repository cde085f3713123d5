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
