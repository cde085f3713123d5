package ecs

import "unsafe"

// This file is the column "count" of [sections], and the functions that give unused memory back.

// Stats are the sizes of a world's parts, for reports and tests.
type Stats struct {
	Entities int // alive
	Reserved int // handles that queued commands have reserved
	Slots    int // slots ever made
	Free     int // slots that can be handed out again
	Retired  int // slots that have used up their generations

	Components int // components and relations
	Tables     int
	Empty      int // tables without rows
	Edges      int // cached moves between tables
	Queries    int
	Matches    int // tables in the match lists of queries
	Rows       int // rows for which tables have memory

	TagEntries int
	Waiting    int     // events that wait for a frame or a time
	Events     int     // events that Peek returns or that are kept for slow readers
	Bytes      uint64  // see World.Bytes
	IndexBytes uintptr // of slots, tag sets and relation lists
}

// Stats returns the sizes of the world's parts. It costs O(tables + slots).
func (w *World) Stats() Stats {
	s := Stats{Queries: len(w.queries) - len(w.parked), Bytes: w.Bytes()}
	for _, q := range w.queries {
		s.Matches += len(q.matches)
	}
	for i := range sections {
		if count := sections[i].count; count != nil {
			count(w, &s)
		}
	}
	return s
}

func countComponents(w *World, s *Stats) { s.Components = len(w.components) }

func countSlots(w *World, s *Stats) {
	s.Entities, s.Reserved, s.Slots, s.Free = w.living, w.pending, len(w.slots.all), len(w.slots.free)
	s.Retired = s.Slots - s.Free - s.Entities - s.Reserved
	s.IndexBytes += uintptr(cap(w.slots.all))*unsafe.Sizeof(slot{}) + uintptr(cap(w.slots.free))*4
}

func countTables(w *World, s *Stats) {
	s.Tables = len(w.tables)
	for _, t := range w.tables {
		s.Rows += t.capacity
		if len(t.entities) == 0 {
			s.Empty++
		}
		for i := range t.edges {
			if t.edges[i].add != nil {
				s.Edges++
			}
			if t.edges[i].remove != nil {
				s.Edges++
			}
		}
	}
}

func countTags(w *World, s *Stats) {
	for _, tag := range w.tags {
		s.TagEntries += len(tag.dense)
		s.IndexBytes += uintptr(tag.sparse.bytes()) + uintptr(cap(tag.dense))*8
	}
}

func countRelations(w *World, s *Stats) {
	for _, r := range w.relations {
		s.IndexBytes += uintptr(r.heads.bytes() + r.links.bytes())
		if r.pairs != nil {
			s.IndexBytes += uintptr(r.pairs.lists.bytes() + r.pairs.all.bytes())
		}
	}
}

func countEvents(w *World, s *Stats) {
	for _, l := range w.events {
		s.Events += l.kept()
	}
}

// Release frees the memory of tables without rows and returns the number of bytes. The tables themselves stay;
// each costs about 1 KB for its id, its edges and its places in queries. For tables with rows see [World.Shrink].
// Error: [ErrLocked].
func (w *World) Release() (uint64, error) {
	if w.locks != 0 {
		return 0, fail("release", None, "", w.lockedBy())
	}
	w.beginChange()
	defer w.endChange()
	before := w.Bytes()
	for _, t := range w.tables {
		if len(t.entities) == 0 && t.capacity > 0 {
			t.resize(0)
		}
	}
	return before - w.Bytes(), nil
}
