package machine

import (
	"math"
	"math/bits"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/watch"
)

// A walk over a query. Each call of the code does some rows of one table: all that are left, or up to 64 of a mask, less if
// a call is watched. After a call, the host settles what it left: stores are stamped or undone, effects are made. Then the
// status decides how the walk goes on.

// Run implements [kernel.Kernel].
func (k *Kernel) Run(c *ecs.Cursor) kernel.Ending {
	if k.plain && !k.watch.Stopped() {
		return k.runPlain(c)
	}
	var how kernel.Ending
	switch {
	case k.resting():
		k.beginClosures()
		rows, mask := c.NextRows()
		how = k.byClosures(c, rows, mask)
	case k.begin(c.World()) && !k.watch.Stopped():
		k.seal(c)
		how = k.walk(c)
	default:
		rows, mask := c.NextRows()
		how = k.byClosures(c, rows, mask)
	}
	k.end()
	return how
}

// begin prepares a run: fuel, inputs, random stream, words. It is false if code cannot reach what it needs; then closures
// do the run.
func (k *Kernel) begin(w *ecs.World) bool {
	w.BeforeWrite(k.beyond...)
	k.beginClosures()
	k.forgetMirrors()
	k.sharing.begin()
	if k.unit.Effects {
		k.effects.Begin(w, k.tables)
	}
	k.frame.LendRandom(w)
	if !k.frame.LendInputs() || !k.look(w) || !k.lendCalls() {
		return false
	}
	k.pace.begin(k.frame.Fuel.Used())
	return true
}

// beginClosures is begin for a run that closures do.
func (k *Kernel) beginClosures() {
	k.current.table, k.current.from, k.current.to, k.current.done = nil, 0, 0, 0
	k.exits.begin()
	k.frame.Begin()
	k.watch.BeginRun()
}

// end finishes a run: stamps are set, inputs and random stream returned, fuel charged, and nothing of the world is held any
// more.
func (k *Kernel) end() {
	k.flush()
	k.pace.end(k.current.done, k.frame.Asked(), k.frame.Fuel.Used())
	if k.instruments != nil && k.instruments.NeverRests {
		k.pace = copyPace{}
	}
	k.endExits()
	k.frame.ReturnInputs()
	k.frame.ReturnRandom()
	k.watch.EndRun(k.frame.Fuel.End())
	k.current.table, k.closing = nil, false
	clear(k.current.column[:])
	k.leaveBlocks()
	if k.unit.Effects {
		k.effects.End()
	}
}

