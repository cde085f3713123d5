package ecs

import "sync/atomic"

// A Tick is a change stamp: a number that goes up with every run of a system, never a measure of time. The first is 1, so 0 is before
// everything. It does not wrap: rows keep 32 bits relative to a base that the world moves up about every four billion ticks.
type Tick uint64

// A rowStamp says when one row of a column was last written and when it came to have the component, relative to World.tickBase.
type rowStamp struct{ changed, added uint32 }

// blockRows is how many rows share a blockStamp, and how many rows a row filter looks at in one step.
const (
	blockRows  = 64
	blockShift = 6
)

// A blockStamp speaks for 64 rows. The stamp of a row is the larger of its own and the block's `all`, so that writing a whole column
// costs a store per block; `newest` is at least every stamp in the block, so that a block nobody wrote is skipped. The rows written at
// changedNewest itself are those of newestRows, and no other is newer than changedBefore: mostly that answers who changed without a look
// at the rows.
type blockStamp struct {
	changedAll, changedNewest uint32
	addedAll, addedNewest     uint32
	changedBefore             uint32
	newestRows                uint64
}

// wrote notes that row, one of the block, was written at tick s.
func (b *blockStamp) wrote(row int, s uint32) {
	bit := uint64(1) << (row & (blockRows - 1))
	switch {
	case s == b.changedNewest:
		b.newestRows |= bit
	case s > b.changedNewest:
		b.changedBefore = b.changedNewest
		b.changedNewest, b.newestRows = s, bit
	default: // a row that moved here with an older stamp
		b.newestRows &^= bit
		b.changedBefore = max(b.changedBefore, s)
	}
}

// stampOf returns the true stamp of a row.
func (c *Column) stampOf(row int) rowStamp {
	s, b := c.rows[row], &c.blocks[row>>blockShift]
	return rowStamp{changed: max(s.changed, b.changedAll), added: max(s.added, b.addedAll)}
}

// noteNewest keeps newest at least s.
func (c *Column) noteNewest(s rowStamp) {
	if s.changed > c.newest.changed {
		c.newest.changed = s.changed
	}
	if s.added > c.newest.added {
		c.newest.added = s.added
	}
}

// carryStamp gives row of c exactly the true stamp that row from of src has, whatever the blocks say.
func (c *Column) carryStamp(row int, src *Column, from int) {
	s, sb, b := src.rows[from], &src.blocks[from>>blockShift], &c.blocks[row>>blockShift]
	s.changed, s.added = max(s.changed, sb.changedAll), max(s.added, sb.addedAll)
	if b.changedAll > s.changed || b.addedAll > s.added {
		c.spread(row >> blockShift)
	}
	c.rows[row] = s
	b.wrote(row, s.changed)
	b.addedNewest = max(b.addedNewest, s.added)
	c.newest.changed, c.newest.added = max(c.newest.changed, s.changed), max(c.newest.added, s.added)
}

// spread writes the block's `all` into its rows, so that one of them can be older.
func (c *Column) spread(block int) {
	b := &c.blocks[block]
	from := block << blockShift
	for i := from; i < min(from+blockRows, len(c.rows)); i++ {
		s := &c.rows[i]
		s.changed = max(s.changed, b.changedAll)
		s.added = max(s.added, b.addedAll)
	}
	b.changedAll, b.addedAll = 0, 0
}

// stampChanged marks one row as written now.
func (c *Column) stampChanged(row int, now uint32) {
	c.rows[row].changed = now
	if atomic.LoadUint32(&c.newest.changed) != now { // workers of a parallel walk share the column
		atomic.StoreUint32(&c.newest.changed, now)
	}
	b := &c.blocks[row>>blockShift]
	bit := uint64(1) << (row & (blockRows - 1))
	if b.changedNewest == now {
		b.newestRows |= bit
		return
	}
	b.changedBefore = b.changedNewest
	b.changedNewest, b.newestRows = now, bit
}

// stampAdded marks one row as added and written now.
func (c *Column) stampAdded(row int, now uint32) {
	c.rows[row] = rowStamp{changed: now, added: now}
	c.newest = rowStamp{changed: now, added: now}
	b := &c.blocks[row>>blockShift]
	b.addedNewest = now
	bit := uint64(1) << (row & (blockRows - 1))
	if b.changedNewest == now { // as stampChanged, written out: spawning spends its time here
		b.newestRows |= bit
		return
	}
	b.changedBefore = b.changedNewest
	b.changedNewest, b.newestRows = now, bit
}

// stampAddedRange marks the rows from..to-1 as added and written now: a store per row at the ragged ends, a store per block between.
func (c *Column) stampAddedRange(from, to int, now uint32) {
	if from < to {
		c.newest = rowStamp{changed: now, added: now}
	}
	for from < to {
		if from&(blockRows-1) == 0 && to-from >= blockRows {
			c.blocks[from>>blockShift] = blockStamp{
				changedAll: now, changedNewest: now, newestRows: ^uint64(0), addedAll: now, addedNewest: now,
			}
			from += blockRows
			continue
		}
		c.stampAdded(from, now)
		from++
	}
}

// rebase moves the base of all stamps up, leaving the most recent two billion ticks exact. Anything older counts as changed for
// whoever asks about a time before that.
func (w *World) rebase() {
	const keep = 1 << 31
	delta := w.now - keep
	lower := func(s *uint32) {
		if *s != 0 {
			*s = max(*s, delta+1) - delta
		}
	}
	for _, t := range w.tables {
		for i := range t.columns {
			c := &t.columns[i]
			lower(&c.newest.changed)
			lower(&c.newest.added)
			for j := range c.rows {
				lower(&c.rows[j].changed)
				lower(&c.rows[j].added)
			}
			for j := range c.blocks {
				b := &c.blocks[j]
				lower(&b.changedAll)
				lower(&b.changedNewest)
				lower(&b.addedAll)
				lower(&b.addedNewest)
				lower(&b.changedBefore)
			}
		}
	}
	w.tickBase += Tick(delta)
	w.now -= delta
}

// stampSince turns a tick into the form rows keep.
func (w *World) stampSince(since Tick) uint32 {
	if since <= w.tickBase {
		return 0
	}
	return uint32(min(since-w.tickBase, Tick(w.now)))
}

// A window is what a condition on changes looks for: stamps after since, but not own.
type window struct {
	since uint32
	own   uint32 // the tick of the running system, whose own writes are no news to it; 0 for none
}

func (in window) has(stamp uint32) bool { return stamp > in.since && stamp != in.own }

// window returns that of the running system; between systems, everything since the last frame.
func (w *World) window() window {
	in := window{since: w.stampSince(w.Since())}
	if w.system != nil {
		in.own = w.now
	}
	return in
}
