package ecs

import "math/bits"

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
	s := span{match: match, from: len(ch.words), to: len(ch.words)}
	for block := range (len(m.table.entities) + blockRows - 1) >> blockShift {
		word := q.word(m, block, in)
		switch {
		case word != 0:
			if s.to == s.from {
				s.block = block
			}
			ch.words = append(ch.words, word)
			s.to = len(ch.words)
		case s.to > s.from:
			ch.words = append(ch.words, 0)
		}
	}
	ch.words = ch.words[:s.to]
	if s.to > s.from {
		ch.spans = append(ch.spans, s)
	}
}

// advanceChosen moves to the next row of the walk's choice.
func (c *Cursor) advanceChosen() bool {
	if c.choice == nil {
		c.openWindow()
		if !c.choose() {
			c.End()
			return false
		}
	}
	for c.word == 0 {
		c.block++
		if len(c.words) == 0 {
			if c.span == len(c.choice.spans) {
				c.End()
				return false
			}
			s := &c.choice.spans[c.span]
			c.span++
			c.match = &c.query.matches[s.match]
			c.table = c.match.table.id
			c.words, c.block = c.choice.words[s.from:s.to], s.block
		}
		c.word, c.words = c.words[0], c.words[1:]
	}
	c.row = c.block<<blockShift + bits.TrailingZeros64(c.word)
	c.word &= c.word - 1
	return true
}

// First moves to the entity that [Cursor.Next] would come to first, and looks at no row behind it: that entity is the whole walk. False when
// there is none; then the cursor has ended itself. It is called in place of the first Next.
func (c *Cursor) First() bool {
	if c.query == nil {
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
