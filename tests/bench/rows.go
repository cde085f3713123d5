package main

import (
	"fmt"
	"strings"
)

// This file is the table of storage operations, and the code that turns a row with its measured figures into a
// line.

// A row is one line of the table: a benchmark, the figure it is compared with, and the mark to meet.
type row struct {
	title string
	bench string // the benchmark's name, as go test prints it without "Benchmark"
	floor string // another benchmark; "" when the mark is absolute
	mark  float64
	unit  string // "" is ns/entity, which is nanoseconds per entity or operation
	times bool   // the mark is a speed-up: the ratio must be at least it
	pace  *pace  // of an absolute mark in nanoseconds; nil is loop
	why   string // the physical reason, printed when the row is not met
	least string // a benchmark of the least there is to do, by hand; the floor of an absolute mark; "" for none
	alone string // of a speed-up with least: what least is held against
}

// A pace compares machines: what plain slices take on this one, and what they took on the machine on which the
// absolute marks were set.
type pace struct {
	name  string
	bench string
	ns    float64
}

var (
	loop   = pace{"a loop over two slices of 10,000", "Pace/loop", 0.58}
	random = pace{"a slice of 10,000 read in random order", "Pace/random", 0.52}
)

const perOperation = "ns/entity"

// Reasons that several rows share.
const (
	start      = "the measurement includes the start of the query and the stamps, about 20 ns per query; the floor does not"
	again      = "the loop is the same function as the floor, run over columns; a second measurement of the floor shows how much it varies"
	onePlace   = "two comparisons with memory and two instructions more than the floor for each entity; where the linker puts the loop moves it by a third"
	inMemory   = "the first two columns are in registers; the addresses of the others are read from memory for each entity, because a store may have changed them"
	tables     = "for each table, columns, slices and stamp are looked up and the loop starts again, which takes about 5 ns; each entity takes two thirds of a nanosecond"
	moves      = "this writes the row, its values, stamps where blocks differ, the slot of the entity, and the slot of the entity that takes its place; the peers keep no stamps"
	created    = "11 allocations, 2 KB in all, of memory not used before: a table, its columns, its place in the index; without the collector it takes as long"
	singles    = "the step from one single row to the next is a call that finds a bit in a word, stamps a row and counts a run; which rows match is found out anew in each walk"
	elsewhere  = "each operation asks whether its table is observed; a command also notes its place, for what observers are told"
	startTyped = "a walk locks structure, fills in the state that its visits share, looks for the table, and stamps the row when it leaves it"
	values     = "each column gets a value and a stamp, the entity a slot and a handle; the floor appends the values only"
	lookup     = "a lookup compares the generation and finds slot, table, page, column and value: 28 instructions; slot and value alone take 12"
)

