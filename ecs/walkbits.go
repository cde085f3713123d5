package ecs

import "math/bits"

// This file is the short way of a typed walk with conditions on rows, such as a tag. Where single rows match, each is a run
// of its own, so the step from one to the next must cost little more than what a loop does with a row. As long as the next
// run lies in the same table, the walk takes it from the words of the choice: table, columns and addresses stay the
// same. All else is left to walk.next: the next table, a run that goes on in the next block, shared values, and a journal
// that must be told of each run.

// settleBits prepares hop for the table of the run that next has found: rows count from row 0 of the table, so that the
// addresses which the caller holds stay the same from run to run.
func (w *walk) settleBits() {
	c, t := &w.cursor, w.typed
	if c.match.inherit || t.lacks(c.match) || (c.query.world.journal != nil && len(t.writes) > 0) {
		return
	}
	w.bits, w.begin, w.from = true, uint32(w.from), 0
	w.one = nil
	if len(t.writes) == 1 {
		w.one = c.match.cols[t.writes[0]]
	}
	for i := range t.types {
		w.bases[i] = c.match.cols[t.term[i]].base
	}
}

// hop leaves the current run, all rows of which were visited, and moves to the next one. visit is the number of a visit
// right after the run. hop returns the number of the first visit of the next one; 0, and has left nothing, if walk.next
// has to find that, or if visit is another number. Call it if bits is set.
func (w *walk) hop(visit uint64) uint64 {
	c := &w.cursor
	word := c.word
	if visit != w.end {
		return 0
	}
	if word == 0 {
		if word = w.wordAfter(); word == 0 {
			return 0
		}
	}
	at := uint32(bits.TrailingZeros64(word))
	rest := word + 1<<(at&63) // the run is carried to the bit after it; to none, if it ends with the block
	if rest == 0 && c.at < c.stop && c.choice.words[c.at]&1 != 0 {
		return 0
	}
	if begin, col := w.begin, w.one; col != nil && uint32(visit) == begin+1 {
		now := w.typed.world.now
		if b := col.block(int(begin >> blockShift)); b.changedNewest == now {
			b.newestRows |= 1 << (begin & (blockRows - 1))
		} else {
			col.stampFirst(int(begin), now)
		}
	} else if len(w.typed.writes) > 0 {
		w.leave(uint32(visit))
	}
	c.word = word & rest
	begin := uint32(c.block)<<blockShift | at
	run := visit&^(1<<32-1) - 1<<32
	w.begin, w.run, w.whole = begin, uint32(run>>32), false
	w.end = run | uint64(begin+uint32(bits.TrailingZeros64(rest))-at)
	return run | uint64(begin)
}

// wordAfter moves the cursor to the next block of its span with rows to visit, and returns these rows as bits. It
// returns 0, and does nothing, if there is none.
func (w *walk) wordAfter() uint64 {
	c := &w.cursor
	for i, word := range c.choice.words[c.at:c.stop] {
		if word != 0 {
			c.at, c.block, c.word = c.at+i+1, c.block+i+1, word
			return word
		}
	}
	return 0
}