// walk does the rows of the cursor, call by call.
func (k *Kernel) walk(c *ecs.Cursor) kernel.Ending {
	for {
		rows, mask := c.NextRows()
		if rows == 0 {
			return kernel.Finished
		}
		if mask == ^uint64(0) && !k.unit.Sparse { // code for sparse rows takes its rows from the mask
			if n := c.Widen(); n > 0 {
				rows, mask = n, 0
			}
		}
		if t := c.Table(); t != k.current.table && !k.enter(c, t) {
			return k.byClosures(c, rows, mask)
		}
		k.blocks.oneBase = c.OneBase()
		for rest := rows; rest > 0; {
			if k.outside.lost || k.unit.Effects && !k.room() || k.shortOfBytes() || k.asksTooMuch() {
				return k.byClosures(c, rest, mask)
			}
			k.trim()
			row := c.RowIndex()
			n, watched := rest, false
			if !k.blocks.shared { // what watches compares rows with columns of their own
				n, watched = k.watch.Plan(row, rest, mask)
			}
			if mask == 0 && !watched {
				if done := k.allAtOnce(row, n); done > 0 {
					rest -= done
					k.current.done += done
					c.Skip(done)
					continue
				}
				n = k.sharing.next(n)
			}
			status, done := 0, 0
			if k.unit.Sparse && rest == rows && !watched && len(k.blocks.copied) == 0 {
				if blocks := c.Blocks(k.words[:]); blocks > 1 {
					status, rest, mask = k.someBlocks(c, k.words[:blocks])
					goto settled
				}
			}
			n = min(n, abi.MostRows)
			k.tell(row, n)
			if watched {
				var same bool
				if status, done, same = k.watch.Run(watchedCode{k}, watch.Rows{World: c.World(), Cursor: c, First: row, N: n, Mask: watch.FirstOf(mask, n)}); !same {
					return k.byClosures(c, rest, mask)
				}
			} else {
				status, done = k.some(row, n, mask)
			}
			if k.plain && status == abi.Ended && mask == 0 {
				k.current.done += done
				k.stampAll(row, done)
				rest -= done
				c.Skip(done)
				continue
			}
			k.settleStores(status)
			if mask == 0 {
				k.current.done += done
				k.stamp(row, done)
			} else {
				k.current.done += bits.OnesCount64(watch.FirstOf(mask, done))
				k.stampSome(row, done, mask)
				mask >>= done
			}
			k.apply()
			rest -= done
			if status == abi.Ended && mask != 0 { // the next ones are behind a gap
				gap := bits.TrailingZeros64(mask)
				done, rest, mask = done+gap, rest-gap, mask>>gap
			}
		settled:
			switch status {
			case abi.Broke:
				c.End()
				return kernel.Finished
			case abi.Returned:
				k.frame.TakeResults()
				c.End()
				return kernel.Returned
			}
			c.Skip(done)
			switch {
			case status == abi.Failed && k.exits.may(k):
				if !k.goesOn() {
					return k.byClosures(c, rest, mask)
				}
				how, goesOn := k.sideExit(c.World(), func() (kernel.Ending, bool) { return k.rest.Row(c) })
				if !goesOn {
					if !how.Leaves() {
						c.End()
					}
					return how
				}
				n := 1
				if mask >>= 1; mask != 0 {
					gap := bits.TrailingZeros64(mask)
					n, mask = n+gap, mask>>gap
				}
				rest -= n
				c.Skip(n)
			case status == abi.Failed, status == abi.Starved && !k.frame.Fuel.Refuel():
				return k.left()
			case status == abi.Starved:
				*k.frame.Fuel.Left += k.program.Price // it is paid for, and will be charged by the call
			}
		}
	}
}

// left is how a run ends that leaves a row to the interpreter.
func (k *Kernel) left() kernel.Ending {
	if k.frame.Fuel.Spent {
		return kernel.Starved
	}
	return kernel.Bailout
}

// allAtOnce shares some rows among cores, if that is worth while. It returns how many it has done; 0 if they must be done call by call.
func (k *Kernel) allAtOnce(row, n int) (done int) {
	if len(k.blocks.copied) == 0 {
		done = k.share(row, n)
	}
	k.watch.Skip(done / abi.MostRows) // as many calls as it would have been
	return done
}

// room reports whether the effects of a call can be made in any case. If a limit is near, closures do the rows, because
// they check it effect by effect.
func (k *Kernel) room() bool {
	commands, entities := k.effects.Room()
	return commands > 1<<20 && entities > 1<<14 && k.roomForEvents() && k.roomForBytes() && k.roomForAllocations()
}

// mostRecords is how many effects one call can record.
const mostRecords = abi.RingSize / 8

// roomForEvents reports whether the limits of events and of tag entries leave room for all that one call can record.
func (k *Kernel) roomForEvents() bool {
	sends, tags := 0, 0
	for _, s := range k.unit.Emits {
		switch {
		case s.Op == ir.Do:
			tags = mostRecords
		case s.Effect.Op == ir.Send:
			sends = mostRecords
		}
	}
	w := k.outside.world
	return (sends == 0 || sends <= ecs.Raw.EventsLeft(w)) && (tags == 0 || tags <= ecs.Raw.TagsLeft(w))
}

