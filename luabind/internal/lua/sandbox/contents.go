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
	c.PutInto(c.table)
	c.table.Metatable = c.metatable
}

// PutInto gives another table the entries. Its metatable stays.
func (c Contents) PutInto(t *lua.LTable) {
	interp.SetContents(t, slices.Clone(c.list), slices.Clone(c.keys), c.values)
}

// Map replaces each key and each value by what other returns; nil stays nil.
func (c Contents) Map(other func(v lua.LValue) lua.LValue) {
	for _, of := range [][]lua.LValue{c.list, c.keys, c.values} {
		for i, v := range of {
			if v != lua.LNil {
				of[i] = other(v)
			}
		}
	}
}

// Each replaces the value of each entry by what other returns.
func (c Contents) Each(other func(k, v lua.LValue) lua.LValue) {
	for i, v := range c.list {
		if v != lua.LNil {
			c.list[i] = other(lua.LNumber(i+1), v)
		}
	}
	for i, v := range c.values {
		if v != lua.LNil {
			c.values[i] = other(c.keys[i], v)
		}
	}
}

// Get returns t[key], without metatables: see [interp.Get]. LTable.RawGet does not find all whole numbers.
func Get(t *lua.LTable, key lua.LValue) lua.LValue { return interp.Get(t, key) }

// Set sets t[key] = v, without metatables: see [interp.Set].
func Set(t *lua.LTable, key, v lua.LValue) { interp.Set(t, key, v) }
