package closures

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Tables of the script as values of type Any: a row reads and changes them in place, and the undo log keeps what they
// held. What needs a function of a metatable, or a value that is no plain data, such as a function or a view, fails.

// mostBases is the largest number of tables in a chain of __index that a read follows.
const mostBases = 8

// refOf returns a value of gopher-lua; into holds it if it is no table. It fails for a value of another kind.
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
	return lua.LNil
}

// A luaField reads a field of tables by its name, in one place of a Program.
type luaField struct {
	reader interp.FieldReader
	name   lua.LValue
	held   ecs.Value
}

// newLuaField makes a luaField.
func newLuaField(name string) *luaField {
	return &luaField{reader: interp.NewFieldReader(name), name: lua.LString(name)}
}

// value returns t.name.
func (l *luaField) value(f *frame, t *lua.LTable) lua.LValue {
	v := l.reader.Get(t)
	if v == lua.LNil && t.Metatable != lua.LNil {
		v = f.inherited(t, l.name)
	}
	return v
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
	k, ok := f.luaOf(key)
	if !ok {
		f.failed = true
		return draft.Ref{Value: &draft.Nil}
	}
	if v = t.RawGet(k); v == lua.LNil && t.Metatable != lua.LNil {
		v = f.inherited(t, k)
	}
	return f.refOf(v, &l.held)
}

// luaOf returns a value as one of gopher-lua. It is not ok for tables of fields, which only the interpreter copies.
func (f *frame) luaOf(r draft.Ref) (v lua.LValue, ok bool) {
	switch {
	case r.Lua != nil:
		return r.Lua, true
	case r.Table != nil:
		return nil, false
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
			return 0
		}
	}
	return float64(t.Len())
}

// mayChange reports whether a row may give keys of a table values: it has no __newindex, and the Program does not take
// it for a constant.
func (f *frame) mayChange(t *lua.LTable) bool {
	if !f.mayStore(t) {
		return false
	}
	if t.Metatable == lua.LNil {
		return true
	}
	meta, ok := t.Metatable.(*lua.LTable)
	return ok && meta.RawGetString("__newindex") == lua.LNil
}

// mayStore is mayChange for an assignment that does not look at the metatable.
func (f *frame) mayStore(t *lua.LTable) bool {
	if f.failed || f.changes.Len() > mostUndone {
		return false
	}
	if len(f.constants) > 0 {
		if _, constant := f.constants[t]; constant {
			return false
		}
	}
	return true
}

// mayName reports whether the Program allows that the value at a name becomes x.
func (f *frame) mayName(t *lua.LTable, name string, x lua.LValue) bool {
	if slices.Contains(f.names, name) {
		if _, guarded := f.guarded[t]; guarded && t.RawGetString(name) != x {
			return false
		}
	}
	return true
}

// putNamed is t.name = v.
func (f *frame) putNamed(t *lua.LTable, name string, v draft.Ref) int {
	x, ok := f.luaOf(v)
	if !ok || !f.mayChange(t) || !f.mayName(t, name, x) {
		return stopped
	}
	if !f.pays(t, lua.LString(name), x) {
		return stopped
	}
	f.changes.SetName(t, name, x)
	return next
}

// putNumberIn is t.name = n.
func (f *frame) putNumberIn(t *lua.LTable, name string, n float64) int {
	x := f.changes.Box(n)
	if !f.mayChange(t) || !f.mayName(t, name, x) {
		return stopped
	}
	if !f.pays(t, lua.LString(name), x) {
		return stopped
	}
	f.changes.SetName(t, name, x)
	return next
}

// put is t[key] = v.
func (f *frame) put(t *lua.LTable, key, v draft.Ref) int {
	if !f.mayChange(t) {
		return stopped
	}
	return f.rawPut(t, key, v)
}