// rows are the operations whose speed is promised, in the order of docs/benchmarks.md. A mark with a floor is a
// ratio to that floor.
var rows = []row{
	{title: "iterate 2 components by columns, 1k entities", bench: "Iterate2/entities=1000/columns/declared=go", floor: "Iterate2/entities=1000/floor", mark: 1.05, why: start, least: "LeastWalk/1k/slices_again"},
	{title: "… 10k", bench: "Iterate2/entities=10000/columns/declared=go", floor: "Iterate2/entities=10000/floor", mark: 1.05, why: again, least: "LeastWalk/10k/slices_again"},
	{title: "… 100k", bench: "Iterate2/entities=100000/columns/declared=go", floor: "Iterate2/entities=100000/floor", mark: 1.05, why: again, least: "LeastWalk/100k/slices_again"},
	{title: "… 1M", bench: "Iterate2/entities=1000000/columns/declared=go", floor: "Iterate2/entities=1000000/floor", mark: 1.05, why: again, least: "LeastWalk/1M/slices_again"},
	{title: "… declared at run time, 1k", bench: "Iterate2/entities=1000/columns/declared=runtime", floor: "Iterate2/entities=1000/floor", mark: 1.05, why: start, least: "LeastWalk/1k/slices_again"},
	{title: "… declared at run time, 100k", bench: "Iterate2/entities=100000/columns/declared=runtime", floor: "Iterate2/entities=100000/floor", mark: 1.05, why: again, least: "LeastWalk/100k/slices_again"},
	{title: "… declared at run time, 1M", bench: "Iterate2/entities=1000000/columns/declared=runtime", floor: "Iterate2/entities=1000000/floor", mark: 1.05, why: again, least: "LeastWalk/1M/slices_again"},
	{title: "iterate 5 components by columns, 10k", bench: "Iterate5/entities=10000/columns/declared=go", floor: "Iterate5/entities=10000/floor", mark: 1.05, why: again},
	{title: "… declared at run time, 100k", bench: "Iterate5/entities=100000/columns/declared=runtime", floor: "Iterate5/entities=100000/floor", mark: 1.05, why: again, least: "LeastWalk/100k/five_slices_again"},
	{title: "one entity at a time, two components, one written, 1k", bench: "Iterate2/entities=1000/typed", floor: "Iterate2/entities=1000/floor", mark: 1.5, why: start, least: "LeastWalk/1k/slices_again"},
	{title: "… 100k", bench: "Iterate2/entities=100000/typed", floor: "Iterate2/entities=100000/floor", mark: 1.3, why: onePlace, least: "LeastWalk/100k/slices_again"},
	{title: "… 1M", bench: "Iterate2/entities=1000000/typed", floor: "Iterate2/entities=1000000/floor", mark: 1.3, why: onePlace, least: "LeastWalk/1M/slices_again"},
	{title: "… five components, two written, 1k", bench: "Iterate5/entities=1000/typed,_two_written", floor: "Iterate5/entities=1000/floor,_two_written", mark: 2, why: inMemory},
	{title: "… 100k", bench: "Iterate5/entities=100000/typed,_two_written", floor: "Iterate5/entities=100000/floor,_two_written", mark: 2, why: inMemory},
	{title: "… 1M", bench: "Iterate5/entities=1000000/typed,_two_written", floor: "Iterate5/entities=1000000/floor,_two_written", mark: 2, why: inMemory},
	{title: "32 archetypes, 1k entities", bench: "Fragmented/tables=32/entities=1000/columns", floor: "Fragmented/tables=32/entities=1000/floor", mark: 1.6, why: tables, least: "LeastWalk/32_slices"},
	{title: "1,024 archetypes, 10k entities", bench: "Fragmented/tables=1024/entities=10000/columns", floor: "Fragmented/tables=1024/entities=10000/floor", mark: 4, why: tables, least: "LeastWalk/1024_slices"},
	{title: "query over one entity", bench: "QueryStart/tables=1/columns", mark: 12, why: tables},
	{title: "… by the types", bench: "OneEntity/typed", mark: 14, why: startTyped, least: "OneEntity/floor"},
	{title: "… by the types, the query made anew each time", bench: "OneEntity/query_made_anew", mark: 100, why: startTyped, least: "OneEntity/floor"},
	{title: "… each further table", bench: "QueryStart/tables=1024/columns", mark: 10, why: tables},
	{title: "get by handle, random, 10k", bench: "GetRandom/entities=10000/get", mark: 1.9, pace: &random, why: lookup, least: "GetRandom/entities=10000/touches"},
	{title: "… 1M", bench: "GetRandom/entities=1000000/get", mark: 18, pace: &random, why: lookup, least: "GetRandom/entities=1000000/touches"},
	{title: "spawn with 2 components and values", bench: "Spawn/typed", mark: 10, why: "each column gets a value and a look at the stamps of its block; the entity a slot and a handle", least: "Least/spawn"},
	{title: "… batch", bench: "Spawn/typed_batch", mark: 2.5, why: "the values, the handle and the slot are four passes of stores: 60 bytes for each entity, and the list of handles", least: "Least/spawn_many"},
	{title: "despawn, in order", bench: "Despawn/plain/in_order", mark: 12, why: moves, least: "Least/despawn"},
	{title: "… right after a whole-column write", bench: "Despawn/after_a_whole-column_write/in_order", mark: 12, why: moves, least: "Least/despawn"},
	{title: "… batch", bench: "Despawn/plain/query", mark: 2.4, why: "each entity has a slot to free and a place on the list of free ones", least: "Least/despawn_all"},
	{title: "add + remove (pair), 1 component carried", bench: "AddRemove/carried=1/bundle,_all_there_and_all_back", mark: 55, why: moves},
	{title: "… right after a whole-column write", bench: "AddRemove/carried=1/after_a_whole-column_write", mark: 55, why: moves},
	{title: "… 5 components carried", bench: "AddRemove/carried=5/bundle,_all_there_and_all_back", mark: 100, why: moves},
	{title: "… for a whole query at once, per entity", bench: "AddRemove/carried=1/query_at_once", mark: 6, why: "handle, slot and value of each row and the stamps of blocks are copied"},
	{title: "… 5 components carried", bench: "AddRemove/carried=5/query_at_once", mark: 8, why: "handle, slot, values and the stamps of blocks are copied"},
	{title: "a change of one of the last 8 kinds of 40 at a table, against the first 8", bench: "KindsOfChange/last", floor: "KindsOfChange/first", mark: 1.05, why: "the same code on other memory"},
	{title: "create 24 + 32 + 4 bytes", bench: "Sizes/create/24+32+4/spawner", mark: 14, why: values, least: "Sizes/create/24+32+4/floor"},
	{title: "… with a string", bench: "Sizes/create/string/spawner", mark: 12, why: values, least: "Sizes/create/string/floor"},
	{title: "despawn with a string", bench: "Sizes/despawn/string", mark: 16, why: moves},
	{title: "add + remove (pair), carrying a string", bench: "Sizes/carry/string/bundle", mark: 65, why: moves, least: "Sizes/carry/string/floor"},
	{title: "… carrying 4 bytes", bench: "Sizes/carry/4/bundle", mark: 55, why: moves, least: "Sizes/carry/4/floor"},
	{title: "… carrying 12 bytes", bench: "Sizes/carry/12/bundle", mark: 55, why: moves, least: "Sizes/carry/12/floor"},
	{title: "… carrying 24 bytes", bench: "Sizes/carry/24/bundle", mark: 55, why: moves, least: "Sizes/carry/24/floor"},
	{title: "… carrying 32 bytes", bench: "Sizes/carry/32/bundle", mark: 55, why: moves, least: "Sizes/carry/32/floor"},
	{title: "… carrying 64 bytes", bench: "Sizes/carry/64/bundle", mark: 55, why: moves, least: "Sizes/carry/64/floor"},
	{title: "set with stamp, random, 10k", bench: "SetRandom/mut", mark: 5, pace: &random, why: "the value, the stamps of its block and its slot are at three random addresses", least: "Least/set"},
	{title: "… two components, by a spawner", bench: "SetRandom/set_two_at_once", mark: 6, pace: &random, why: "slot, two values and two blocks of stamps are at random addresses", least: "SetRandom/set_two/floor"},
	{title: "… two components, each by itself", bench: "SetRandom/set_two", mark: 9, pace: &random, why: "each value is looked up and stamped for itself", least: "SetRandom/set_two/floor"},
	{title: "tag flip", bench: "Tag/tag_all_and_untag_all", mark: 2.5, pace: &random, why: "the slot of the entity, the entry of the tag and, when a tag is removed, the last entry of the list are at three random addresses", least: "Least/tag_and_untag"},
	{title: "has tag", bench: "Tag/has/random", mark: 0.7, pace: &random, why: "one random place of 80 KB", least: "Least/has_tag"},
	{title: "event send + read", bench: "Events/buffer_and_read", floor: "Events/floor", mark: 1.15, why: "the loops are the floor's own; the log and its reader are a dozen loads and stores a frame"},
	{title: "… each by Send", bench: "Events/send_and_read", floor: "Events/floor", mark: 1.15, why: "Send is a call for each event, because its body is above the limit up to which Go inlines functions, and the end of the log is in memory, so that each event waits for the one before it"},
	{title: "queue + apply, add or remove, against direct", bench: "AddRemove/carried=1/commands", floor: "AddRemove/carried=1/world,_all_there_and_all_back", mark: 1.3, why: "counted by callgrind the queued pair has 5 % fewer instructions than the direct calls, which look their move up each time; what is left is noise between two measurements"},
	{title: "observers of other things: spawner and despawn, times that of a world without", bench: "ObserversElsewhere/spawner_and_despawn", mark: 1.02, unit: "ratio", why: elsewhere},
	{title: "… commands: spawn, tag, despawn", bench: "ObserversElsewhere/commands", mark: 1.02, unit: "ratio", why: elsewhere},
	{title: "changed query, nothing written, per table", bench: "ChangedQuery/written=0/tables=1024", mark: 10},
	{title: "… 1 % of 100k written, per row", bench: "ChangedQuery/written=1%/entities=100000", mark: 0.2},
	{title: "empty system in the schedule", bench: "Schedule/empty_systems", mark: 10, why: "a call through a pointer, a tick, a window and a look at the queue of commands"},
	{title: "first entity of a new archetype, 256 present", bench: "NewArchetype/present=256", mark: 1400, why: created},
	{title: "… 16k present", bench: "NewArchetype/present=16384", mark: 1400, why: created, least: "NewArchetype/present=16384,_no_collection"},
	{title: "heap per entity of 32 payload bytes, 1M, reserved", bench: "Heap/reserved", mark: 66, unit: "B/entity"},
	{title: "… grown one by one", bench: "Heap/grown", mark: 70, unit: "B/entity"},
	{title: "200 tags with one member each in a world of 1M, with that world", bench: "Seldom/200_tags,_0_relations", mark: 16, unit: "MB/seldom"},
	{title: "50 relations, likewise", bench: "Seldom/0_tags,_50_relations", mark: 16, unit: "MB/seldom"},
	{title: "one tagged row at a time, every second of 100k, against a component as the mark", bench: "Tagged/every=2/tag", floor: "Tagged/every=2/component", mark: 2, why: singles},
	{title: "… every 8th", bench: "Tagged/every=8/tag", floor: "Tagged/every=8/component", mark: 2, why: singles},
	{title: "… every 64th", bench: "Tagged/every=64/tag", mark: 6, why: "rows of three columns and the slots of the members lie in 64 times the memory that the rows with a component fill"},
	{title: "give all sources of a target another one", bench: "InBulk/re-target", mark: 1.4},
	{title: "set two of three components by a spawner", bench: "InBulk/set_two_of_three", mark: 6},
	{title: "a query with Without made anew, walked and released", bench: "InBulk/query_made_anew_and_released", mark: 150},
	{title: "spawns queued with two values, applied, and despawned, against a list by hand", bench: "InBulk/queued", floor: "InBulk/list_by_hand", mark: 1.1, why: "the handle of each entity is known when it is queued, so its slot is taken one by one"},
	{title: "spawn in a batch with an observer that fires, and despawn", bench: "InBulk/spawn_many,_observed", mark: 12},
	{title: "… one by one", bench: "InBulk/spawn,_observed", mark: 26, why: "for each call structure is locked, the turn's queue is looked at, and a clean-up is prepared for a panic"},
	{title: "slowest spawn while a world grows to 2M", bench: "SlowestSpawn/typed", floor: "SlowestSpawn/floor", mark: 1.5, unit: "ms/worst", why: "four arrays double at once; appends to slices double one after the other"},
	{title: "typed value queued and applied, 2,000 components declared", bench: "DeclaredComponents/2000_components", mark: 100, unit: "ns/op", least: "DeclaredComponents/1_components"},
	{title: "spawn, tag and despawn, 1,000 tags declared", bench: "DeclaredTags/1000_tags,_each_false", mark: 60, unit: "ns/op", least: "DeclaredTags/1_tags,_each_false"},
	{title: "one entity of a query over 16,384 tables, the others empty", bench: "EmptyTables/16384_tables", mark: 1000, unit: "ns/op", why: "64 tables at a time are passed over, and there are 256 times 64"},
	{title: "relate down a chain of 20k, each", bench: "Chain/down", mark: 500, why: "a link and a node of the forest that finds cycles are made"},
	{title: "parallel, heavy body, 2 workers: times as fast as 1", bench: "Parallel/workers=1", floor: "Parallel/workers=2", mark: 1.9, times: true, why: "two workers have two cores only while the machine has no other load", least: "LeastCores/two", alone: "LeastCores/one"},
	{title: "re-target a relation", bench: "Relation/re-target", mark: 60},
	{title: "children of each of 100 parents, made parent by parent", bench: "Relation/children_made_parent_by_parent", mark: 1.7, why: "the list of a parent is compared with the rows, child by child", least: "Relation/children/floor"},
	{title: "… made in turns", bench: "Relation/children_made_in_turns", mark: 1.7, why: "no two children of a parent are neighbours: the link, the slot and the value of each are in three other lines of memory, and each is a run of its own; Ark and the floor keep the children of a parent together", least: "Relation/children/floor"},
	{title: "… made in turns, then `SortByTarget`", bench: "Relation/children_made_in_turns_and_sorted", mark: 1.7, why: "the values lie together, the links and the slots of the children do not: they are in the order in which the entities were made", least: "Relation/children/floor"},
	{title: "parent with one child", bench: "RelationParents", mark: 1024, unit: "B/parent"},
}

