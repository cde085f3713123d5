package machine

import (
	"math/bits"

	"github.com/ecsrun/ecsrun/ecs"
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
	k.exits.walk = c.Rows()
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
	if k.neverRests() {
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

// allAtOnce shares some rows among cores, if that is worth while. It returns how many it has done; 0 if they must be done call by call.
func (k *Kernel) allAtOnce(row, n int) (done int) {
	if len(k.blocks.copied) == 0 {
		done = k.share(row, n)
	}
	k.watch.Skip(done / abi.MostRows) // as many calls as it would have been
	return done
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
