package ecs

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// This file has the stamps of a column: they say when a row was last written and when its entity gained the
// component. Stamps have two levels, blocks of 64 rows and single rows. What the summary of a block says of its rows
// is kept nowhere else, so writing and skipping whole blocks is cheap, and a block whose rows were written together
// has no stamps of single rows. Stamping is in the hot loop of every system that writes.

// A rowStamp says when a row was last written and when its entity gained the component, relative to
// World.tickBase.
type rowStamp struct{ changed, added uint32 }

// blockRows is the number of rows that share a blockStamp, and that a condition on rows tests at once.
const (
	blockRows  = 64
	blockShift = 6
)

// A blockStamp has the stamps of 64 rows: see of. No row is newer than the newer of changedAll and changedNewest
// (addedAll and addedNewest), so a block that nobody wrote is skipped.
//
// If changedAll >= changedNewest, every row was last changed at changedAll, and the other fields about changes
// have no meaning; likewise for added. Otherwise the rows that were changed at changedNewest are those of
// newestRows, and no other row is newer than changedBefore. This usually answers which rows changed without a look
// at the rows.
//
// The first row of a block (see begin) replaces what the block said of rows that are gone. Until then, and for rows
// after the end of the table, it says something about nothing, but no stamp in single is newer than the block.
type blockStamp struct {
	changedAll, addedAll       uint32
	changedNewest, addedNewest uint32
	changedBefore              uint32
	newestRows                 uint64
	single                     *singleStamps // nil if the other fields say all
}

// singleStamps are what a block's summary does not say of its rows.
type singleStamps [blockRows]rowStamp

// block returns the stamp of 64 rows. It checks no bounds: callers have the row from a slot or from a loop over the
// table, and do so little that a bounds check would count.
func (c *Column) block(i int) *blockStamp {
	return (*blockStamp)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(c.blocks)), uintptr(i)*unsafe.Sizeof(blockStamp{})))
}

// of returns the stamps of a row: the newest that the fields say of it.
func (b *blockStamp) of(row int) rowStamp {
	i, s := row&(blockRows-1), rowStamp{b.changedAll, b.addedAll}
	if b.single != nil {
		s.changed, s.added = max(s.changed, b.single[i].changed), max(s.added, b.single[i].added)
	}
	if b.newestRows>>i&1 != 0 {
		s.changed = max(s.changed, b.changedNewest)
	}
	return s
}

// firstRow returns the row with which a block begins.
func (c *Column) firstRow(b *blockStamp) int {
	return int((uintptr(unsafe.Pointer(b))-uintptr(unsafe.Pointer(unsafe.SliceData(c.blocks))))/unsafe.Sizeof(blockStamp{})) << blockShift
}

// rowsOf returns a bit for each row of a block that is there.
func (c *Column) rowsOf(b *blockStamp) uint64 {
	if n := c.rows() - c.firstRow(b); n < blockRows {
		return 1<<max(n, 0) - 1
	}
	return ^uint64(0)
}

// saysAll reports whether all rows have the stamps changedAll and addedAll.
func (b *blockStamp) saysAll() bool {
	return b.changedNewest <= b.changedAll && b.addedNewest <= b.addedAll
}

// changedAt returns the rows of the block that were last changed at a tick that no row is newer than.
func (b *blockStamp) changedAt(now uint32) uint64 {
	switch {
	case b.changedAll == now:
		return ^uint64(0)
	case b.changedNewest == now && b.changedAll < now:
		return b.newestRows
	}
	return 0
}

// summary returns the stamp of the block without those of single rows.
func (b *blockStamp) summary() blockStamp {
	s := *b
	s.single = nil
	return s
}

// summarize sets everything but single to s.
func (b *blockStamp) summarize(s *blockStamp) {
	b.changedAll, b.addedAll, b.changedNewest, b.addedNewest = s.changedAll, s.addedAll, s.changedNewest, s.addedNewest
	b.changedBefore, b.newestRows = s.changedBefore, s.newestRows
}

// begin gives a block without rows the stamps of its first one. The journal was told that the row is added.
func (b *blockStamp) begin(s rowStamp) {
	b.summarize(&blockStamp{changedAll: s.changed, addedAll: s.added})
	if b.single != nil {
		*b.single = singleStamps{}
	}
}

// singles returns the stamps of the single rows of a block, and makes memory for them if there is none.
func (c *Column) singles(b *blockStamp) *singleStamps {
	if b.single == nil {
		b.single = new(singleStamps)
		c.table.world.heap.singles.Add(int64(unsafe.Sizeof(singleStamps{})))
	}
	return b.single
}