// line returns the row as text; ok says whether the mark is met.
func (r row) line(res results) (text string, ok bool, err error) {
	unit, shown := perOperation, "ns"
	if r.unit != "" {
		unit = r.unit
		shown, _, _ = strings.Cut(unit, "/")
	}
	got, err := res.of(r.bench, unit)
	if err != nil {
		return "", false, err
	}
	verdict := map[bool]string{true: "met", false: "**missed**"}
	if r.floor == "" {
		here, err := r.here(res)
		if err != nil {
			return "", false, err
		}
		ok = got <= here
		least := "| | |"
		if r.least != "" {
			ns, err := res.of(r.least, unit)
			if err != nil {
				return "", false, err
			}
			least = fmt.Sprintf("| %.4g %s | %.2f × |", ns, shown, got/ns)
		}
		return fmt.Sprintf("| %s | %.4g %s %s ≤ %g %s | %.4g | %s |", r.title, got, shown, least, r.mark, shown, here, verdict[ok]), ok, nil
	}
	floor, err := res.of(r.floor, unit)
	if err != nil {
		return "", false, err
	}
	ratio, sign := got/floor, "≤"
	ok = ratio <= r.mark
	if r.times {
		ok, sign = ratio >= r.mark, "≥"
	}
	return fmt.Sprintf("| %s | %.4g %s | %.4g %s | %.2f × | %s %g × | | %s |", r.title, got, shown, floor, shown, ratio, sign, r.mark, verdict[ok]), ok, nil
}

