package ecs

import "math/bits"

// slotMarks stores a set of small numbers for each slot: the tags of its entity (World.tagMarks), or the relations
// of which it is a target (World.targets). When an entity dies, its set says which tag sets and lists to update,
// so the cost does not depend on how much is declared. A number may stay in the set after the entity has lost the
// tag or its last source.
//
// The numbers form a tree of words. Bit b of a slot's word in levels[0][i] is the number 64*i+b. In a higher
// level, bit b of the word in row i says that the slot's word in row 64*i+b of the level below is not zero. The
// top level has one row: for up to 64 numbers, there is one word per slot.
type slotMarks struct {
	levels [][]*markRow
}

// A markRow holds one word per slot.
type markRow struct{ words slotPages[uint64] }

var noMarks slotPage[uint64]

func newMarkRow() *markRow { return &markRow{newSlotPages(&noMarks, nil)} }

// cover makes rows for the numbers below n. It adds levels on top as needed.
func (m *slotMarks) cover(w *World, n int) {
	for level := 0; ; level++ {
		n = (n + 63) >> 6
		if level == len(m.levels) {
			top := newMarkRow()
			if level > 0 { // it has a bit for the row that was on top so far
				below := &m.levels[level-1][0].words
				top.words.restore(below)
				for _, word := range top.words.all {
					*word = min(*word, 1)
				}
				w.bytes.Add(top.words.bytes())
			}
			m.levels = append(m.levels, []*markRow{top})
		}
		for len(m.levels[level]) < n {
			m.levels[level] = append(m.levels[level], newMarkRow())
		}
		if n <= 1 {
			return
		}
	}
}

// row returns the row and the bit of a number in the lowest level. They never change.
func (m *slotMarks) row(number uint32) (*markRow, uint64) {
	return m.levels[0][number>>6], 1 << (number & 63)
}

func (r *markRow) has(slot uint32, bit uint64) bool {
	return *r.words.at(slot)&bit != 0
}

// reserve makes room for a number in the set of a slot. Error: [ErrBytes].
func (m *slotMarks) reserve(w *World, number, slot uint32) error {
	for _, rows := range m.levels {
		number >>= 6
		if err := rows[number].words.reserve(w, slot); err != nil {
			return err
		}
	}
	return nil
}

// mark adds a number to the set of a slot, for which there is room.
func (m *slotMarks) mark(number, slot uint32) {
	for _, rows := range m.levels {
		word, bit := rows[number>>6].words.at(slot), uint64(1)<<(number&63)
		if *word&bit != 0 {
			return // then the levels above have their bits, too
		}
		*word |= bit
		number >>= 6
	}
}

// list appends the numbers in the set of a slot to buf, ascending.
func (m *slotMarks) list(buf []uint32, slot uint32) []uint32 {
	return m.walk(buf, slot, len(m.levels)-1, 0, false)
}

// take is list, and empties the set.
func (m *slotMarks) take(buf []uint32, slot uint32) []uint32 {
	return m.walk(buf, slot, len(m.levels)-1, 0, true)
}

// takeWord is take if there is only one level: it returns the set as a word.
func (m *slotMarks) takeWord(slot uint32) uint64 {
	at := m.levels[0][0].words.at(slot)
	word := *at
	if word != 0 {
		*at = 0
	}
	return word
}

// walk appends the numbers below one row of a level, and sets the slot's words to 0 if empty is true.
func (m *slotMarks) walk(buf []uint32, slot uint32, level int, row uint32, empty bool) []uint32 {
	if level < 0 {
		return buf
	}
	at := m.levels[level][row].words.at(slot)
	for word := *at; word != 0; word &= word - 1 {
		number := row<<6 | uint32(bits.TrailingZeros64(word))
		if level == 0 {
			buf = append(buf, number)
		} else {
			buf = m.walk(buf, slot, level-1, number, empty)
		}
	}
	if empty && *at != 0 {
		*at = 0
	}
	return buf
}
