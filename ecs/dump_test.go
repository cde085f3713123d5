package ecs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// dump writes down all that a world and its copy have in common, one fact a line: declarations, entities, values, stamps, tags, relations, events, resources,
// streams, clock and queue. Unlike the digest it has stamps, clock and queue, and it says what differs.
func dump(w *World) string {
	var s strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	o := w.options
	line("options: %d %d %d %d %d", o.Seed, o.MaxEntities, o.MaxBytes, o.MaxEvents, o.MaxTags)
	line("alive %d, reserved %d, targets %d, free %v", w.living, w.pending, w.slots.targets, w.slots.free)
	for i, sl := range w.slots.all {
		line("slot %d: %x %d %d", i, sl.meta, sl.table, sl.row)
	}
	line("tick %d of base %d, frame ended at %d", w.now, w.tickBase, w.watermark)
	line("frame %d at %v, %v long; stopped %v: %s", w.clock.frame, w.clock.time, w.clock.dt, w.stopped, w.reason)
	line("names: %v %v %v %v", w.componentNames, w.tagNames, w.eventNames, w.resourceNames)
	for _, c := range w.components {
		line("component %d %s: %s %s, its own slots %v", c.id, c.name, c.kind, c.schema.describe(), c.slots == &w.slots)
		if c.lost != nil {
			line("  lost: %v", c.lost.entries)
		}
		if r := c.relation; r != nil {
			line("  place %d, IsA %v, acyclic %v, cascade %v, bounded %v, its own component %v", r.place, r == w.isA, r.acyclic, r.cascade, r.bounded, r.info == c)
		}
	}
	line("tracked: %d, of them logs %v", len(w.tracked), !slices.ContainsFunc(w.tracked, func(c *component) bool { return c.lost == nil }))
	dumpTables(w, line)
	for _, t := range w.tags {
		line("tag %d %s: %v", t.id, t.name, t.dense)
	}
	for i := range w.slots.all {
		e := makeEntity(uint32(i), w.slots.all[i].meta&generationMask)
		if !w.Alive(e) {
			continue
		}
		line("%s has tags %v", e, w.TagsOf(e))
		for _, r := range w.relations {
			if sources := w.Sources(nil, r.info.id, e); len(sources) > 0 {
				line("%s has sources in %s: %v", e, r.info.name, sources)
			}
		}
	}
	for _, l := range w.events {
		line("event %d %s %s: %d %d %d", l.id, l.name, l.schema.describe(), l.previous, l.current, l.end)
		for i, e := 0, w.Peek(l.id); i < e.Len(); i++ {
			line("  %s", rowText(e.Row(i)))
		}
	}
	for _, r := range w.resources {
		line("resource %s: %s %s", r.name, r.schema.describe(), rowText(Row{schema: r.schema, ptr: r.ptr}))
	}
	for _, r := range w.streams {
		line("stream %s: %d %d", r.name, r.seed, r.at)
	}
	for _, g := range w.grids {
		spec := g.spec
		limited := spec.Query != nil
		spec.Query = nil // an address
		line("grid: %+v %v %d %d", spec, limited, g.x, g.y)
	}
	line("%s", queueText(w.commands))
	return s.String()
}

func dumpTables(w *World, line func(format string, args ...any)) {
	for _, t := range w.tables {
		line("table %d of %v: %v", t.id, t.ids, t.entities)
		for i := range t.columns {
			c := &t.columns[i]
			for row := range t.entities {
				line("  %s %v: %s", c.info.name, c.stampOf(row), rowText(c.Row(row)))
			}
		}
	}
}

func rowText(r Row) string {
	var s strings.Builder
	for i := range r.schema.fields {
		fmt.Fprint(&s, r.Get(i), " ")
	}
	return s.String()
}

// queueText writes a queue down, with the values in it.
func queueText(c *Commands) string {
	var s strings.Builder
	c = c.plain()
	for i := range c.ops {
		op := &c.ops[i]
		fmt.Fprintf(&s, "command %d at %d for %s:", op.op, op.place, op.entity)
		switch op.op {
		case spawnCommand:
			fmt.Fprint(&s, c.ids[op.from:op.to], c.goalsOf(op))
		case addCommand, removeCommand:
			var one [1]ComponentID
			fmt.Fprint(&s, c.list(op, &one))
		case setCommand, sendCommand:
			fmt.Fprint(&s, op.id, c.fields[op.from:op.to])
		case relateCommand:
			fmt.Fprint(&s, c.goals[op.id])
		case storeCommand:
			schema := c.world.components[op.id].schema
			fmt.Fprint(&s, op.id, rowText(Row{schema: schema, ptr: unsafe.Add(c.values[op.id].base, uintptr(op.from)*schema.size)}))
		default:
			fmt.Fprint(&s, op.id)
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// sameDump fails at the first line in which two texts differ.
func sameDump(t testing.TB, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("%s, line %d:\ngot  %s\nwant %s", what, i+1, a[i], b[i])
		}
	}
	t.Fatalf("%s: %d lines, want %d", what, len(a), len(b))
}

// Each fact of a dump is one that the dump of another world lacks.
func TestDumpSeesWhatTheDigestLeavesOut(t *testing.T) {
	build := func() *World {
		w, _, ids := bulkWorld(t, true, true)
		w.TrackRemoved(ids[0])
		must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: 0, X: "x", Y: "y", Cell: 1}))
		return w
	}
	want := dump(build())
	sameDump(t, "the same world", dump(build()), want)
	for name, change := range map[string]func(w *World){
		"a stamp":   func(w *World) { w.tables[1].columns[0].Stamp(3) },
		"a stop":    func(w *World) { w.Stop("enough") },
		"a loss":    func(w *World) { w.components[1].lost.add(7, 1) },
		"a command": func(w *World) { w.Commands().Despawn(w.tables[1].entities[0]) },
		"a value":   func(w *World) { must[bool](t)(w.Set(w.tables[1].entities[0], 0, FieldValue{0, Number(77)})) },
		"a tag":     func(w *World) { w.Tag(w.tables[1].entities[1], 0) },
		"a frame":   func(w *World) { w.BeginFrame(1) },
	} {
		w := build()
		change(w)
		if dump(w) == want {
			t.Errorf("%s does not show", name)
		}
	}
}
