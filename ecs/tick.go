package ecs

import (
	"sync/atomic"
	"unsafe"
)

// This file is change detection: the stamps that say when a row was written and when its entity gained the
// component. Each turn of a system has its own tick; a write stamps the row with it; queries compare stamps with
// the window of the running system (filter.go). Stamps have two levels, rows and blocks of 64 rows, so that
// writing and skipping whole blocks is cheap. Stamping is in the hot loop of every system that writes.

// A Tick is a change stamp: a number that goes up with every turn of a system. It does not measure time. The first
// tick is 1, so 0 is before everything. Ticks do not wrap around: rows keep 32 bits relative to a base, which the
// world raises every few billion ticks.
//
// Each row of each column stores the tick of its last write and the tick at which its entity gained the component.
// [Component.Mut], [Component.Set] and [Ref.Set] stamp the row; a walk over a typed query stamps the rows that it
// visits, in the components that it may write; [Component.Get] and [Component.Of] do not. A write to a raw column
// ([Component.Slice], [Column.Row]) stamps nothing: call [Column.Stamp], [Column.StampRange] or [Column.StampAll]
// after it. An entity that moves to another table keeps the stamps of its components.
//
// A query with Changed or Added, and [World.Removed], select what other systems did since the running system last
// ran. Each system has its own window, even if it runs rarely. Outside of systems the window is the last frame.
type Tick uint64

// A rowStamp says when a row was last written and when its entity gained the component, relative to
// World.tickBase.
type rowStamp struct{ changed, added uint32 }

// blockRows is the number of rows that share a blockStamp, and that a condition on rows tests at once.
const (
	blockRows  = 64
	blockShift = 6
)

// A blockStamp summarizes 64 rows. The stamp of a row is the newer of its own and the block's changedAll or
// addedAll, so writing a whole block costs one store. No row is newer than the newer of changedAll and
// changedNewest (addedAll and addedNewest), so a block that nobody wrote is skipped.
//
// If changedAll >= changedNewest, every row was last changed at changedAll, and the other fields about changes
// have no meaning; likewise for added. Otherwise the rows that were changed at changedNewest are those of
// newestRows, and no other row is newer than changedBefore. This usually answers which rows changed without a look
// at the rows.
type blockStamp struct {
	changedAll, changedNewest uint32
	addedAll, addedNewest     uint32
	changedBefore             uint32
	newestRows                uint64
}

// stamp returns a row's own stamp, without that of its block. The row must be within the capacity of the table:
// callers have it from a slot or from a loop over the table, and do so little that a bounds check would count.
func (c *Column) stamp(row int) *rowStamp {
	return (*rowStamp)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(c.rows)), uintptr(row)*unsafe.Sizeof(rowStamp{})))
}

// block returns the stamp of 64 rows. It checks no bounds.
func (c *Column) block(i int) *blockStamp {
	return (*blockStamp)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(c.blocks)), uintptr(i)*unsafe.Sizeof(blockStamp{})))
}

// stampOf returns the effective stamp of a row: the newer of its own and that of its block.
func (c *Column) stampOf(row int) rowStamp {
	s, b := c.rows[row], &c.blocks[row>>blockShift]
	return rowStamp{changed: max(s.changed, b.changedAll), added: max(s.added, b.addedAll)}
}

// noteNewest raises newest to at least s.
func (c *Column) noteNewest(s rowStamp) {
	c.newest.changed, c.newest.added = max(c.newest.changed, s.changed), max(c.newest.added, s.added)
}

// spread writes the stamps of the whole block into its rows, so that single rows can then be older than the
// others.
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

// stampChanged marks one row as written now. The first row of a block in a tick takes a call; for the others
// everything stays in registers.
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

// firstChange prepares a block for the first write to one of its rows in this tick. It tells the journal, so it
// must be called before anything in the block changes.
func (c *Column) firstChange(b *blockStamp, now uint32) {
	if c.table.world.journal != nil {
		c.beforeBlock(b)
	}
	b.changedBefore, b.changedNewest, b.newestRows = max(b.changedNewest, b.changedAll), now, 0
	if atomic.LoadUint32(&c.newest.changed) != now { // workers of a parallel walk share the column
		atomic.StoreUint32(&c.newest.changed, now)
	}
}

// gainAll gives a new row of the table the defaults of all its columns, and stamps it as added now. The common
// case, default rows of zeros in a block that was already stamped in this tick, is handled in the loop; the loop
// is left for other columns and entered again, so that no call in it forces its variables into memory.
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

// firstAdd prepares a block for the first added row in this tick.
func (c *Column) firstAdd(b *blockStamp, now uint32) {
	c.newest.added, b.addedNewest = now, now
	if b.changedNewest != now {
		c.firstChange(b, now)
	}
}

// stampAddedRange marks the rows from..to-1 as added and written now, with one store per whole block and one per
// row elsewhere.
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

// rebase raises the base of all stamps and keeps those of the last two billion ticks exact. Older stamps become
// the oldest exact one. It costs O(rows), once in about two billion ticks.
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

// stampSince converts a tick to the form that rows keep.
func (w *World) stampSince(since Tick) uint32 {
	if since <= w.tickBase {
		return 0
	}
	return uint32(min(since-w.tickBase, Tick(w.now)))
}

// A window is what a condition on changes selects: stamps after since, except own.
type window struct {
	since uint32
	own   uint32 // the tick of the running system, which does not see its own writes; 0 for none
}

func (in window) has(stamp uint32) bool { return stamp > in.since && stamp != in.own }

// all returns the word of a block whose rows all have this stamp.
func (in window) all(stamp uint32) uint64 {
	if in.has(stamp) {
		return ^uint64(0)
	}
	return 0
}

// window returns the window of the running system; between systems, everything since the end of the last frame.
func (w *World) window() window {
	in := window{since: w.stampSince(w.Since())}
	if w.system != nil {
		in.own = w.now
	}
	return in
}
