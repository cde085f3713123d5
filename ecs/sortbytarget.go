package ecs

// This file sorts rows by the targets of a relation. Walks over the sources of a target (walksources.go) are fastest
// where the sources lie in consecutive rows, so a world that makes them in another order, and reads them often, sorts them.

// SortByTarget moves the rows of every table that has the relation, so that the sources of each target lie together:
// the targets in the order of their first rows, and the sources of each in the order of [World.Sources]. Of a source with many targets,
// the first one that has a row decides. A walk over the
// sources of a target then takes about a third of the time that it takes over scattered rows, until relations are made or ended. Values, stamps and the order of
// Sources stay; loops over tables meet the entities in the new order. It costs O(sources)
// for each target and table, and O(rows) for each column of a table that is not in order. Errors: [ErrLocked], [ErrUnknown].
func (w *World) SortByTarget(id RelationID) error {
	r, err := w.relation("sort by target", None, id)
	if err != nil {
		return err
	}
	if w.locks != 0 {
		return fail("sort by target", None, r.info.name, w.lockedBy())
	}
	var order []uint32
	for _, t := range w.tables {
		if c := t.Column(id); c != nil {
			if order = t.byTarget(order[:0], c); len(order) > 0 {
				t.arrange(order)
			}
		}
	}
	return nil
}

// byTarget appends to order the rows of a table, sorted by the targets of a relation; nothing if they are sorted already.
func (t *Table) byTarget(order []uint32, c *Column) []uint32 {
	w, r := t.world, c.info.relation
	placed, sorted := make([]bool, len(t.entities)), true
	for row := range t.entities {
		if placed[row] {
			continue
		}
		target := *(*Entity)(c.at(row))
		for at := r.head(uint32(target)).first; at != 0; at = r.links.at(at - 1).next {
			if sl := &w.slots.all[r.source(at-1)]; sl.table == t.id && !placed[sl.row] {
				sorted = sorted && int(sl.row) == len(order)
				placed[sl.row] = true
				order = append(order, sl.row)
			}
		}
	}
	if sorted {
		return order[:0]
	}
	return order
}

// arrange moves the rows of a table so that row i is what row order[i] was.
func (t *Table) arrange(order []uint32) {
	w := t.world
	w.beginChange()
	defer w.endChange()
	if j := w.journal; j != nil {
		j.removes(t, 0, len(order))
	}
	cycles := cyclesOf(order)
	for i := range t.columns {
		t.columns[i].arrange(order, cycles)
	}
	for _, first := range cycles {
		e, row := t.entities[first], first
		for from := order[row]; from != first; from = order[row] {
			t.entities[row] = t.entities[from]
			row = from
		}
		t.entities[row] = e
	}
	t.tags.allMoved()
	for row, e := range t.entities {
		w.slots.all[uint32(e)].row = uint32(row)
	}
}

// cyclesOf returns the first row of each cycle of rows that move to one another's places.
func cyclesOf(order []uint32) (cycles []uint32) {
	seen := make([]bool, len(order))
	for first := range order {
		if seen[first] || int(order[first]) == first {
			continue
		}
		cycles = append(cycles, uint32(first))
		for row := first; !seen[row]; row = int(order[row]) {
			seen[row] = true
		}
	}
	return cycles
}

// arrange moves the values and stamps of a column as [Table.arrange] says.
func (c *Column) arrange(order, cycles []uint32) {
	schema := c.info.schema
	kept, _ := allocRows(nil, schema, 1)
	for _, first := range cycles {
		schema.copyRow(kept, c.at(int(first)))
		stamp, row := c.stampOf(int(first)), first
		for from := order[row]; from != first; from = order[row] {
			schema.copyRow(c.at(int(row)), c.at(int(from)))
			c.put(int(row), c.stampOf(int(from)))
			row = from
		}
		schema.copyRow(c.at(int(row)), kept)
		c.put(int(row), stamp)
	}
}
