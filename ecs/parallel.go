package ecs

import (
	"errors"
	"math/bits"
)

// This file walks a query on several cores. Parallel cuts the matching tables into parts, lets the pool work on
// them, and appends the commands of the parts to the running system's queue (parallel_merge.go). The cut, the
// order of the parts and so the result depend on the tables only, never on the number of workers. While workers
// run, slots.parallel is set, and calls that would race panic where they can notice it.

// partRows is the largest number of rows in a part: whole blocks of stamps, and small enough to spread the work
// evenly.
const partRows = 64 * blockRows

var errNested = errors.New("a parallel walk is open, and walks do not nest")

// A Part is a run of rows of one table that one goroutine works on. The borders of parts depend on the tables only,
// and lie between blocks of stamps, so that workers can stamp without a race. A Part is valid during the call of
// work: later its methods panic. See the example of [Query.Parallel].
type Part struct {
	query    *Query
	match    *match
	table    *Table
	from, to int
	tested   bool     // rows are tested: words says which ones match
	words    []uint64 // the matching rows as bits, from the block of row from on
	commands *Commands
	born     births // scratch of mergeParts
}

// Table returns the table of the part.
func (p *Part) Table() *Table {
	if p.table == nil {
		panic("ecs: a Part is used that is not valid: use it during the call of work that Query.Parallel gives it to")
	}
	return p.table
}

// Range returns the rows from..to-1.
func (p *Part) Range() (from, to int) {
	_ = p.Table()
	return p.from, p.to
}

// Entities returns the entities of all rows from..to-1, whether or not they match.
func (p *Part) Entities() []Entity { return p.Table().entities[p.from:p.to] }

// Rows yields the rows that match the query, for range loops: for i := range p.Rows. The conditions on tags,
// changes and inherited components are those before the walk. Rows are counted from the part's first row, like the
// indexes of Entities and [Component.PartSlice].
func (p *Part) Rows(yield func(i int) bool) {
	_ = p.Table()
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

// Commands returns the part's own queue. After the walk its commands are appended to those of the running system,
// part by part in the order of the query, so the result does not depend on the workers. A handle that its Spawn
// returns can only be used in this queue.
func (p *Part) Commands() *Commands {
	_ = p.Table()
	return p.commands
}

// PartSlice returns the component for all rows of the part, with to-from elements; nil if the table lacks it.
// Writes stamp nothing: see [Component.StampPart].
func (c Component[T]) PartSlice(p *Part) []T {
	made(c.info != nil, "Component", "ecs.Register")
	given(p != nil, "Component.PartSlice", "a part")
	all := c.Slice(p.Table())
	if all == nil {
		return nil
	}
	return all[p.from:p.to]
}

// StampPart marks all rows of the part as changed now.
func (c Component[T]) StampPart(p *Part) {
	made(c.info != nil, "Component", "ecs.Register")
	given(p != nil, "Component.StampPart", "a part")
	if col := c.Column(p.Table()); col != nil {
		col.StampRange(p.from, p.to)
	}
}

// Parallel calls work for the matching tables in parts of up to 4,096 rows; parts without a matching row are left
// out. If there are at least minRows rows, the parts are shared out on the pool; otherwise one goroutine does them
// all. Below about half a millisecond of work a second core costs more than it gains. [Part.Rows] says which rows
// match. The table of an Inherited query may lack a required component that its entities share: see
// [Component.Shared].
//
// work may read the world, write and stamp the rows of its own part, and queue commands on the part. Everything
// else is for the caller before or after the walk: declarations, tags, events, random numbers, other rows, query
// loops (also First and Count) and other queues. It panics where that can be detected. A grid answers from the
// last snapshot taken before the walk in the same frame. Structural change returns [ErrLocked]. The result is the
// same as with one worker. Errors: a walk inside a walk; [ErrLimit] if the commands would spawn too many entities,
// and then none of them is queued.
func (q *Query) Parallel(pool Pool, minRows int, work func(p *Part)) error {
	return q.parallel(pool, minRows, partRows, work)
}

func (q *Query) parallel(pool Pool, minRows, grain int, work func(p *Part)) error {
	w := q.use()
	if w.partWork != nil {
		return fail("walk in parallel", None, "", errNested)
	}
	given(work != nil, "Query.Parallel", "a function")
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

// split cuts the matching tables into World.parts and returns the number of their rows. The parts are reused from
// walk to walk, with their queues.
func (q *Query) split(grain int) (rows int) {
	w := q.world
	in := w.window()
	parts := w.parts[:0]
	for i := q.filled(0); i < len(q.matches); i = q.filled(i + 1) {
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

// runParts calls work for every part, on the pool if there is one and more than one part.
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

// findRows computes which rows of the part match. It runs for all parts before work runs for any: the condition on
// a row may read the stamps of its base, which another part may write.
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

// dropIdleParts removes the parts without a matching row. The others keep their order.
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

// endWalk unlocks structure, also after a panic in work. It empties the queues of the parts; commands that were
// not merged are lost.
func (w *World) endWalk() {
	for i := range w.parts {
		w.parts[i].commands.reset()
		w.parts[i].match, w.parts[i].table = nil, nil // a released table is not kept alive
	}
	w.partWork, w.slots.parallel, w.slots.guarded = nil, false, w.guards()
	w.locks--
}
