package ecs

import (
	"slices"
	"unsafe"
)

// saveTables writes the tables in their order, with rows, stamps and edges.
func saveTables(w *World, s *saver) {
	s.count(len(w.tables))
	for _, t := range w.tables {
		s.ids(t.ids)
	}
	for _, t := range w.tables {
		s.count(len(t.entities))
		s.count(t.capacity)
		saveColumn(s, t.entities, indexOfEntity, 4) // the slots have the generations
		for i := range t.columns {
			c := &t.columns[i]
			s.stamps(c)
			s.rows(c.info.schema, c.base, len(t.entities))
		}
	}
	for _, t := range w.tables {
		s.count(len(t.edges))
		for i := range t.edges {
			e := &t.edges[i]
			s.ids(e.ids)
			s.move(e.add)
			s.move(e.remove)
		}
	}
}

// ids writes a list of components.
func (s *saver) ids(ids []ComponentID) {
	s.count(len(ids))
	for _, id := range ids {
		s.number(uint64(id))
	}
}

// move writes where a cached move leads: 0 for none, the id of the table plus 1.
func (s *saver) move(m *move) {
	if m == nil {
		s.number(0)
	} else {
		s.number(uint64(m.to.id) + 1)
	}
}

// stamps writes the stamps of a column: the newest, those of the blocks, and those of the rows in blocks whose rows
// have not all the same. What a block's stamps hide is left out, so the stamps of most columns are short.
func (s *saver) stamps(c *Column) {
	s.number(uint64(c.newest.changed))
	s.number(uint64(c.newest.added))
	n := len(c.table.entities)
	blocks := slices.Grow(s.blocks[:0], (n+blockRows-1)>>blockShift)[:(n+blockRows-1)>>blockShift]
	changed, added := slices.Grow(s.changed[:0], n), slices.Grow(s.added[:0], n)
	for i := range blocks {
		b, stored := c.blocks[i].visible(), &c.blocks[i]
		blocks[i] = b
		from, to := i<<blockShift, min((i+1)<<blockShift, n)
		if b.changedNewest > 0 {
			for row := from; row < to; row++ {
				changed = append(changed, stored.of(row).changed)
			}
		}
		if b.addedNewest > 0 {
			for row := from; row < to; row++ {
				added = append(added, stored.of(row).added)
			}
		}
	}
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.changedAll), 4)
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.changedNewest), 4)
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.addedAll), 4)
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.addedNewest), 4)
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.changedBefore), 4)
	saveColumn(s, blocks, unsafe.Offsetof(blockStamp{}.newestRows), 8)
	saveColumn(s, changed, 0, 4)
	saveColumn(s, added, 0, 4)
	s.blocks, s.changed, s.added = blocks, changed, added
}

// visible returns the stamp of a block without those of single rows and without the fields that have no meaning: see
// [blockStamp].
func (b blockStamp) visible() blockStamp {
	b.single = nil
	if b.changedAll >= b.changedNewest {
		b.changedNewest, b.changedBefore, b.newestRows = 0, 0, 0
	}
	if b.addedAll >= b.addedNewest {
		b.addedNewest = 0
	}
	return b
}
