package ecs

import (
	"errors"
	"math/bits"
)

// partRows is how many rows a part has at most: whole blocks of stamps, and small enough to share out evenly.
const partRows = 64 * blockRows

var errNested = errors.New("a parallel walk is open, and walks do not nest")

// A Part is a run of rows of one table, worked on by one goroutine. Part borders depend on the tables only, never on the number of
// workers, and lie between blocks of stamps, so that workers stamp without a race. It is valid inside work.
type Part struct {
	query    *Query
	match    *match
	table    *Table
	from, to int
	tested   bool     // not every row matches: words says which
	words    []uint64 // from the block of row from on
	commands *Commands
	born     births // scratch of merging
}

// Table returns the table of the part.
func (p *Part) Table() *Table { return p.table }

// Range returns the rows from..to-1.
func (p *Part) Range() (from, to int) { return p.from, p.to }

// Entities returns the entities of all rows from..to-1, matching or not.
func (p *Part) Entities() []Entity { return p.table.entities[p.from:p.to] }

// Rows yields the rows that match the query, its conditions on tags, changes and inherited components included, as they were before the
// walk: for i := range p.Rows. They count from the part's first, as the indexes of Entities and [Component.PartSlice] do.
func (p *Part) Rows(yield func(i int) bool) {
	if !p.tested {
		for i := range p.to - p.from {
			if !yield(i) {
				return
			}
		}
		return
	}
	first := p.from &^ (blockRows - 1)
	for block, word := range p.words {
		for ; word != 0; word &= word - 1 {
			if !yield(first + block<<blockShift + bits.TrailingZeros64(word) - p.from) {
				return
			}
		}
	}
}

// Commands returns the part's own queue. After the walk the parts' commands follow those of the running system, in the order of the
// query, so the result does not depend on the workers. A handle from its Spawn can be used in this queue only.
func (p *Part) Commands() *Commands { return p.commands }

// PartSlice returns the component of all rows of the part, len == to-from, nil when the table lacks it; writes stamp nothing, see
// [Component.StampPart].
func (c Component[T]) PartSlice(p *Part) []T {
	all := c.Slice(p.table)
	if all == nil {
		return nil
	}
	return all[p.from:p.to]
}

// StampPart marks all rows of the part as changed now.
func (c Component[T]) StampPart(p *Part) {
	if col := c.Column(p.table); col != nil {
		col.StampRange(p.from, p.to)
	}
}

// Parallel visits the matching tables in parts of up to 4,096 rows, those in which some row matches, on the pool when there are at least
// minRows rows (one goroutine otherwise; below about half a millisecond of work a second core costs more than it brings). [Part.Rows]
// says which rows match. The table of an Inherited query may lack a required component that its entities share: see [Component.Shared].
//
// work may read the world, write and stamp the rows of its own part, and queue commands on it; declarations, tags, events, random numbers,
// other rows, query loops (with First and Count) and other queues are the caller's to do before or after, and panic where that can be told.
// A grid answers from the snapshot that was taken last before the walk, in the same frame. Structural change returns [ErrLocked]. The result is the same as with one
// worker. Errors: a walk inside a walk; [ErrLimit], when the commands would spawn too many: then none of them is queued.
func (q *Query) Parallel(pool Pool, minRows int, work func(p *Part)) error {
	return q.parallel(pool, minRows, partRows, work)
}

func (q *Query) parallel(pool Pool, minRows, grain int, work func(p *Part)) error {
	w := q.use()
	if w.partWork != nil {
		return fail("walk in parallel", None, "", errNested)
	}
	rows := q.split(grain)
	if rows < minRows || (pool != nil && pool.Workers() < 2) {
		pool = nil
	}
	queue := w.Commands()
	w.locks++
	if w.journal != nil {
		w.beforeParts()
	}
	w.partWork, w.slots.parallel, w.slots.guarded = work, true, true
	defer w.endWalk()
	if q.testsRows() {
		w.runParts(pool, (*Part).findRows)
		w.dropIdleParts()
	}
	w.runParts(pool, work)
	return queue.mergeParts(w.parts)
}

// split cuts the matching tables into World.parts, which keep their queues from walk to walk, and returns how many rows they have.
func (q *Query) split(grain int) (rows int) {
	w := q.world
	in := w.window()
	parts := w.parts[:0]
	for i := range q.matches {
		m := &q.matches[i]
		if q.idle(m, in) {
			continue
		}
		n := len(m.table.entities)
		rows += n
		for from := 0; from < n; from += grain {
			if len(parts) == cap(parts) {
				parts = append(parts, Part{})
			} else {
				parts = parts[:len(parts)+1]
			}
			p := &parts[len(parts)-1]
			if p.commands == nil {
				p.commands = &Commands{world: w, worker: true}
			}
			p.query, p.match, p.table, p.from, p.to = q, m, m.table, from, min(from+grain, n)
			p.tested = m.inherit || q.rows != nil
		}
	}
	w.parts = parts
	return rows
}

// runParts calls work for every part, on the pool unless it is nil or there is nothing to share.
func (w *World) runParts(pool Pool, work func(p *Part)) {
	if pool == nil || len(w.parts) < 2 {
		for i := range w.parts {
			work(&w.parts[i])
		}
		return
	}
	if w.runPart == nil {
		w.runPart = func(i int) { w.partWork(&w.parts[i]) } // made once: a walk allocates nothing
	}
	w.partWork = work
	pool.Run(len(w.parts), w.runPart)
}

// findRows notes which rows match. All parts have done so before the first is worked on: a row's condition may look at the stamps of its
// base, which another part writes.
func (p *Part) findRows() {
	if !p.tested {
		return
	}
	q, in := p.query, p.query.world.window()
	p.words = p.words[:0]
	for block := p.from >> blockShift; block<<blockShift < p.to; block++ {
		word := q.word(p.match, block, in)
		first := block << blockShift
		if first < p.from {
			word &= ^uint64(0) << (p.from - first)
		}
		if rest := p.to - first; rest < blockRows {
			word &= 1<<rest - 1
		}
		p.words = append(p.words, word)
	}
}

// dropIdleParts leaves only the parts that have a matching row, in their order.
func (w *World) dropIdleParts() {
	n := 0
	for i := range w.parts {
		idle := w.parts[i].tested
		for _, word := range w.parts[i].words {
			idle = idle && word == 0
		}
		if !idle {
			w.parts[n], w.parts[i] = w.parts[i], w.parts[n]
			n++
		}
	}
	w.parts = w.parts[:n]
}

// endWalk unlocks structure, also when work panicked; what is queued by then is lost.
func (w *World) endWalk() {
	for i := range w.parts {
		w.parts[i].commands.reset()
		w.parts[i].match, w.parts[i].table = nil, nil // a released table is not kept alive
	}
	w.partWork, w.slots.parallel, w.slots.guarded = nil, false, w.journal != nil
	w.locks--
}