// roomForAllocations reports whether the limit of allocations leaves room for all that one call can record.
func (k *Kernel) roomForAllocations() bool {
	left := k.budget.AllocationsLeft()
	return left == math.MaxInt64 || k.mostRecorded() <= left
}

// mostRecorded returns what the effects that one call can record allocate at most, in bytes.
func (k *Kernel) mostRecorded() int64 {
	most := int64(0)
	for _, s := range k.unit.Emits {
		if s.Op == ir.Do {
			continue
		}
		bytes := s.Effect.Bytes
		if s.Effect.Op == ir.TableSet {
			bytes += sandbox.EntryBytes
		}
		most = max(most, bytes)
	}
	return most * mostRecords
}

// roomForBytes reports whether the limit of bytes of the world leaves room for everything that one call can record.
func (k *Kernel) roomForBytes() bool {
	w := k.outside.world
	left, most := ecs.Raw.BytesLeft(w), uint64(0)
	if left == math.MaxUint64 {
		return true
	}
	for _, s := range k.unit.Emits {
		switch {
		case s.Op == ir.Do:
			most += ecs.Raw.TagBytes(w, ecs.TagID(s.A.ID), mostRecords)
		case s.Effect.Op == ir.Send:
			most += ecs.Raw.SendBytes(w, s.Effect.Event, mostRecords)
		}
	}
	return most <= left
}

// some runs the code over n rows, those of the mask unless it is 0. Code for sparse rows does all of them; other code does
// the first ones up to a gap.
func (k *Kernel) some(row, n int, mask uint64) (status, done int) {
	switch {
	case k.unit.Sparse:
		k.frame.Masks[0] = mask
	case mask != 0:
		n = bits.TrailingZeros64(^mask)
	}
	return k.rows(row, n)
}

// someBlocks runs the code over rows of several blocks, of which the first is that of the cursor, and settles what it left: see [ecs.Cursor.Blocks]. If
// the code has left a row to be done, the cursor comes to stand on it, and rest and mask are the rows of its block from it on. Otherwise rest is 0.
func (k *Kernel) someBlocks(c *ecs.Cursor, words []uint64) (status, rest int, mask uint64) {
	first := c.RowIndex() &^ 63
	k.watch.Skip(len(words) - 1) // as many calls as it would have been
	copy(k.frame.Masks[:], words)
	for _, view := range k.stored {
		if col := k.current.column[view]; col != nil {
			col.BeforeBlocks(first/64, words)
		}
	}
	status, done := k.rows(first, min(64*len(words), k.current.table.Len()-first))
	k.settleStores(status)
	visited, last := words[:(done+63)/64], words[min(done>>6, len(words)-1)]
	if done&63 != 0 {
		visited[done>>6] = watch.FirstOf(last, done&63)
	}
	for _, word := range visited {
		k.current.done += bits.OnesCount64(word)
	}
	for _, view := range k.unit.Always {
		k.current.column[view].StampBlocks(first/64, visited)
	}
	if k.unit.Marks >= 0 {
		k.stampMarked(first, k.frame.Marks[:done])
	}
	k.apply()
	if status == abi.Ended || status == abi.Broke || status == abi.Returned {
		return status, 0, 0
	}
	c.Skip(first + done - c.RowIndex())
	c.Narrow()
	mask = last >> (done & 63)
	return status, bits.Len64(mask), mask
}

// rows runs the code over some rows of the current table. It returns how that ended, and how many rows are done.
func (k *Kernel) rows(row, n int) (status, done int) {
	if len(k.blocks.copied) > 0 {
		n = k.copyIn(row, n)
		if k.unit.Sparse { // code for sparse rows goes as far as the mask, which may be further than the blocks
			k.frame.Masks[0] = watch.FirstOf(k.frame.Masks[0], n)
		}
	}
	for {
		if k.unit.Sparse {
			status, done = k.call(row, 0, n)
		} else {
			more := 0
			status, more = k.call(row, done, n-done)
			done += more
		}
		if status != abi.Failed || !k.again() {
			break
		}
		if k.unit.Sparse {
			clear(k.frame.Masks[:done>>6])
			k.frame.Masks[done>>6] &^= 1<<(done&63) - 1
		}
	}
	if len(k.blocks.copied) > 0 {
		if status == abi.Failed { // it may have stored in rows before it
			k.frame.UndoRow()
		}
		k.copyOut(row, done)
	}
	return status, done
}

