package ecs

import (
	"fmt"
	"slices"
	"strconv"
)

// This file finds the differences between two worlds, kind by kind. It reads both worlds and changes neither.

// Differences returns the first differences between w, which is A, and other, which is B, at most as many as most;
// nil if there are none. Components, relations, tags, events, resources, prefabs, states, layers, indexes and streams are compared by name, so the
// worlds may have other declarations, in another order: what only one of them declares is a difference by itself.
//
// The order is that of the constants of [DifferenceKind], except that components, fields and tags are compared entity
// by entity, in the order of their indexes, and events type by type. The order of rows, tags and sources is compared
// only where the members are the same, so that one entity too many is one difference.
//
// It covers what [World.Digest] covers, and in addition the number of events that were ever sent and whether the
// world was stopped. Change stamps, event cursors and the clock do not count. All NaNs are equal; 0 and -0 are not.
// No system may be running in either world. It costs O(both worlds), and is several times slower than a digest.
func (w *World) Differences(other *World, most int) []Difference {
	given(other != nil, "World.Differences", "another world")
	c := comparison{a: w, b: other, most: most}
	for _, compare := range [...]func(){
		c.declarations, c.entities, c.order, c.tagOrder, c.sources, c.prefabs, c.events, c.waiting, c.resources, c.states, c.layers, c.indexes, c.streams, c.spawns, c.stops,
	} {
		if len(c.found) < c.most {
			compare()
		}
	}
	return c.found
}

// A comparison collects the differences between two worlds.
type comparison struct {
	a, b  *World
	most  int
	found []Difference

	components []pairing // of components and relations
	tags       []pairing
	members    bool            // the worlds differ in entities or in what entities have, so orders are not compared
	retagged   map[string]bool // tags that others have, and relations in which others have other targets
}

// A pairing is what both worlds declare under one name.
type pairing struct {
	name   string
	a, b   int // ids
	fields []fieldPairing
	opaque []opaqueConversion
}

// A fieldPairing is a field that both layouts have.
type fieldPairing struct {
	name string
	a, b int // indexes in the layouts
}

// differ adds a difference if the two texts are not equal. It reports whether they differ.
func (c *comparison) differ(d Difference, a, b string) bool {
	if a == b {
		return false
	}
	d.A, d.B = Shortened(a, b)
	if len(c.found) < c.most {
		c.found = append(c.found, d)
	}
	return true
}

func (c *comparison) full() bool { return len(c.found) >= c.most }

// declarations pairs names, and adds those that have no partner.
func (c *comparison) declarations() {
	schemas := func(w *World) (names []string, of func(int) *Schema) {
		return w.ComponentNames(), func(i int) *Schema { return w.components[i].schema }
	}
	namesA, ofA := schemas(c.a)
	namesB, ofB := schemas(c.b)
	c.components = c.pair("component", namesA, namesB, ofA, ofB)
	for _, p := range c.components {
		kindA, kindB := c.a.components[p.a].relation != nil, c.b.components[p.b].relation != nil
		c.differ(Difference{Kind: DifferentDeclaration, Name: "component " + p.name}, relationText(kindA), relationText(kindB))
		if kindA && kindB {
			manyA, manyB := c.a.components[p.a].relation.pairs != nil, c.b.components[p.b].relation.pairs != nil
			c.differ(Difference{Kind: DifferentDeclaration, Name: "component " + p.name}, targetsText(manyA), targetsText(manyB))
		}
	}
	c.tags = c.pair("tag", c.a.TagNames(), c.b.TagNames(), nil, nil)
	c.retagged = map[string]bool{}
}

func relationText(is bool) string {
	if is {
		return "a relation"
	}
	return "not a relation"
}

