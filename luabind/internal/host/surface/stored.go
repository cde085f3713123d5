package surface

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Reading from stored tables: world.resources.map[i] looks one element up, and copies nothing. Package sandbox finds such reads in the source
// (interp.Step); the tables that they pass through are readers.

// A reader is a Lua value that stands for plain data while one expression reads from it: the bag.items of bag.items[2].count and of #bag.items.
// It is only in registers that no variable has, and the expression calls nothing that could change what is stored.
type reader struct {
	lua.LUserData
	surface *Surface
	data    *ecs.Data
}

// readers keeps readers by the address of their data, so that a loop that reads one table again and again allocates nothing.
type readers [8]*reader

// reader returns a reader of data.
func (s *Surface) reader(d *ecs.Data) *lua.LUserData {
	at := &s.readers[uintptr(unsafe.Pointer(d))>>6%uintptr(len(s.readers))]
	if r := *at; r != nil && r.data == d {
		return &r.LUserData
	}
	r := &reader{surface: s, data: d, LUserData: lua.LUserData{Metatable: s.ofReaders}}
	r.Value = r
	*at = r
	return &r.LUserData
}

// within returns what a read finds in stored data. A table is a copy; or a reader of it, for a step on the way to something else.
func (s *Surface) within(v ecs.Value, step bool) lua.LValue {
	if step && v.Kind() == ecs.TableValue {
		return s.reader(v.Data())
	}
	return s.Lua(v)
}

// readerOf returns the reader that is value 1 of a metamethod.
func readerOf(L *lua.LState) *reader {
	if ud, ok := L.Get(1).(*lua.LUserData); ok {
		if r, ok := ud.Value.(*reader); ok {
			return r
		}
	}
	raise(L, "table expected, got %s", typeName(L, 1))
	return nil
}

// readerIndex is __index of readers.
func readerIndex(L *lua.LState) int {
	r := readerOf(L)
	key, err := scalar(L.Get(2))
	if err != nil {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(r.surface.within(r.get(key), r.surface.state.StepsPath(L)))
	return 1
}

// readerLength is __len of readers.
func readerLength(L *lua.LState) int {
	n, _ := readerOf(L).Length()
	L.Push(lua.LNumber(n))
	return 1
}

// readerNewIndex is not called: what is assigned to is no reader.
func readerNewIndex(L *lua.LState) int {
	raise(L, "a table that is read cannot be changed")
	return 0
}

// readerObject makes the metatable of readers.
func (s *Surface) readerObject() *lua.LTable {
	mt := s.metatable("table", readerIndex, readerNewIndex, liveString)
	mt.RawSetString("__len", s.state.NewFunction(readerLength))
	return mt
}

// get returns the value at a key.
func (r *reader) get(key ecs.Value) ecs.Value {
	if key.Kind() == ecs.NumberValue && key.Float() != key.Float() {
		return ecs.Value{}
	}
	return r.data.Get(key)
}

// GetField does what readerIndex does.
func (r *reader) GetField(f *interp.Field, key string, out *interp.Value) bool {
	*out = interp.Of(r.surface.within(r.data.Get(ecs.Text(key)), f.Step()))
	return true
}

// SetField returns false: see readerNewIndex.
func (r *reader) SetField(*interp.Field, string, *interp.Value) bool { return false }

// GetKey does what readerIndex does.
func (r *reader) GetKey(f *interp.Field, key, out *interp.Value) bool {
	if key.IsNumber() {
		values, items, _ := ecs.Raw.Content(r.data)
		if i := int(key.Num); i > 0 && i <= items && float64(i) == key.Num {
			if v := &values[i-1]; v.Kind() == ecs.NumberValue {
				out.SetNumber(v.Float())
				return true
			}
		}
		*out = interp.Of(r.surface.within(r.get(ecs.Number(key.Num)), f.Step()))
		return true
	}
	k, err := scalar(key.Ref)
	if err != nil {
		*out = interp.Nil
		return true
	}
	*out = interp.Of(r.surface.within(r.get(k), f.Step()))
	return true
}

// SetKey returns false: see readerNewIndex.
func (r *reader) SetKey(_, _ *interp.Value) bool { return false }

// Length is that of the Lua table that the data would be.
func (r *reader) Length() (float64, bool) {
	n := r.data.Items()
	if n < r.data.Len() {
		if key, _ := r.data.At(n); key.Kind() == ecs.NumberValue { // a list with gaps
			return float64(interp.Length(r.surface.table(r.data))), true
		}
	}
	return float64(n), true
}

// reads returns what a read of a table in storage gives: a copy, or a reader for a step on the way to something else.
func (s *Surface) reads(L *lua.LState, d *ecs.Data) lua.LValue {
	if s.state.StepsPath(L) {
		return s.reader(d)
	}
	return s.table(d)
}

// readsField is reads for package interp.
func (s *Surface) readsField(f *interp.Field, d *ecs.Data) interp.Value {
	if f.Step() {
		return interp.Value{Ref: s.reader(d)}
	}
	return interp.Value{Ref: s.table(d)}
}
