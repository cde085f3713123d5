package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// firstCapacity is the number of rows a table makes room for when it gets its first.
const firstCapacity = 8

// A Table stores all entities that have exactly the components of its mask: row i of every column belongs to Entities()[i].
type Table struct {
	world     *World
	open      *World // world, as long as raw access to columns is told to nobody
	id        uint32
	mask      mask
	ids       []ComponentID // ascending
	columns   []Column      // beside ids; their addresses never change
	entities  []Entity
	owned     bool // entities lie in Options.Memory
	capacity  int  // rows the columns have room for
	edges     []edge
	edgeIndex edgeIndex   // of those beyond the first few
	targets   []*Column   // the columns of relations
	same      columnPairs // each column with itself; made when the first row moves within the table
	typed     bool        // some column holds pointers
	weight    int         // what moving a row costs, in the steps of Commands.ApplyCharged
}

// ID returns the table's place in the order of creation, from 0.
func (t *Table) ID() int { return int(t.id) }

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.entities) }

// Entities returns the entity of each row, len == Len(). Do not change it; valid until the next structural change.
func (t *Table) Entities() []Entity { return t.entities }

// Components returns the ids of the components, ascending. Do not change it.
func (t *Table) Components() []ComponentID { return t.ids }

// Has reports whether the table has the component.
func (t *Table) Has(id ComponentID) bool { return t.mask.has(id) }

// Column returns the column of a component, nil when the table lacks it.
func (t *Table) Column(id ComponentID) *Column {
	if uint(id) >= uint(len(t.world.components)) {
		return nil
	}
	return t.world.components[id].column(t.id)
}

func newTable(w *World, id uint32, m mask) *Table {
	t := &Table{world: w, id: id, mask: m, ids: m.ids()}
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
		t.typed = t.typed || !info.schema.pointerFree
		c.base, c.owned = allocRows(nil, info.schema, 0)
		if info.pages[id>>pageShift] == noPage {
			w.structure += uint64(unsafe.Sizeof(*noPage))
		}
		info.setColumn(id, c)
		if info.relation != nil {
			t.targets = append(t.targets, c)
		}
	}
	w.structure += uint64(unsafe.Sizeof(*t)) + uint64(len(t.columns))*(uint64(unsafe.Sizeof(Column{}))+16) + uint64(len(m)*16)
	t.weight = (len(t.ids) + int(t.rowBytes()>>6)) >> 2
	return t
}

// most returns how many rows the table can have at most: their bytes are an int.
func (t *Table) most() int { return math.MaxInt / int(t.rowBytes()) }

// room reports [ErrLimit] when the table cannot have n more rows, whatever the machine.
func (t *Table) room(n int) error {
	if n > t.most()-len(t.entities) {
		return fmt.Errorf("%w: a table of rows of %d bytes has at most %d", ErrLimit, t.rowBytes(), t.most())
	}
	return nil
}

// reserve makes room for n more rows, or says that the machine or the world's limit leaves none: [ErrLimit], [ErrBytes].
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
	t.resize(min(want, t.most()))
	return nil
}

// extend makes room for one more row, whatever the limit says: for callers that cannot go back. Others have called reserve.
// Panics when [Table.room] says that there is none.
func (t *Table) extend() {
	if err := t.room(1); err != nil {
		panic("ecs: " + err.Error())
	}
	t.resize(max(min(2*t.capacity, t.most()), firstCapacity))
}

// resize moves all columns to memory for capacity rows, at least Len().
func (t *Table) resize(capacity int) {
	if j := t.world.journal; j != nil {
		j.adds(t, 0)
	}
	t.world.bytes.Add(int64(capacity-t.capacity) * int64(t.rowBytes())) // first, so that no watchdog takes the new memory for a script's
	memory, owned := t.world.options.Memory, false
	entities := append(room[Entity](memory, nil, &owned, capacity), t.entities...)
	release(memory, t.entities, &t.owned)
	blocks := (capacity + blockRows - 1) >> blockShift
	allRows := make([]rowStamp, capacity*len(t.columns)) // one allocation for all columns
	adviseHuge(unsafe.Pointer(unsafe.SliceData(allRows)), uintptr(len(allRows))*unsafe.Sizeof(rowStamp{}))
	allBlocks := make([]blockStamp, blocks*len(t.columns))
	for i := range t.columns {
		t.columns[i].resize(capacity, allRows[i*capacity:(i+1)*capacity:(i+1)*capacity], allBlocks[i*blocks:(i+1)*blocks:(i+1)*blocks])
	}
	t.entities, t.capacity, t.owned = entities, capacity, owned
	t.world.layout++
}

// push appends a row for e and returns its index. The columns' values and stamps are the caller's to set.
func (t *Table) push(e Entity) int {
	row := len(t.entities)
	if row == t.capacity {
		t.extend()
	}
	t.entities = t.entities[:row+1]
	t.entities[row] = e
	return row
}

// swapRemove takes row out by moving the last row into its place. It returns the moved entity, None when row was the last.
func (t *Table) swapRemove(row int) Entity {
	last := len(t.entities) - 1
	moved := None
	if row != last {
		if len(t.same.all) < len(t.columns) {
			t.pairUp()
		}
		if len(t.same.odd) > 0 {
			t.same.carryOdd(row, last)
		}
		carryWords(t.same.all, row, last)
		moved = t.entities[last]
		t.entities[row] = moved
	}
	if t.typed {
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

// forget clears the pointers of a row that is gone, so that the collector does not see them.
func (t *Table) forget(row int) {
	for i := range t.columns {
		if c := &t.columns[i]; c.info.schema.memory != nil {
			c.info.schema.memory.clear(c.at(row))
		}
	}
}
