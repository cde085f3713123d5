package closures

import (
	"math/bits"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Inner query loops: ir.Each. They walk tables row by row as walk.go does for the query loop, with cursors and
// views of their own. They run inside one row of the query loop, so everything that they store goes to the undo log
// of that row.

// A nested is the walk of one inner query loop: its cursor and its views, beginning with first. It belongs to the
// compiled Each and is used again for each row of the query loop.
type nested struct {
	cursor     ecs.Cursor
	table      *ecs.Table
	first      int // index of its first view
	used       uint64
	stored     uint64
	columnView []columnView
	loose      []int // used views that the current table has no column for: each row inherits the component from another entity, or has none
	finder     [ir.MaxViews]int
}

// A columnView is a view whose component has a column in the current table. The address for a row is base +
// row*stride.
type columnView struct {
	view   int
	base   unsafe.Pointer
	stride uintptr
}

// each compiles ir.Each. Each inner row is charged before it runs. A break ends the inner loop; anything else that
// leaves the body also leaves the rows of the query loop, after the cursor has ended.
func (c *compiler) each(s *ir.Stmt) step {
	sub := c.p.Queries[s.I]
	body, price := c.sequence(s.Body), s.Price
	n := &nested{first: sub.First}
	for view := sub.First; view < sub.First+sub.Views; view++ {
		n.used |= c.used & (1 << view)
		if ref := c.p.Refs[view-c.p.Views]; ref.Stored {
			n.stored |= 1 << view
			n.finder[view] = c.finder(ref.Component)
		}
	}
	c.nests = append(c.nests, n)
	query, entity, begin := sub.Query, sub.Entity, c.beginEach(s)
	return func(f *frame) int {
		n.table = nil
		if !begin(f, query, &n.cursor) {
			return stopped
		}
		for rows, mask := n.cursor.NextRows(); rows > 0; rows, mask = n.cursor.NextRows() {
			n.place(f)
			for {
				if !f.burn(price) {
					n.cursor.End()
					return stopped
				}
				if entity >= 0 {
					f.n[entity] = numberOf(n.cursor.Entity())
				}
				how := body(f)
				if d := f.dirty & n.stored; d != 0 && !f.noteAll(d) {
					how = stopped
				}
				if how != next {
					n.cursor.End()
					if how == broken {
						how = next
					}
					return how
				}
				if mask != 0 {
					if mask >>= 1; mask == 0 {
						break
					}
					gap := bits.TrailingZeros64(mask)
					mask >>= gap
					n.cursor.Skip(1 + gap)
					n.place(f)
					continue
				}
				if rows--; rows == 0 {
					break
				}
				n.advance(f)
			}
		}
		return next
	}
}

// beginEach compiles the beginning of an ir.Each. The function returns false where the target of a narrowed one fails.
func (c *compiler) beginEach(s *ir.Stmt) func(*frame, *ecs.Query, *ecs.Cursor) bool {
	if s.A == nil {
		return func(_ *frame, q *ecs.Query, cursor *ecs.Cursor) bool {
			*cursor = ecs.Raw.Begin(q)
			return true
		}
	}
	target, relation := c.number(s.A), c.p.Queries[s.I].Relation
	return func(f *frame, q *ecs.Query, cursor *ecs.Cursor) bool {
		to := handle(target(f))
		if f.failed {
			return false
		}
		var err error
		*cursor, err = ecs.Raw.BeginTarget(q, relation, to)
		return err == nil
	}
}

// place sets the views to the row that the cursor stands on, and enters its table if it is another one.
func (n *nested) place(f *frame) {
	if t := n.cursor.Table(); t != n.table {
		n.enter(t, f)
	}
	row := n.cursor.RowIndex()
	for i := range n.columnView {
		m := &n.columnView[i]
		f.ptr[m.view&(ir.MaxViews-1)] = unsafe.Add(m.base, uintptr(row)*m.stride)
	}
	for _, view := range n.loose {
		f.ptr[view&(ir.MaxViews-1)] = ecs.Raw.Row(n.cursor.Row(view - n.first))
	}
	n.settle(f, row)
}

// advance moves the cursor and the views to the next row of the table.
func (n *nested) advance(f *frame) {
	n.cursor.Skip(1)
	for i := range n.columnView {
		m := &n.columnView[i]
		p := &f.ptr[m.view&(ir.MaxViews-1)]
		*p = unsafe.Add(*p, m.stride)
	}
	if n.stored != 0 {
		n.settle(f, n.cursor.RowIndex())
	}
}

// settle sets the rows in frame.location for the views that the body stores, for stamping.
func (n *nested) settle(f *frame, row int) {
	for stored := n.stored; stored != 0; stored &= stored - 1 {
		f.location[bits.TrailingZeros64(stored)&(ir.MaxViews-1)].row = row
	}
}

// enter looks up the columns of a table that the cursor has come to.
func (n *nested) enter(t *ecs.Table, f *frame) {
	n.table, n.columnView, n.loose = t, n.columnView[:0], n.loose[:0]
	for used := n.used; used != 0; used &= used - 1 {
		view := bits.TrailingZeros64(used)
		f.own &^= 1 << view
		col := n.cursor.Column(view - n.first)
		if col == nil {
			n.loose = append(n.loose, view)
			continue
		}
		base, stride := ecs.Raw.Column(col)
		n.columnView = append(n.columnView, columnView{view, base, stride})
		f.own |= n.stored & (1 << view)
		f.location[view&(ir.MaxViews-1)] = location{n.finder[view&(ir.MaxViews-1)], t.ID(), 0}
	}
}