// here returns an absolute mark, scaled to this machine.
func (r row) here(res results) (float64, error) {
	if r.unit != "" { // of bytes, or of work that is not like a loop
		return r.mark, nil
	}
	p := r.pace
	if p == nil {
		p = &loop
	}
	slowness, err := p.slowness(res)
	return r.mark * slowness, err
}

// slowness returns how many times as long plain slices take here as on the machine of the marks.
func (p pace) slowness(res results) (float64, error) {
	ns, err := res.of(p.bench, perOperation)
	return ns / p.ns, err
}

// reason returns why the row is not met, and what the minimal work takes.
func (r row) reason(res results) (string, error) {
	why := r.why
	if why == "" {
		why = "no reason is known"
	}
	text := fmt.Sprintf("- %s: %s.", r.title, why)
	if r.least == "" {
		return text, nil
	}
	unit := perOperation
	if r.unit != "" {
		unit = r.unit
	}
	got, err := res.of(r.bench, unit)
	if err != nil {
		return "", err
	}
	least, err := res.of(r.least, unit)
	if err != nil {
		return "", err
	}
	if r.floor == "" {
		return fmt.Sprintf("%s Benchmark%s takes %.3g ns in this run; ecsrun takes %.2f times as long.", text, r.least, least, got/least), nil
	}
	floor, err := res.of(r.floor, unit)
	if err != nil {
		return "", err
	}
	if r.times {
		one, err := res.of(r.alone, unit)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s Plain slices (Benchmark%s) get %.2f × in this run.", text, r.least, one/least), nil
	}
	return fmt.Sprintf("%s Benchmark%s takes %.3g ns in this run, %.2f × the floor.", text, r.least, least, least/floor), nil
}
