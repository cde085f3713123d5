package ecs

import "math/bits"

// Which rows of a table have a tag is remembered from one walk to the next, as one bit per row: the test of a row that filter.go
// makes costs a look-up, a word of 64 rows a copy. What is remembered is no state: it can be made again at any time from
// the entities of the table and the members of the tag. A tag that is set or removed changes its bit at once. Rows that move
// to another place are noted by block, once for all tags of the table, and tested again when the next walk asks.

const (
	keptBlocks = 2  // a table with fewer blocks of rows is tested row by row
	keptMember = 16 // what the look-up of a member of a tag costs, as the part of a block that could be tested meanwhile
)

// taggedRows are the rows of a table that have a tag.
type taggedRows struct {
	table *Table
	rows  int      // how many rows the table had when the words were made; those behind are unknown
	words []uint64 // by block, one bit per row
	stale []uint64 // one bit per block: its word is unknown, because rows have moved
}

// rowTags are the taggedRows of one table.
type rowTags struct {
	kept  []*taggedRows
	moved []uint64 // one bit per block: rows have moved there, and stale does not say so yet
	any   bool     // moved has a bit
}

// settled returns the rows of a table that have the tag, by block; nil for a small table. Rows beyond the end have no bit. It is
// valid until something changes.
func (s *tagSet) settled(t *Table) []uint64 {
	blocks := (len(t.entities) + blockRows - 1) >> blockShift
	if blocks < keptBlocks {
		return nil
	}
	r := s.keep(t)
	t.tags.tellMoved(blocks)
	r.cover(len(t.entities), blocks)
	unknown := 0
	for _, word := range r.stale {
		unknown += bits.OnesCount64(word)
	}
	switch {
	case unknown == 0:
	case len(s.dense) < unknown*keptMember:
		clear(r.words)
		for _, e := range s.dense {
			if sl := &s.world.slots.all[uint32(e)]; sl.table == t.id {
				r.words[sl.row>>blockShift] |= 1 << (sl.row & (blockRows - 1))
			}
		}
		clear(r.stale)
	default:
		for i, word := range r.stale {
			for ; word != 0; word &= word - 1 {
				block := i<<blockShift + bits.TrailingZeros64(word)
				r.words[block] = s.word(t, block)
			}
		}
		clear(r.stale)
	}
	return r.words
}

// keep returns what is remembered of a table. It is made at the first walk.
func (s *tagSet) keep(t *Table) *taggedRows {
	for len(s.kept) <= int(t.id) {
		s.kept = append(s.kept, nil)
	}
	r := s.kept[t.id]
	if r == nil || r.table != t {
		r = &taggedRows{table: t}
		s.kept[t.id] = r
		if t.tags == nil {
			t.tags = new(rowTags)
		}
		t.tags.kept = append(t.tags.kept, r)
	}
	return r
}

// note notes that the entity at sl has got the tag, or lost it.
func (s *tagSet) note(sl *slot, has bool) {
	if int(sl.table) >= len(s.kept) {
		return
	}
	if r := s.kept[sl.table]; r != nil && int(sl.row) < r.rows {
		if bit := uint64(1) << (sl.row & (blockRows - 1)); has {
			r.words[sl.row>>blockShift] |= bit
		} else {
			r.words[sl.row>>blockShift] &^= bit
		}
	}
}

// unkeep forgets what is remembered of all tables.
func (s *tagSet) unkeep() {
	for _, r := range s.kept {
		if r != nil {
			r.rows = 0
		}
	}
}

// cover makes words and stale as long as a table of that many rows needs them.
func (r *taggedRows) cover(rows, blocks int) {
	if rows == r.rows {
		return
	}
	have := min(r.rows, rows) >> blockShift // the first block that has changed its length
	for len(r.words) < blocks {
		r.words = append(r.words, 0)
	}
	r.words = r.words[:blocks]
	for len(r.stale)<<blockShift < blocks {
		r.stale = append(r.stale, 0)
	}
	r.stale = r.stale[:(blocks+blockRows-1)>>blockShift]
	for block := have; block < blocks; block++ {
		r.stale[block>>blockShift] |= 1 << (block & (blockRows - 1))
	}
	if rest := blocks & (blockRows - 1); rest > 0 {
		r.stale[len(r.stale)-1] &= 1<<rest - 1
	}
	r.rows = rows
}

// move notes that another entity has come to a row, or none.
func (k *rowTags) move(row int) {
	if i := row >> (2 * blockShift); i < len(k.moved) {
		k.moved[i] |= 1 << (row >> blockShift & (blockRows - 1))
		k.any = true
	}
}

// allMoved is move for all rows. k may be nil.
func (k *rowTags) allMoved() {
	if k != nil {
		for i := range k.moved {
			k.moved[i] = ^uint64(0)
		}
		k.any = true
	}
}

// tellMoved tells all taggedRows of the table where rows have moved. From then on moved notes that for so many blocks.
func (k *rowTags) tellMoved(blocks int) {
	if k.any {
		for _, r := range k.kept {
			for i := range r.stale {
				r.stale[i] |= k.moved[i]
			}
			if rest := len(r.words) & (blockRows - 1); rest > 0 {
				r.stale[len(r.stale)-1] &= 1<<rest - 1
			}
		}
		clear(k.moved)
		k.any = false
	}
	for len(k.moved)<<blockShift < blocks {
		k.moved = append(k.moved, 0)
	}
}

// narrow takes the rows out of words for which the condition does not hold.
func (x *Expr) narrow(words []uint64, t *Table, in window) {
	tag, without := x, x.op == opNot
	if without {
		tag = x.parts[0]
	}
	if tag.op == opTagged {
		if kept := t.world.tags[tag.id].settled(t); kept != nil {
			for block, word := range kept[:len(words)] {
				if without {
					word = ^word
				}
				words[block] &= word
			}
			return
		}
	}
	for block, word := range words {
		if word != 0 {
			words[block] = word & x.word(t, block, in)
		}
	}
}
