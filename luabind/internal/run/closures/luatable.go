package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Tables of the script as values of type Any, which a row reads in place; luachange.go has the changes, luamake.go the new ones.
// What needs a function of a metatable fails.

// mostBases is the largest number of tables in a chain of __index that a read follows.
const mostBases = 8

// refOf returns a value of gopher-lua; into holds it if it is plain. It fails for a coroutine.
func (f *frame) refOf(v lua.LValue, into *ecs.Value) draft.Ref {
	switch v := v.(type) {
	case lua.LNumber:
		*into = ecs.Number(float64(v))
	case lua.LString:
		*into = ecs.Text(string(v))
	case *lua.LTable:
		return draft.LuaTable(v)
	case lua.LBool:
		*into = ecs.Boolean(bool(v))
	case *lua.LNilType:
		*into = draft.Nil
	case *lua.LUserData, *lua.LFunction:
		return draft.OtherValue(v)
	default:
		f.failed = true
		*into = draft.Nil
	}
	return draft.Ref{Value: into}
}

// inherited finds a key in the tables of the chain of __index behind t. It fails where the chain has a function.
func (f *frame) inherited(t *lua.LTable, key lua.LValue) lua.LValue {
	for range mostBases {
		if t.Metatable == lua.LNil {
			return lua.LNil
		}
		meta, ok := t.Metatable.(*lua.LTable)
		if !ok {
			break
		}
		index := meta.RawGetString("__index")
		if index == lua.LNil {
			return lua.LNil
		}
		if t, ok = index.(*lua.LTable); !ok {
			break
		}
		if v := t.RawGet(key); v != lua.LNil {
			return v
		}
	}
	f.failed = true
	f.blames(readsMeta)
	return lua.LNil
}

// A luaField reads a field of tables by its name, in one place of a Program.
type luaField struct {
	reader interp.FieldReader
	bases  []base // by distance: how the field is found in the tables of the chain of __index
	name   string
	held   ecs.Value
}

// A base reads a field in a table of the chain of __index.
type base struct {
	index interp.FieldReader // of __index in the metatable before
	field interp.FieldReader
}

// newLuaField makes a luaField.
func newLuaField(name string) *luaField {
	return &luaField{reader: interp.NewFieldReader(name), name: name}
}

// value returns t.name.
func (l *luaField) value(f *frame, t *lua.LTable) lua.LValue {
	v := l.reader.Get(t)
	if v == lua.LNil && t.Metatable != lua.LNil {
		return l.inherited(f, t)
	}
	return v
}

// inherited finds the field in the chain of __index behind t, as frame.inherited does.
func (l *luaField) inherited(f *frame, t *lua.LTable) lua.LValue {
	for i := range mostBases {
		if t.Metatable == lua.LNil {
			return lua.LNil
		}
		meta, ok := t.Metatable.(*lua.LTable)
		if !ok {
			break
		}
		if i == len(l.bases) {
			l.bases = append(l.bases, base{interp.NewFieldReader("__index"), interp.NewFieldReader(l.name)})
		}
		from := &l.bases[i]
		index := from.index.Get(meta)
		if index == lua.LNil {
			return lua.LNil
		}
		if t, ok = index.(*lua.LTable); !ok {
			break
		}
		if v := from.field.Get(t); v != lua.LNil {
			return v
		}
	}
	f.failed = true
	f.blames(readsMeta)
	return lua.LNil
}

// get returns t.name.
func (l *luaField) get(f *frame, t *lua.LTable) draft.Ref { return f.refOf(l.value(f, t), &l.held) }

// float returns t.name if it is a number; otherwise it fails.
func (l *luaField) float(f *frame, t *lua.LTable) float64 {
	n, ok := l.value(f, t).(lua.LNumber)
	if !ok {
		f.failed = true
	}
	return float64(n)
}

// A luaItem reads values of tables at computed keys, in one place of a Program.
type luaItem struct {
	reader interp.Reader
	held   ecs.Value
}

// raw returns t[key] without metatables.
func (l *luaItem) raw(f *frame, t *lua.LTable, key float64) draft.Ref {
	return f.refOf(l.reader.Get(t, key), &l.held)
}

// number returns t[key].
func (l *luaItem) number(f *frame, t *lua.LTable, key float64) draft.Ref {
	v := l.reader.Get(t, key)
	if v == lua.LNil && t.Metatable != lua.LNil {
		v = f.inherited(t, f.changes.Box(key))
	}
	return f.refOf(v, &l.held)
}

