package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// This file is the page of what a turn of a system costs besides its rows: calls and instructions outside query loops, turns, and loops that
// meet neighbours. It has the same work over plain tables beside it where there is such work.

const callsTitle = "Calls, turns and neighbours"

// A callRow is a line of the page. Its figures are of the quickest batch: see quickest in luabind.
type callRow struct {
	title string
	bench string
	unit  string
	floor string  // a benchmark of the same work in Go; "" for none
	bar   float64 // nanoseconds; with a floor and times, how many times the floor
	times bool
	plain string // the name of the same work in plain/calls.lua; "" for none
	why   string // the physical reason, printed when the bar is missed
}

var callRows = []callRow{
	{title: "`world:spawn` of two components", bench: "Calls/spawn", unit: perCall, bar: 600, plain: "spawn"},
	{title: "`world:spawn_many` with a function, each", bench: "Calls/spawn_many", unit: perCall, bar: 300, plain: "spawn_many"},
	{title: "`world:get(e, \"C\").x`", bench: "Calls/get", unit: perCall, bar: 120, plain: "get"},
	{title: "an empty turn of `for`", bench: "Calls/for", unit: perCall, bar: 6, plain: "for"},
	{title: "a call of a Lua function", bench: "Calls/call", unit: perCall, bar: 30, plain: "call"},
	{title: "a read of `t.x`", bench: "Calls/field", unit: perCall, bar: 20, plain: "field"},
	{title: "a turn of a system: empty", bench: "Turns/empty", unit: perTurn, bar: 150},
	{title: "… a compiled loop over ten entities", bench: "Turns/ten", unit: perTurn, bar: 400},
	{title: "… a loop over events, none there", bench: "Turns/events", unit: perTurn, bar: 250},
	{title: "pairs of points, written to the component that is read, per pair", bench: "Loop/pairsown/entities=200/auto", unit: "quickest-ns/pair", floor: "Loop/pairsown/entities=200/native", bar: 4, plain: "pairs"},
	{title: "pull to a point, 10k", bench: "Loop/pull/entities=10000/auto", unit: "quickest-ns/entity", floor: "Loop/pull/entities=10000/native", bar: 1, times: true, plain: "pull"},
	{title: "targeting in the arena of 50,000, native, against a search by hand", bench: "Targeting/native", unit: perTurn, floor: "Targeting/floor", bar: 1.3, times: true},
	{title: "… in Lua", bench: "Targeting/auto", unit: perTurn, floor: "Targeting/floor", bar: 1.3, times: true},
	// 8 ms a turn where the search by hand takes 6.5, as on the machine on which the bar was set.
	{title: "… native, as 8 ms to 6.5", bench: "Targeting/native", unit: perTurn, floor: "Targeting/floor", bar: 8 / 6.5, times: true},
}

const (
	perCall = "quickest-ns/call"
	perTurn = "quickest-ns/turn"
)

// A pattern is benchmarks of a group, in a folder. Of a group only those that the page needs are run.
type pattern struct{ group, pattern, folder string }

// A callPage is a page of such rows.
type callPage struct {
	title    string
	rows     []callRow
	patterns []pattern
	plain    string // the script of the same work over plain tables; "" for none
}

var callsPage = callPage{callsTitle, callRows, callPatterns, filepath.Join("tests", "bench", "plain", "calls.lua")}

var callPatterns = []pattern{
	{"Calls", "^BenchmarkCalls$", "./luabind"},
	{"Turns", "^BenchmarkTurns$", "./luabind"},
	{"Loop", "^BenchmarkLoop$/^(pairsown|pull)$/^entities=(200|10000)$/^(auto|native)$", "./luabind"},
	{"Targeting", "^BenchmarkTargeting$", "./tests"},
}

// show prints the page. It reports false if no group matches the filter.
func (page *callPage) show(filter *regexp.Regexp, count int, time string) (bool, error) {
	chosen := slices.DeleteFunc(slices.Clone(page.rows), func(r callRow) bool { return !filter.MatchString(group(r.bench)) })
	if len(chosen) == 0 {
		return false, nil
	}
	all, cpu := results{}, ""
	for _, p := range page.patterns {
		if !slices.ContainsFunc(chosen, func(r callRow) bool { return group(r.bench) == p.group }) {
			continue
		}
		measured, processor, err := measure([]string{p.folder}, p.pattern, count, time)
		if err != nil {
			return true, err
		}
		maps.Copy(all, measured)
		cpu = processor
	}
	fmt.Printf("## %s\n\n%s, %s/%s, %s, GOMAXPROCS %d; quickest batch of %d runs of %s each\n\n", page.title, cpu, runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.GOMAXPROCS(0), count, time)
	plain := map[string]map[string]float64{}
	programs := map[string]string{}
	if page.plain != "" {
		programs = plainPrograms()
	}
	for name, path := range programs {
		text, err := output(path, page.plain)
		if err != nil {
			return true, err
		}
		if plain[name], err = plainTimes(text); err != nil {
			return true, err
		}
	}
	lines, reasons, err := callLines(chosen, all, plain["lua5.4"], plain["luajit"])
	if err != nil {
		return true, err
	}
	fmt.Println("| operation | ecsrun | in Go | ratio | lua5.4 | luajit | bar | |\n|---|---|---|---|---|---|---|---|")
	fmt.Printf("%s\n\n%d of %d bars met\n\n", strings.Join(lines, "\n"), len(lines)-len(reasons), len(lines))
	if len(reasons) > 0 {
		fmt.Printf("Not met, and why:\n\n%s\n\n", strings.Join(reasons, "\n"))
	}
	return true, nil
}

func group(bench string) string {
	name, _, _ := strings.Cut(bench, "/")
	return name
}

// callLines returns a line for each row, and a sentence for each that misses its bar.
func callLines(rows []callRow, res results, lua, jit map[string]float64) (lines, reasons []string, err error) {
	for _, r := range rows {
		got, err := res.of(r.bench, r.unit)
		if err != nil {
			return nil, nil, err
		}
		held, floor, ratio, says := got, "–", "–", "≤ "+nanoseconds(r.bar)
		if r.floor != "" {
			ns, err := res.of(r.floor, r.unit)
			if err != nil {
				return nil, nil, err
			}
			floor, ratio = nanoseconds(ns), fmt.Sprintf("%.2f ×", got/ns)
			if r.times {
				held, says = got/ns, fmt.Sprintf("≤ %.3g ×", r.bar)
			}
		}
		lines = append(lines, fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |", r.title, nanoseconds(got), floor, ratio,
			nanoseconds(lua[r.plain]), nanoseconds(jit[r.plain]), says, verdicts[held <= r.bar]))
		if held > r.bar {
			why := r.why
			if why == "" {
				why = "no reason is known"
			}
			reasons = append(reasons, fmt.Sprintf("- %s: %s.", r.title, why))
		}
	}
	return lines, reasons, nil
}

// nanoseconds formats a time, "–" for none.
func nanoseconds(ns float64) string {
	switch {
	case ns == 0:
		return "–"
	case ns >= 1e6:
		return fmt.Sprintf("%.3g ms", ns/1e6)
	default:
		return fmt.Sprintf("%.3g ns", ns)
	}
}
