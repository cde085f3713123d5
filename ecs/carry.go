package ecs

// A columnPair is two columns of the same component; they may be one.
type columnPair struct{ src, dst *Column }

// columnPairs are the columns whose values and stamps a row takes along when it moves, to another table or within its own.
type columnPairs struct {
	all []columnPair
	odd []columnPair // those whose rows are not one or two plain words: copying a value is a call
}

func (p *columnPairs) add(src, dst *Column) {
	p.all = append(p.all, columnPair{src, dst})
	if dst.words == 0 {
		p.odd = append(p.odd, columnPair{src, dst})
	}
}

// carryOdd gives row of each odd dst the value of row from of its src.
func (p *columnPairs) carryOdd(row, from int) {
	for i := range p.odd {
		dst := p.odd[i].dst
		dst.info.schema.copyRow(dst.at(row), p.odd[i].src.at(from))
	}
}

// carryWords gives row of each dst exactly the true stamp that row from of its src has, whatever the blocks say, and the value, unless it is odd. It leaves the loop for what is rare, so that nothing has to be kept in memory across a call:
// structural change spends its time here.
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
		pairs[i].dst.spread(row >> blockShift)
		carryWords(pairs[i:], row, from)
	}
}

// saysAll reports whether the stamps of all rows are those of the block.
func (b *blockStamp) saysAll() bool {
	return b.changedNewest <= b.changedAll && b.addedNewest <= b.addedAll
}