// dropSingles counts the stamps of single rows as gone, for the blocks from the given one on.
func (c *Column) dropSingles(from int) {
	for i := range c.blocks[from:] {
		if c.blocks[from+i].single != nil {
			c.table.world.heap.singles.Add(-int64(unsafe.Sizeof(singleStamps{})))
		}
	}
}

// shed gives back the stamps of the single rows of a block, if they say nothing that the block does not say.
func (c *Column) shed(block int) {
	b := &c.blocks[block]
	if b.single == nil {
		return
	}
	s := b.summary()
	for row := range min(blockRows, c.rows()-block<<blockShift) {
		if s.of(row) != b.of(row) {
			return
		}
	}
	b.single = nil
	c.table.world.heap.singles.Add(-int64(unsafe.Sizeof(singleStamps{})))
}

func (c *Column) stampOf(row int) rowStamp { return c.blocks[row>>blockShift].of(row) }

// noteNewest raises newest to at least s.
func (c *Column) noteNewest(s rowStamp) {
	c.newest.changed, c.newest.added = max(c.newest.changed, s.changed), max(c.newest.added, s.added)
}

// spread takes back changedAll and addedAll, so that single rows can be older than the others. Every row keeps its
// stamps.
func (c *Column) spread(b *blockStamp) {
	single := c.singles(b)[:bits.Len64(c.rowsOf(b))]
	if b.changedAll >= b.changedNewest {
		b.changedNewest, b.newestRows, b.changedBefore = b.changedAll, ^uint64(0), 0
	} else {
		for i := range single {
			single[i].changed = max(single[i].changed, b.changedAll)
		}
	}
	for i := range single {
		single[i].added = max(single[i].added, b.addedAll)
	}
	b.addedNewest = max(b.addedNewest, b.addedAll)
	b.changedAll, b.addedAll = 0, 0
}

// follow gives a new row, the last one, its stamps.
func (c *Column) follow(row int, s rowStamp) {
	if row&(blockRows-1) == 0 {
		c.block(row >> blockShift).begin(s)
		c.noteNewest(s)
	} else {
		c.put(row, s)
	}
}

// put gives a row its stamps, and changes those of its block if they do not cover the row's. Nobody else has told the journal of the block, unless s is
// older than this tick.
func (c *Column) put(row int, s rowStamp) {
	b, bit := c.block(row>>blockShift), uint64(1)<<(row&(blockRows-1))
	if b.changedAll > s.changed || b.addedAll > s.added {
		c.spread(b)
	}
	switch {
	case s.changed == b.changedNewest:
		b.newestRows |= bit
	case s.changed < b.changedNewest:
		b.newestRows &^= bit
		b.changedBefore = max(b.changedBefore, s.changed)
	case s.changed > b.changedAll:
		if w := c.table.world; s.changed == w.now && w.journal != nil {
			c.beforeBlock(b) // later writes of this tick to the block will not tell it
		}
		c.renew(b, s.changed, bit)
		b.newestRows = bit
	}
	if s.added > b.addedAll {
		b.addedNewest = max(b.addedNewest, s.added)
	}
	if b.single != nil || s.added > b.addedAll || s.changed > b.changedAll && b.newestRows&bit == 0 {
		c.singles(b)[row&(blockRows-1)] = s
	}
	c.noteNewest(s)
}

// restoreStamps makes the stamps equal to those of o, which has the same capacity.
func (c *Column) restoreStamps(o *Column) {
	for i := range c.blocks {
		b, s := &c.blocks[i], &o.blocks[i]
		b.summarize(s)
		if s.single != nil {
			*c.singles(b) = *s.single
		} else if b.single != nil {
			*b.single = singleStamps{}
		}
	}
	c.newest = o.newest
}

func (c *Column) single(row int) rowStamp {
	if s := c.blocks[row>>blockShift].single; s != nil {
		return s[row&(blockRows-1)]
	}
	return rowStamp{}
}

func (c *Column) setSingle(row int, s rowStamp) {
	if b := &c.blocks[row>>blockShift]; b.single != nil || s != (rowStamp{}) {
		c.singles(b)[row&(blockRows-1)] = s
	}
}

// forgetSingles clears what singles has of the rows after the first n.
func (c *Column) forgetSingles(n int) {
	for i := n >> blockShift; i < len(c.blocks); i++ {
		if s := c.blocks[i].single; s != nil {
			clear(s[max(0, n-i<<blockShift):])
		}
	}
}