// again does what the row that has failed needs to be run again; false if it failed for another reason.
func (k *Kernel) again() bool {
	if layer, cell, ok := k.frame.ClosedCell(); ok {
		ecs.Raw.OpenCell(k.outside.world.LookupLayer(k.program.Layers[layer].Name), cell)
		return true
	}
	return k.frame.Again()
}

// call runs the code over n rows, of which the first is skip rows after the row at which the marks begin.
func (k *Kernel) call(row, skip, n int) (status, done int) {
	k.frame.SetKeyedWords()
	for i, w := range k.unit.Walkers {
		k.frame.Ptr[i] = k.current.base[i] + uint32(row+skip)*w.Stride
	}
	if k.unit.Marks >= 0 {
		k.frame.Ptr[k.unit.Marks] = k.frame.MarkAt + uint32(skip)*abi.MarkSize
	}
	first := k.frame.Ptr[0]
	k.beginCalls()
	k.code.stack = [2]uint64{uint64(k.frame.Address), uint64(n)}
	if err := k.code.run.CallWithStack(k.code.ctx, k.code.stack[:]); err != nil {
		panic("machine: " + err.Error()) // the code does nothing that could trap
	}
	rows := func() int { return min(n, int((k.frame.Ptr[0]-first)/k.unit.Walkers[0].Stride)) }
	if k.wrong != nil {
		k.wrong(row+skip, rows())
	}
	status = int(uint32(k.code.stack[0]))
	k.endCalls()
	return status, rows()
}

// enter looks up the columns of a table. It is false if code cannot have them, or if components are those of another
// entity.
func (k *Kernel) enter(c *ecs.Cursor, t *ecs.Table) bool {
	k.flush()
	k.leaveBlocks()
	now := entered{c.World(), t.ID(), ecs.Raw.Layout(c.World())}
	if k.plain && k.entered == now {
		for i := range k.program.Views {
			if k.program.Uses&(1<<i) != 0 {
				k.current.column[i] = c.Column(i)
			}
		}
		k.current.table = t
		return true
	}
	k.entered = entered{}
	for i := range k.program.Views {
		if k.program.Uses&(1<<i) == 0 {
			continue
		}
		col := c.Column(i)
		if col == nil && k.program.Optional&(1<<i) != 0 && k.outside.inherit {
			return false
		}
		k.current.column[i] = col
		var at uint32
		if col == nil && k.program.Optional&(1<<i) == 0 {
			var ok bool
			if at, ok = k.copiesShared(i, t, c.World()); !ok {
				return false
			}
		} else if !k.addressOf(col, t, &at) {
			var ok bool
			if at, ok = k.copiesView(i, col, t, c.World()); !ok {
				return false
			}
		}
		if w := k.unit.Views[i]; w >= 0 {
			k.current.base[w] = max(at, memory.Lowest)
		}
		k.current.present[i] = at
	}
	if w := k.unit.Entities; w >= 0 {
		handles := ecs.Raw.Entities(t)
		at, ok := k.memory.Address(handles)
		if !ok {
			if at, ok = k.copies(w, handles, 8, nil); !ok {
				return false
			}
		}
		k.current.base[w] = at
	}
	for i, word := range k.unit.Words {
		if word.Kind == abi.WordPresent {
			k.frame.Words[i] = k.current.present[word.ID]
		}
	}
	k.current.table = t
	if len(k.blocks.copied) == 0 {
		k.entered = now
	}
	return true
}
