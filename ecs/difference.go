package ecs

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file describes differences between two worlds; differenceof.go finds them. Commands that compare runs, and
// programs that compare snapshots, show them to people.

// A DifferenceKind says what kind of thing differs between two worlds. See the example of [Difference].
type DifferenceKind uint8

// The kinds, in the order in which [World.Differences] looks for them.
const (
	DifferentDeclaration DifferenceKind = iota // a name, or a field of it, that one world declares and the other does not, or with another type
	DifferentEntity                            // an entity that lives in one world only
	DifferentComponent                         // a component or relation that an entity has in one world only
	DifferentField                             // a field of a component; the target of a relation
	DifferentTag                               // a tag that an entity has in one world only
	DifferentOrder                             // the order in which query loops visit tables and rows
	DifferentTagOrder                          // the order of the entities of a tag
	DifferentSources                           // the order of the sources of a target
	DifferentPrefab                            // which entity is which prefab
	DifferentEvent                             // a field of an event that Peek returns
	DifferentEvents                            // how many events Peek returns
	DifferentEventsSent                        // how many events were sent in all
	DifferentWaiting                           // an event that waits
	DifferentResource                          // a resource, or a field of it
	DifferentState                             // the value of a state, or the one that was asked for
	DifferentCell                              // a cell of a layer
	DifferentPlace                             // the order of the entities at a place of an index
	DifferentStream                            // the next number of a random stream
	DifferentSpawn                             // the handle of an entity that will be spawned
	DifferentStop                              // whether, and why, the world was stopped
	numDifferenceKinds                         // no kind: their number
)

// A Difference is one thing that differs between two worlds, A and B. Fields that have no meaning for its kind are
// zero.
type Difference struct {
	Kind   DifferenceKind
	Entity Entity // the entity that differs; for DifferentSources the target
	Name   string // of the component, relation, tag, event, resource, state, layer, index or stream; for DifferentOrder the table as {A, B}; for DifferentDeclaration with the kind in front: "component Position"
	Field  string // of a component, event or resource; "" for a resource of a single value, whose name has the key if it is an array; the place "3,1" in a layer or an index
	Index  int    // counted from 1: the event, row, table, member, source, prefab or spawn
	A, B   string // the two values as text; long texts are cut to the part around their first difference
}

// String returns the difference in one line: "entity 17v2, Position.x: 1, 2".
func (d Difference) String() string { return fmt.Sprintf("%s: %s, %s", d.What(), d.A, d.B) }

// What returns what differs, without the values: "entity 17v2, Position.x".
func (d Difference) What() string {
	name := d.Name
	if d.Field != "" {
		name += "." + d.Field
	}
	switch d.Kind {
	case DifferentDeclaration:
		return name
	case DifferentEntity:
		return fmt.Sprintf("entity %s", d.Entity)
	case DifferentComponent, DifferentField:
		return fmt.Sprintf("entity %s, %s", d.Entity, name)
	case DifferentTag:
		return fmt.Sprintf("entity %s, tag %s", d.Entity, name)
	case DifferentOrder:
		if d.Name == "" {
			return fmt.Sprintf("table %d in the order of loops", d.Index)
		}
		return fmt.Sprintf("row %d of the table %s", d.Index, name)
	case DifferentTagOrder:
		return fmt.Sprintf("tag %s, entity %d", name, d.Index)
	case DifferentSources:
		return fmt.Sprintf("entity %s, source of %s %d", d.Entity, name, d.Index)
	case DifferentPrefab:
		return fmt.Sprintf("prefab %d", d.Index)
	case DifferentEvent:
		return fmt.Sprintf("event %d of %s", d.Index, name)
	case DifferentEvents:
		return fmt.Sprintf("events %s to peek at", name)
	case DifferentEventsSent:
		return fmt.Sprintf("events %s sent in all", name)
	case DifferentWaiting:
		return fmt.Sprintf("waiting event %d", d.Index)
	case DifferentResource:
		return fmt.Sprintf("resource %s", name)
	case DifferentState:
		return fmt.Sprintf("state %s", name)
	case DifferentCell:
		return fmt.Sprintf("layer %s[%s]", d.Name, d.Field)
	case DifferentPlace:
		return fmt.Sprintf("index %s[%s], entity %d", d.Name, d.Field, d.Index)
	case DifferentStream:
		if name == "" {
			return "the next random number of no system"
		}
		return fmt.Sprintf("the next random number of system %q", name)
	case DifferentSpawn:
		return fmt.Sprintf("entity %d to be spawned next", d.Index)
	case DifferentStop:
		return "the run"
	default:
		return fmt.Sprintf("DifferenceKind(%d)", d.Kind)
	}
}

