package ecs

import (
	"math/bits"
	"slices"
)

// A choice is the set of rows that a walk with conditions on rows visits. The walk makes it at its first row, before the caller can write
// anything, so that what a turn writes or tags decides about no row of the walk it is a turn of. Structure is locked until the walk ends,
// so the rows stay where they are. An ended walk gives its choice back to the world, for the next one: a steady frame allocates none.
type choice struct {
	words   []uint64 // a bit for each row, 64 rows a word, table after table as spans says
	spans   []span   // the tables with a row to visit, in order
	sources []uint32 // of a narrowed walk, in place of both: the slots of the entities to visit
}

// A span is a run of words of a choice: rows of one table, from a block on.
type span struct {
	match    int // place in Query.matches
	block    int
	from, to int // in choice.words
}

// takeChoice returns an empty choice.
func (w *World) takeChoice() *choice {
	last := len(w.choices) - 1
	if last < 0 {
		return new(choice)
	}
	ch := w.choices[last]
	w.choices = w.choices[:last]
	ch.words, ch.spans, ch.sources = ch.words[:0], ch.spans[:0], ch.sources[:0]
	return ch
}

// testsRows reports whether the query's conditions have to be looked at row by row.
func (q *Query) testsRows() bool { return q.rows != nil || q.inherit }

// idle reports whether surely no row of m matches: O(1) in rows.
func (q *Query) idle(m *match, in window) bool {
	return len(m.table.entities) == 0 || (!m.inherit && q.rows != nil && q.rows.quiet(m.table, in.since))
}

// word has a bit for each row of a block of m that matches, and none beyond the table's end.
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

// choose decides which rows of the matches from c.next on the walk visits; false when there are none.
func (c *Cursor) choose() bool {
	q := c.query
	for i := c.next; i < len(q.matches); i++ {
		if m := &q.matches[i]; !q.idle(m, c.in) {
			if c.choice == nil {
				c.choice = q.world.takeChoice()
			}
			c.choice.add(q, i, c.in)
		}
	}
	return c.choice != nil
}

// add decides about the rows of a match, and keeps the words from the first to the last that has a row.
func (ch *choice) add(q *Query, match int, in window) {
	m := &q.matches[match]
	from, n := len(ch.words), (len(m.table.entities)+blockRows-1)>>blockShift
	ch.words = slices.Grow(ch.words, n)[:from+n]
	words := ch.words[from:]
	if m.inherit || q.rows == nil {
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
		ch.spans = append(ch.spans, span{match: match, block: first, from: from + first, to: from + n})
	}
}

// advanceChosen moves to the next row of the walk's choice.
func (c *Cursor) advanceChosen() bool {
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

// nextWord moves to the next block with rows to visit, and returns them; 0 when there is none.
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
		c.table = c.match.table.id
		c.at, c.stop, c.block = s.from, s.to, s.block-1
	}
}

// First moves to the entity that [Cursor.Next] would come to first, and looks at no row behind it: that entity is the whole walk. False when
// there is none; then the cursor has ended itself. It is called in place of the first Next.
func (c *Cursor) First() bool {
	if !c.open() {
		return false
	}
	c.openWindow()
	if c.sources != nil {
		if s, m := c.nextSource(c.source); s != 0 {
			c.standOn(s-1, m)
			c.source = 0
			return true
		}
	} else {
		for i := range c.query.matches {
			if row := c.query.firstRow(i, c.in); row >= 0 {
				c.match = &c.query.matches[i]
				c.table, c.row, c.next = c.match.table.id, row, len(c.query.matches)
				return true
			}
		}
	}
	c.End()
	return false
}

// firstRow returns the first row of a match that is to be visited, -1 when there is none.
func (q *Query) firstRow(match int, in window) int {
	m := &q.matches[match]
	if q.idle(m, in) {
		return -1
	}
	for block := range (len(m.table.entities) + blockRows - 1) >> blockShift {
		if word := q.word(m, block, in); word != 0 {
			return block<<blockShift + bits.TrailingZeros64(word)
		}
	}
	return -1
}
