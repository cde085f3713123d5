package sandbox

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Contents are those of a table at some time: its entries, in the order of pairs, and its metatable.
type Contents struct {
	table              *lua.LTable
	list, keys, values []lua.LValue
	metatable          lua.LValue
}

// ContentsOf returns the contents of a table.
func ContentsOf(t *lua.LTable) Contents {
	list, keys := interp.Contents(t)
	c := Contents{table: t, list: slices.Clone(list), keys: slices.Clone(keys), metatable: t.Metatable}
	for _, k := range keys {
		c.values = append(c.values, interp.Entry(t, k))
	}
	return c
}

// Without returns the contents without the entry of a name.
func (c Contents) Without(name string) Contents {
	if at := slices.Index(c.keys, lua.LValue(lua.LString(name))); at >= 0 {
		c.keys, c.values = slices.Delete(slices.Clone(c.keys), at, at+1), slices.Delete(slices.Clone(c.values), at, at+1)
	}
	return c
}

// Put gives the table these contents again.
func (c Contents) Put() {
	interp.SetContents(c.table, slices.Clone(c.list), c.keys, c.values)
	c.table.Metatable = c.metatable
}
