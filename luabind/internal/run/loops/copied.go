package loops

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// A copy of a constant table (constant.go). It tells later whether the table still has the same content.

// A copied is the content of a table at some time, for comparing it later.
type copied struct {
	of   *lua.LTable  // the table that was the last to have this content
	list []lua.LValue // the list part
	keys []lua.LValue // as [interp.Parts] gives them
	rest []lua.LValue // the values at keys
	sub  map[int]*copied
	code map[int]*inlined // of the values that are functions and have been inlined
}

// copyOf copies the content of a table, with the tables in it. left counts down the entries. It returns nil if the
// table is too large or too deep, or has a metatable or a hole in its list.
func copyOf(t *lua.LTable, left *int, depth int) *copied {
	list, named, others, keys := interp.Parts(t)
	if !unmarked(t) || depth > mostConstantDeep || len(list) > mostConstants || len(keys) > mostConstants {
		return nil
	}
	if *left -= len(list) + len(keys); *left < 0 {
		return nil
	}
	c := &copied{of: t, list: slices.Clone(list), keys: slices.Clone(keys)}
	for _, k := range keys {
		var v lua.LValue
		if s, ok := k.(lua.LString); ok {
			v = named[string(s)]
		} else {
			v = others[k]
		}
		if v == nil {
			v = lua.LNil
		}
		c.rest = append(c.rest, v)
	}
	for i := range len(c.list) + len(c.rest) {
		v := c.value(i)
		if v == lua.LNil && i < len(c.list) {
			return nil
		}
		if sub, ok := v.(*lua.LTable); ok {
			x := copyOf(sub, left, depth+1)
			if x == nil {
				return nil
			}
			if c.sub == nil {
				c.sub = map[int]*copied{}
			}
			c.sub[i] = x
		}
	}
	return c
}

// value returns the i-th value: first those of the list, then the others.
func (c *copied) value(i int) lua.LValue {
	if i < len(c.list) {
		return c.list[i]
	}
	return c.rest[i-len(c.list)]
}

// set replaces the i-th value.
func (c *copied) set(i int, v lua.LValue) {
	if i < len(c.list) {
		c.list[i] = v
	} else {
		c.rest[i-len(c.list)] = v
	}
}

// key returns the key of the i-th value.
func (c *copied) key(i int) lua.LValue {
	if i < len(c.list) {
		return lua.LNumber(i + 1)
	}
	return c.keys[i-len(c.list)]
}

// holds reports whether a value is a table with the same content as when it was copied. Functions may be other ones with
// the same code; then it sets moved.
func (c *copied) holds(v lua.LValue, moved *bool) bool {
	t, ok := v.(*lua.LTable)
	if !ok || !unmarked(t) {
		return false
	}
	list, named, others, keys := interp.Parts(t)
	if len(list) != len(c.list) || len(keys) != len(c.keys) {
		return false
	}
	for i, x := range list {
		if !c.same(i, x, moved) {
			return false
		}
	}
	for i, k := range keys {
		var x lua.LValue
		if s, ok := k.(lua.LString); ok {
			if before, ok := c.keys[i].(lua.LString); !ok || before != s {
				return false
			}
			x = named[string(s)]
		} else {
			if k != c.keys[i] {
				return false
			}
			x = others[k]
		}
		if x == nil {
			x = lua.LNil
		}
		if !c.same(len(c.list)+i, x, moved) {
			return false
		}
	}
	return true
}

// same reports whether the i-th value is still the same, or a function with the same code.
func (c *copied) same(i int, x lua.LValue, moved *bool) bool {
	before := c.value(i)
	if n, ok := before.(lua.LNumber); ok {
		m, ok := x.(lua.LNumber)
		return ok && math.Float64bits(float64(n)) == math.Float64bits(float64(m))
	}
	if sub := c.sub[i]; sub != nil {
		return sub.holds(x, moved)
	}
	if before == x {
		return true
	}
	if of := c.code[i]; of != nil {
		_, ok := of.is(x)
		*moved = *moved || ok
		return ok
	}
	return false
}

// tables appends a table and the tables in it to a list.
func tables(list []*lua.LTable, v lua.LValue) []*lua.LTable {
	t, ok := v.(*lua.LTable)
	if !ok || slices.Contains(list, t) {
		return list
	}
	list = append(list, t)
	items, named, others, _ := interp.Parts(t)
	for _, x := range items {
		list = tables(list, x)
	}
	for _, x := range named { // the order does not matter: the list is only searched
		list = tables(list, x)
	}
	for _, x := range others {
		list = tables(list, x)
	}
	return list
}

// worth reports whether a table is worth being a constant, for a purpose.
func worth(c *copied, purpose lower.Purpose) bool {
	if purpose == lower.ToWalk {
		return true
	}
	texts := len(c.list) > 0 && len(c.keys) == 0 && len(c.list) <= mostStrings
	for i := range len(c.list) + len(c.rest) {
		switch c.value(i).(type) {
		case *lua.LFunction:
			return true
		case lua.LString:
		default:
			texts = false
		}
		if sub := c.sub[i]; sub != nil && (worth(sub, purpose) && !sub.onlyTexts() || sub.hasTables()) {
			return true
		}
	}
	return texts
}

// hasTables reports whether a value of a table is a table.
func (c *copied) hasTables() bool { return len(c.sub) > 0 }

// onlyTexts reports whether a table is a list of strings.
func (c *copied) onlyTexts() bool {
	return len(c.keys) == 0 && !slices.ContainsFunc(c.list, func(v lua.LValue) bool { return v.Type() != lua.LTString })
}

// empty reports whether a table had no values.
func (c *copied) empty() bool { return len(c.list) == 0 && len(c.rest) == 0 }

// emptyTable reports whether a table has no values.
func emptyTable(t *lua.LTable) bool {
	if interp.LastItem(t) != lua.LNil { // Next would search all nils in front of it
		return false
	}
	k, _ := t.Next(lua.LNil)
	return k == lua.LNil
}
