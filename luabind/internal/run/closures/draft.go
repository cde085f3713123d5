package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Tables that rows make, change and store: see package draft. The log of changes knows nothing of them, because a
// row that is restored forgets its tables. Copies of entries are paid for with fuel, so that large tables cannot
// take more time than the budget allows.

// settle burns fuel for the entries that were copied. It returns next, or stopped if the budget does not suffice.
func (f *frame) settle() int {
	n := f.pool.Copied
	f.pool.Copied = 0
	if n > 0 && !f.burn(n) {
		return stopped
	}
	return next
}

// A change changes a table, and says how its statement ended.
type change func(f *frame, of draft.Ref) int

// paid compiles a change of s.A, and pays if s.Pays for what the table grows by: see [interp.GrowthBytes].
func (c *compiler) paid(s *ir.Stmt, change change) step {
	of := c.ref(s.A, true)
	if !s.Pays {
		return func(f *frame) int { return change(f, of(f)) }
	}
	return func(f *frame) int {
		r := of(f)
		t := r.Table
		if t == nil {
			return stopped
		}
		entries := t.Len()
		how := change(f, r)
		if more := t.Len() - entries; more > 0 && !f.effects.Takes(int64(more)*sandbox.EntryBytes) {
			return stopped
		}
		return how
	}
}

// putItem compiles ir.PutItem.
func (c *compiler) putItem(s *ir.Stmt) step {
	value := c.ref(s.C, true)
	if isName := s.B.Op == ir.Wrap && s.B.A.Op == ir.Const && s.B.A.Type == ir.Text; isName {
		known := draft.NewName(s.B.A.S)
		if s.C.Op == ir.Wrap && s.C.A.Type == ir.Number {
			return c.putNumber(s, known)
		}
		return c.paid(s, func(f *frame, r draft.Ref) int {
			v := value(f)
			if r.Table == nil || !r.Table.SetName(known, v) {
				return stopped
			}
			return f.settle()
		})
	}
	key, held := c.ref(s.B, false), new(ecs.Value)
	return c.paid(s, func(f *frame, r draft.Ref) int {
		k := key(f).Held(held)
		v := value(f)
		if t := r.Table; t == nil || k.IsTable() || !t.Set(k, v) {
			return stopped
		}
		return f.settle()
	})
}

// putNumber compiles ir.PutItem of a number at a name: the most common change.
func (c *compiler) putNumber(s *ir.Stmt, known *draft.Name) step {
	of, n, pays := c.ref(s.A, true), c.number(s.C.A), s.Pays
	return func(f *frame) int {
		r := of(f)
		x := n(f)
		t := r.Table
		if t == nil {
			return stopped
		}
		if t.Replace(known, x) {
			return f.settle()
		}
		before := t.Len()
		if !t.SetNumber(known, x) || pays && t.Len() > before && !f.effects.Takes(sandbox.EntryBytes) {
			return stopped
		}
		return f.settle()
	}
}

// insert compiles ir.Insert.
func (c *compiler) insert(s *ir.Stmt) step {
	value := c.ref(s.C, true)
	if s.B == nil {
		return c.paid(s, func(f *frame, r draft.Ref) int {
			v := value(f)
			if t := r.Table; t == nil || !t.Append(v) {
				return stopped
			}
			return f.settle()
		})
	}
	at := c.number(s.B)
	return c.paid(s, func(f *frame, r draft.Ref) int {
		i := at(f)
		if t := r.Table; t == nil || !t.Insert(i, value(f)) {
			return stopped
		}
		return f.settle()
	})
}

// remove compiles ir.Remove.
func (c *compiler) remove(s *ir.Stmt) step {
	of, i, last := c.ref(s.A, true), s.I, s.B == nil
	at := func(*frame) float64 { return 0 }
	if !last {
		at = c.number(s.B)
	}
	removed := new(ecs.Value)
	return func(f *frame) int {
		r, key := of(f), at(f)
		t := r.Table
		if t == nil {
			return stopped
		}
		v, ok := t.Remove(key, last, removed)
		if !ok {
			return stopped
		}
		if i >= 0 {
			f.a[i].set(v)
		}
		return f.settle()
	}
}

