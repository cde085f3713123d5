package luatest

import (
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// insulate: after the group, _G, the library tables and the modules are what they were before. expose: what such a group
// has changed stays after the insulated group around it.

// An insulation is what was there before an insulated group.
type insulation struct {
	modules *script.Modules
	tables  []contents // _G, package.loaded, then the tables among the values of _G
}

// contents are the entries of a table, in order.
type contents struct {
	table        *lua.LTable
	keys, values []lua.LValue
}

// insulated returns what is there now. The modules that are loaded from now on are in a copy.
func (s *suite) insulated() *insulation {
	in := &insulation{modules: s.instance.SwapModules(s.instance.CopyModules())}
	globals := s.scope._g
	in.tables = append(in.tables, contentsOf(globals), contentsOf(s.packages.loaded))
	for _, v := range in.tables[0].values {
		if t, ok := v.(*lua.LTable); ok && t != globals {
			in.tables = append(in.tables, contentsOf(t))
		}
	}
	return in
}

func contentsOf(t *lua.LTable) contents {
	c := contents{table: t}
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		c.keys, c.values = append(c.keys, k), append(c.values, v)
	}
	return c
}

// endInsulation puts back what was there before the group.
func (s *suite) endInsulation(in *insulation) {
	s.instance.SwapModules(in.modules)
	for _, c := range in.tables {
		for _, k := range contentsOf(c.table).keys {
			sandbox.Set(c.table, k, lua.LNil)
		}
		for i, k := range c.keys {
			sandbox.Set(c.table, k, c.values[i])
		}
	}
}
