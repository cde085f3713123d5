package ecs

import (
	"math/bits"
	"slices"
)

// This file decides which rows a walk with conditions on rows visits. A Cursor is the caller; filter.go and
// inherit.go evaluate the conditions for 64 rows at a time; the result is a bit set, the choice.

// A choice is the set of rows that a walk with conditions on rows visits. It is computed for all tables at the
// first Next, before the caller can write anything, so that writes and tags of the same turn cannot change which
// rows are visited. Structure is locked until the walk ends, so the rows stay where they are. A walk that has
// ended gives its choice back to the world, and the next walk reuses it: a steady frame allocates none.
type choice struct {
	words   []uint64 // one bit per row, 64 rows per word, table after table as spans says
	spans   []span   // the tables with a row to visit, in order
	runs    []rowRun // of a walk in an order, instead of words and spans
	sources []uint32 // of a walk narrowed to a target, instead of words and spans: the slots of the entities to visit
}

// A span is a run of words of a choice: consecutive blocks of one table.
type span struct {
	match    int  // index in Query.matches
	block    int  // the first block; words[from] belongs to it
	from, to int  // in choice.words
	oneBase  bool // all rows of the table have the same base: see inherit.go
}

// takeChoice returns an empty choice, a used one if there is any.
func (w *World) takeChoice() *choice {
	last := len(w.choices) - 1
	if last < 0 {
		return new(choice)
	}
	ch := w.choices[last]
	w.choices = w.choices[:last]
	ch.words, ch.spans, ch.sources, ch.runs = ch.words[:0], ch.spans[:0], ch.sources[:0], ch.runs[:0]
	return ch
}

// testsRows reports whether rows have to be tested one by one, because the query has conditions on rows or looks
// through IsA.
func (q *Query) testsRows() bool { return q.rows != nil || q.inherit }

// idle reports whether it is certain, without a look at any row, that no row of m matches. False means that rows
// may match.
func (q *Query) idle(m *match, in window) bool {
	return len(m.table.entities) == 0 || (!m.inherit && q.rows != nil && q.rows.quiet(m.table, in.since))
}

// word returns the matching rows of a block of m as bits. Bits beyond the end of the table are 0.
func (q *Query) word(m *match, block int, in window) uint64 {
	word := ^uint64(0)
	switch {
	case m.inherit:
		word = q.inheritedWord(m.table, block, in)
	case q.rows != nil:
		word = q.rows.word(m.table, block, in)
	}
	if rest := len(m.table.entities) - block<<blockShift; rest < blockRows {
		word &= 1<<rest - 1
	}
	return word
}

// choose decides which rows of the matches from c.next on the walk visits. It reports false if no table has to be
// looked at; with true, there may still be no row.
func (c *Cursor) choose() bool {
	q := c.query
	for i := q.filled(c.next); i < len(q.matches); i = q.filled(i + 1) {
		if m := &q.matches[i]; !q.idle(m, c.in) {
			if c.choice == nil {
				c.choice = q.world.takeChoice()
			}
			c.choice.add(q, i, c.in)
		}
	}
	return c.choice != nil
}

// add evaluates the conditions for all rows of a match. It keeps the words from the first to the last one with a
// row, as a span; a match without rows adds no span.
func (ch *choice) add(q *Query, match int, in window) {
	m := &q.matches[match]
	from, n := len(ch.words), (len(m.table.entities)+blockRows-1)>>blockShift
	ch.words = slices.Grow(ch.words, n)[:from+n]
	words, oneBase := ch.words[from:], false
	if m.inherit && q.rows == nil {
		oneBase = q.inheritedWords(words, m.table)
	} else if m.inherit || q.rows == nil {
		for block := range words {
			words[block] = q.word(m, block, in)
		}
	} else {
		q.rows.words(words, m.table, in)
		if rest := len(m.table.entities) & (blockRows - 1); rest > 0 {
			words[n-1] &= 1<<rest - 1
		}
	}
	first := 0
	for first < n && words[first] == 0 {
		first++
	}
	for n > first && words[n-1] == 0 {
		n--
	}
	ch.words = ch.words[:from+n]
	if n > first {
		ch.spans = append(ch.spans, span{match: match, block: first, from: from + first, to: from + n, oneBase: oneBase})
	}
}

// advanceChosen moves to the next row of the choice, the lowest bit in c.word. At the end it ends the cursor and
// reports false.
func (c *Cursor) advanceChosen() bool {
	c.end = 0
	word := c.word
	if word == 0 {
		if word = c.nextWord(); word == 0 {
			c.End()
			return false
		}
	}
	c.row = c.block<<blockShift + bits.TrailingZeros64(word)
	c.word = word & (word - 1)
	return true
}

