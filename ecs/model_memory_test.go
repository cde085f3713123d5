package ecs

import (
	"fmt"
	"unsafe"
)

// wholeMemory checks what [World.Check] does not: what is counted as structure, the pages of components, and that memory that holds no row any more holds
// no pointer either.
func wholeMemory(w *World) error {
	if got, want := w.structure, structureOf(w); got != want {
		return fmt.Errorf("%d bytes of structure are counted, there are %d", got, want)
	}
	for _, c := range w.components {
		if n := (len(w.tables) + pageTables - 1) / pageTables; len(c.pages) != n {
			return fmt.Errorf("component %s has %d pages for %d tables", c.name, len(c.pages), len(w.tables))
		}
		for i, page := range c.pages {
			has := false
			for _, t := range w.tables[i*pageTables : min((i+1)*pageTables, len(w.tables))] {
				has = has || t.mask.has(c.id)
			}
			if has == (page == noPage) {
				return fmt.Errorf("component %s has a page of its own for tables from %d on: %v", c.name, i*pageTables, has)
			}
		}
	}
	if *noPage != (tablePage{}) || noHeads != (slotPage[relationHead]{}) || noLinks != (slotPage[relationLink]{}) || noPairs != (slotPage[targetPair]{}) || noMarks != (slotPage[uint64]{}) || noHold.world != nil {
		return fmt.Errorf("what stands for nothing was written")
	}
	for _, entry := range noTags {
		if entry != (tagEntry{generation: untagged}) {
			return fmt.Errorf("what stands for no tags was written")
		}
	}
	for _, t := range w.tables {
		for i := range t.columns {
			c := &t.columns[i]
			newest := max(c.newest.changed, c.newest.added)
			for j := range (t.Len() + blockRows - 1) >> blockShift {
				b := &c.blocks[j]
				newest = max(newest, b.changedAll, b.addedAll, b.changedNewest, b.addedNewest, b.changedBefore)
			}
			if newest > w.now {
				return fmt.Errorf("table %d, column %s: a stamp of tick %d, now is %d", t.id, c.info.name, newest, w.now)
			}
			if err := noGhosts(t.columns[i].info.schema, t.columns[i].base, t.Len(), t.capacity); err != nil {
				return fmt.Errorf("table %d, column %s: %w", t.id, t.columns[i].info.name, err)
			}
		}
	}
	for _, l := range w.events {
		if err := noGhostEvents(l); err != nil {
			return fmt.Errorf("event %s: %w", l.name, err)
		}
	}
	return nil
}

// noGhostEvents reports a row of a log's memory, before or behind its events, that holds a string or a table.
func noGhostEvents(l *eventLog) error {
	if err := noGhosts(l.schema, l.base, -l.front(), 0); err != nil {
		return err
	}
	return noGhosts(l.schema, l.base, int(l.end-l.first), int(l.full-l.first))
}

// noGhosts reports a row from..to-1 that holds a string or a table.
func noGhosts(s *Schema, base unsafe.Pointer, from, to int) error {
	if s.memory == nil {
		return nil
	}
	for row := from; row < to; row++ {
		r := Row{schema: s, ptr: unsafe.Add(base, row*int(s.size))}
		for i, f := range s.fields {
			if !f.Type.pointerFree() && !r.Get(i).Equal(zeroValue(f.Type)) {
				return fmt.Errorf("row %d, which is gone, still holds %s", row, r.Get(i))
			}
		}
	}
	return nil
}

// structureOf counts tables, edges and pages, where all components were declared before the second page of tables began.
func structureOf(w *World) (n uint64) {
	for i, t := range w.tables {
		if i%pageTables == 0 && i > 0 {
			n += uint64(len(w.components)) * pointerSize
		}
		n += uint64(unsafe.Sizeof(Table{})) + uint64(len(t.columns))*columnCost + uint64(len(t.mask))*16
		for _, e := range t.edges {
			n += edgeCost + 8*uint64(len(e.ids))
		}
	}
	for _, c := range w.components {
		for _, page := range c.pages {
			if page != noPage {
				n += uint64(unsafe.Sizeof(tablePage{}))
			}
		}
	}
	return n
}
