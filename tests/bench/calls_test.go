package main

import (
	"slices"
	"strings"
	"testing"
)

func TestCallLines(t *testing.T) {
	res := results{"A": {perCall: 25.5}, "B": {perTurn: 9e6}, "C": {perTurn: 6e6}}
	lines, reasons, err := callLines([]callRow{
		{title: "a", bench: "A", unit: perCall, bar: 30, plain: "a"},
		{title: "a too", bench: "A", unit: perCall, bar: 25, why: "a reason"},
		{title: "b", bench: "B", unit: perTurn, floor: "C", bar: 1.5, times: true},
		{title: "b too", bench: "B", unit: perTurn, floor: "C", bar: 8e6},
	}, res, map[string]float64{"a": 9.5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"| a | 25.5 ns | – | – | 9.5 ns | – | ≤ 30 ns | met |",
		"| a too | 25.5 ns | – | – | – | – | ≤ 25 ns | **missed** |",
		"| b | 9 ms | 6 ms | 1.50 × | – | – | ≤ 1.5 × | met |",
		"| b too | 9 ms | 6 ms | 1.50 × | – | – | ≤ 8 ms | **missed** |",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("lines:\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if want := []string{"- a too: a reason.", "- b too: no reason is known."}; !slices.Equal(reasons, want) {
		t.Errorf("reasons: %q, want %q", reasons, want)
	}
	if _, _, err := callLines([]callRow{{title: "d", bench: "D", unit: perCall}}, res, nil, nil); err == nil {
		t.Error("a row without a figure is accepted")
	}
}

// Each row must find its benchmark among the patterns that the page runs.
func TestCallRowsHavePatterns(t *testing.T) {
	for _, page := range []callPage{callsPage, worldsPage} {
		for _, r := range page.rows {
			if !slices.ContainsFunc(page.patterns, func(p pattern) bool { return p.group == group(r.bench) }) {
				t.Errorf("no pattern runs %s", r.bench)
			}
		}
	}
}