// pair returns the pairings of two lists of names. The functions return layouts; nil for what has none.
func (c *comparison) pair(what string, a, b []string, ofA, ofB func(int) *Schema) (list []pairing) {
	at := make(map[string]int, len(b))
	for i, name := range b {
		at[name] = i
	}
	for i, name := range a {
		j, ok := at[name]
		if !ok {
			c.differ(Difference{Kind: DifferentDeclaration, Name: what + " " + name}, "declared", "not declared")
			continue
		}
		delete(at, name)
		p := pairing{name: name, a: i, b: j}
		if ofA != nil {
			p.fields = c.pairFields(what+" "+name, ofA(i), ofB(j))
			p.opaque = c.pairOpaque(what+" "+name, ofA(i), ofB(j))
		}
		list = append(list, p)
	}
	for _, name := range b {
		if _, left := at[name]; left {
			c.differ(Difference{Kind: DifferentDeclaration, Name: what + " " + name}, "not declared", "declared")
		}
	}
	return list
}

// pairFields returns the fields that two layouts have in common, and adds the others as differences.
func (c *comparison) pairFields(what string, a, b *Schema) (list []fieldPairing) {
	missing := Difference{Kind: DifferentDeclaration, Name: what}
	for i, f := range a.fields {
		missing.Field = f.Name
		if j := b.Index(f.Name); j < 0 {
			c.differ(missing, f.Type.String(), "no such field")
		} else {
			c.differ(missing, f.Type.String(), b.fields[j].Type.String())
			list = append(list, fieldPairing{f.Name, i, j})
		}
	}
	for _, f := range b.fields {
		missing.Field = f.Name
		if a.Index(f.Name) < 0 {
			c.differ(missing, "no such field", f.Type.String())
		}
	}
	return list
}

// pairOpaque returns the opaque fields that two layouts have in common and that digests have. What only one has is a
// difference.
func (c *comparison) pairOpaque(what string, a, b *Schema) (list []opaqueConversion) {
	for i := range a.opaque {
		for j := range b.opaque {
			if f, g := &a.opaque[i], &b.opaque[j]; f.name == g.name && !f.left() && !g.left() {
				list = append(list, opaqueConversion{f, g})
			}
		}
	}
	if a.kept() != len(list) || b.kept() != len(list) {
		c.differ(Difference{Kind: DifferentDeclaration, Name: what}, a.String(), b.String())
	}
	return list
}

// fields compares two rows of a paired name.
func (c *comparison) fields(d Difference, p *pairing, a, b Row) {
	for _, f := range p.fields {
		if a.schema.fields[f.a].Type.Len() > 0 && b.schema.fields[f.b].Type.Len() > 0 {
			if c.items(d, f, a, b); c.full() {
				return
			}
			continue
		}
		if x, y := a.Get(f.a), b.Get(f.b); different(x, y) {
			d.Field = f.name
			c.differ(d, x.String(), y.String())
			if c.full() {
				return
			}
		}
	}
	for _, f := range p.opaque {
		if x, y, differ := f.different(a.ptr, b.ptr); differ {
			d.Field = f.from.name
			c.differ(d, x, y)
		}
	}
}

// items compares two arrays value by value: slots[3]. f has no name for a resource of a single value.
func (c *comparison) items(d Difference, f fieldPairing, a, b Row) {
	for k := 1; k <= max(a.schema.fields[f.a].Type.Len(), b.schema.fields[f.b].Type.Len()); k++ {
		if x, y := a.Item(f.a, k), b.Item(f.b, k); different(x, y) {
			at := d
			if f.name == "" {
				at.Name = fmt.Sprintf("%s[%d]", d.Name, k)
			} else {
				at.Field = fmt.Sprintf("%s[%d]", f.name, k)
			}
			c.differ(at, x.String(), y.String())
			if c.full() {
				return
			}
		}
	}
}

// different reports whether a digest tells two values of one field apart: 0 and -0 are not the same, one NaN and
// another are.
func different(x, y Value) bool {
	switch {
	case x.kind == NumberValue && y.kind == NumberValue:
		return canonicalBits(x.Float()) != canonicalBits(y.Float())
	case x.kind == TableValue && y.kind == TableValue:
		return x.Data() != y.Data() && x.String() != y.String()
	default:
		return !x.Equal(y)
	}
}

