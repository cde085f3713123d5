package closures

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
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
}

// ref returns the value of the register.
func (r *anyRegister) ref() draft.Ref { return draft.Ref{Value: &r.value, Table: r.table, Lua: r.lua} }

// set gives the register a value.
func (r *anyRegister) set(v draft.Ref) {
	r.lua = v.Lua
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
		name, hint, field := x.B.A.S, new(int), newLuaField(x.B.A.S)
		return func(f *frame) draft.Ref {
			r := of(f)
			if r.Lua != nil {
				return field.get(f, r.Lua)
			}
			out, ok := r.Name(name, hint, keep)
			if !ok {
				f.failed = true
			}
			return out
		}
	case x.A.Op == ir.Reg && x.B.Op == ir.Wrap && x.B.A.Op == ir.Reg && x.B.A.Type == ir.Number && !keep:
		return itemOfRegister(x.A.I, x.B.A.I)
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
	key, held := c.ref(x.B, false), new(luaItem)
	return func(f *frame) draft.Ref {
		r := of(f)
		if r.Lua != nil {
			return held.get(f, r.Lua, key(f))
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
			d := r.value.Data()
			if i := int(k) - 1; uint(i) < uint(d.Items()) && float64(i+1) == k {
				return draft.Ref{Value: &d.Entries()[i].Value}
			}
		}
		out, ok := draft.Ref{Value: &r.value, Table: r.table}.Item(k, false)
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

// asNumber compiles an ir.As of type Number.
func (c *compiler) asNumber(x *ir.Expr) numberFn {
	if named(x.A) {
		return c.numberNamed(x.A)
	}
	a := c.ref(x.A, false)
	return func(f *frame) float64 {
		n, ok := a(f).Number()
		if !ok {
			f.failed = true
		}
		return n
	}
}

// numberNamed compiles an ir.As of type Number of item.w: the most common use of an item, in one closure.
func (c *compiler) numberNamed(x *ir.Expr) numberFn {
	of, name, hint, field := c.ref(x.A, false), x.B.A.S, new(int), newLuaField(x.B.A.S)
	slow := func(f *frame, r draft.Ref) float64 {
		if r.Lua != nil {
			return field.float(f, r.Lua)
		}
		v, ok := r.Name(name, hint, false)
		n, isNumber := v.Number()
		if !ok || !isNumber {
			f.failed = true
		}
		return n
	}
	if x.A.Op == ir.Reg {
		i := x.A.I
		return func(f *frame) float64 {
			r := f.a[i].ref()
			if v := r.Scalar(name, *hint); v != nil && v.Kind() == ecs.NumberValue {
				return v.Float()
			}
			return slow(f, r)
		}
	}
	return func(f *frame) float64 {
		r := of(f)
		if r.Table == nil && r.Value.Kind() == ecs.TableValue {
			if entries, i := r.Value.Data().Entries(), *hint; i < len(entries) {
				e := &entries[i]
				if e.Key.Kind() == ecs.StringValue && *ecs.Raw.Text(&e.Key) == name && e.Value.Kind() == ecs.NumberValue {
					return e.Value.Float()
				}
			}
		}
		return slow(f, r)
	}
}

// asText compiles an ir.As of type Text.
func (c *compiler) asText(x *ir.Expr) textFn {
	if named(x.A) {
		return c.textNamed(x.A)
	}
	a := c.ref(x.A, false)
	return func(f *frame) string {
		s, ok := a(f).Text()
		if !ok {
			f.failed = true
		}
		return s
	}
}

// named reports whether an expression is an ir.Item with a constant name.
func named(x *ir.Expr) bool {
	return x.Op == ir.Item && x.B.Op == ir.Wrap && x.B.A.Op == ir.Const && x.B.A.Type == ir.Text
}

// textNamed compiles an ir.As of type Text of item.kind.
func (c *compiler) textNamed(x *ir.Expr) textFn {
	of, name, hint, field := c.ref(x.A, false), x.B.A.S, new(int), newLuaField(x.B.A.S)
	return func(f *frame) string {
		r := of(f)
		if r.Lua != nil {
			s, ok := field.get(f, r.Lua).Text()
			if !ok {
				f.failed = true
			}
			return s
		}
		if v := r.Scalar(name, *hint); v != nil && v.Kind() == ecs.StringValue {
			return *ecs.Raw.Text(v)
		}
		v, ok := r.Name(name, hint, false)
		s, isText := v.Text()
		if !ok || !isText {
			f.failed = true
		}
		return s
	}
}

// asFlag compiles an ir.As of type Bool.
func (c *compiler) asFlag(x *ir.Expr) boolFn {
	a := c.ref(x.A, false)
	return func(f *frame) bool {
		is, ok := a(f).Flag()
		if !ok {
			f.failed = true
		}
		return is
	}
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
	a, b := c.ref(x.A, true), c.ref(x.B, true)
	return func(f *frame) bool {
		is, ok := draft.Equal(a(f), b(f))
		if !ok {
			f.failed = true
		}
		return is
	}
}

// items compiles ir.Items: a loop over ipairs.
func (c *compiler) items(s *ir.Stmt) step {
	list, keep := c.ref(s.A, true), c.p.Drafts && s.J >= 0
	body, price, i, j, held, item := c.sequence(s.Body), s.Price, s.I, s.J, new(ecs.Value), new(luaItem)
	return func(f *frame) int {
		in := list(f).Held(held)
		if f.failed || !in.IsTable() {
			return stopped
		}
		for n := 1.0; ; n++ {
			var v draft.Ref
			if in.Lua != nil {
				if v = item.raw(f, in.Lua, n); f.failed {
					return stopped
				}
			} else {
				v, _ = in.Item(n, keep)
			}
			if v.IsNil() {
				return next
			}
			if !f.burn(price) {
				return stopped
			}
			if i >= 0 {
				f.n[i] = n
			}
			if j >= 0 {
				f.a[j].set(v)
			}
			if how := body(f); how == broken {
				return next
			} else if how != next {
				return how
			}
		}
	}
}

// entries compiles ir.Entries: a loop over pairs.
func (c *compiler) entries(s *ir.Stmt) step {
	list, keep := c.ref(s.A, true), c.p.Drafts && s.J >= 0
	body, price, i, j, held := c.sequence(s.Body), s.Price, s.I, s.J, new(ecs.Value)
	walk := new(draft.Walk) // the statement does not run inside itself
	pairs := c.luaEntries(s, body)
	return func(f *frame) int {
		in := list(f).Held(held)
		if f.failed || !in.IsTable() {
			return stopped
		}
		if in.Lua != nil {
			return pairs(f, in.Lua)
		}
		*walk = draft.Walk{}
		for {
			v, more, ok := walk.Next(in, keep)
			if !ok {
				return stopped
			}
			if !more {
				return next
			}
			if !f.burn(price) {
				return stopped
			}
			if i >= 0 {
				f.a[i].set(draft.Ref{Value: &walk.Key})
			}
			if j >= 0 {
				f.a[j].set(v)
			}
			if how := body(f); how == broken {
				return next
			} else if how != next {
				return how
			}
		}
	}
}