const (
	textShown  = 80 // longest text, in runes, that a Difference shows as a whole
	textBefore = 20 // runes shown before the first difference
)

// Shortened cuts two long texts down to what is around their first difference, as the texts of a [Difference] are cut.
func Shortened(a, b string) (string, string) {
	if utf8.RuneCountInString(a) <= textShown && utf8.RuneCountInString(b) <= textShown {
		return a, b
	}
	x, y := []rune(a), []rune(b)
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	return excerpt(x, same), excerpt(y, same)
}

// excerpt returns at most textShown runes of a text, with those around an index.
func excerpt(text []rune, around int) string {
	from, to, before, after := max(0, around-textBefore), min(len(text), around-min(around, textBefore)+textShown), "", ""
	if from > 0 {
		before = "…"
	}
	if to < len(text) {
		after = "…"
	}
	return before + string(text[from:to]) + after
}

// The rest of this file compares what has an order: entities in tables and tag sets, sources in the lists of their targets.
// differenceof.go calls it, if the entities themselves are alike.

// order compares the order in which query loops visit tables and rows.
func (c *comparison) order() {
	if c.members {
		return
	}
	filled := func(w *World) (out []*Table) {
		for _, t := range w.tables {
			if len(t.entities) > 0 {
				out = append(out, t)
			}
		}
		return out
	}
	as, bs := filled(c.a), filled(c.b)
	for i := range min(len(as), len(bs)) {
		name := c.archetypeText(as[i])
		if c.differ(Difference{Kind: DifferentOrder, Index: i + 1}, name, c.archetypeText(bs[i])) {
			return
		}
		for row, e := range as[i].entities {
			if row < len(bs[i].entities) && c.differ(Difference{Kind: DifferentOrder, Name: name, Index: row + 1}, e.String(), bs[i].entities[row].String()) {
				break // one row of a table is enough
			}
		}
	}
}

// archetypeText returns the components of a table as {Position, Velocity}: those that both worlds declare, in the order
// of world A.
func (c *comparison) archetypeText(t *Table) string {
	var names []string
	for _, p := range c.components {
		id := p.a
		if t.world == c.b {
			id = p.b
		}
		if t.Has(ComponentID(id)) {
			names = append(names, p.name)
		}
	}
	text := "{" + strings.Join(names, ", ") + "}"
	if t.prefab {
		text += " of prefabs"
	}
	return text
}

func (c *comparison) tagOrder() {
	for _, p := range c.tags {
		if !c.members && !c.retagged[p.name] {
			c.lists(Difference{Kind: DifferentTagOrder, Name: p.name}, c.a.tags[p.a].dense, c.b.tags[p.b].dense)
		}
	}
}

// lists adds the first difference between two lists of entities.
func (c *comparison) lists(d Difference, a, b []Entity) {
	if slices.Equal(a, b) {
		return
	}
	for i := range max(len(a), len(b)) {
		at := func(list []Entity) string {
			if i < len(list) {
				return list[i].String()
			}
			return "nothing"
		}
		d.Index = i + 1
		if c.differ(d, at(a), at(b)) {
			return
		}
	}
}

func (c *comparison) sources() {
	for _, p := range c.components {
		relation := c.a.components[p.a].relation
		if c.members || c.retagged[p.name] || relation == nil || c.b.components[p.b].relation == nil {
			continue
		}
		idB := RelationID(p.b)
		var as, bs []Entity
		for target, head := range relation.heads.all {
			if head.count == 0 {
				continue
			}
			e := c.a.slots.living(target)
			if c.full() {
				return
			}
			if e == None || c.a.SourceCount(RelationID(p.a), e) == 0 {
				continue // the targets are the same
			}
			as, bs = c.a.Sources(as[:0], RelationID(p.a), e), c.b.Sources(bs[:0], idB, e)
			c.lists(Difference{Kind: DifferentSources, Entity: e, Name: p.name}, as, bs)
		}
	}
}