// entities compares entities by index, each with its components, fields and tags.
func (c *comparison) entities() {
	a, b := &c.a.slots, &c.b.slots
	for i := range max(len(a.all), len(b.all)) {
		if c.full() {
			return
		}
		x, y := a.living(i), b.living(i)
		if x == y {
			if x != None {
				c.entity(x)
			}
			continue
		}
		c.members = true
		if x > y { // both are of this index, so the one with the smaller generation is first
			c.alone(y, "not alive", "alive")
			c.alone(x, "alive", "not alive")
		} else {
			c.alone(x, "alive", "not alive")
			c.alone(y, "not alive", "alive")
		}
	}
}

func (c *comparison) alone(e Entity, a, b string) {
	if e != None {
		c.differ(Difference{Kind: DifferentEntity, Entity: e}, a, b)
	}
}

// living returns the living entity with an index, None if there is none.
func (s *slots) living(index int) Entity {
	if index >= len(s.all) || s.all[index].meta&slotFree != 0 {
		return None
	}
	return makeEntity(uint32(index), s.all[index].meta&generationMask)
}

// entity compares an entity that is alive in both worlds.
func (c *comparison) entity(e Entity) {
	tableA, rowA := c.a.TableOf(e)
	tableB, rowB := c.b.TableOf(e)
	for i := range c.components {
		p := &c.components[i]
		a, b := tableA.Column(ComponentID(p.a)), tableB.Column(ComponentID(p.b))
		switch {
		case a != nil && b != nil:
			schemaA, schemaB := a.info.schema, b.info.schema
			c.fields(Difference{Kind: DifferentField, Entity: e, Name: p.name}, p, Row{schema: schemaA, ptr: a.at(rowA)}, Row{schema: schemaB, ptr: b.at(rowB)})
			c.targets(e, p)
		case a != nil || b != nil:
			c.members = true
			c.differ(Difference{Kind: DifferentComponent, Entity: e, Name: p.name}, there(a != nil), there(b != nil))
		}
	}
	if (c.a.slots.all[e.Index()].meta|c.b.slots.all[e.Index()].meta)&slotTagged == 0 {
		return
	}
	for _, p := range c.tags {
		if a, b := c.a.tags[p.a].has(e), c.b.tags[p.b].has(e); a != b {
			c.retagged[p.name] = true
			c.differ(Difference{Kind: DifferentTag, Entity: e, Name: p.name}, isSet(a), isSet(b))
		}
	}
}

// targets compares the targets behind the first one of an entity that has a relation with many in both worlds.
func (c *comparison) targets(e Entity, p *pairing) {
	a, b := c.a.components[p.a].relation, c.b.components[p.b].relation
	if a == nil || b == nil || a.pairs == nil || b.pairs == nil {
		return
	}
	as, bs := c.a.appendTargets(nil, a, e, c.a.slots.find(e)), c.b.appendTargets(nil, b, e, c.b.slots.find(e))
	for i := 1; i < max(len(as), len(bs)) && !c.full(); i++ {
		at := func(list []Target) string {
			if i < len(list) {
				return list[i].Entity.String()
			}
			return "nothing"
		}
		if c.differ(Difference{Kind: DifferentField, Entity: e, Name: p.name, Field: fmt.Sprintf("target[%d]", i+1)}, at(as), at(bs)) {
			c.retagged[p.name] = true
			return
		}
	}
}

func there(is bool) string {
	if is {
		return "there"
	}
	return "not there"
}

func isSet(is bool) string {
	if is {
		return "set"
	}
	return "not set"
}

