package ecs

import "slices"

// The undo log of indexes: where each entity was before it arrived or left.

// An indexUndo is the place of an entity: its key, where that of an index without a size is in the log, and the slot before it in the list.
type indexUndo struct {
	index    *Index
	slot     uint32
	place    uint32 // counted from 1; 0 for none
	previous uint32 // slot plus one; 0 for none
	key      int    // in indexLog.words and indexLog.texts
}

// An indexLog holds old places.
type indexLog struct {
	moves []indexUndo
	words []uint64
	texts []string
}

func (u *indexLog) begin() {
	clear(u.texts)
	u.moves, u.words, u.texts = u.moves[:0], u.words[:0], u.texts[:0]
}

// index implements journal.
func (u *undo) index(x *Index, slot uint32, at indexEntry) {
	if !u.recording {
		return
	}
	l := &u.indexLog
	c := indexUndo{x, slot, at.place, at.previous, 0}
	if x.spec.Width == 0 && at.place != 0 {
		from := int(at.place-1) * x.width
		c.key = len(l.words)
		l.words = append(l.words, x.words[from:from+x.width]...)
		for len(l.texts) < c.key && x.textual {
			l.texts = append(l.texts, "")
		}
		if x.textual {
			l.texts = append(l.texts, x.texts[from:from+x.width]...)
		}
	}
	l.moves = append(l.moves, c)
}

// takeBack brings entities back to their places, last first. Slots are what they were.
func (u *indexLog) takeBack() {
	for _, c := range slices.Backward(u.moves) {
		x := c.index
		if x.entries.at(c.slot).place != 0 {
			x.takeOut(c.slot)
		}
		place := c.place
		if place == 0 {
			continue
		}
		if x.spec.Width == 0 {
			var k indexKey
			copy(k.words[:x.width], u.words[c.key:])
			if x.textual {
				copy(k.texts[:x.width], u.texts[c.key:])
			}
			place = x.take(&k)
		}
		x.insert(x.bySlot(c.slot+1), place, c.previous)
	}
}