// makeTable compiles ir.Make.
func (c *compiler) makeTable(s *ir.Stmt) step {
	fill, _ := c.filling(s.Item, s.Args)
	i := s.I
	return func(f *frame) int {
		t := fill(f)
		if t == nil {
			return stopped
		}
		f.a[i].set(draft.Ref{Table: t})
		return f.settle()
	}
}

// filling compiles the making of a table from the first of some arguments. It returns the arguments that are left.
// The function returns nil if the interpreter has to make the table.
func (c *compiler) filling(item *ir.TableItem, args []*ir.Expr) (fill func(*frame) *draft.Table, left []*ir.Expr) {
	type part struct {
		key   ecs.Value
		value refFn
	}
	var parts []part
	add := func(key ecs.Value, of *ir.TableItem) {
		switch of.Kind {
		case ir.ItemTable:
			var inner func(*frame) *draft.Table
			inner, args = c.filling(of, args)
			parts = append(parts, part{key, func(f *frame) draft.Ref { return draft.Ref{Value: &draft.Nil, Table: inner(f)} }})
		case ir.ItemValue:
			x := args[0]
			args = args[1:]
			if x.Type != ir.Any {
				x = &ir.Expr{Op: ir.Wrap, Type: ir.Any, A: x}
			}
			parts = append(parts, part{key, c.ref(x, true)})
		case ir.ItemView:
			panic("closures: a view in a table that is made at once")
		case ir.ItemNil:
		}
	}
	for i, x := range item.Items {
		add(ecs.Number(float64(i+1)), x)
	}
	for _, x := range item.Named {
		add(ecs.Text(x.Name), x.Value)
	}
	keys, items := make([]ecs.Value, len(parts)), len(item.Items)
	for i := range parts {
		keys[i] = parts[i].key
	}
	shape := draft.NewShape(keys)
	// each makes the table entry by entry. The parts before the one with number from are those of t, and that one is given.
	each := func(f *frame, t *draft.Table, from int, given draft.Ref) *draft.Table {
		made := f.pool.Table(nil)
		made.Grow(len(parts))
		for i := range parts {
			v := given
			if i < from {
				v = t.Part(shape, i)
			} else if i > from {
				v = parts[i].value(f)
			}
			if f.failed = f.failed || i < items && v.IsNil() || !made.Set(draft.Ref{Value: &keys[i]}, v); f.failed { // the length of a list with nil in it depends on the constructor
				return nil
			}
		}
		return made
	}
	return func(f *frame) *draft.Table {
		if shape == nil {
			return each(f, nil, -1, draft.Ref{})
		}
		t := f.pool.Table(nil)
		t.Begin(shape)
		for i := range parts {
			v := parts[i].value(f)
			if f.failed {
				return nil
			}
			if !t.Put(shape, i, v) {
				return each(f, t, i, v)
			}
		}
		t.End(shape)
		return t
	}, args
}

// storeTable compiles the store into a field of type table.
func (c *compiler) storeTable(s *ir.Stmt) step {
	c.exact = true
	view, at, bit, v := c.view(s.I), s.Field.Offset, uint64(1)<<s.I, c.ref(s.A, false)
	c.tablesStored = append(c.tablesStored, tableField{view, at})
	return func(f *frame) int {
		d, ok := f.frozen(v(f))
		if !ok {
			return stopped
		}
		*(**ecs.Data)(unsafe.Add(f.ptr[view], at)) = d
		f.dirty |= bit
		return f.settle()
	}
}

// frozen returns a table as data that can be stored. It is not ok for what is no such table, and where the interpreter has
// to store it. The caller settles what that has copied.
func (f *frame) frozen(x draft.Ref) (d *ecs.Data, ok bool) {
	switch {
	case x.Table != nil:
		return x.Table.Freeze()
	case !x.IsTable() || ecs.Raw.Foreign(x.Value.Data()):
		return nil, false
	}
	return x.Value.Data(), true
}
