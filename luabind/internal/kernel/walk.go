package kernel

import "github.com/ecsrun/ecsrun/ecs"

// walk walks rows that are never put back.
func (k *Kernel) walk(c *ecs.Cursor) Ending {
	f, price := &k.frame, k.program.Price
	for rows := c.NextRows(); rows > 0; rows = c.NextRows() {
		if !k.place(c) {
			return Left
		}
		first := c.RowIndex()
		for done := 0; done < rows; {
			// As many as the fuel is for; at the end of it one, which refuels.
			n := 1
			if rows-done > 1 && f.fuel >= 2*price {
				n = int(min(int64(rows-done), f.fuel/price))
				f.fuel -= int64(n) * price
			} else if !f.burn(price) {
				c.Skip(done)
				return Left
			}
			if done > 0 {
				k.advance()
			}
			ran, how := k.stretch(first+done, n)
			done += ran
			if k.always != 0 {
				k.to = first + done
			}
			if how == broken {
				f.fuel += int64(n-ran) * price
				return Finished
			}
		}
		if rows == 1 { // a condition on rows may look at what this one stored
			k.flush()
		}
	}
	return Finished
}

// stretch runs rows one after the other, from the one where the views are, and
// returns how many it ran: all, unless the last one broke the loop.
func (k *Kernel) stretch(row, n int) (ran, how int) {
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

// walkExactly walks rows that may be put back, or have effects.
func (k *Kernel) walkExactly(c *ecs.Cursor) Ending {
	f, price := &k.frame, k.program.Price
	for rows := c.NextRows(); rows > 0; rows = c.NextRows() {
		if !k.place(c) {
			return Left
		}
		row, entities := c.RowIndex(), k.table.Entities()
		for i := range rows {
			if i > 0 {
				k.advance()
			}
			f.row, f.dirty = row, 0
			if k.entity {
				f.entity = numberOf(entities[row])
			}
			if !f.burn(price) {
				c.Skip(i)
				return Left
			}
			k.save()
			how := k.body(f)
			if how == stopped || f.failed {
				k.restore()
				c.Skip(i)
				return Left
			}
			k.finish(row)
			switch how {
			case broken:
				return Finished
			case returned:
				return Returned
			}
			row++
		}
		if rows == 1 { // a condition on rows may look at what this one stored
			k.flush()
		}
	}
	return Finished
}

// finish makes the stamps and effects of a row that is done.
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
		f.undo.done()
	}
	if len(f.effects.list) > 0 {
		f.effects.Apply()
	}
}
