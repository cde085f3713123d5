package ecs

import "math/bits"

// Queries that ask for a tag which few entities have. Conditions on rows are tested 64 rows at a time (filter.go),
// which costs as much as the table has rows. Where a required tag has far fewer members, its list is walked instead:
// each member is looked up, and the other conditions are tested only where one was found. The result is the same.

// How many rows of the table must come to a member of the tag before its list is walked: a member costs a look-up at a
// random place, a row the next step of a loop. For single rows the other conditions are tested 64 at a time.
const (
	scarceRows  = 4
	scarceBlock = 2 * blockRows
)

// scarce returns the smallest tag that x requires, if the table has more than factor rows for each of its members;
// otherwise nil. part is its index among the parts of x; -1: x is nothing but the tag.
func (x *Expr) scarce(t *Table, factor int) (tag *tagSet, part int) {
	limit := len(t.entities) / factor
	switch x.op {
	case opTagged:
		if s := t.world.tags[x.id]; len(s.dense) < limit {
			return s, -1
		}
	case opAnd:
		for i, p := range x.parts {
			if p.op != opTagged {
				continue
			}
			if s := t.world.tags[p.id]; len(s.dense) < limit {
				tag, part, limit = s, i, len(s.dense)
			}
		}
	}
	return tag, part
}

// scarceWords is words for a condition with a scarce tag. It reports false, and does nothing, if there is none.
func (x *Expr) scarceWords(words []uint64, t *Table, in window) bool {
	tag, part := x.scarce(t, scarceRows)
	if tag == nil {
		return false
	}
	if kept := tag.settled(t); kept != nil {
		copy(words, kept)
	} else {
		clear(words)
		slots := t.world.slots.all
		for _, e := range tag.dense {
			if s := &slots[uint32(e)]; s.table == t.id {
				words[s.row>>blockShift] |= 1 << (s.row & (blockRows - 1))
			}
		}
	}
	if part < 0 {
		return true
	}
	for i, p := range x.parts {
		if i != part {
			p.narrow(words, t, in)
		}
	}
	return true
}

// scarceRows counts the matching rows of a match through a scarce tag, and finds the first of them, -1 without one. ok
// is false if there is no scarce tag.
func (q *Query) scarceRows(m *match, in window) (count, first int, ok bool) {
	if m.inherit || q.rows == nil {
		return 0, -1, false
	}
	tag, part := q.rows.scarce(m.table, scarceBlock)
	if tag == nil {
		return 0, -1, false
	}
	first = -1
	for _, e := range tag.dense {
		s := &q.world.slots.all[uint32(e)]
		if s.table != m.table.id {
			continue
		}
		row := int(s.row)
		if part >= 0 && q.rows.word(m.table, row>>blockShift, in)&(1<<(row&(blockRows-1))) == 0 {
			continue
		}
		count++
		if first < 0 || row < first {
			first = row
		}
	}
	return count, first, true
}

// countRows returns how many rows of a match match.
func (q *Query) countRows(m *match, in window) int {
	if n, _, ok := q.scarceRows(m, in); ok {
		return n
	}
	n := 0
	for block := range (m.table.Len() + blockRows - 1) >> blockShift {
		n += bits.OnesCount64(q.word(m, block, in))
	}
	return n
}
