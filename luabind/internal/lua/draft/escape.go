package draft

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Tables that become tables of the script. A row may store the table of a field in a Lua table, as in self.goods = stock.goods,
// and a table of the script in a field or in a part of one. In the interpreter both are tables of the script from the start.
// Here a Table becomes one when it is first stored in one. From then on every reference to it is a reference to that
// ([Table.Ref], [Ref.Now]), so the row and what runs later see each other's changes. In the other direction a Table
// stands for the table of the script among the kids of another, until that is frozen.

// Ref returns the table as a value: the table of the script that it has become, if it has become one.
func (t *Table) Ref() Ref {
	if t.lua != nil {
		return LuaTable(t.lua)
	}
	return Ref{Table: t}
}

// Escaped reports whether the table has become one of the script. Then only [Table.Ref] and [Table.Freeze] may be used.
func (t *Table) Escaped() bool { return t.lua != nil }

// Now returns the value as it is now: its table may have become one of the script since r was made.
func (r Ref) Now() Ref {
	if r.Table != nil && r.Table.lua != nil {
		return LuaTable(r.Table.lua)
	}
	return r
}

// of returns a Table that stands for a table of the script.
func (p *Pool) of(lt *lua.LTable) *Table {
	t := p.Table(nil)
	t.lua = lt
	return t
}

// Escape makes the table, and those in it, tables of the script, which are as the interpreter would have them now. It is not ok for
// lists that were longer, and for tables that had other keys, whose places gopher-lua keeps; then the row has to be left to the
// interpreter.
func (t *Table) Escape() (lt *lua.LTable, ok bool) {
	if t.lua != nil {
		return t.lua, true
	}
	if t.ordered && t.lacksKeys() || t.listLen != unknownList && t.listLen != length(t.items, t.keys) {
		return nil, false
	}
	named := true
	for i := range t.keys {
		named = named && t.keys[i].Kind() == ecs.StringValue
	}
	m := interp.NewTable(0, 0)
	if named {
		m = interp.NewTable(t.items, len(t.keys))
	}
	t.lua = m.Table() // before its parts, one of which it may be
	t.pool.Copied += entryCost * int64(len(t.own))
	for n := range t.own {
		i := t.inOrder(n)
		v, ok := t.luaAt(i)
		switch {
		case !ok:
			return nil, false
		case !named:
			t.lua.RawSet(t.pool.scalar(keyAt(t.items, t.keys, i)), v)
		case i < t.items:
			m.Append(v)
		default:
			m.Set(t.pool.scalar(t.keys[i-t.items]), v)
		}
	}
	t.own, t.items, t.keys, t.ownKeys, t.ordered = nil, 0, nil, false, false // nothing may look there now
	return t.lua, true
}

// luaAt returns the value of entry i as one of the script.
func (t *Table) luaAt(i int) (lua.LValue, bool) {
	if i < len(t.kids) && t.kids[i] != nil {
		return t.kids[i].Escape()
	}
	if t.own[i].Kind() == ecs.TableValue {
		return t.inner(i).Escape()
	}
	return t.pool.scalar(t.own[i]), true
}

// entryCost is the number of instructions that are charged for each entry that is copied, as in package surface.
const entryCost = 8

// mostNames is the largest number of strings that a Pool keeps as values of the script.
const mostNames = 1 << 10

// scalar returns a value that is no table as one of the script. Strings are kept, because names are needed again and again.
func (p *Pool) scalar(v ecs.Value) lua.LValue {
	switch v.Kind() {
	case ecs.NilValue:
		return lua.LNil
	case ecs.BoolValue:
		return lua.LBool(v.Bool())
	case ecs.StringValue:
		text := v.Str()
		x, ok := p.names[text]
		if !ok {
			x = lua.LString(text)
			if len(p.names) < mostNames && len(text) <= 64 {
				if p.names == nil {
					p.names = map[string]lua.LValue{}
				}
				p.names[text] = x
			}
		}
		return x
	default:
		return lua.LNumber(v.Float())
	}
}

// Data returns a table of the script as data that can be stored. It is not ok if that raises an error, which the interpreter has to do.
func (p *Pool) Data(lt *lua.LTable) (d *ecs.Data, ok bool) {
	if d, ok = p.data(lt); !ok || d.Levels() > ecs.MaxDataDepth {
		return nil, false
	}
	return d, true
}

// data is Data for a part of a value.
func (p *Pool) data(lt *lua.LTable) (d *ecs.Data, ok bool) {
	c := copying{left: MostEntries}
	d, ok = c.table(lt, 1)
	p.Copied += entryCost * int64(MostEntries-c.left)
	return d, ok
}

// A copying is a copy of a table of the script in progress.
type copying struct {
	left int // the number of entries that it may still have
}

// table copies a table. depth is the number of tables around it, and 1 more: a table that contains itself is too deep.
func (c *copying) table(lt *lua.LTable, depth int) (d *ecs.Data, ok bool) {
	if depth > ecs.MaxDataDepth {
		return nil, false
	}
	var few [8]ecs.DataEntry
	entries := few[:0]
	for k, v := lt.Next(lua.LNil); k != lua.LNil; k, v = lt.Next(k) {
		if c.left--; c.left < 0 {
			return nil, false
		}
		var e ecs.DataEntry
		if e.Key, ok = plain(k); !ok {
			return nil, false
		}
		if sub, isTable := v.(*lua.LTable); isTable {
			inner, ok := c.table(sub, depth+1)
			if !ok {
				return nil, false
			}
			e.Value = ecs.TableOf(inner)
		} else if e.Value, ok = plain(v); !ok {
			return nil, false
		}
		entries = append(entries, e)
	}
	d, err := ecs.NewData(entries)
	return d, err == nil
}

// plain returns a number, a string or a boolean of the script as data.
func plain(v lua.LValue) (ecs.Value, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return ecs.Number(float64(v)), true
	case lua.LString:
		return ecs.Text(string(v)), true
	case lua.LBool:
		return ecs.Boolean(bool(v)), true
	}
	return ecs.Value{}, false
}
