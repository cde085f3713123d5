package ecs

import (
	"math/bits"
	"slices"
	"unsafe"
)

// This file walks typed queries (zz_query.go). What the caller holds is a small value, such as a
// [Walk2], which the compiler keeps in registers: the first two columns, and a [Visit]. The state behind it is a
// walk, which drives a Cursor.
//
// A walk proceeds in runs. A run is a range of rows of one table that are all visited; without conditions on rows
// it is the whole table, or a part of one that lacks an optional component (typed.go). When the walk leaves a run, the rows that it has visited are stamped in the columns that
// the query writes, with one store per 64 rows. A journal is told of them before their addresses are given out.

// firstRun is the number before the first run of a new walk.
const firstRun = 1<<32 - 1

// A Visit says at which entity a walk over a typed query stands. Its methods are those of [Walk1] to [Walk8]. [Component.Of] and
// [Component.WriteOf] take one to read and write components that are not among the types of the query.
//
// A walk is at one entity only. Of two copies of a Visit, the one that was left behind can no longer be used once the
// other is in another run or at the end: that panics.
type Visit struct {
	row  uint64 // the number of the run in the upper half, the row counted from walk.from in the lower
	walk *walk
}

// A walk is the state that the visits of one walk share. Its query keeps it for the next walk.
//
// Runs are numbered downwards, from run to run and from walk to walk, and the number is the upper half of end and of
// the row of a Visit. So one comparison, row < end, tells a Visit in the current run from those of earlier runs.
type walk struct {
	end   uint64                     // where the rows of the current run end, with its number; 0 when the walk is over
	c     unsafe.Pointer             // row from in the third column of the query,
	d     unsafe.Pointer             // in the fourth,
	e     unsafe.Pointer             // the fifth,
	f     unsafe.Pointer             // the sixth,
	g     unsafe.Pointer             // the seventh
	h     unsafe.Pointer             // and the eighth
	bases [typedTerms]unsafe.Pointer // the same for all columns; a and b are copied into the Walk

	typed  *typed
	open   bool
	query  *Query // of a walk that goes the short way, see walkwhole.go; nil for others
	at     int    // its match
	cursor Cursor
	from   int     // the row of the table from which the rows of the run count
	rest   int     // rows right after the run that are the next one
	whole  bool    // the whole run was given out as slices
	near   bool    // the next source may be looked for with together
	bits   bool    // the next run may be taken from the words of the choice, see walkbits.go
	given  uint64  // then: the rows of a block that hop takes its runs from, also those visited; 0 if the run is not from there
	block  uint32  // the first row of that block
	one    *Column // the only column that is written; nil if there are several, or none
	run    uint32
	step   uint32 // from the slot of one source to that of the next, see together
	begin  uint32 // the first row of the run: 0 but for sources and runs of a word
	first  uint32 // the number before the first run of this walk
	spare  *walk  // the next one in typed.spare
}

// walkOver is the walk of visits that are at the end: no row is less than its end. It is never written.
var walkOver = &walk{}

// begin returns the state for a cursor that has just begun: one that is not in use, or a new one. One with too few
// numbers left for another walk is not used again.
func (t *typed) begin(c Cursor) *walk {
	w, world := t.spare, c.query.world
	if w != nil {
		t.spare = w.spare
	}
	if w == nil || uint64(w.run) <= uint64(len(world.slots.all)+len(world.tables)) {
		w = &walk{run: firstRun}
	}
	w.typed, w.open, w.cursor, w.first, w.whole, w.rest, w.near, w.bits, w.begin = t, true, c, w.run, false, 0, false, false, 0
	world.walks = append(world.walks, w)
	return w
}

// next moves to the next run. visited is the row after those of the current run that the caller has visited, 0 before
// the first run. It reports false at the end.
func (w *walk) next(visited uint32) bool {
	c, t, n := &w.cursor, w.typed, w.rest
	given := int(uint32(w.end))
	w.leave(visited)
	w.from += given
	for n == 0 {
		if !c.advance() {
			w.close()
			return false
		}
		if !c.match.inherit || t.ownsWritten(c.match) {
			w.from = c.row
			n = w.rows()
		}
	}
	w.whole, w.rest, w.near, w.bits, w.begin = false, 0, false, false, 0
	for i := range t.types {
		if col := c.match.cols[t.term[i]]; col != nil {
			w.bases[i] = col.at(w.from)
		} else if w.bases[i] = w.shared(i); t.most[i] > 0 && n > t.most[i] {
			n, w.rest = t.most[i], w.rest+n-t.most[i]
		}
	}
	if c.sources != nil {
		w.settleNear()
	} else if c.choice != nil && !c.ordered {
		w.settleBits()
	}
	w.spread()
	if c.query.world.journal != nil {
		for _, i := range t.writes {
			if col := c.match.cols[i]; col != nil {
				col.before(w.from, w.from+n)
			}
		}
	}
	w.run--
	w.end = uint64(w.run)<<32 | uint64(w.begin) + uint64(n)
	return true
}

// rows returns how many rows the run has that begins at the cursor, and moves the cursor past them.
func (w *walk) rows() int {
	c := &w.cursor
	if c.end > 0 {
		return c.end - c.row
	}
	if c.choice == nil || c.sources != nil || (c.match.inherit && w.typed.lacks(c.match)) {
		return 1 // shared values are those of one entity
	}
	at := c.row&(blockRows-1) + 1
	more := bits.TrailingZeros64(^(c.word >> at))
	c.word &^= (1<<more - 1) << at
	n := 1 + more
	for words := c.choice.words; (c.row+n)&(blockRows-1) == 0 && c.at < c.stop && words[c.at]&1 != 0; { // goes on in the next block
		more = bits.TrailingZeros64(^words[c.at])
		c.word = words[c.at] &^ (1<<more - 1)
		c.at++
		c.block++
		n += more
	}
	return n
}

