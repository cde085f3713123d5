package ecs

import (
	"errors"
	"fmt"
	"testing"
	"unsafe"
)

// A damaged is a small world with something of every kind, whose parts a test may break.
type damaged struct {
	*World
	a, b, likes, parent ComponentID
	one, two, many      *Table // {A}, {A, B}, and {B} with more than a block of rows
	first, second       Entity // the rows of two
	free, reserved      uint32 // slots
	children            []Entity
	hit                 *eventLog
	reader              *EventReader
	query               *Query
	tags                []*tagSet
}

// single makes the stamps of the rows of the two entities with two components single, and returns those of one.
func (d *damaged) single(row int) *rowStamp {
	c := &d.two.columns[0]
	c.spread(&c.blocks[0])
	c.blocks[0].newestRows &^= 1
	return &c.blocks[0].single[row]
}

func newDamaged(t *testing.T) *damaged {
	t.Helper()
	w := newWorld(Options{})
	d := &damaged{World: w}
	ids := letters(t, w, "A", "B")
	d.a, d.b = ids[0], ids[1]
	d.likes, d.parent = must[RelationID](t)(w.DeclareRelation("Likes")), must[RelationID](t)(w.DeclareRelation(ChildOf))
	d.query = must[*Query](t)(w.Query(Filter{Required: []ComponentID{d.a}, Optional: []ComponentID{d.b}}))
	for i := range 70 {
		must[TagID](t)(w.DeclareTag(fmt.Sprint("tag", i)))
	}
	d.tags = w.tags
	w.Tag(must[Entity](t)(w.Spawn(d.a)), 69)
	w.advanceTick()
	d.first, d.second = must[Entity](t)(w.Spawn(d.a, d.b)), must[Entity](t)(w.Spawn(d.a, d.b))
	bundle := must[*Bundle](t)(w.Bundle(d.b))
	list := must[[]Entity](t)(bundle.SpawnMany(72, nil))
	for _, e := range []Entity{d.first, d.second} {
		w.Tag(e, 0)
		w.Tag(e, 69)
	}
	for range 2 * MaxBases { // a chain that is long enough for a forest
		e := must[Entity](t)(w.Spawn())
		if n := len(d.children); n > 0 {
			must[bool](t)(w.Relate(e, d.parent, d.children[n-1]))
		}
		d.children = append(d.children, e)
	}
	r := w.components[d.parent].relation
	r.forest = w.buildForest(r)
	must[bool](t)(w.Relate(list[0], d.likes, d.second))
	must[bool](t)(w.Relate(list[1], d.likes, d.second))
	w.advanceTick()
	must[bool](t)(w.Set(d.second, d.a, FieldValue{0, Number(1)}))
	gone := must[Entity](t)(w.Spawn())
	must[bool](t)(w.Despawn(gone))
	hit := hits(t, w)
	d.hit, d.reader = hit.log, w.EventReader(hit.log.id)
	for range 3 {
		for range 3 {
			hit.Send(hitEvent{})
		}
		w.EndFrame()
	}
	hit.Send(hitEvent{})
	d.reader.Skip(2)
	w.hold = &hold{w}
	spent := must[Entity](t)(w.Spawn()) // takes the free slot
	w.slots.all[spent.Index()].meta = MaxGeneration
	w.tables[0].entities[len(w.tables[0].entities)-1] = makeEntity(spent.Index(), MaxGeneration)
	must[bool](t)(w.Despawn(makeEntity(spent.Index(), MaxGeneration))) // retired: neither free nor reserved
	d.reserved = must[Entity](t)(w.Commands().Spawn()).Index()
	gone = must[Entity](t)(w.Spawn())
	must[bool](t)(w.Despawn(gone))
	d.free = gone.Index()
	for _, table := range w.tables {
		switch {
		case len(table.ids) == 1 && table.Has(d.a):
			d.one = table
		case len(table.ids) == 1 && table.Has(d.b):
			d.many = table
		case len(table.ids) == 2 && table.Has(d.a) && table.Has(d.b):
			d.two = table
		}
	}
	check(t, w)
	return d
}

func (d *damaged) slot(e Entity) *slot { return &d.slots.all[e.Index()] }

// mark marks the free slot.
func (d *damaged) mark(m *slotMarks) {
	if err := m.reserve(d.World, 0, d.free); err != nil {
		panic(err)
	}
	m.mark(0, d.free)
}

func (d *damaged) relation(id ComponentID) *relation { return d.components[id].relation }

