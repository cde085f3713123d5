package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	lua "github.com/yuin/gopher-lua"
)

// Values of type Any: what a row reads from fields of type `table`, and tables of the script (luatable.go). A read of a
// field only looks into the stored data, and copies nothing. A table that a register gets has an identity
// ([draft.Table]) if the Program changes tables.

// An anyRegister is a register of type Any.
type anyRegister struct {
	value ecs.Value
	table *draft.Table
	lua   *lua.LTable
	other *draft.Other
}

// ref returns the value of the register.
func (r *anyRegister) ref() draft.Ref {
	if r.table != nil {
		return r.table.Ref()
	}
	return draft.Ref{Value: &r.value, Lua: r.lua, Other: r.other}
}

// set gives the register a value.
func (r *anyRegister) set(v draft.Ref) {
	r.lua, r.other = v.Lua, v.Other
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
	case ir.Box:
		return c.box(x)
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

// changed compiles the table that a statement changes. If it is in a field of a view that is a value, the field is noted in frame.owner, so that
// [compiler.storing] stores it; only a path in the source names such a table (Live).
func (c *compiler) changed(x *ir.Expr) refFn {
	defer func(before bool) { c.changes = before }(c.changes)
	c.changes = true
	return c.ref(x, true)
}

// storing returns a step that also stores the table of frame.owner, which the step has changed.
func (c *compiler) storing(change step, x *ir.Expr) step {
	if x.Op != ir.Item || !x.Live {
		return change
	}
	c.putsItems = true
	return func(f *frame) int {
		f.owner = owner{}
		how := change(f)
		if f.owner.table == nil || how != next || f.failed {
			return how
		}
		return f.putField(f.owner.view, f.owner.name, draft.Ref{Value: &draft.Nil, Table: f.owner.table})
	}
}

// An owner is a field of a view that is a value, with the copy of its table that a statement changes.
type owner struct {
	view  lua.LValue
	name  string
	table *draft.Table
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
		name, field, object := draft.NewName(x.B.A.S), newLuaField(x.B.A.S), c.objectField(x, x.B.A.S, keep)
		return func(f *frame) draft.Ref {
			r := of(f)
			switch {
			case r.Lua != nil:
				return field.get(f, r.Lua)
			case r.Other != nil:
				return object.get(f, r.Other.LValue)
			}
			out, ok := r.Name(name, keep)
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
		key, held := c.number(x.B.A), new(luaItem)
		return func(f *frame) draft.Ref {
			r := of(f)
			if r.Lua != nil {
				return held.number(f, r.Lua, key(f))
			}
			out, ok := r.Item(key(f), keep)
			if !ok {
				f.failed = true
			}
			return out
		}
	}
	key, held, object := c.ref(x.B, false), new(luaItem), c.objectField(x, "", keep)
	return func(f *frame) draft.Ref {
		r := of(f)
		switch {
		case r.Lua != nil:
			return held.get(f, r.Lua, key(f))
		case r.Other != nil:
			return object.at(f, r.Other.LValue, key(f))
		}
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
	held := new(luaItem)
	return func(f *frame) draft.Ref {
		r, k := &f.a[table], f.n[key]
		if r.lua != nil {
			return held.number(f, r.lua, k)
		}
		if r.table == nil && r.value.Kind() == ecs.TableValue {
			values, items, _ := ecs.Raw.Content(r.value.Data())
			if i := int(k) - 1; uint(i) < uint(items) && float64(i+1) == k {
				return draft.Ref{Value: &values[i]}
			}
		}
		in := draft.Ref{Value: &r.value, Table: r.table}.Now()
		if in.Lua != nil {
			return held.number(f, in.Lua, k)
		}
		out, ok := in.Item(k, false)
		if !ok {
			f.failed = true
		}
		return out
	}
}

// keptItemOfRegister is itemOfRegister for an item that is kept.
func keptItemOfRegister(table, key int) refFn {
	key &= ir.MaxRegisters - 1
	held := new(luaItem)
	return func(f *frame) draft.Ref {
		r, k := &f.a[table], f.n[key]
		if r.table != nil {
			if out, ok := r.table.Item(k); ok {
				return out
			}
		}
		if r.lua != nil {
			return held.number(f, r.lua, k)
		}
		in := draft.Ref{Value: &r.value, Table: r.table}.Now()
		if in.Lua != nil {
			return held.number(f, in.Lua, k)
		}
		out, ok := in.Item(k, true)
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
		r := a(f)
		if r.Lua != nil {
			return f.lengthOf(r.Lua)
		}
		n, ok := r.Length()
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
	a, b, raw := c.ref(x.A, true), c.ref(x.B, true), x.Func == ir.Raw
	return func(f *frame) bool {
		left := a(f)
		right := b(f)
		is, ok := draft.Equal(left, right)
		switch {
		case raw && left.Lua != nil && right.Lua != nil:
			is, ok = left.Lua == right.Lua, true
		case ok || left.Other == nil || right.Other == nil:
		case raw:
			is, ok = left.Other.LValue == right.Other.LValue, true
		default:
			is, ok = f.equalViews(left.Other.LValue, right.Other.LValue)
		}
		if !ok {
			f.failed = true
		}
		return is
	}
}