// rawPut is rawset(t, key, v).
func (f *frame) rawPut(t *lua.LTable, key, v draft.Ref) int {
	x, ok := f.luaOf(v)
	if !ok || !f.mayStore(t) {
		return stopped
	}
	if n, isNumber := key.Number(); isNumber {
		if n != n || n > float64(t.Len()+mostGap) && n < sandbox.MaxList+1 {
			return stopped
		}
		if !f.pays(t, lua.LNumber(n), x) {
			return stopped
		}
		f.changes.SetNumber(t, n, x)
		return next
	}
	if s, isText := key.Text(); isText {
		if !f.mayName(t, s, x) || !f.pays(t, lua.LString(s), x) {
			return stopped
		}
		f.changes.SetName(t, s, x)
		return next
	}
	k, ok := f.luaOf(key)
	if !ok || k == lua.LNil {
		return stopped
	}
	if !f.pays(t, k, x) {
		return stopped
	}
	f.changes.SetOther(t, k, x)
	return next
}

// pays counts what t[key] = v allocates. If the limit does not allow it, the row is left to the interpreter.
func (f *frame) pays(t *lua.LTable, key, v lua.LValue) bool {
	bytes := interp.GrowthBytes(t, key, v)
	return bytes == 0 || f.effects.Takes(bytes)
}

// mostGap is how far behind the end of a list a row may store. A larger gap takes long to fill, which the interpreter
// pays for.
const mostGap = 1 << 10

// room returns the length of a list to which something is added. It is not ok if the interpreter has to do it.
func (f *frame) room(t *lua.LTable) (n int, ok bool) {
	n = t.Len()
	return n, f.mayChange(t) && t.Metatable == lua.LNil && n < sandbox.MaxList
}

// appendTo is table.insert(t, v).
func (f *frame) appendTo(t *lua.LTable, v draft.Ref) int {
	x, ok := f.luaOf(v)
	n, room := f.room(t)
	if !ok || !room {
		return stopped
	}
	if x != lua.LNil {
		if !f.pays(t, lua.LNumber(n+1), x) {
			return stopped
		}
		f.changes.SetNumber(t, float64(n+1), x)
	}
	return next
}

// insertIn is table.insert(t, at, v).
func (f *frame) insertIn(t *lua.LTable, at float64, v draft.Ref) int {
	x, ok := f.luaOf(v)
	n, room := f.room(t)
	i := int(at)
	if !ok || !room || float64(i) != at || i < 1 || i > n || !f.burn(int64(n-i)>>3) {
		return stopped
	}
	if !f.pays(t, lua.LNumber(n+1), x) {
		return stopped
	}
	f.changes.Insert(t, i, x)
	return next
}

// removeFrom is table.remove(t, at), or table.remove(t) if last is true. The removed value goes to register i, if that is
// not negative; into holds it.
func (f *frame) removeFrom(t *lua.LTable, at float64, last bool, i int, into *ecs.Value) int {
	n := t.Len()
	place := int(at)
	if last {
		place, at = n, float64(n)
	}
	if !f.mayChange(t) || t.Metatable != lua.LNil || float64(place) != at {
		return stopped
	}
	removed := lua.LValue(lua.LNil)
	if place >= 1 && place <= n {
		if !f.burn(int64(n-place) >> 3) {
			return stopped
		}
		removed = f.changes.Remove(t, place)
	}
	if i < 0 {
		return next
	}
	f.a[i].set(f.refOf(removed, into))
	if f.failed {
		return stopped
	}
	return next
}