// Each invariant that Check knows is broken by hand, and Check names it.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	for _, c := range []struct {
		name, want string
		spoil      func(d *damaged)
	}{
		{"slots: free twice", "slot 205 is on the free list twice", func(d *damaged) { d.slots.free = append(d.slots.free, d.free) }},
		{"slots: free and in use", "slot 1 is on the free list and in use", func(d *damaged) { d.slots.free = append(d.slots.free, d.first.Index()) }},
		{"slots: generation 0", "slot 1 has generation 0", func(d *damaged) { d.slot(d.first).meta &^= generationMask }},
		{"slots: a free one with a table", "free slot 205 points at table 1", func(d *damaged) { d.slots.all[d.free].table = 1 }},
		{"slots: one more lives", "203 slots live, the count says 202", func(d *damaged) { d.living-- }},
		{"slots: one less lives", "203 slots live, the count says 204", func(d *damaged) { d.living++ }},
		{"slots: targets", "128 slots are targets, the count says 129", func(d *damaged) { d.slots.targets++ }},
		{"slots: reserved", "1 slots are reserved, the count says 0", func(d *damaged) { d.pending-- }},
		{"slots: a table that there is not", "1v1 points at table 6 of 6", func(d *damaged) { d.slot(d.first).table = uint32(len(d.tables)) }},
		{"slots: a row that there is not", "1v1 points at row 2 of table 2, which is not its own", func(d *damaged) { d.slot(d.first).row = uint32(len(d.two.entities)) }},
		{"slots: the row of another", "1v1 points at row 1 of table 2, which is not its own", func(d *damaged) { d.slot(d.first).row = d.slot(d.second).row }},

		{"tables: another id", "table 1 is not the table of its mask", func(d *damaged) { d.one.id++ }},
		{"tables: not found by its mask", "table 1 is not the table of its mask", func(d *damaged) { delete(d.byMask, string(d.one.mask.appendKey(nil))) }},
		{"tables: other ids", "table 1: columns and mask differ", func(d *damaged) { d.one.ids = []ComponentID{d.b} }},
		{"tables: a column less", "table 2: columns and mask differ", func(d *damaged) { d.two.columns = d.two.columns[:1] }},
		{"tables: a row too many", "204 rows for 203 living entities", func(d *damaged) { d.tables[0].entities = append(d.tables[0].entities, d.first) }},
		{"tables: more rows than room", "table 0 has 1 rows in room for 0", func(d *damaged) { d.tables[0].capacity = len(d.tables[0].entities) - 1 }},
		{"tables: a component knows one that is not", "component B and table 1 disagree", func(d *damaged) { d.components[d.b].setColumn(d.one.id, &Column{base: unsafe.Pointer(&zeroBase)}) }},
		{"tables: a component knows another column", "component B and table 1 disagree", func(d *damaged) { d.components[d.b].pages[0].cols[d.one.id] = &d.one.columns[0] }},
		{"tables: a component knows another base", "component B and table 1 disagree", func(d *damaged) { d.components[d.b].pages[0].bases[d.one.id] = unsafe.Pointer(&zeroBase) }},

		{"columns: swapped", "table 2, column B: it is not where its component says", func(d *damaged) {
			c := d.two.columns
			c[0], c[1] = c[1], c[0]
			c[0].info.setColumn(d.two.id, &c[0])
			c[1].info.setColumn(d.two.id, &c[1])
		}},
		{"columns: of another table", "table 2, column A: it is not where its component says", func(d *damaged) { d.two.columns[0].table = d.one }},
		{"columns: a copy", "table 2, column A: it is not where its component says", func(d *damaged) {
			c := d.two.columns[0]
			d.components[d.a].setColumn(d.two.id, &c)
		}},
		{"columns: another base", "table 2, column A: it is not where its component says", func(d *damaged) { d.two.columns[0].base = unsafe.Pointer(&zeroBase) }},
		{"columns: a block less", "table 3, column B: 1 blocks for 72 rows", func(d *damaged) { d.many.columns[0].blocks = d.many.columns[0].blocks[1:] }},
		{"columns: changed after now", "table 2, column A: row 0: added at 2, changed at 7, now is 6", func(d *damaged) { d.single(0).changed = d.now + 1 }},
		{"columns: added after changed", "table 2, column A: row 0: added at 6, changed at 2, now is 6", func(d *damaged) { d.single(0).added = d.now }},
		{"columns: never changed", "table 2, column A: row 0 has no stamp", func(d *damaged) { *d.single(0) = rowStamp{} }},
		{"columns: never added", "table 2, column A: row 0 has no stamp", func(d *damaged) { d.single(0).added = 0 }},
		{"columns: newer than the block's newest", "table 2, column A: row 1 is newer than the newest of its block or column", func(d *damaged) { d.single(1).changed = 4 }},
		{"columns: added after the block's newest", "table 2, column A: row 1 is newer than the newest of its block or column", func(d *damaged) { d.single(1).added = 3; d.two.columns[0].newest.added = 3 }},
		{"columns: newer than the column's newest", "table 2, column A: row 1 is newer than the newest of its block or column", func(d *damaged) { d.two.columns[0].newest.changed-- }},
		{"columns: added after the column's newest", "table 2, column A: row 0 is newer than the newest of its block or column", func(d *damaged) { d.two.columns[0].newest.added-- }},
		{"columns: newer than what was before the newest", "table 2, column A: row 0, changed at 2: its block says newest 3 (false), before that 1", func(d *damaged) { d.two.columns[0].blocks[0].changedBefore-- }},
		{"columns: a row that is gone", "table 2, column A: the stamps of single rows of block 0 are newer than the block", func(d *damaged) { d.single(5).added = d.now }},
		{"columns: single stamps not counted", "single stamps of 0 bytes are there, but 1 are counted", func(d *damaged) { d.heap.singles.Add(1) }},

		{"graph: an edge back to the table", "table 2: the edge adding [0] leads to table 2", func(d *damaged) { d.two.edges = []edge{{ids: []ComponentID{d.a}, add: &move{to: d.two}}} }},
		{"graph: an edge to add that leads elsewhere", "table 1: the edge adding [1] leads to table 3", func(d *damaged) { d.one.edges = []edge{{ids: []ComponentID{d.b}, add: &move{to: d.many}}} }},
		{"graph: an edge without effect", "table 1: the edge removing [1] leads to table 1", func(d *damaged) { d.one.edges = []edge{{ids: []ComponentID{d.b}, remove: &move{to: d.one}}} }},
		{"graph: an edge to remove that leads elsewhere", "table 2: the edge removing [1] leads to table 3", func(d *damaged) { d.two.edges = []edge{{ids: []ComponentID{d.b}, remove: &move{to: d.many}}} }},

		{"queries: a table is missing", "query 0 has not the tables it should", func(d *damaged) { d.query.matches = d.query.matches[1:] }},
		{"queries: another table", "query 0 has not the tables it should", func(d *damaged) { d.query.matches[0].table = d.two }},
		{"queries: another column", "query 0 has not the tables it should", func(d *damaged) { d.query.matches[0].cols = d.query.matches[1].cols }},

		{"tags: another place", "tag tag0: slot 1 is not where it says", func(d *damaged) { d.tags[0].sparse.at(d.first.Index()).place++ }},
		{"tags: a place that there is not", "tag tag0: slot 2 is not where it says", func(d *damaged) { d.tags[0].sparse.at(d.second.Index()).place++ }},
		{"tags: another generation", "tag tag0: slot 1 is not where it says", func(d *damaged) { d.tags[0].sparse.at(d.first.Index()).generation++ }},
		{"tags: a member twice", "tag tag0: 2 entries for 3 members", func(d *damaged) { d.tags[0].dense = append(d.tags[0].dense, d.first) }},
		{"tags: a dead member", "tag tag0 holds 205v1, which is dead or does not know of it", func(d *damaged) {
			dead := makeEntity(d.free, 1)
			room := errors.Join(d.tags[0].reserve(d.free), d.tagMarks.reserve(d.World, 0, d.free))
			d.tags[0].add(dead)
			d.tagMarks.mark(0, d.free)
			if room != nil {
				panic(room)
			}
		}},
		{"tags: the slot does not know", "tag tag0 holds 1v1, which is dead or does not know of it", func(d *damaged) { d.slot(d.first).meta &^= slotTagged }},
		{"tags: the marks do not know", "tag tag0 holds 1v1, which is dead or does not know of it", func(d *damaged) { *d.tags[0].marked.words.at(d.first.Index()) = 0 }},

		{"relations: no way back", "relation Likes: the list of slot 2 is broken at slot 4", func(d *damaged) { d.sources()[1].previous = 0 }},
		{"relations: a source without the relation", "relation Likes: the list of slot 1 is broken at slot 1", func(d *damaged) {
			r := d.relation(d.likes)
			*r.heads.at(d.first.Index()) = relationHead{d.first.Index() + 1, d.first.Index() + 1, 1}
			*r.links.at(d.first.Index()) = relationLink{}
		}},
		{"relations: another target", "relation Likes: slot 3 is in the list of slot 2, its target is 1v1", func(d *damaged) { *d.source() = d.first }},
		{"relations: a dead target", "relation Likes: slot 3 is in the list of slot 2, its target is 2v2", func(d *damaged) { *d.source() = makeEntity(d.second.Index(), 2) }},
		{"relations: the slot does not know", "relation Likes: slot 3 is in the list of slot 2, its target is 2v1", func(d *damaged) {
			d.slot(d.second).meta &^= slotTarget
			d.slots.targets--
		}},
		{"relations: the marks do not know", "relation Likes: slot 3 is in the list of slot 2, its target is 2v1", func(d *damaged) { *d.relation(d.likes).marked.words.at(d.second.Index()) = 0 }},
		{"relations: another last", "relation Likes: slot 2 has 2 sources, the count says 2", func(d *damaged) { d.relation(d.likes).heads.at(d.second.Index()).last++ }},
		{"relations: another count", "relation Likes: slot 2 has 2 sources, the count says 3", func(d *damaged) { d.relation(d.likes).heads.at(d.second.Index()).count++ }},
		{"relations: a source in no list", "relation Likes: 2 rows, 0 in lists", func(d *damaged) { *d.relation(d.likes).heads.at(d.second.Index()) = relationHead{} }},
		{"forest: another parent", "relation ChildOf: slot 78 is below node 76 in the forest, in the column below node 78", func(d *damaged) {
			f := d.relation(d.parent).forest
			f.nodes[d.children[3].Index()+1].up = d.children[0].Index() + 1
		}},
		{"forest: a parent where there is none", "relation ChildOf: slot 1 is below node 3 in the forest, in the column below node 0", func(d *damaged) {
			f := d.relation(d.parent).forest
			f.nodes[d.first.Index()+1].up = d.second.Index() + 1
		}},
		{"forest: a node on no path", "relation ChildOf: 202 of 204 nodes are on paths", func(d *damaged) {
			f := d.relation(d.parent).forest
			x, y := d.first.Index()+1, d.second.Index()+1
			f.nodes[x].up, f.nodes[y].left = y, x
			f.nodes[y].up, f.nodes[x].left = x, y
		}},

		{"marks: a free slot with a tag", "the free slot 205 has marks", func(d *damaged) { d.mark(&d.tagMarks) }},
		{"marks: a free slot that is a target", "the free slot 205 has marks", func(d *damaged) { d.mark(&d.World.targets) }},
		{"marks: the level above does not know", "slot 1: level 1 of the marks does not know of row 1", func(d *damaged) { *d.tagMarks.levels[1][0].words.at(d.first.Index()) &^= 2 }},
		{"marks: the level above knows too much", "slot 0: level 1 of the marks does not know of row 0", func(d *damaged) { *d.tagMarks.levels[1][0].words.at(0) |= 1 }},
		{"marks: the level above knows nothing", "slot 2: level 1 of the marks does not know of row 0", func(d *damaged) { *d.tagMarks.levels[1][0].words.at(d.second.Index()) = 0 }},

		{"events: begins after peek", "event Hit: marks 7 6 9 10 in room for 9", func(d *damaged) { d.hit.first = d.hit.previous + 1 }},
		{"events: peek begins after the frame", "event Hit: marks 0 10 9 10 in room for 16", func(d *damaged) { d.hit.previous = d.hit.current + 1 }},
		{"events: the frame begins after the end", "event Hit: marks 0 6 11 10 in room for 16", func(d *damaged) { d.hit.current = d.hit.end + 1 }},
		{"events: ends after its memory", "event Hit: marks 0 6 9 10 in room for 9", func(d *damaged) { d.hit.full = d.hit.end - 1 }},
		{"events: taken after peek", "event Hit: taken from 7 on, and held from 0, shown from 6", func(d *damaged) { d.hit.hole = d.hit.previous + 1 }},
		{"events: a reader too early", "event Hit: a reader at 18446744073709551615 of 0 to 10", func(d *damaged) { d.reader.next = d.hit.first - 1 }},
		{"events: a reader too late", "event Hit: a reader at 11 of 0 to 10", func(d *damaged) { d.reader.next = d.hit.end + 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDamaged(t)
			c.spoil(d)
			if got, want := fmt.Sprint(d.Check()), "ecs: check: "+c.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestCheckCountsBytes(t *testing.T) {
	w := newWorld(Options{})
	w.bytes.Add(1)
	if got, want := fmt.Sprint(w.Check()), "ecs: check: 0 bytes are held, the count says 1"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// source is where the first source of second has its target, and sources are the links of both.
func (d *damaged) source() *Entity {
	r := d.relation(d.likes)
	return d.targetCell(r, &d.slots.all[r.heads.at(d.second.Index()).first-1])
}

func (d *damaged) sources() (list []*relationLink) {
	r := d.relation(d.likes)
	for at := r.heads.at(d.second.Index()).first; at != 0; at = r.links.at(at - 1).next {
		list = append(list, r.links.at(at-1))
	}
	return list
}