// nextWord moves to the next block with rows to visit and returns these rows as bits; 0 if there is none. The
// first call makes the choice.
func (c *Cursor) nextWord() uint64 {
	if c.choice == nil {
		c.openWindow()
		if !c.choose() {
			return 0
		}
	}
	for {
		for words := c.choice.words[c.at:c.stop]; len(words) > 0; words = words[1:] {
			c.at++
			c.block++
			if words[0] != 0 {
				return words[0]
			}
		}
		if c.span == len(c.choice.spans) {
			return 0
		}
		s := &c.choice.spans[c.span]
		c.span++
		c.match = &c.query.matches[s.match]
		c.at, c.stop, c.block, c.oneBase = s.from, s.to, s.block-1, s.oneBase
	}
}

// OneBase reports whether it is known that all entities of the current table have the same base.
func (c *Cursor) OneBase() bool { return c.oneBase }

// Widen may be called right after [Cursor.NextRows]. If the run is a block of 64 rows that are all to be visited, it adds those of the blocks behind it of which that is true,
// and the last ones of the table, and returns how many rows the run has now: all of them are to be visited, as after a mask of 0. Otherwise it returns 0 and changes nothing.
func (c *Cursor) Widen() int {
	if c.ordered || c.sources != nil || c.match == nil || c.end > 0 || c.row&(blockRows-1) != 0 || c.word != ^uint64(1) {
		return 0
	}
	end, left := c.row+blockRows, len(c.match.table.entities)
	for c.at < c.stop && end < left {
		whole := ^uint64(0)
		if left-end < blockRows {
			whole = 1<<(left-end) - 1
		}
		if c.choice.words[c.at] != whole {
			break
		}
		c.at++
		c.block++
		end += blockRows
	}
	c.end, c.word, c.taken = min(end, left), 0, 0
	return c.end - c.row
}

// Blocks may be called right after [Cursor.NextRows] has returned a mask. It adds to the run the rows to visit in the blocks behind it, as far as the
// table goes and words has room. words gets all rows of the run, one bit each: a word for each block of 64 rows, of which the first has the current
// row. Blocks returns how many words it has set; 0 if the walk has no blocks.
func (c *Cursor) Blocks(words []uint64) int {
	if c.ordered || c.sources != nil || c.match == nil || c.end > 0 {
		return 0
	}
	words[0] = c.taken | 1<<(c.row&(blockRows-1))
	n := 1 + copy(words[1:], c.choice.words[c.at:c.stop])
	c.ahead = c.at + n - 1
	return n
}

// Narrow ends the run of [Cursor.Blocks] with the block of the current row: NextRows goes on behind it.
func (c *Cursor) Narrow() { c.ahead = 0 }

// sit makes another block of the run of [Cursor.Blocks] the current one.
func (c *Cursor) sit(block int) {
	c.at += block - c.block
	c.block, c.word = block, 0
	c.taken = c.choice.words[c.at-1]
}

// First moves to the entity that the first [Cursor.Next] would return, without testing any row after it. That
// entity is the whole walk: the next Next ends it. Call First instead of the first Next. It reports false if no
// entity matches; then the cursor has ended.
func (c *Cursor) First() bool {
	if !c.open() {
		return false
	}
	if c.ordered {
		return c.Next()
	}
	c.openWindow()
	if c.sources != nil {
		if s, m := c.nextSource(c.source); s != 0 {
			c.standOn(c.sources.source(s-1), m)
			c.source = 0
			return true
		}
	} else {
		for i := c.query.filled(0); i < len(c.query.matches); i = c.query.filled(i + 1) {
			if row := c.query.firstRow(i, c.in); row >= 0 {
				c.match = &c.query.matches[i]
				c.row, c.next = row, len(c.query.matches)
				return true
			}
		}
	}
	c.End()
	return false
}

// firstRow returns the first matching row of a match, -1 if there is none.
func (q *Query) firstRow(match int, in window) int {
	m := &q.matches[match]
	if q.idle(m, in) {
		return -1
	}
	if _, row, ok := q.scarceRows(m, in); ok {
		return row
	}
	for block := range (len(m.table.entities) + blockRows - 1) >> blockShift {
		if word := q.word(m, block, in); word != 0 {
			return block<<blockShift + bits.TrailingZeros64(word)
		}
	}
	return -1
}