// luaEntries compiles ir.Entries for a table of the script: a loop over pairs.
func (c *compiler) luaEntries(s *ir.Stmt, body step) func(f *frame, t *lua.LTable) int {
	price, i, j := s.Price, s.I, s.J
	return func(f *frame, t *lua.LTable) int {
		var k, v ecs.Value
		for key, x := t.Next(lua.LNil); key != lua.LNil; key, x = t.Next(key) {
			if !f.burn(price) {
				return stopped
			}
			if i >= 0 {
				f.a[i].set(f.refOf(key, &k))
			}
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

// makeLua compiles an ir.Make that makes a table of the script.
func (c *compiler) makeLua(s *ir.Stmt) step {
	fill, _ := c.luaFilling(s.Item, s.Args)
	i := s.I
	return func(f *frame) int {
		t := fill(f)
		if t == nil || f.failed {
			return stopped
		}
		f.a[i].set(draft.LuaTable(t))
		return next
	}
}

// luaFilling compiles the making of a table from the first of some arguments. It returns the arguments that are left. The
// function returns nil if the interpreter has to make the table.
func (c *compiler) luaFilling(item *ir.TableItem, args []*ir.Expr) (fill func(*frame) *lua.LTable, left []*ir.Expr) {
	type part struct {
		name  lua.LValue // nil: the next item of the list
		value func(*frame) lua.LValue
	}
	var parts []part
	add := func(name lua.LValue, of *ir.TableItem) {
		switch of.Kind {
		case ir.ItemTable:
			var inner func(*frame) *lua.LTable
			inner, args = c.luaFilling(of, args)
			parts = append(parts, part{name, func(f *frame) lua.LValue {
				if t := inner(f); t != nil {
					return t
				}
				return nil
			}})
		case ir.ItemValue:
			x := args[0]
			args = args[1:]
			if x.Type != ir.Any {
				x = &ir.Expr{Op: ir.Wrap, Type: ir.Any, A: x}
			}
			value := c.ref(x, true)
			parts = append(parts, part{name, func(f *frame) lua.LValue {
				v, ok := f.luaOf(value(f))
				if !ok {
					return nil
				}
				return v
			}})
		case ir.ItemNil:
		}
	}
	for _, x := range item.Items {
		add(nil, x)
	}
	for _, x := range item.Named {
		add(lua.LString(x.Name), x.Value)
	}
	items, named := len(item.Items), len(item.Named)
	return func(f *frame) *lua.LTable {
		m := interp.NewTable(items, named)
		for i := range parts {
			v := parts[i].value(f)
			switch {
			case v == nil || f.failed:
				return nil
			case parts[i].name != nil:
				if v != lua.LNil {
					m.Set(parts[i].name, v)
				}
			case v == lua.LNil:
				return nil // the length of a list with nil in it depends on the constructor
			default:
				m.Append(v)
			}
		}
		return m.Table()
	}, args
}

// SetLua sets a register of type Any from a value of gopher-lua. It returns false if that is no plain data.
func (k *Kernel) SetLua(reg int, v lua.LValue) bool {
	f := &k.frame
	f.failed = false
	var x ecs.Value
	f.a[reg].set(f.refOf(v, &x))
	ok := !f.failed
	f.failed = false
	return ok
}

// SetConstants sets the tables that the Program takes for constants, so that rows that change them fail.
func (k *Kernel) SetConstants(tables map[*lua.LTable]struct{}) { k.frame.constants = tables }

// SetGuarded sets the tables in which the Program takes the values at some names for constants, or the metatables: rows
// that change these fail.
func (k *Kernel) SetGuarded(tables map[*lua.LTable]struct{}, names []string) {
	k.frame.guarded, k.frame.names = tables, names
}

// SetFunctions sets the functions that rows look for as methods and operators, by their number - 1.
func (k *Kernel) SetFunctions(list []*lua.LFunction) { k.frame.functions = list }

// keepOutputs keeps the outputs of type Any, before their registers are cleared.
func (k *Kernel) keepOutputs() {
	for _, out := range k.program.Outputs {
		if out.Type != ir.Any {
			continue
		}
		if k.outputs == nil {
			k.outputs = map[int]lua.LValue{}
		}
		k.outputs[out.Reg], _ = k.frame.luaOf(k.frame.a[out.Reg].ref())
	}
}

// Lua returns the value that an output of type Any had at the end of the last Run, and forgets it.
func (k *Kernel) Lua(reg int) lua.LValue {
	v := k.outputs[reg]
	delete(k.outputs, reg)
	return v
}
