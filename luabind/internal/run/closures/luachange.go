package closures

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Changes of tables of the script: a row makes them in place, and the undo log keeps what the tables held. Each asks first
// whether the row may make it, and pays for what the table grows.

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
			f.blames(changesConst)
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

// placeOf returns the table in which t[key] = v stores a value: t, or one in the chain of its __newindex. It is nil if a row may not do
// that.
func (f *frame) placeOf(t *lua.LTable, key lua.LValue) *lua.LTable {
	for range mostBases {
		if t.Metatable == lua.LNil {
			return t
		}
		meta, ok := t.Metatable.(*lua.LTable)
		if !ok {
			return nil
		}
		handler := meta.RawGetString("__newindex")
		if handler == lua.LNil || t.RawGet(key) != lua.LNil {
			return t
		}
		if t, ok = handler.(*lua.LTable); !ok {
			return nil
		}
	}
	return nil
}

// putNamed is t.name = v.
func (f *frame) putNamed(t *lua.LTable, name string, v draft.Ref) int {
	x, ok := f.luaOf(v)
	if t.Metatable != lua.LNil {
		if t = f.placeOf(t, lua.LString(name)); t == nil {
			f.blames(storesMeta)
			return stopped
		}
	}
	if !ok || !f.mayStore(t) || !f.mayName(t, name, x) {
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
	if t.Metatable != lua.LNil {
		if t = f.placeOf(t, lua.LString(name)); t == nil {
			return stopped
		}
	}
	if !f.mayStore(t) || !f.mayName(t, name, x) {
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
	if t.Metatable != lua.LNil {
		k, ok := f.luaOf(key)
		if !ok || k == lua.LNil {
			return stopped
		}
		if t = f.placeOf(t, k); t == nil {
			f.blames(storesMeta)
			return stopped
		}
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
		bytes, ok := f.putAt(t, n, x)
		if !ok || bytes > 0 && !f.effects.Takes(bytes) {
			return stopped // the change is undone with the row
		}
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

// putAt is rawset(t, n, v). It returns what that allocates, and false if nothing was done.
func (f *frame) putAt(t *lua.LTable, n float64, v lua.LValue) (bytes int64, ok bool) {
	if n != n {
		return 0, false
	}
	if end := float64(t.Len() + freeGap); n > end && n <= sandbox.MaxList && !f.burn(int64(n-end)>>3) {
		return 0, false
	}
	return f.changes.SetNumber(t, n, v), true
}

// putMade is [key] = v in the constructor that makes t, which has paid for it.
func (f *frame) putMade(t *lua.LTable, key, v draft.Ref) int {
	x, ok := f.luaOf(v)
	if !ok {
		return stopped
	}
	if n, isNumber := key.Number(); isNumber {
		if _, ok := f.putAt(t, n, x); !ok {
			return stopped
		}
		return next
	}
	if s, isText := key.Text(); isText {
		f.changes.SetName(t, s, x)
		return next
	}
	k, ok := f.luaOf(key)
	if !ok || k == lua.LNil {
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

// freeGap is how far behind the end of a list a row may store for nothing. To fill a larger gap takes time, so it costs fuel: eight
// places cost as much as one instruction.
const freeGap = 1 << 10

// room returns the length of a list to which something is added. It is not ok if the interpreter has to do it.
func (f *frame) room(t *lua.LTable) (n int, ok bool) {
	n = interp.Length(t)
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
	n := interp.Length(t)
	place := int(at)
	if last {
		place, at = n, float64(n)
	}
	if !f.mayChange(t) || t.Metatable != lua.LNil || float64(place) != at || n > sandbox.MaxList {
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
