package closures

import (
	"math/bits"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// The walk of a query loop. Rows come in runs of one table, or as a mask of up to 64 rows. If rows never have to be
// restored, they run without copies and logs (run); otherwise each is saved first (runExact). All three ways stamp
// in the same way.

// walk runs the rows that [ecs.Cursor.NextRows] has returned, and all that follow, until one ends the loop or
// cannot be done.
func (k *Kernel) walk(c *ecs.Cursor, rows int, mask uint64) kernel.Ending {
	for ; rows > 0; rows, mask = c.NextRows() {
		if !k.place(c) {
			return kernel.Bailout
		}
		how := walking
		switch {
		case mask != 0:
			how = k.runMask(c, mask)
		case len(k.loose) > 0:
			how = k.runLoose(c, rows)
		case k.exact:
			how = k.runExact(c, rows)
		default:
			how = k.run(c, rows)
		}
		if how != walking {
			return how
		}
	}
	return kernel.Finished
}

// runLoose runs successive rows of a table, some views of which are of other entities: each row is looked up by itself.
func (k *Kernel) runLoose(c *ecs.Cursor, rows int) kernel.Ending {
	first := c.RowIndex()
	for done := 0; done < rows; done += 64 {
		if done > 0 {
			c.Skip(first + done - c.RowIndex())
			if !k.place(c) {
				return kernel.Bailout
			}
		}
		if how := k.runMask(c, ^uint64(0)>>(64-min(64, rows-done))); how != walking {
			return how
		}
	}
	return walking
}

// runMask runs the rows of a mask, whose bit 0 is the row of the cursor. The views that each row stores are stamped
// at the end, for all rows together.
func (k *Kernel) runMask(c *ecs.Cursor, mask uint64) (how kernel.Ending) {
	f, price := &k.frame, k.program.Price
	first, entities := c.RowIndex(), k.table.Entities()
	at, done := 0, uint64(0)
	for how = walking; how == walking && mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		row := first + i
		if i > at {
			c.Skip(i - at)
			if len(k.loose) == 0 {
				k.skip(i - at)
			} else if !k.place(c) {
				how = kernel.Bailout
				break
			}
			at = i
		}
		f.row, f.dirty = row, 0
		if k.entity {
			f.entity = numberOf(entities[row])
		}
		if !f.burn(price) {
			how = kernel.Starved
			break
		}
		how = k.one(row)
		if !how.Leaves() {
			done |= 1 << i
		}
	}
	k.done += bits.OnesCount64(done)
	k.from, k.to = 0, 0
	for views := k.always; views != 0; views &= views - 1 {
		k.frame.column[bits.TrailingZeros64(views)&(ir.MaxViews-1)].StampMask(first, done)
	}
	return how
}

// one runs the row that the views are set to.
func (k *Kernel) one(row int) kernel.Ending {
	f := &k.frame
	if !k.exact {
		how := k.whole(f)
		if dirty := f.dirty & k.others; dirty != 0 {
			k.stamp(dirty, row)
		}
		if how == broken {
			return kernel.Finished
		}
		return walking
	}
	k.save()
	how := k.whole(f)
	if how == stopped || f.failed {
		k.restore(mark{})
		return k.left()
	}
	k.finish(row)
	switch how {
	case broken:
		return kernel.Finished
	case returned:
		return kernel.Returned
	}
	return walking
}

// left returns the ending of a walk whose current row was restored.
func (k *Kernel) left() kernel.Ending {
	if k.starved {
		return kernel.Starved
	}
	return kernel.Bailout
}

// walking says that the walk continues. It is not an Ending that Run returns.
const walking kernel.Ending = 0xff

// run runs successive rows of a table that never have to be restored.
func (k *Kernel) run(c *ecs.Cursor, rows int) kernel.Ending {
	f, price := &k.frame, k.program.Price
	first := c.RowIndex()
	for done := 0; done < rows; {
		// As many rows as there is fuel for. If it does not suffice for two, one row, whose burn gets more.
		n := 1
		if rows-done > 1 && f.fuel >= 2*price {
			n = int(min(int64(rows-done), f.fuel/price))
			f.fuel -= int64(n) * price
		} else if !f.burn(price) {
			c.Skip(done)
			return kernel.Starved
		}
		if done > 0 {
			k.advance()
		}
		ran, how := k.runRows(first+done, n)
		done += ran
		k.done += ran
		if k.always != 0 {
			k.to = first + done
		}
		if how == broken {
			f.fuel += int64(n-ran) * price
			return kernel.Finished
		}
	}
	return walking
}

// runRows runs n rows, beginning with the one that the views are set to. It returns how many it ran: all, unless
// the last one has left the loop by break. Products are computed ahead of the rest of the body: see product.go.
func (k *Kernel) runRows(row, n int) (ran, how int) {
	if len(k.products) == 0 {
		return k.rows(row, n)
	}
	for ran < n {
		if ran > 0 {
			k.advance()
		}
		m := min(n-ran, ahead)
		k.multiply(m)
		if len(k.program.Body) == len(k.products) && k.made&k.others == 0 {
			k.skip(m - 1)
		} else {
			k.rows(row+ran, m)
		}
		ran += m
	}
	return n, next
}

// rows runs the body, without the products, for n rows.
func (k *Kernel) rows(row, n int) (ran, how int) {
	f, body, others, made := &k.frame, k.body, k.others, k.made
	entities := k.table.Entities()[row : row+n]
	for i := range n {
		if i > 0 {
			k.advance()
		}
		f.dirty = made
		if k.entity {
			f.entity = numberOf(entities[i])
		}
		how := body(f)
		if dirty := f.dirty & others; dirty != 0 {
			k.stamp(dirty, row+i)
		}
		if how == broken {
			return i + 1, how
		}
	}
	return n, next
}

// runExact runs successive rows of a table that may have to be restored, or have effects.
func (k *Kernel) runExact(c *ecs.Cursor, rows int) kernel.Ending {
	f, price := &k.frame, k.program.Price
	row, entities := c.RowIndex(), k.table.Entities()
	touches := len(k.touched) > 0 && rows >= touchLeast
	for i := range rows {
		if i > 0 {
			k.advance()
		}
		if touches && i%touchRows == 0 {
			k.touch(min(rows-i, touchRows))
		}
		f.row, f.dirty = row, 0
		if k.entity {
			f.entity = numberOf(entities[row])
		}
		if !f.burn(price) {
			c.Skip(i)
			return kernel.Starved
		}
		how := k.one(row)
		if how.Leaves() {
			c.Skip(i)
			return how
		}
		k.done++
		if how != walking {
			return how
		}
		row++
	}
	return walking
}

// finish ends a row that is done: it stamps what the row has stored, clears the undo log, and performs the effects.
func (k *Kernel) finish(row int) {
	f := &k.frame
	if k.always != 0 {
		k.to = row + 1
	}
	if f.dirty != 0 {
		k.stamp(f.dirty&k.others, row)
		f.noteAll(f.dirty &^ k.stored)
	}
	if k.logs {
		for _, s := range f.writes {
			f.finders[s.finder].Column(s.table).Stamp(s.row)
		}
		f.writes = f.writes[:0]
		f.tellMoves()
		f.undo.done()
	}
	if f.effects.Pending() {
		f.effects.Apply()
		if k.settles {
			f.world.BeforeWrite(k.writes...) // there may be new tables
		}
	}
}
