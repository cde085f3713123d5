package luatest

import (
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	lua "github.com/yuin/gopher-lua"
)

// insulate: a group whose code has its own instances of the modules that the file requires, and whose changes of
// globals and library tables are not seen outside. The file has one environment, so the runner exchanges its content
// when it enters the group and again when it leaves it.

// An insulation is what an insulated group sees while it is entered, and what the file sees otherwise. Each swap
// exchanges the two.
type insulation struct {
	modules *script.Modules
	tables  []contents // the globals, then the tables among them
}

// contents are the entries of a table, in order.
type contents struct {
	table        *lua.LTable
	keys, values []lua.LValue
}

// insulated returns an insulation that starts with the globals of now, and without modules.
func (s *suite) insulated() *insulation {
	in := &insulation{modules: s.instance.FreshModules()}
	globals := s.instance.Env.Table
	in.tables = append(in.tables, contentsOf(globals))
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

// swap enters an insulated group, or leaves it.
func (s *suite) swap(g *group) {
	in := g.inside
	in.modules = s.instance.SwapModules(in.modules)
	for i, c := range in.tables {
		in.tables[i] = contentsOf(c.table)
		for _, k := range in.tables[i].keys {
			c.table.RawSet(k, lua.LNil)
		}
		for j, k := range c.keys {
			c.table.RawSet(k, c.values[j])
		}
	}
}
