package main

import "fmt"

// A row is one line of the table: a benchmark, what it is held against, and the mark.
type row struct {
	title string
	bench string // the benchmark's name, as go test prints it without "Benchmark"
	floor string // another benchmark; "" when the mark is absolute
	mark  float64
	unit  string // "" is ns/entity, which is nanoseconds per entity or operation
	times bool   // the mark is a speed-up: the ratio must be at least it
}

const perOperation = "ns/entity"

// rows are the operations whose speed is promised, in the order of the page. A mark with a floor is a ratio to it.
var rows = []row{
	{title: "iterate 2 components by columns, 1k entities", bench: "Iterate2/entities=1000/columns/declared=go", floor: "Iterate2/entities=1000/floor", mark: 1.05},
	{title: "… 10k", bench: "Iterate2/entities=10000/columns/declared=go", floor: "Iterate2/entities=10000/floor", mark: 1.05},
	{title: "… 100k", bench: "Iterate2/entities=100000/columns/declared=go", floor: "Iterate2/entities=100000/floor", mark: 1.05},
	{title: "… 1M", bench: "Iterate2/entities=1000000/columns/declared=go", floor: "Iterate2/entities=1000000/floor", mark: 1.05},
	{title: "… declared at run time, 1k", bench: "Iterate2/entities=1000/columns/declared=runtime", floor: "Iterate2/entities=1000/floor", mark: 1.05},
	{title: "… declared at run time, 100k", bench: "Iterate2/entities=100000/columns/declared=runtime", floor: "Iterate2/entities=100000/floor", mark: 1.05},
	{title: "… declared at run time, 1M", bench: "Iterate2/entities=1000000/columns/declared=runtime", floor: "Iterate2/entities=1000000/floor", mark: 1.05},
	{title: "iterate 5 components by columns, 10k", bench: "Iterate5/entities=10000/columns/declared=go", floor: "Iterate5/entities=10000/floor", mark: 1.05},
	{title: "… declared at run time, 100k", bench: "Iterate5/entities=100000/columns/declared=runtime", floor: "Iterate5/entities=100000/floor", mark: 1.05},
	{title: "one entity at a time (step), 10k", bench: "Iterate2/entities=10000/step", floor: "Iterate2/entities=10000/floor", mark: 1.5},
	{title: "… 100k", bench: "Iterate2/entities=100000/step", floor: "Iterate2/entities=100000/floor", mark: 1.5},
	{title: "32 archetypes, 1k entities", bench: "Fragmented/tables=32/entities=1000/columns", floor: "Fragmented/tables=32/entities=1000/floor", mark: 1.6},
	{title: "1,024 archetypes, 10k entities", bench: "Fragmented/tables=1024/entities=10000/columns", floor: "Fragmented/tables=1024/entities=10000/floor", mark: 4},
	{title: "query over one entity", bench: "QueryStart/tables=1/columns", mark: 12},
	{title: "… each further table", bench: "QueryStart/tables=1024/columns", mark: 10},
	{title: "get by handle, random, 10k", bench: "GetRandom/entities=10000/get", mark: 1.9},
	{title: "… 1M", bench: "GetRandom/entities=1000000/get", mark: 18},
	{title: "spawn with 2 components and values", bench: "Spawn/bundle_and_values", mark: 15},
	{title: "… batch", bench: "Spawn/batch_and_values", mark: 2.5},
	{title: "despawn, in order", bench: "Despawn/plain/in_order", mark: 12},
	{title: "… right after a whole-column write", bench: "Despawn/after_a_whole-column_write/in_order", mark: 12},
	{title: "… batch", bench: "Despawn/plain/query", mark: 2.4},
	{title: "add + remove (pair), 1 component carried", bench: "AddRemove/carried=1/bundle,_all_there_and_all_back", mark: 55},
	{title: "… right after a whole-column write", bench: "AddRemove/carried=1/after_a_whole-column_write", mark: 55},
	{title: "… 5 components carried", bench: "AddRemove/carried=5/bundle,_all_there_and_all_back", mark: 100},
	{title: "… for a whole query at once, per entity", bench: "AddRemove/carried=1/query_at_once", mark: 6},
	{title: "set with stamp, random, 10k", bench: "SetRandom/mut", mark: 5},
	{title: "tag flip", bench: "Tag/tag_all_and_untag_all", mark: 2.5},
	{title: "has tag", bench: "Tag/has/random", mark: 0.7},
	{title: "event send + read", bench: "Events/buffer_and_read", floor: "Events/floor", mark: 1.15},
	{title: "queue + apply, add or remove, against direct", bench: "AddRemove/carried=1/commands", floor: "AddRemove/carried=1/world,_all_there_and_all_back", mark: 1.3},
	{title: "changed query, nothing written, per table", bench: "ChangedQuery/written=0/tables=1024", mark: 10},
	{title: "… 1 % of 100k written, per row", bench: "ChangedQuery/written=1%/entities=100000", mark: 0.2},
	{title: "empty system in the schedule", bench: "Schedule/empty_systems", mark: 10},
	{title: "first entity of a new archetype, 256 present", bench: "NewArchetype/present=256", mark: 1400},
	{title: "… 16k present", bench: "NewArchetype/present=16384", mark: 1400},
	{title: "heap per entity of 32 payload bytes, 1M, reserved", bench: "Heap", mark: 70, unit: "B/entity"},
	{title: "parallel, heavy body, 2 workers: times as fast as 1", bench: "Parallel/workers=1", floor: "Parallel/workers=2", mark: 1.9, times: true},
	{title: "re-target a relation", bench: "Relation/re-target", mark: 60},
	{title: "parent with one child", bench: "RelationParents", mark: 1024, unit: "B/parent"},
}

// line renders the row; ok says whether the mark is met.
func (r row) line(res results) (text string, ok bool, err error) {
	unit := r.unit
	if unit == "" {
		unit = perOperation
	}
	got, found := res[r.bench][unit]
	if !found {
		return "", false, fmt.Errorf("benchmark %s printed no %s", r.bench, unit)
	}
	shown := "ns"
	if r.unit != "" {
		shown = "B"
	}
	verdict := map[bool]string{true: "met", false: "**missed**"}
	if r.floor == "" {
		ok = got <= r.mark
		return fmt.Sprintf("| %s | %.4g %s | | | ≤ %g %s | %s |", r.title, got, shown, r.mark, shown, verdict[ok]), ok, nil
	}
	floor, found := res[r.floor][unit]
	if !found {
		return "", false, fmt.Errorf("benchmark %s printed no %s", r.floor, unit)
	}
	ratio, sign := got/floor, "≤"
	ok = ratio <= r.mark
	if r.times {
		ok, sign = ratio >= r.mark, "≥"
	}
	return fmt.Sprintf("| %s | %.4g %s | %.4g %s | %.2f × | %s %g × | %s |", r.title, got, shown, floor, shown, ratio, sign, r.mark, verdict[ok]), ok, nil
}