// spread copies the addresses of the third and further columns to where Get finds them with one load.
func (w *walk) spread() {
	w.c, w.d, w.e = w.bases[2], w.bases[3], w.bases[4]
	w.f, w.g, w.h = w.bases[5], w.bases[6], w.bases[7]
}

// shared returns the address of the value of a type that the entity at the cursor shares through [IsA]: that of absent
// if there is none, or if the walk would write it.
func (w *walk) shared(i int) unsafe.Pointer {
	c, term := &w.cursor, w.typed.term[i]
	if c.match.inherit && !slices.Contains(w.typed.writes, term) {
		world := c.query.world
		if col, row := world.shared(world.components[c.query.terms[term]], &world.slots.all[uint32(c.Entity())]); col != nil {
			return col.at(row)
		}
	}
	return unsafe.Pointer(&absent)
}

// leave ends the current run: it marks its rows before visited as changed now in the columns that are written. If slices
// were given out, these are all rows.
func (w *walk) leave(visited uint32) {
	to := min(visited, uint32(w.end))
	if w.whole {
		to = uint32(w.end)
	}
	w.end = 0
	if w.given != 0 {
		w.leaveBits(to)
		return
	}
	if to <= w.begin {
		return
	}
	from, n := w.from+int(w.begin), to-w.begin
	for _, i := range w.typed.writes {
		col := w.cursor.match.cols[i]
		if col == nil {
			continue // an optional one
		}
		if n == 1 {
			col.stampChanged(from, col.table.world.now)
		} else {
			col.StampRange(from, from+int(n))
		}
	}
}

// abandon closes a walk that its caller has left open. How far it came is not known, so all rows of its run count as
// visited.
func (w *walk) abandon() {
	w.leave(uint32(w.end))
	w.close()
}

// after leaves the current run, of which the caller has visited the rows before visited, and moves to the next one. It
// panics if the walk is over, or has moved on without this visit.
func (p Visit) after(visited uint32) Visit {
	w := p.walk
	if !w.open || uint32(p.row>>32) != w.run {
		panic(walkLeft)
	}
	if w.bits {
		if row := w.hop(p.row&^(1<<32-1) | uint64(visited)); row != 0 {
			return Visit{row, w}
		}
	}
	if q := w.query; q != nil {
		if w.leave(visited); w.near {
			return w.source()
		}
		if i := q.filled(w.at + 1); i < len(q.matches) {
			return w.table(q, i)
		}
		w.close()
		return Visit{walk: walkOver}
	}
	if !w.next(visited) {
		w = walkOver
	}
	return w.visit()
}

// at returns the row of the table, and its table.
func (p Visit) at() (*Table, int) {
	if p.row >= p.walk.end {
		panic(walkLeft)
	}
	return p.walk.cursor.match.table, p.walk.from + int(uint32(p.row))
}

// Entity returns the current entity.
func (p Visit) Entity() Entity {
	t, row := p.at()
	return t.entities[row]
}

// Entities returns the entities from the current one to the end of the run: those of the slices that Slices returns.
// Do not change it.
func (p Visit) Entities() []Entity {
	t, row := p.at()
	return t.entities[row : p.walk.from+int(uint32(p.walk.end))]
}

// rest returns the number of rows from this one to the end of the run. The run counts as written.
func (p Visit) rest() int {
	if p.row >= p.walk.end {
		panic(walkLeft)
	}
	p.walk.whole = true
	return int(uint32(p.walk.end)) - int(uint32(p.row))
}

// End leaves the walk early and unlocks structure. The rows visited so far, with the current one, count as changed
// in the components that the query writes. If the walk is over already, End does nothing, even if the query is being
// walked again by then.
func (p Visit) End() {
	w := p.walk
	if n := uint32(p.row >> 32); w == nil || !w.open || w.run > n || n >= w.first {
		return
	} else if n == w.run {
		w.leave(uint32(p.row) + 1)
	} else { // a copy that was left behind: how far the walk came is not known
		w.leave(uint32(w.end))
	}
	w.close()
}

// Of returns the component of the current entity for reading, nil if the entity lacks it. Use it for a component
// that is not among the types of the query, and that only few turns of a loop look at; see [Maybe] for others. Panics for a walk of another world.
func (c Component[T]) Of(p Visit) *T {
	t, row := p.at()
	c.world.mustBe(t.world)
	if base := c.info.base(t.id); base != nil {
		return (*T)(unsafe.Add(base, uintptr(row)*unsafe.Sizeof(*new(T))))
	}
	return nil
}

// WriteOf is [Component.Of] for writing: it marks the component of this one entity as changed. Use it where a walk
// writes only a few of the entities that it visits, in a query that reads the component.
func (c Component[T]) WriteOf(p Visit) *T {
	t, row := p.at()
	c.world.mustBe(t.world)
	col := c.info.column(t.id)
	if col == nil {
		return nil
	}
	col.stampChanged(row, c.world.now)
	return (*T)(unsafe.Add(col.base, uintptr(row)*unsafe.Sizeof(*new(T))))
}
