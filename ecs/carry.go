package ecs

// This file moves the values and stamps of one row to another row: of the same table when a row is removed and the
// last row takes its place, or of another table when an entity gains or loses components. It is the hot path of
// structural changes.

// A columnPair is a source and a destination column of the same component. Within one table they are the same
// column.
type columnPair struct{ src, dst *Column }

// columnPairs are the columns whose values and stamps move with a row.
type columnPairs struct {
	all []columnPair
	odd []columnPair // those whose rows are not exactly one or two words without pointers: their values are copied by a call
}

func (p *columnPairs) add(src, dst *Column) {
	p.all = append(p.all, columnPair{src, dst})
	if dst.words == 0 {
		p.odd = append(p.odd, columnPair{src, dst})
	}
}

// carryOdd copies the values of row from to row, for the odd columns. carryWords copies their stamps.
func (p *columnPairs) carryOdd(row, from int) {
	for i := range p.odd {
		dst, src := p.odd[i].dst, p.odd[i].src
		if dst.memory != nil {
			dst.memory.copy(dst.at(row), src.at(from))
		} else {
			dst.info.schema.copyRow(dst.at(row), src.at(from))
		}
	}
}

// moveOdd is carryOdd for a row from that is no longer used: its pointers are cleared, for the garbage collector.
func (p *columnPairs) moveOdd(row, from int) {
	for i := range p.odd {
		dst, src := p.odd[i].dst, p.odd[i].src
		if dst.memory != nil {
			dst.memory.move(dst.at(row), src.at(from))
		} else {
			dst.info.schema.copyRow(dst.at(row), src.at(from))
		}
	}
}

// carryWords copies the stamps of row from to row in each pair and, unless the column is odd, the value. Most stamps
// need not be copied, because the blocks of both rows say the same of all their rows, or are one store beside others
// of single rows. The loop is left for the other cases, such as the first row of a block, and entered again, so that
// no call in the loop forces its variables into memory.
func carryWords(pairs []columnPair, row, from int) {
	i := 0
	for ; i < len(pairs); i++ {
		c, src := pairs[i].dst, pairs[i].src
		sb, b := src.block(from>>blockShift), c.block(row>>blockShift)
		if !sb.saysAll() || !b.saysAll() || sb.changedAll != b.changedAll || sb.addedAll != b.addedAll { // else the row has its stamps already
			changed, added, at := sb.changedAll, sb.addedAll, from&(blockRows-1)
			if single := sb.single; single != nil {
				changed, added = max(changed, single[at].changed), max(added, single[at].added)
			}
			if sb.newestRows>>at&1 != 0 {
				changed = max(changed, sb.changedNewest)
			}
			at = row & (blockRows - 1)
			single := b.single
			if single == nil || at == 0 || b.changedAll > changed || b.addedAll > added || changed > b.changedNewest {
				break
			}
			single[at] = rowStamp{changed, added}
			if bit := uint64(1) << at; changed == b.changedNewest {
				b.newestRows |= bit
			} else {
				b.newestRows &^= bit
				b.changedBefore = max(b.changedBefore, changed)
			}
			if added > b.addedNewest {
				b.addedNewest = added
				c.newest.added = max(c.newest.added, added)
			}
		}
		switch c.words {
		case 2:
			*c.twoAt(row) = *src.twoAt(from)
		case 1:
			*c.oneAt(row) = *src.oneAt(from)
		}
	}
	if i < len(pairs) {
		pairs[i].carry(row, from)
		carryWords(pairs[i+1:], row, from)
	}
}

// carry copies the value and the stamps of one row, from src to dst of a pair. It does what carryWords does for many pairs, and handles all stamps.
func (p columnPair) carry(row, from int) {
	c, src := p.dst, p.src
	if s := src.stampOf(from); c != src { // in another table, rows move to the end
		c.follow(row, s)
	} else {
		c.put(row, s)
	}
	switch c.words {
	case 2:
		*c.twoAt(row) = *src.twoAt(from)
	case 1:
		*c.oneAt(row) = *src.oneAt(from)
	}
}