// get returns t[key] for a key of any kind.
func (l *luaItem) get(f *frame, t *lua.LTable, key draft.Ref) draft.Ref {
	if n, ok := key.Number(); ok {
		return l.number(f, t, n)
	}
	var v lua.LValue
	if s, ok := key.Text(); ok {
		if v = t.RawGetString(s); v == lua.LNil && t.Metatable != lua.LNil {
			v = f.inherited(t, lua.LString(s))
		}
		return f.refOf(v, &l.held)
	}
	if key.IsTable() && key.Lua == nil && t.Metatable == lua.LNil { // no table of the script has such a key
		return draft.Ref{Value: &draft.Nil}
	}
	k, ok := f.keyOf(key)
	if !ok {
		f.failed = true
		return draft.Ref{Value: &draft.Nil}
	}
	if v = t.RawGet(k); v == lua.LNil && t.Metatable != lua.LNil {
		v = f.inherited(t, k)
	}
	return f.refOf(v, &l.held)
}

// itemTruth compiles the condition that t[key] is neither nil nor false. The value may be a function, as in "if o.init then".
func (c *compiler) itemTruth(x *ir.Expr) boolFn {
	table, key := c.ref(x.A, false), c.ref(x.B, false)
	if named(x) {
		field, object, name := newLuaField(x.B.A.S), c.objectField(x, x.B.A.S, false), draft.NewName(x.B.A.S)
		return func(f *frame) bool {
			t := table(f)
			switch {
			case t.Lua != nil:
				v := field.value(f, t.Lua)
				return v != lua.LNil && v != lua.LFalse
			case t.Other != nil:
				return object.get(f, t.Other.LValue).True()
			}
			v, ok := t.Name(name, false)
			f.failed = f.failed || !ok
			return v.True()
		}
	}
	object, held := c.objectField(x, "", false), new(ecs.Value)
	return func(f *frame) bool {
		t := table(f).Held(held)
		switch {
		case t.Lua != nil:
		case t.Other != nil:
			return object.at(f, t.Other.LValue, key(f)).True()
		default:
			v, ok := t.Get(key(f), false)
			f.failed = f.failed || !ok
			return v.True()
		}
		k, ok := f.keyOf(key(f))
		if f.failed || !ok || k == lua.LNil {
			f.failed = true
			return false
		}
		v := t.Lua.RawGet(k)
		if v == lua.LNil && t.Lua.Metatable != lua.LNil {
			v = f.inherited(t.Lua, k)
		}
		return v != lua.LNil && v != lua.LFalse
	}
}

// luaOf returns a value as one of gopher-lua. A table of a field becomes one of the script, so only statements may ask for it: an
// expression beside it might have found the table before.
func (f *frame) luaOf(r draft.Ref) (v lua.LValue, ok bool) {
	if r.Table != nil {
		if t := f.escaped(r); t != nil {
			return t, true
		}
		return nil, false
	}
	return f.keyOf(r)
}

// escaped returns a table as one of the script; nil if r is none, and where only the interpreter can make it one.
func (f *frame) escaped(r draft.Ref) *lua.LTable {
	if r.Table == nil {
		return r.Lua
	}
	t, ok := r.Table.Escape()
	if !ok {
		f.blames(putsDraft)
	}
	if !ok || f.settle() != next {
		return nil
	}
	return t
}

// keyOf is luaOf for a key that is looked up. It is not ok for a table of a field.
func (f *frame) keyOf(r draft.Ref) (v lua.LValue, ok bool) {
	switch {
	case r.Table != nil:
		return nil, false
	case r.Lua != nil:
		return r.Lua, true
	case r.Other != nil:
		return r.Other.LValue, true
	}
	if n, isNumber := r.Number(); isNumber {
		return f.changes.Box(n), true
	}
	switch r.Value.Kind() {
	case ecs.NilValue:
		return lua.LNil, true
	case ecs.BoolValue:
		return lua.LBool(r.Value.Bool()), true
	case ecs.StringValue:
		return lua.LString(r.Value.Str()), true
	}
	return nil, false
}

// lengthOf returns #t.
func (f *frame) lengthOf(t *lua.LTable) float64 {
	if t.Metatable != lua.LNil {
		if meta, ok := t.Metatable.(*lua.LTable); !ok || meta.RawGetString("__len") != lua.LNil {
			f.failed = true
			f.blames(readsMeta)
			return 0
		}
	}
	return float64(interp.Length(t))
}

// luaEntries compiles ir.Entries for a table of the script: a loop over pairs.
func (c *compiler) luaEntries(s *ir.Stmt, body step) func(f *frame, t *lua.LTable) int {
	price, i, j := s.Price, s.I, s.J
	return func(f *frame, t *lua.LTable) int {
		var k, v ecs.Value
		var walk interp.Pairs
		for key, x := walk.Next(t); key != lua.LNil; key, x = walk.Next(t) {
			if !f.burn(price) {
				return stopped
			}
			f.a[i].set(f.refOf(key, &k))
			if j >= 0 {
				f.a[j].set(f.refOf(x, &v))
			}
			if f.failed {
				return stopped
			}
			if how := body(f); how == broken {
				return next
			} else if how != next {
				return how
			}
		}
		return next
	}
}
