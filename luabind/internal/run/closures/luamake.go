package closures

import (
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Tables of the script that a row makes: ir.Make in an open template.

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
		case ir.ItemView:
			panic("closures: a view in a table that is made at once")
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
	var names []lua.LValue
	for _, p := range parts {
		if p.name != nil {
			names = append(names, p.name)
		}
	}
	layout := c.layout(names)
	return func(f *frame) *lua.LTable {
		var m interp.TableMaker
		if layout != nil && layout.Fits() {
			m = layout.Table(items)
		} else {
			m = interp.NewTable(items, named)
		}
		for i := range parts {
			v := parts[i].value(f)
			switch {
			case v == nil || f.failed:
				return nil
			case parts[i].name != nil:
				if v != lua.LNil {
					m.Set(parts[i].name, v)
				} else {
					m.Skip()
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

// layout returns the layout of tables with some names: one for all places of the Program, so that what reads a name finds it at the
// same place in the tables that they make.
func (c *compiler) layout(names []lua.LValue) *interp.Layout {
	var key strings.Builder
	for _, name := range names {
		key.WriteString(name.String() + "\x00")
	}
	l, ok := c.layouts[key.String()]
	if !ok {
		if c.layouts == nil {
			c.layouts = map[string]*interp.Layout{}
		}
		l = interp.NewLayout(names...)
		c.layouts[key.String()] = l
	}
	return l
}
