package ecs

import (
	"sync/atomic"
	"unsafe"
)

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

// A blockStamp speaks for 64 rows. The stamp of a row is the larger of its own and the block's `all`, so that writing a whole block
// costs one store. No row is newer than the larger of `all` and `newest`, so that a block nobody wrote is skipped.
//
// Where changedAll is not behind changedNewest, every row was changed at changedAll, and the other fields about changes mean nothing; the
// same holds for added. Otherwise the rows changed at changedNewest itself are those of newestRows, and no other is newer than
// changedBefore: mostly that answers who changed without a look at the rows.
type blockStamp struct {
	changedAll, changedNewest uint32
	addedAll, addedNewest     uint32
	changedBefore             uint32
	newestRows                uint64
}

// stamp and block return a row's own stamp and that of 64 rows. The row is one the table has room for: callers have it from a slot or a
// loop over the table, and what they do is too short for bounds checks.
func (c *Column) stamp(row int) *rowStamp {
	return (*rowStamp)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(c.rows)), uintptr(row)*unsafe.Sizeof(rowStamp{})))
}

func (c *Column) block(i int) *blockStamp {
	return (*blockStamp)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(c.blocks)), uintptr(i)*unsafe.Sizeof(blockStamp{})))
}

// stampOf returns the true stamp of a row.
func (c *Column) stampOf(row int) rowStamp {
	s, b := c.rows[row], &c.blocks[row>>blockShift]
	return rowStamp{changed: max(s.changed, b.changedAll), added: max(s.added, b.addedAll)}
}

// noteNewest keeps newest at least s.
func (c *Column) noteNewest(s rowStamp) {
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
	if b.changedAll >= b.changedNewest {
		b.changedNewest, b.newestRows, b.changedBefore = b.changedAll, ^uint64(0), 0
	}
	b.addedNewest = max(b.addedNewest, b.addedAll)
	b.changedAll, b.addedAll = 0, 0
}

// stampChanged marks one row as written now. The first row of a block is left to another function, so that nothing has to be kept in memory
// across a call.
func (c *Column) stampChanged(row int, now uint32) {
	b := c.block(row >> blockShift)
	if b.changedNewest != now { // otherwise the column's is now, too
		c.stampFirst(row, now)
		return
	}
	c.stamp(row).changed = now
	b.newestRows |= 1 << (row & (blockRows - 1))
}

// stampFirst is stampChanged for the first row of a block that is written now.
//
//go:noinline
func (c *Column) stampFirst(row int, now uint32) {
	b := c.block(row >> blockShift)
	c.firstChange(b, now)
	c.stamp(row).changed = now
	b.newestRows = 1 << (row & (blockRows - 1))
}

// firstChange notes that a row of a block is about to be written now, the first one. It is called before anything of the block changes.
func (c *Column) firstChange(b *blockStamp, now uint32) {
	if c.table.world.journal != nil {
		c.beforeBlock(b)
	}
	b.changedBefore, b.changedNewest, b.newestRows = max(b.changedNewest, b.changedAll), now, 0
	if atomic.LoadUint32(&c.newest.changed) != now { // workers of a parallel walk share the column
		atomic.StoreUint32(&c.newest.changed, now)
	}
}

// gainAll gives a row, a new one of the table, the defaults of all its columns and marks it as added now. It leaves the loop for what is rare, so
// that nothing has to be kept in memory across a call.
func gainAll(columns []Column, row int, now uint32) {
	at, both := row>>blockShift, uint64(now)<<32|uint64(now)
	i := 0
	for ; i < len(columns); i++ {
		c := &columns[i]
		b, blank := c.block(at), c.blank
		if blank == 0 || b.addedNewest != now || b.changedNewest != now {
			break
		}
		b.newestRows |= 1 << (row & (blockRows - 1))
		*(*uint64)(unsafe.Pointer(c.stamp(row))) = both // changed and added in one store
		if blank == 3 {
			*c.twoAt(row) = [2]uint64{}
		} else if blank == 2 {
			*c.oneAt(row) = 0
		}
	}
	if i < len(columns) {
		columns[i].gain(row, now)
		gainAll(columns[i+1:], row, now)
	}
}

// gain is gainAll for one column.
func (c *Column) gain(row int, now uint32) {
	s, b := c.stamp(row), c.block(row>>blockShift)
	if b.addedNewest != now || b.changedNewest != now { // otherwise the column's are now, too
		c.firstAdd(b, now)
	}
	s.changed, s.added = now, now
	b.newestRows |= 1 << (row & (blockRows - 1))
	switch {
	case c.zero && c.words == 2:
		*c.twoAt(row) = [2]uint64{}
	case c.zero && c.words == 1:
		*c.oneAt(row) = 0
	default:
		c.info.schema.setDefault(c.at(row))
	}
}

// firstAdd notes that a row of a block is about to be added now, the first one.
func (c *Column) firstAdd(b *blockStamp, now uint32) {
	c.newest.added, b.addedNewest = now, now
	if b.changedNewest != now {
		c.firstChange(b, now)
	}
}

// stampAddedRange marks the rows from..to-1 as added and written now: a store per row at the ragged ends, one per block between.
func (c *Column) stampAddedRange(from, to int, now uint32) {
	if from < to {
		c.newest = rowStamp{changed: now, added: now}
	}
	for from < to {
		if from&(blockRows-1) == 0 && to-from >= blockRows {
			b := &c.blocks[from>>blockShift]
			b.changedAll, b.addedAll = now, now
			from += blockRows
			continue
		}
		s, b := c.stamp(from), c.block(from>>blockShift)
		s.changed, s.added = now, now
		c.firstAdd(b, now)
		b.newestRows |= 1 << (from & (blockRows - 1))
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

// all is the word of 64 rows that all have this stamp.
func (in window) all(stamp uint32) uint64 {
	if in.has(stamp) {
		return ^uint64(0)
	}
	return 0
}

// window returns that of the running system; between systems, everything since the last frame.
func (w *World) window() window {
	in := window{since: w.stampSince(w.Since())}
	if w.system != nil {
		in.own = w.now
	}
	return in
}
