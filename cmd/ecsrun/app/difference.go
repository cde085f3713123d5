package app

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// This file compares two worlds thing by thing and describes the first difference in words. verify.go uses it when
// two digests differ.

// A difference is one thing that differs between two worlds: what it is, and its value in each.
type difference struct{ what, a, b string }

// worldDifference returns the first difference between two worlds with the same declarations; false if there is
// none. It compares in this order: the living entities by number, each with its components, fields and tags; the
// order of rows, of tags and of the sources of relations; the events that Peek returns; resources; the random
// streams of the systems; the numbers that new entities will get; the reason why the world was stopped. Change
// stamps do not count. It covers what a digest covers, and is slower.
func worldDifference(a, b *ecs.World, systems []string) (difference, bool) {
	c := comparison{a: a, b: b}
	for _, step := range []func() bool{
		c.entities, c.rows, c.tagOrder, c.sources, c.events, c.resources,
		func() bool { return c.streams(systems) }, c.spawns, c.stopped,
	} {
		if step() {
			return c.found, true
		}
	}
	return difference{}, false
}

// A comparison finds the first difference. Each of its methods compares one kind of thing, and reports whether it
// has found a difference.
type comparison struct {
	a, b  *ecs.World
	found difference
}

// differ records a difference if a and b are not equal. what is a format for the name of the thing.
func (c *comparison) differ(a, b string, what string, args ...any) bool {
	if a == b {
		return false
	}
	a, b = shortened(a, b)
	c.found = difference{fmt.Sprintf(what, args...), a, b}
	return true
}

// texts compares two lists and records the first index at which they differ.
func (c *comparison) texts(a, b []string, what string, args ...any) bool {
	for i := range max(len(a), len(b)) {
		at := func(list []string) string {
			if i < len(list) {
				return list[i]
			}
			return "nothing"
		}
		if c.differ(at(a), at(b), "%s %d", fmt.Sprintf(what, args...), i+1) {
			return true
		}
	}
	return false
}

func (c *comparison) entities() bool {
	as, bs := living(c.a), living(c.b)
	for i, j := 0, 0; i < len(as) || j < len(bs); {
		switch {
		case j == len(bs) || i < len(as) && less(as[i], bs[j]):
			return c.differ("alive", "not alive", "entity %s", as[i])
		case i == len(as) || less(bs[j], as[i]):
			return c.differ("not alive", "alive", "entity %s", bs[j])
		}
		if c.entity(as[i]) {
			return true
		}
		i, j = i+1, j+1
	}
	return false
}

// living returns the living entities of a world, sorted by number.
func living(w *ecs.World) []ecs.Entity {
	list := make([]ecs.Entity, 0, w.Len())
	for e := range w.Entities {
		list = append(list, e)
	}
	slices.SortFunc(list, func(x, y ecs.Entity) int {
		if less(x, y) {
			return -1
		}
		return 1 // no two are the same
	})
	return list
}

func less(x, y ecs.Entity) bool {
	return x.Index() < y.Index() || x.Index() == y.Index() && x.Generation() < y.Generation()
}

// entity compares the components, fields and tags of an entity that is alive in both worlds.
func (c *comparison) entity(e ecs.Entity) bool {
	as, bs := c.a.ComponentsOf(e), c.b.ComponentsOf(e)
	namesA, namesB := c.a.ComponentNames, c.b.ComponentNames
	if !slices.Equal(as, bs) {
		for _, id := range as {
			if !slices.Contains(bs, id) {
				return c.differ("there", "not there", "entity %s, %s", e, namesA()[id])
			}
		}
		for _, id := range bs {
			if !slices.Contains(as, id) {
				return c.differ("not there", "there", "entity %s, %s", e, namesB()[id])
			}
		}
	}
	tableA, rowA := c.a.TableOf(e)
	tableB, rowB := c.b.TableOf(e)
	for _, id := range as {
		if f := differingField(tableA.Column(id).Row(rowA), tableB.Column(id).Row(rowB)); f >= 0 {
			return c.field(tableA.Column(id).Row(rowA), tableB.Column(id).Row(rowB), f, "entity %s, %s", e, namesA()[id])
		}
	}
	if tagsA, tagsB := c.a.TagsOf(e), c.b.TagsOf(e); !slices.Equal(tagsA, tagsB) {
		for id, name := range c.a.TagNames() {
			is := func(tags []ecs.TagID) string {
				if slices.Contains(tags, ecs.TagID(id)) {
					return "set"
				}
				return "not set"
			}
			if c.differ(is(tagsA), is(tagsB), "entity %s, tag %s", e, name) {
				return true
			}
		}
	}
	return false
}

// field records field f of two rows as the difference.
func (c *comparison) field(a, b ecs.Row, f int, what string, args ...any) bool {
	if name := a.Schema().Fields()[f].Name; name != "" {
		what, args = what+".%s", append(args, name)
	}
	return c.differ(a.Get(f).String(), b.Get(f).String(), what, args...)
}

// differingField returns the index of the first field that differs between two rows of one layout, -1 if there is
// none.
func differingField(a, b ecs.Row) int {
	for i := range a.Schema().Fields() {
		x, y := a.Get(i), b.Get(i)
		if x.Kind() == ecs.NumberValue && y.Kind() == ecs.NumberValue {
			if p, q := x.Float(), y.Float(); math.Float64bits(p) != math.Float64bits(q) && (p == p || q == q) {
				return i // 0 and -0 are not the same, one NaN and another are
			}
		} else if !x.Equal(y) || x.Kind() == ecs.TableValue && x.String() != y.String() {
			return i
		}
	}
	return -1
}

