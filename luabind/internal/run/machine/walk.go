package machine

import (
	"math/bits"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/watch"
)

// This file does the rows of a query call by call.

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
					if how, over := k.settle(c, status, 0, &rest, &mask); over {
						return how
					}
					continue
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
			if how, over := k.settle(c, status, done, &rest, &mask); over {
				return how
			}
		}
	}
}

// settle does what the end of a call asks for: status, behind done rows of the walk. Of the run, rest rows are left, of which mask has those that are walked. over
// says that the walk ends here, and how.
func (k *Kernel) settle(c *ecs.Cursor, status, done int, rest *int, mask *uint64) (how kernel.Ending, over bool) {
	switch status {
	case abi.Broke:
		c.End()
		return kernel.Finished, true
	case abi.Returned:
		k.frame.TakeResults()
		c.End()
		return kernel.Returned, true
	}
	c.Skip(done)
	switch {
	case status == abi.Failed && k.exits.may(k):
		if !k.goesOn() {
			return k.byClosures(c, *rest, *mask), true
		}
		how, goesOn := k.sideExit(c.World(), func() (kernel.Ending, bool) { return k.rest.Row(c) })
		if !goesOn {
			if !how.Leaves() {
				c.End()
			}
			return how, true
		}
		n := 1
		if *mask >>= 1; *mask != 0 {
			gap := bits.TrailingZeros64(*mask)
			n, *mask = n+gap, *mask>>gap
		}
		*rest -= n
		c.Skip(n)
	case status == abi.Failed, status == abi.Starved && !k.frame.Fuel.Refuel():
		return k.left(), true
	case status == abi.Starved:
		*k.frame.Fuel.Left += k.program.Price // it is paid for, and will be charged by the call
	}
	return how, false
}

// left is how a run ends that leaves a row to the interpreter.
func (k *Kernel) left() kernel.Ending {
	if k.frame.Fuel.Spent {
		return kernel.Starved
	}
	return kernel.Bailout
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
