package ecs

import "math/bits"

// This file is the short way of a typed walk with conditions on rows, such as a tag. Where single rows match, each is a run
// of its own, so the step from one to the next must cost little more than what a loop does with a row. As long as the next
// run lies in the same table, the walk takes it from the words of the choice: table, columns and addresses stay the
// same. What it has visited of a block is stamped when it leaves the block. All else is left to walk.next: the next table, a run that goes on in the
// next block, shared values, and a journal that must be told of each run.

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

// hops reports whether hopTo can be used to leave the current run, all rows of which were visited, for the next one of the same block. word is the cursor's,
// rest is word without its first run, which is carried to the bit behind it: to none, if it ends with the block, or if there is no run. visit is the
// number of a visit right after the run.
func (w *walk) hops(visit uint64, rest uint64) bool {
	return w.given != 0 && rest != 0 && visit == w.end
}

// afterRun returns word with its first run carried to the bit behind it.
func afterRun(word uint64) uint64 { return word + word&-word }

// hop leaves the current run and moves to the next one. It returns the number of its first visit; 0, and has left nothing, if walk.next has to find
// that, or if visit is another number.
func (w *walk) hop(visit uint64) uint64 {
	if rest := afterRun(w.cursor.word); w.hops(visit, rest) {
		return w.hopTo(visit, w.cursor.word, rest, w.block)
	}
	return w.hopOn(visit)
}

// hopTo makes the first run of word, the rows of a block that are left, the run of the walk.
func (w *walk) hopTo(visit, word, rest uint64, block uint32) uint64 {
	run, begin := visit&^(1<<32-1)-1<<32, block+uint32(bits.TrailingZeros64(word))
	w.cursor.word, w.begin, w.run, w.whole = word&rest, begin, uint32(run>>32), false
	w.end = run | uint64(block+uint32(bits.TrailingZeros64(rest)))
	return run | uint64(begin)
}

// hopOn is hop for the first run behind that of walk.next, and for those that begin or end a block.
//
//go:noinline
func (w *walk) hopOn(visit uint64) uint64 {
	c := &w.cursor
	if !w.bits || visit != w.end {
		return 0
	}
	word := c.word
	if word == 0 {
		if word = w.wordAfter(); word == 0 {
			return 0
		}
	}
	rest := afterRun(word)
	if rest == 0 && c.at < c.stop && c.choice.words[c.at]&1 != 0 {
		return 0
	}
	switch block := uint32(c.block) << blockShift; {
	case w.given == 0:
		w.leave(uint32(visit))
		w.given, w.block = word, block
	case block != w.block:
		w.stampGiven(w.given)
		w.given, w.block = word, block
	}
	return w.hopTo(visit, word, rest, w.block)
}

// leaveBits is leave for a run that hop has found: it stamps the rows of its block that were visited, which are those before to.
func (w *walk) leaveBits(to uint32) {
	rows := w.given
	if n := to - w.block; n < blockRows {
		rows &= 1<<n - 1
	}
	if w.given = 0; rows != 0 {
		w.stampGiven(rows)
	}
}

// stampGiven stamps rows of the block of hop.
func (w *walk) stampGiven(rows uint64) {
	now, block := w.typed.world.now, int(w.block>>blockShift)
	if w.one != nil {
		w.one.stampRows(block, rows, now)
		return
	}
	for _, i := range w.typed.writes {
		w.cursor.match.cols[i].stampRows(block, rows, now)
	}
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