// renew makes a tick the newest of a block, newer than the stamps of all its rows. No row has it yet. The rows that
// had the newest one so far keep it, unless they are among rows, which get the new one: as changedAll, if there is no other row, otherwise in single.
func (c *Column) renew(b *blockStamp, now uint32, rows uint64) {
	if all := c.rowsOf(b); b.newestRows&all != 0 && b.changedNewest > b.changedAll {
		if rest := b.newestRows & all; rest == all {
			b.changedAll = b.changedNewest
		} else if rest &^= rows; rest != 0 {
			single := c.singles(b)
			for ; rest != 0; rest &= rest - 1 {
				single[bits.TrailingZeros64(rest)].changed = b.changedNewest
			}
		}
	}
	b.changedBefore, b.changedNewest, b.newestRows = max(b.changedNewest, b.changedAll), now, 0
}

// stampChanged marks one row as written now. The first row of a block in a tick takes a call.
func (c *Column) stampChanged(row int, now uint32) {
	b := c.block(row >> blockShift)
	if b.changedNewest != now { // otherwise the column's is now, too
		c.firstChange(b, now, 1<<(row&(blockRows-1)))
	}
	b.newestRows |= 1 << (row & (blockRows - 1))
}

// stampFirst is stampChanged for the first row of a block that is written now.
//
//go:noinline
func (c *Column) stampFirst(row int, now uint32) {
	b := c.block(row >> blockShift)
	c.firstChange(b, now, 1<<(row&(blockRows-1)))
	b.newestRows = 1 << (row & (blockRows - 1))
}

// stampRows marks those rows of a block as written now that are set in mask.
func (c *Column) stampRows(block int, mask uint64, now uint32) {
	b := c.block(block)
	if b.changedNewest != now {
		c.firstChange(b, now, mask)
	}
	b.newestRows |= mask
}

// firstChange prepares a block for the first write to one of its rows in this tick: the caller writes rows. It tells the journal, so it
// must be called before anything in the block changes.
func (c *Column) firstChange(b *blockStamp, now uint32, rows uint64) {
	if c.table.world.journal != nil {
		c.beforeBlock(b)
	}
	c.renew(b, now, rows)
	if atomic.LoadUint32(&c.newest.changed) != now { // workers of a parallel walk share the column
		atomic.StoreUint32(&c.newest.changed, now)
	}
}

// gainAll gives a new row of the table the defaults of all its columns, and stamps it as added now. The common
// case, default rows of zeros in a block whose rows were all added in this tick, is handled in the loop; the loop
// is left for other columns and entered again, so that no call in it forces its variables into memory.
func gainAll(columns []Column, row int, now uint32) {
	at := row >> blockShift
	i := 0
	for ; i < len(columns); i++ {
		c := &columns[i]
		b, blank := c.block(at), c.blank
		if blank == 0 || !b.allNow(now) {
			break
		}
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

// allNow reports whether all rows of the block were written and added now.
func (b *blockStamp) allNow(now uint32) bool { return b.changedAll == now && b.addedAll == now }

func (c *Column) gain(row int, now uint32) {
	if b := c.block(row >> blockShift); !b.allNow(now) {
		c.stampAdded(b, row, now)
	}
	switch {
	case c.zero && c.words == 2:
		*c.twoAt(row) = [2]uint64{}
	case c.zero && c.words == 1:
		*c.oneAt(row) = 0
	default:
		c.info.schema.setDefault(c.at(row))
	}
}

// stampAdded marks a new row as added and written now. b is its block.
//
//go:noinline
func (c *Column) stampAdded(b *blockStamp, row int, now uint32) {
	i := row & (blockRows - 1)
	if i == 0 {
		b.begin(rowStamp{now, now})
		c.newest = rowStamp{now, now}
		return
	}
	if b.changedNewest != now {
		c.firstChange(b, now, 1<<i)
	}
	b.newestRows |= 1 << i
	if b.addedAll != now {
		c.newest.added, b.addedNewest = now, now
		c.singles(b)[i].added = now
	}
}

// stampAddedRange marks the new rows from..to-1, the last ones of the table, as added and written now, with one store
// per block that begins with one of them and one per row elsewhere.
func (c *Column) stampAddedRange(from, to int, now uint32) {
	for from < to {
		b := c.block(from >> blockShift)
		c.stampAdded(b, from, now)
		if from&(blockRows-1) == 0 {
			from += blockRows
		} else {
			from++
		}
	}
}