// rows compares the order in which query loops visit the entities.
func (c *comparison) rows() bool {
	filled := func(w *ecs.World) (out []*ecs.Table) {
		for _, t := range w.Tables() {
			if t.Len() > 0 {
				out = append(out, t)
			}
		}
		return out
	}
	as, bs := filled(c.a), filled(c.b)
	for i := range min(len(as), len(bs)) {
		if !slices.Equal(as[i].Components(), bs[i].Components()) {
			return c.differ(archetype(c.a, as[i]), archetype(c.b, bs[i]), "table %d in the order of loops", i+1)
		}
		for row, e := range as[i].Entities() {
			if other := bs[i].Entities()[row]; e != other { // as many rows: it has the same entities
				return c.differ(e.String(), other.String(), "row %d of the table %s", row+1, archetype(c.a, as[i]))
			}
		}
	}
	return false
}

// archetype returns the components of a table as text: {Position, Velocity}.
func archetype(w *ecs.World, t *ecs.Table) string {
	var names []string
	for _, id := range t.Components() {
		names = append(names, w.ComponentNames()[id])
	}
	return "{" + strings.Join(names, ", ") + "}"
}

func (c *comparison) tagOrder() bool {
	for id, name := range c.a.TagNames() {
		if c.texts(names(c.a.TagMembers(ecs.TagID(id))), names(c.b.TagMembers(ecs.TagID(id))), "tag %s, entity", name) {
			return true
		}
	}
	return false
}

func (c *comparison) sources() bool {
	for _, name := range c.a.RelationNames() {
		idA, _ := c.a.LookupRelation(name)
		idB, _ := c.b.LookupRelation(name)
		for _, e := range living(c.a) {
			if c.a.SourceCount(idA, e) == 0 {
				continue // the targets are the same
			}
			if c.texts(names(c.a.Sources(nil, idA, e)), names(c.b.Sources(nil, idB, e)), "entity %s, source of %s", e, name) {
				return true
			}
		}
	}
	return false
}

func names(list []ecs.Entity) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.String()
	}
	return out
}

func (c *comparison) events() bool {
	for i, name := range c.a.EventNames() {
		id := ecs.EventID(i)
		as, bs := c.a.Peek(id), c.b.Peek(id)
		for k := range min(as.Len(), bs.Len()) {
			if f := differingField(as.Row(k), bs.Row(k)); f >= 0 {
				return c.field(as.Row(k), bs.Row(k), f, "event %d of %s", k+1, name)
			}
		}
		if c.differ(grouped(as.Len()), grouped(bs.Len()), "events %s to peek at", name) {
			return true
		}
	}
	return c.eventsSent()
}

// eventsSent compares how many events were ever sent, including those that have been drained.
func (c *comparison) eventsSent() bool {
	for i, name := range c.a.EventNames() {
		_, sentA := c.a.EventCount(ecs.EventID(i))
		_, sentB := c.b.EventCount(ecs.EventID(i))
		if c.differ(grouped(sentA), grouped(sentB), "events %s sent in all", name) {
			return true
		}
	}
	return false
}

func (c *comparison) resources() bool {
	for i, name := range c.a.ResourceNames() {
		a, b := c.a.Resource(ecs.ResourceID(i)), c.b.Resource(ecs.ResourceID(i))
		if f := differingField(a, b); f >= 0 {
			if len(a.Schema().Fields()) == 1 {
				return c.differ(a.Get(f).String(), b.Get(f).String(), "resource %s", name)
			}
			return c.field(a, b, f, "resource %s", name)
		}
	}
	return false
}

// streams compares the numbers that systems will draw next. They are drawn from copies of the worlds.
func (c *comparison) streams(systems []string) bool {
	a, errA := c.a.Copy()
	b, errB := c.b.Copy()
	if errA != nil || errB != nil {
		return false // only between turns is there a copy
	}
	for _, name := range append([]string{""}, systems...) {
		next := func(w *ecs.World) string { return ecs.Number(w.Stream(name).Float64()).String() }
		of := fmt.Sprintf("of system %q", name)
		if name == "" {
			of = "of no system"
		}
		if c.differ(next(a), next(b), "the next random number %s", of) {
			return true
		}
	}
	return false
}

// spawns compares the handles that new entities will get. They are taken from copies of the worlds.
func (c *comparison) spawns() bool {
	a, errA := c.a.Copy()
	b, errB := c.b.Copy()
	if errA != nil || errB != nil {
		return false
	}
	for n := 1; ; n++ {
		x, errA := a.Spawn()
		y, errB := b.Spawn()
		if c.differ(x.String(), y.String(), "entity %d to be spawned next", n) {
			return true
		}
		if errA != nil || errB != nil || x.Generation() == 1 {
			return false // from here on all are new
		}
	}
}

func (c *comparison) stopped() bool {
	why := func(w *ecs.World) string {
		if reason, ok := w.Stopped(); ok {
			return fmt.Sprintf("stopped: %q", reason)
		}
		return "not stopped"
	}
	return c.differ(why(c.a), why(c.b), "the run")
}

const (
	textShown  = 80 // longest text, in runes, that is shown as a whole
	textBefore = 20 // runes shown before the first difference
)

// shortened cuts two long texts down to what is around their first difference.
func shortened(a, b string) (string, string) {
	x, y := []rune(a), []rune(b)
	if len(x) <= textShown && len(y) <= textShown {
		return a, b
	}
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	return window(x, same), window(y, same)
}

func window(text []rune, around int) string {
	from, to, before, after := max(0, around-textBefore), min(len(text), around-min(around, textBefore)+textShown), "", ""
	if from > 0 {
		before = "…"
	}
	if to < len(text) {
		after = "…"
	}
	return before + string(text[from:to]) + after
}
