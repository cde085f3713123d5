package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// A table stores the entities with one set of components. This file manages its rows: appending, removing by
// swapping in the last row, growing. All columns and the list of entities have the same capacity and grow
// together. graph.go decides which table an entity belongs to; slots.go knows where each entity is.

// firstCapacity is the number of rows for which a table gets memory with its first row.
const firstCapacity = 8

// A Table stores all entities that have exactly the components of its mask. Row i of every column belongs to
// Entities()[i].
type Table struct {
	world     *World
	open      *World // equal to world if raw access to columns need not tell a journal; nil otherwise
	id        uint32
	prefab    bool // its entities are prefabs; a table of the same mask that is no prefab's is another one
	mask      mask
	ids       []ComponentID // the components of the mask, ascending
	columns   []Column      // in the order of ids; their addresses never change
	entities  []Entity
	owned     bool // entities are in Options.Memory
	capacity  int  // rows for which the columns have memory
	edges     []edge
	edgeIndex edgeIndex   // finds the edges if there are more than a few
	targets   []*Column   // the columns of relations
	same      columnPairs // each column paired with itself, for moves within the table; made at the first such move
	typed     bool        // at least one column holds pointers
	interest  interest    // what is observed of its rows; once observers.of was asked, also:
	sole      *Observer   // who is told of a new row, if nobody else is
	joint     *joint      // who is told of several components
	sized     uint32      // the number of the turn in which the undo log has recorded the size
	before    int         // the number of rows when that turn began
	tags      *rowTags    // which rows have which tags, as far as walks have asked; may be nil
	weight    int         // cost of moving a row, in the steps of Commands.ApplyCharged
}

// ID returns the index of the table in the order of creation, from 0.
func (t *Table) ID() int { return int(t.id) }

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.entities) }

// Entities returns the entities of all rows, in row order. It is valid until the next structural change. Do not
// change it.
func (t *Table) Entities() []Entity { return t.entities }

// Components returns the ids of the components in ascending order. Do not change the slice.
func (t *Table) Components() []ComponentID { return t.ids }

// Prefab reports whether the entities of the table are prefabs, see [World.DeclarePrefab]. Code that goes through all tables leaves such a table out,
// unless it is about prefabs, too.
func (t *Table) Prefab() bool { return t.prefab }

// Has reports whether the table has the component.
func (t *Table) Has(id ComponentID) bool { return t.mask.has(id) }

// Column returns the column of a component, nil if the table lacks it.
func (t *Table) Column(id ComponentID) *Column {
	made(t.world != nil, "Table", "World.Tables")
	if uint(id) >= uint(len(t.world.components)) {
		return nil
	}
	return t.world.components[id].column(t.id)
}

// columnCost is about the number of bytes of a column without rows, for the limit of what tables cost without rows.
const columnCost = 136

// newTable makes an empty table and registers its columns with their components. It has no memory for rows yet. It
// keeps m.
func newTable(w *World, id uint32, m mask, prefab bool) *Table {
	t := &Table{world: w, id: id, mask: m, prefab: prefab, ids: m.ids()}
	t.openFor()
	w.layout++
	t.columns = make([]Column, len(t.ids))
	for i, cid := range t.ids {
		info := w.components[cid]
		c := &t.columns[i]
		c.info, c.table, c.size = info, t, info.schema.size
		c.zero = info.schema.pointerFree && info.schema.zero
		if info.schema.pointerFree && (c.size == 8 || c.size == 16) {
			c.words = uint8(c.size / 8)
		}
		if c.zero && (c.words > 0 || c.size == 0) {
			c.blank = c.words + 1
		}
		c.memory = info.schema.memory
		t.typed = t.typed || c.memory != nil
		c.base, c.owned = allocRows(nil, info.schema, 0)
		if info.pages[id>>pageShift] == noPage {
			w.structure += uint64(unsafe.Sizeof(*noPage))
		}
		info.setColumn(id, c)
		if info.relation != nil {
			t.targets = append(t.targets, c)
		}
	}
	w.structure += uint64(unsafe.Sizeof(*t)) + uint64(len(t.columns))*columnCost + uint64(len(m)*16)
	t.weight = (len(t.ids) + int(t.rowBytes()>>6)) >> 2
	return t
}

// most returns the largest number of rows of which the bytes fit into an int.
func (t *Table) most() int { return math.MaxInt / int(t.rowBytes()) }

// room returns [ErrLimit] if the table cannot have n more rows because of their size in bytes.
func (t *Table) room(n int) error {
	if n > t.most()-len(t.entities) {
		return fmt.Errorf("%w: a table of rows of %d bytes has at most %d", ErrLimit, t.rowBytes(), t.most())
	}
	return nil
}

// reserve makes room for n more rows. Errors: [ErrLimit], [ErrBytes]. Callers that can refuse an operation call it
// before they change anything.
func (t *Table) reserve(n int) error {
	if err := t.room(n); err != nil {
		return err
	}
	need := len(t.entities) + n
	if need <= t.capacity {
		return nil
	}
	want, ok := t.world.wanted(t.capacity, firstCapacity, need, t.rowBytes())
	if !ok && t.world.giveBack() {
		want, ok = t.world.wanted(t.capacity, firstCapacity, need, t.rowBytes())
	}
	if !ok {
		return t.world.full()
	}
	t.world.beginChange()
	defer t.world.endChange()
	t.resize(min(want, t.most()))
	return nil
}

