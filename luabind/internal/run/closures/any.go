package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
)

// Values of type Any: what a row reads from fields of type `table`. A read of a
// field only looks into the stored data, and copies nothing. A table that a register gets has an identity
// ([draft.Table]) if the Program changes tables.

// An anyRegister is a register of type Any.
type anyRegister struct {
	value ecs.Value
	table *draft.Table
}

// ref returns the value of the register.
func (r *anyRegister) ref() draft.Ref {
	if r.table != nil {
		return draft.Ref{Table: r.table}
	}
	return draft.Ref{Value: &r.value}
}

// set gives the register a value.
func (r *anyRegister) set(v draft.Ref) {
	if r.table = v.Table; r.table == nil && v.Value != &r.value {
		r.value = *v.Value
	}
}

// ref compiles an expression of type Any. keep says that the value is kept, compared or changed, so a table needs an
// identity, if tables of the Program have any.
func (c *compiler) ref(x *ir.Expr, keep bool) refFn {
	keep = keep && c.p.Drafts
	switch x.Op {
	case ir.Const:
		return func(*frame) draft.Ref { return draft.Ref{Value: &draft.Nil} }
	case ir.Reg:
		i := x.I
		return func(f *frame) draft.Ref { return f.a[i].ref() }
	case ir.Load:
		return c.loadTable(x, keep)
	case ir.Item:
		return c.item(x, keep)
	case ir.Wrap:
		return c.wrap(x)
	case ir.Select:
		test, a, b := c.condition(x.A), c.ref(x.B, keep), c.ref(x.C, keep)
		return func(f *frame) draft.Ref {
			if test(f) {
				return a(f)
			}
			return b(f)
		}
	}
	panic("closures: a value of any kind of unknown operation")
}

// loadTable compiles the read of a field of type table. It fails where the view is nil.
func (c *compiler) loadTable(x *ir.Expr, keep bool) refFn {
	view, at, maybe := c.view(x.I), x.Field.Offset, c.maybe(x.I)
	found := new(ecs.Value) // each evaluation sets it again
	c.reads(view, at)
	return func(f *frame) draft.Ref {
		f.looked++
		p := f.ptr[view]
		if maybe && p == nil {
			f.failed = true
			return draft.Ref{Value: &draft.Nil}
		}
		d := *(**ecs.Data)(unsafe.Add(p, at))
		if keep {
			return draft.Ref{Table: f.pool.Table(d)}
		}
		*found = ecs.TableOf(d)
		return draft.Ref{Value: found}
	}
}

// item compiles ir.Item.
func (c *compiler) item(x *ir.Expr, keep bool) refFn {
	of := c.ref(x.A, keep)
	switch {
	case named(x):
		name := draft.NewName(x.B.A.S)
		return func(f *frame) draft.Ref {
			out, ok := of(f).Name(name, keep)
			if !ok {
				f.failed = true
			}
			return out
		}
	case x.A.Op == ir.Reg && x.B.Op == ir.Wrap && x.B.A.Op == ir.Reg && x.B.A.Type == ir.Number && !keep:
		return itemOfRegister(x.A.I, x.B.A.I)
	case x.A.Op == ir.Reg && x.B.Op == ir.Wrap && x.B.A.Op == ir.Reg && x.B.A.Type == ir.Number:
		return keptItemOfRegister(x.A.I, x.B.A.I)
	case x.B.Op == ir.Wrap && x.B.A.Type == ir.Number:
		key := c.number(x.B.A)
		return func(f *frame) draft.Ref {
			r := of(f)
			out, ok := r.Item(key(f), keep)
			if !ok {
				f.failed = true
			}
			return out
		}
	}
	key := c.ref(x.B, false)
	return func(f *frame) draft.Ref {
		r := of(f)
		out, ok := r.Get(key(f), keep)
		if !ok {
			f.failed = true
		}
		return out
	}
}

// itemOfRegister compiles the read of items[i], where both are registers: the most common item, in one closure.
func itemOfRegister(table, key int) refFn {
	key &= ir.MaxRegisters - 1
	return func(f *frame) draft.Ref {
		r, k := &f.a[table], f.n[key]
		if r.table == nil && r.value.Kind() == ecs.TableValue {
			values, items, _ := ecs.Raw.Content(r.value.Data())
			if i := int(k) - 1; uint(i) < uint(items) && float64(i+1) == k {
				return draft.Ref{Value: &values[i]}
			}
		}
		out, ok := draft.Ref{Value: &r.value, Table: r.table}.Item(k, false)
		if !ok {
			f.failed = true
		}
		return out
	}
}

func keptItemOfRegister(table, key int) refFn {
	key &= ir.MaxRegisters - 1
	return func(f *frame) draft.Ref {
		r, k := &f.a[table], f.n[key]
		if r.table != nil {
			if out, ok := r.table.Item(k); ok {
				return out
			}
		}
		out, ok := draft.Ref{Value: &r.value, Table: r.table}.Item(k, true)
		if !ok {
			f.failed = true
		}
		return out
	}
}

// wrap compiles ir.Wrap.
func (c *compiler) wrap(x *ir.Expr) refFn {
	v := new(ecs.Value)
	switch x.A.Type {
	case ir.Bool:
		a := c.condition(x.A)
		return func(f *frame) draft.Ref {
			*v = ecs.Boolean(a(f))
			return draft.Ref{Value: v}
		}
	case ir.Text:
		a := c.text(x.A)
		return func(f *frame) draft.Ref {
			*v = ecs.Text(a(f))
			return draft.Ref{Value: v}
		}
	case ir.Number:
		a := c.number(x.A)
		return func(f *frame) draft.Ref {
			*v = ecs.Number(a(f))
			return draft.Ref{Value: v}
		}
	}
	panic("closures: a value of unknown type")
}

// length compiles ir.Length.
func (c *compiler) length(x *ir.Expr) numberFn {
	a := c.ref(x.A, false)
	return func(f *frame) float64 {
		n, ok := a(f).Length()
		if !ok {
			f.failed = true
		}
		return n
	}
}

// equal compiles an ir.Equal of values of type Any.
func (c *compiler) equal(x *ir.Expr) boolFn {
	if x.B.Op == ir.Const && x.B.Type == ir.Any && named(x.A) {
		return c.lacksMember(x.A)
	}
	a, b := c.ref(x.A, true), c.ref(x.B, true)
	return func(f *frame) bool {
		left := a(f)
		right := b(f)
		is, ok := draft.Equal(left, right)
		if !ok {
			f.failed = true
		}
		return is
	}
}

// itemTruth compiles the condition that t[key] is neither nil nor false.
func (c *compiler) itemTruth(x *ir.Expr) boolFn {
	table, key := c.ref(x.A, false), c.ref(x.B, false)
	if named(x) {
		name := draft.NewName(x.B.A.S)
		return func(f *frame) bool {
			v, ok := table(f).Name(name, false)
			f.failed = f.failed || !ok
			return v.True()
		}
	}
	held := new(ecs.Value)
	return func(f *frame) bool {
		v, ok := table(f).Held(held).Get(key(f), false)
		f.failed = f.failed || !ok
		return v.True()
	}
}