func (c *comparison) events() {
	of := func(w *World) func(int) *Schema { return func(i int) *Schema { return w.events[i].schema } }
	list := c.pair("event", c.a.EventNames(), c.b.EventNames(), of(c.a), of(c.b))
	for i := range list {
		p := &list[i]
		as, bs := c.a.Peek(EventID(p.a)), c.b.Peek(EventID(p.b))
		for k := range min(as.Len(), bs.Len()) {
			if c.full() {
				return
			}
			c.fields(Difference{Kind: DifferentEvent, Name: p.name, Index: k + 1}, p, as.Row(k), bs.Row(k))
		}
		c.differ(Difference{Kind: DifferentEvents, Name: p.name}, strconv.Itoa(as.Len()), strconv.Itoa(bs.Len()))
	}
	for _, p := range list {
		a, b := c.a.events[p.a].end, c.b.events[p.b].end
		c.differ(Difference{Kind: DifferentEventsSent, Name: p.name}, strconv.FormatUint(a, 10), strconv.FormatUint(b, 10))
	}
}

func (c *comparison) resources() {
	of := func(w *World) func(int) *Schema { return func(i int) *Schema { return w.resources[i].schema } }
	list := c.pair("resource", c.a.ResourceNames(), c.b.ResourceNames(), of(c.a), of(c.b))
	for i := range list {
		p := &list[i]
		a, b := c.a.Resource(ResourceID(p.a)), c.b.Resource(ResourceID(p.b))
		if len(a.schema.fields) != 1 || len(b.schema.fields) != 1 || len(p.opaque) > 0 {
			c.fields(Difference{Kind: DifferentResource, Name: p.name}, p, a, b)
		} else if a.schema.fields[0].Type.Len() > 0 && b.schema.fields[0].Type.Len() > 0 {
			c.items(Difference{Kind: DifferentResource, Name: p.name}, fieldPairing{}, a, b)
		} else if x, y := a.Get(0), b.Get(0); different(x, y) { // its field has no name of its own
			c.differ(Difference{Kind: DifferentResource, Name: p.name}, x.String(), y.String())
		}
	}
}

// streams compares the numbers that random streams will return next. A stream that one world has not used yet
// starts from the seed.
func (c *comparison) streams() {
	names := make([]string, 0, len(c.a.streams))
	for _, w := range [...]*World{c.a, c.b} {
		for _, r := range w.streams {
			if !slices.Contains(names, r.name) {
				names = append(names, r.name)
			}
		}
	}
	for _, name := range names {
		a, b := c.a.streamAt(name), c.b.streamAt(name)
		if a.at == b.at {
			continue
		}
		d := Difference{Kind: DifferentStream, Name: name}
		if x, y := a, b; !c.differ(d, Number(x.Float64()).String(), Number(y.Float64()).String()) {
			c.differ(d, fmt.Sprintf("from state %016x%016x", a.at.Hi, a.at.Lo), fmt.Sprintf("from state %016x%016x", b.at.Hi, b.at.Lo))
		}
	}
}

// streamAt returns a copy of a stream, or what it would be when it was first used.
func (w *World) streamAt(name string) Random {
	if r := w.streamNamed[name]; r != nil && r.listed {
		return *r
	}
	r := Random{name: name, seed: w.options.Seed}
	r.restart(r.seed)
	return r
}

// spawns compares the handles that new entities will get, one after another, up to the first that differs.
func (c *comparison) spawns() {
	a, b := &c.a.slots, &c.b.slots
	for n := 0; n <= max(len(a.free), len(b.free)); n++ {
		x, y := Raw.Upcoming(c.a, n), Raw.Upcoming(c.b, n)
		if c.differ(Difference{Kind: DifferentSpawn, Index: n + 1}, x.String(), y.String()) {
			return
		}
	}
}

func (c *comparison) stops() {
	why := func(w *World) string {
		if reason, ok := w.Stopped(); ok {
			return fmt.Sprintf("stopped: %q", reason)
		}
		return "not stopped"
	}
	c.differ(Difference{Kind: DifferentStop}, why(c.a), why(c.b))
}