// extend makes room for one more row without regard to the limit of bytes, for callers that cannot refuse any
// more. It panics if [Table.room] refuses.
func (t *Table) extend() {
	if err := t.room(1); err != nil {
		panic("ecs: " + err.Error())
	}
	t.resize(max(min(2*t.capacity, t.most()), firstCapacity))
}

// resize moves all columns and the entities to memory for capacity rows, at least Len().
func (t *Table) resize(capacity int) {
	if j := t.world.journal; j != nil {
		j.adds(t, 0)
	}
	t.world.heap.elseRows.Add(int64(capacity-t.capacity) * int64(t.elseBytes()))
	t.world.bytes.Add(int64(capacity-t.capacity) * int64(t.rowBytes())) // before the allocation, so that a watchdog does not count the new memory as that of a script
	memory, owned := t.world.memory, false
	entities := append(room[Entity](memory, nil, &owned, capacity), t.entities...)
	release(memory, t.entities, &t.owned)
	blocks := (capacity + blockRows - 1) >> blockShift
	allBlocks := make([]blockStamp, blocks*len(t.columns)) // one allocation for all columns
	for i := range t.columns {
		t.columns[i].resize(capacity, allBlocks[i*blocks:(i+1)*blocks:(i+1)*blocks])
	}
	t.entities, t.capacity, t.owned = entities, capacity, owned
	t.world.layout++
}

// push appends a row for e and returns its index. The caller sets the values and stamps.
func (t *Table) push(e Entity) int {
	row := len(t.entities)
	if row == t.capacity {
		t.extend()
	}
	if row == 0 {
		t.occupy()
	}
	t.entities = t.entities[:row+1]
	t.entities[row] = e
	return row
}

// swapRemove removes a row and moves the last row into its place, with its stamps. It returns the entity that has
// moved, None if the row was the last one. The caller updates the slots.
func (t *Table) swapRemove(row int) Entity {
	last := len(t.entities) - 1
	moved := None
	if t.tags != nil {
		t.tags.move(row)
		t.tags.move(last)
	}
	if row != last {
		if len(t.same.all) < len(t.columns) {
			t.pairUp()
		}
		if len(t.same.odd) > 0 {
			t.same.moveOdd(row, last)
		}
		carryWords(t.same.all, row, last)
		moved = t.entities[last]
		t.entities[row] = moved
	} else if t.typed {
		t.forget(last)
	}
	t.entities = t.entities[:last]
	return moved
}

// pairUp pairs each column with itself.
func (t *Table) pairUp() {
	for i := range t.columns {
		t.same.add(&t.columns[i], &t.columns[i])
	}
}

// forget clears the pointers of a row that is no longer used, for the garbage collector.
func (t *Table) forget(row int) {
	for i := range t.columns {
		if c := &t.columns[i]; c.memory != nil {
			c.memory.clear(c.at(row))
		}
	}
}

// A component finds its column in a table by the id of the table, through pages of 64 tables. This costs one load
// more than a flat array, but neither memory nor work grows with the product of components and tables: pages
// without the component are all the same one.
const (
	pageTables = 64
	pageShift  = 6

	pointerSize = 4 << (^uintptr(0) >> 63)
)

// A tablePage has the columns of one component in 64 tables, and the addresses of their row 0. Both are nil for a
// table that lacks the component.
type tablePage struct {
	bases [pageTables]unsafe.Pointer
	cols  [pageTables]*Column
}

// noPage stands for 64 tables that all lack the component. It is never written.
var noPage = new(tablePage)

// column returns the component's column in a table of its world, nil if the table lacks it.
func (c *component) column(table uint32) *Column {
	return c.pages[table>>pageShift].cols[table&(pageTables-1)]
}

// base returns the address of row 0 of that column, nil if the table lacks it.
func (c *component) base(table uint32) unsafe.Pointer {
	return c.pages[table>>pageShift].bases[table&(pageTables-1)]
}

// baseIn is base for a table id that comes from a slot. The id is valid, so there are no bounds checks. columnIn
// is the same for column.
func (c *component) baseIn(table uint32) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(c.directory, uintptr(table>>pageShift)*pointerSize)), uintptr(table%pageTables)*pointerSize))
}

func (c *component) columnIn(table uint32) *Column {
	page := *(*unsafe.Pointer)(unsafe.Add(c.directory, uintptr(table>>pageShift)*pointerSize))
	return *(**Column)(unsafe.Add(page, (pageTables+uintptr(table%pageTables))*pointerSize))
}

// setColumn records the column of a table. Call it again when its memory has moved.
func (c *component) setColumn(table uint32, col *Column) {
	page := &c.pages[table>>pageShift]
	if *page == noPage {
		*page = new(tablePage)
	}
	(*page).cols[table&(pageTables-1)] = col
	(*page).bases[table&(pageTables-1)] = col.base
}

// coverTables makes pages for n tables.
func (c *component) coverTables(n int) {
	for len(c.pages) < (n+pageTables-1)>>pageShift {
		c.pages = append(c.pages, noPage)
	}
	c.directory = unsafe.Pointer(unsafe.SliceData(c.pages))
}
