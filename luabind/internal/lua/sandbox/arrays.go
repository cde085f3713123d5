package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// An Array is the Value of a userdata that scripts read and write as a list of a fixed length. The library functions that read lists take it.
type Array interface {
	// Items returns the number of items. It raises an error if there is no such array any more.
	Items(L *lua.LState) int
	// Item returns item i, from 1 on.
	Item(L *lua.LState, i int) lua.LValue
	// Put writes all items.
	Put(L *lua.LState, t *lua.LTable)
}

// arrayOf returns the array that a value is, nil if it is none.
func arrayOf(v lua.LValue) Array {
	if ud, ok := v.(*lua.LUserData); ok {
		a, _ := ud.Value.(Array)
		return a
	}
	return nil
}

// ArrayTable returns a value as a table: a table as it is, an array as a copy, and nil for anything else.
func (s *State) ArrayTable(L *lua.LState, v lua.LValue) *lua.LTable {
	if t, ok := v.(*lua.LTable); ok {
		return t
	}
	a := arrayOf(v)
	if a == nil {
		return nil
	}
	n := a.Items(L)
	s.charge(L, int64(n))
	m := interp.NewTable(n, 0)
	for i := range n {
		m.Append(a.Item(L, i+1))
	}
	return m.Table()
}

// argItems is argTable for functions that only read a list.
func (s *State) argItems(L *lua.LState, n int) *lua.LTable {
	if t := s.ArrayTable(L, L.Get(n)); t != nil {
		return t
	}
	return argTable(L, n)
}

// arrayStep is the function that loops over pairs and ipairs of an array call.
func arrayStep(L *lua.LState) int {
	a := arrayOf(L.Get(1))
	if a == nil {
		typeError(L, 1, "array")
	}
	i := int(argInt(L, 2)) + 1
	if i > a.Items(L) {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(boxInt(i))
	L.Push(a.Item(L, i))
	return 2
}

// walksArray pushes what a loop over an array needs, if argument 1 is one.
func walksArray(L *lua.LState, step *lua.LFunction) bool {
	if arrayOf(L.Get(1)) == nil {
		return false
	}
	L.Push(step)
	L.Push(L.Get(1))
	L.Push(smallNumbers[0])
	return true
}
