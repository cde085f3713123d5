package ecs

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unsafe"
)

// loadTables reads the tables in their order, with rows, stamps and edges, and notes in the slots where the living
// entities are.
func loadTables(w *World, l *loader) {
	n := l.count(1)
	for i := range n {
		if t := w.tableOf(l.archetype(w)); int(t.id) != i {
			l.fail("table %d has the components of table %d", i, t.id)
		}
	}
	if n == 0 {
		l.fail("the table without components is missing")
	}
	placed := 0
	for _, t := range w.tables {
		placed += l.table(w, t)
	}
	if placed != w.living {
		l.fail("%d rows for %d living entities", placed, w.living)
	}
	for _, t := range w.tables {
		l.edges(w, t)
	}
}

// archetype reads the components of a table. After those of a table of prefabs comes the id behind the last one that there is.
func (l *loader) archetype(w *World) (m mask, prefab bool) {
	var ids []ComponentID
	for range l.count(1) {
		id := ComponentID(l.below(uint64(len(w.components))+1, "a component"))
		if prefab || len(ids) > 0 && id <= ids[len(ids)-1] {
			l.fail("the components of a table are not in order")
		}
		if prefab = int(id) == len(w.components); !prefab {
			ids = append(ids, id)
		}
	}
	return maskOf(ids), prefab
}

// ids reads a list of components in ascending order.
func (l *loader) ids(w *World) []ComponentID {
	ids := make([]ComponentID, l.count(1))
	for i := range ids {
		ids[i] = ComponentID(l.below(uint64(len(w.components)), "a component"))
		if i > 0 && ids[i] <= ids[i-1] {
			l.fail("the components of a table are not in order")
		}
	}
	return ids
}

// table reads the rows of a table and returns their number.
func (l *loader) table(w *World, t *Table) int {
	n := int(l.below(uint64(w.living)+1, "the number of rows"))
	shortest := int64(n) * 4
	for i := range t.columns {
		shortest += t.columns[i].info.schema.shortest(n)
		l.charge(n, t.columns[i].size+unsafe.Sizeof(rowStamp{}))
	}
	if shortest > l.c.Left() {
		l.fail("%d rows do not fit into the section", n)
	}
	if capacity := min(l.capacity(n, uint64(t.rowBytes())), t.most()); capacity > 0 {
		t.resize(capacity)
	}
	t.entities = t.entities[:n]
	t.occupy()
	l.entities(w, t.entities)
	for row, e := range t.entities {
		sl := &w.slots.all[uint32(e)]
		if sl.table != noTable || sl.row != 0 {
			l.fail("%s is in two rows", e)
		}
		sl.table, sl.row = t.id, uint32(row)
	}
	for i := range t.columns {
		c := &t.columns[i]
		l.stamps(w, c)
		l.rows(c.info.schema, c.base, n)
	}
	return n
}

// stamps reads the stamps of a column. [checkColumn] compares them with each other.
func (l *loader) stamps(w *World, c *Column) {
	c.newest = rowStamp{changed: uint32(l.below(uint64(w.now)+1, "the newest stamp")), added: uint32(l.below(uint64(w.now)+1, "the newest stamp"))}
	n := len(c.table.entities)
	blocks := c.blocks[:(n+blockRows-1)>>blockShift]
	loadColumn(l, blocks, unsafe.Offsetof(blockStamp{}.changedAll), 4)
	loadColumn(l, blocks, unsafe.Offsetof(blockStamp{}.changedNewest), 4)
	loadColumn(l, blocks, unsafe.Offsetof(blockStamp{}.addedAll), 4)
	loadColumn(l, blocks, unsafe.Offsetof(blockStamp{}.addedNewest), 4)
	loadColumn(l, blocks, unsafe.Offsetof(blockStamp{}.changedBefore), 4)
	loadColumn(l, blocks, unsafe.Offsetof(blockStamp{}.newestRows), 8)
	for i := range blocks {
		b := &blocks[i]
		if *b != b.visible() || max(b.changedAll, b.changedNewest) > c.newest.changed || max(b.addedAll, b.addedNewest) > c.newest.added || b.changedBefore > b.changedNewest {
			l.fail("block %d of component %q has the stamps %v", i, c.info.name, *b)
		}
	}
	rows := func(i int) []rowStamp { return c.singles(&blocks[i])[:min(blockRows, n-i<<blockShift)] }
	for i := range blocks {
		if blocks[i].changedNewest > 0 {
			loadColumn(l, rows(i), unsafe.Offsetof(rowStamp{}.changed), 4)
		}
	}
	for i := range blocks {
		if blocks[i].addedNewest > 0 {
			loadColumn(l, rows(i), unsafe.Offsetof(rowStamp{}.added), 4)
		}
	}
	for i := range blocks {
		c.shed(i)
	}
}

// edges reads the cached moves of a table.
func (l *loader) edges(w *World, t *Table) {
	for i := range l.count(3) {
		ids := l.ids(w)
		e := t.edge(ids)
		if len(t.edges) != i+1 {
			l.fail("table %d has two edges of the same components", t.id)
		}
		e.add, e.remove = l.move(w, t, t.mask.with(ids)), l.move(w, t, t.mask.minus(maskOf(ids)))
	}
}

// move reads where a cached move leads: to the table with the components leads.
func (l *loader) move(w *World, from *Table, leads mask) *move {
	id := l.below(uint64(len(w.tables))+1, "a table")
	if id == 0 {
		return nil
	}
	to := w.tables[id-1]
	if to == from || !slices.Equal(to.mask, leads) || to.prefab != from.prefab {
		l.fail("a move from table %d leads to table %d", from.id, to.id)
	}
	return &move{to: to}
}

// laidOut makes a schema whose fields lie where a Go type in another program has them: with padding that
// [NewSchema] would not leave. Errors: fields that overlap, are not in order, or are not aligned.
func laidOut(fields []Field, size, align uintptr) (*Schema, error) {
	s := &Schema{byName: make(map[string]int, len(fields)), align: 1, size: size, pointerFree: true, zero: true}
	end := uintptr(0)
	var parts []reflect.StructField // the row as a Go struct, for the garbage collector
	pad := func(to uintptr) {
		if to > end {
			parts = append(parts, reflect.StructField{Name: "P" + strconv.Itoa(len(parts)), Type: reflect.ArrayOf(int(to-end), reflect.TypeFor[byte]())})
		}
	}
	for _, f := range fields {
		if f.Offset < end || f.Offset%f.Type.align() != 0 || f.Offset+f.Type.Size() > size {
			return nil, fmt.Errorf("field %q lies at byte %d of %d, behind %d", f.Name, f.Offset, size, end)
		}
		pad(f.Offset)
		parts = append(parts, reflect.StructField{Name: "F" + strconv.Itoa(len(parts)), Type: f.Type.goType()})
		end = f.Offset + f.Type.Size()
		s.add(f)
	}
	pad(size)
	if align < s.align || align&(align-1) != 0 || align > 8 || size%align != 0 {
		return nil, fmt.Errorf("rows of %d bytes cannot be aligned to %d", size, align)
	}
	s.align = align
	if !s.pointerFree {
		row := reflect.StructOf(parts)
		if row.Size() != size {
			return nil, errors.New("the layout of a row is not that of a Go type on this machine")
		}
		s.memory = newTypedMemory(row)
	}
	return s, s.finish()
}
