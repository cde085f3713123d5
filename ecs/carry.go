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

// carryWords copies the stamps of row from to row in each pair and, unless the column is odd, the value. The
// stamps of a row are the newer of its own and those of its block, so a destination block that is newer as a whole
// has to be spread into its rows first. That case is rare, as is the first row of this tick in a block while there is a
// journal: the loop is left for them and entered again, so that no call in the loop forces its variables into memory.
func carryWords(pairs []columnPair, row, from int) {
	i := 0
	for ; i < len(pairs); i++ {
		c, src := pairs[i].dst, pairs[i].src
		sb, b := src.block(from>>blockShift), c.block(row>>blockShift)
		if !sb.saysAll() || !b.saysAll() || sb.changedAll != b.changedAll || sb.addedAll != b.addedAll { // else the row has its stamps already
			own := src.stamp(from)
			changed, added := max(own.changed, sb.changedAll), max(own.added, sb.addedAll)
			if b.changedAll > changed || b.addedAll > added {
				break
			}
			if w := c.table.world; changed > b.changedNewest && changed == w.now && w.journal != nil {
				break
			}
			to := c.stamp(row)
			to.changed, to.added = changed, added
			bit := uint64(1) << (row & (blockRows - 1))
			switch {
			case changed == b.changedNewest:
				b.newestRows |= bit
			case changed < b.changedNewest:
				b.newestRows &^= bit
				b.changedBefore = max(b.changedBefore, changed)
			default:
				b.changedBefore, b.changedNewest, b.newestRows = max(b.changedNewest, b.changedAll), changed, bit
				c.newest.changed = max(c.newest.changed, changed)
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
		pairs[i].prepare(row, from)
		carryWords(pairs[i:], row, from)
	}
}

// prepare does what carryWords leaves its loop for. The block of the destination is spread into its rows; or, if it is
// about to become as new as this tick, the journal is told of all its rows, because later writes of this tick to them do not tell it.
func (p columnPair) prepare(row, from int) {
	own, sb := p.src.stamp(from), p.src.block(from>>blockShift)
	c, b := p.dst, p.dst.block(row>>blockShift)
	changed, added := max(own.changed, sb.changedAll), max(own.added, sb.addedAll)
	if b.changedAll > changed || b.addedAll > added {
		c.spread(row >> blockShift)
		return
	}
	c.firstChange(b, changed)
}

// saysAll reports whether all rows of the block have the stamps of the block.
func (b *blockStamp) saysAll() bool {
	return b.changedNewest <= b.changedAll && b.addedNewest <= b.addedAll
}
