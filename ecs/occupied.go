package ecs

import "math/bits"

// A world may have many tables without rows, such as those of combinations of components that no entity has any
// more. This file lets queries skip them 64 at a time: the world has a bit for each table that may have rows, and a
// query a bit for each table that matches.

// A tableSet has one bit for each table, by id.
type tableSet []uint64

// cover makes room for a table.
func (s *tableSet) cover(table uint32) {
	for len(*s) <= int(table>>6) {
		*s = append(*s, 0)
	}
}

// occupy records that t may have rows. Whatever gives a first row to a table that has none must call it. A bit is
// not cleared with the last row, but by the next query that finds the table empty.
func (t *Table) occupy() { t.world.occupied[t.id>>6] |= 1 << (t.id & 63) }

// matchSet finds the matches of a query by table. The matches are in the order of the tables' ids.
type matchSet struct {
	tables tableSet
	before []int32 // by word of tables: how many matches come before those of the word
}

// add records that the table is match number n.
func (s *matchSet) add(table uint32, n int) {
	s.tables.cover(table)
	for len(s.before) < len(s.tables) {
		s.before = append(s.before, int32(n))
	}
	s.tables[table>>6] |= 1 << (table & 63)
}

// filled returns the index of the first match from i on whose table has rows, len(q.matches) if there is none. It
// costs O(1) if match i has rows, and otherwise a step for each 64 tables between.
func (q *Query) filled(i int) int {
	if i < len(q.matches) && len(q.matches[i].table.entities) == 0 {
		return q.afterEmpty(i)
	}
	return i
}

// afterEmpty is filled for a match without rows.
func (q *Query) afterEmpty(i int) int {
	w, set := q.world, &q.matched
	for len(q.matches[i].table.entities) == 0 {
		id := q.matches[i].table.id
		word, bit := int(id>>6), uint64(1)<<(id&63)
		if !w.slots.parallel { // workers only read
			w.occupied[word] &^= bit
		}
		found := set.tables[word] & w.occupied[word] &^ (2*bit - 1) // after the match
		for found == 0 {
			if word++; word == len(set.tables) {
				return len(q.matches)
			}
			found = set.tables[word] & w.occupied[word]
		}
		lowest := found & -found
		i = int(set.before[word]) + bits.OnesCount64(set.tables[word]&(lowest-1))
	}
	return i
}
