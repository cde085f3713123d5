package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// Classes of objects in tables: a loop that calls methods of the objects that it finds in a table (objects[e]:update())
// is compiled for the classes that the table has when the loop begins. The class of an object is the table that is the
// __index of its metatable. When a row finds an object of another class, it is left to the interpreter, and the loop is
// linked again for the next turn.

// A linkedClasses are the classes of the objects in one table, for a linked template.
type linkedClasses struct {
	source
	at      lower.Place
	path    []string
	indexes []*lua.LTable // by lower.Class.Number - 1: the table in which methods are looked up
	fixed   bool          // there are more classes than a template can have, so further ones make no new template
	stale   bool          // an object of another class was found
}

// mostClasses is the largest number of classes of the objects in one table.
const mostClasses = 16

// indexOf returns the table in which the methods of an object are looked up; nil if the table is no object.
func indexOf(object *lua.LTable) *lua.LTable {
	meta, ok := object.Metatable.(*lua.LTable)
	if !ok || !isObject(meta) {
		return nil
	}
	index, _ := meta.RawGetString("__index").(*lua.LTable)
	return index
}

// classes implements [lower.Source].Classes.
func (n *linker) classes(at lower.Place) (list []*lower.Class) {
	if n.library.off.Has(without.Classes) {
		return nil
	}
	from, ok := n.from[at.Variable]
	if !ok {
		return nil
	}
	c := linkedClasses{source: from, at: at, path: pathOf(at.Path)}
	t, ok := valueAt(from, c.path, n.args).(*lua.LTable)
	if ok {
		c.collect(t)
	}
	n.k.classes = append(n.k.classes, c)
	for i, index := range c.indexes {
		list = append(list, &lower.Class{Number: i + 1, Method: func(name string) *lower.Function { return n.methodOf(index, name) }})
	}
	return list
}

// collect lists the classes of the values of a table, in the order of pairs.
func (c *linkedClasses) collect(t *lua.LTable) {
	items, named, others, keys := interp.Parts(t)
	add := func(v lua.LValue) {
		object, ok := v.(*lua.LTable)
		if !ok {
			return
		}
		index := indexOf(object)
		if index == nil || slices.Contains(c.indexes, index) {
			return
		}
		if c.fixed = len(c.indexes) == mostClasses; !c.fixed {
			c.indexes = append(c.indexes, index)
		}
	}
	for _, v := range items {
		add(v)
	}
	for _, k := range keys {
		if s, ok := k.(lua.LString); ok {
			add(named[string(s)])
		} else {
			add(others[k])
		}
	}
}

// methodOf returns a method of a class, and notes that the template depends on it.
func (n *linker) methodOf(index *lua.LTable, name string) *lower.Function {
	from := source{table: index}
	x := memberOf(index, name, nil)
	f := n.instance(x)
	if f == nil {
		n.k.open = append(n.k.open, opening{from, name})
		return nil
	}
	call := n.call(from, x)
	call.member = name
	n.k.calls = append(n.k.calls, call)
	return f
}

// classesHold reports whether no table has objects of classes that the template does not know.
func (k *linked) classesHold(args []lua.LValue) bool {
	for i := range k.classes {
		c := &k.classes[i]
		if c.stale && !c.fixed {
			return false
		}
		if len(c.indexes) > 0 {
			continue
		}
		if t, ok := valueAt(c.source, c.path, args).(*lua.LTable); ok {
			if object, ok := firstValue(t).(*lua.LTable); ok && indexOf(object) != nil {
				return false
			}
		}
	}
	return true
}

// classesOf returns the classes of the table that an input holds; nil if the template does not know them.
func (k *linked) classesOf(input int) *linkedClasses {
	in := k.template.Inputs[input]
	for i := range k.classes {
		if c := &k.classes[i]; c.at == (lower.Place{Variable: in.Variable, Path: in.Member}) {
			return c
		}
	}
	return nil
}

// tables returns the tables in which the methods and the defaults of some classes are looked up.
func (c *linkedClasses) tables() (list []*lua.LTable) {
	for _, index := range c.indexes {
		for range mostBases {
			list = append(list, index)
			meta, ok := index.Metatable.(*lua.LTable)
			if !ok {
				break
			}
			list = append(list, meta)
			if index, ok = meta.RawGetString("__index").(*lua.LTable); !ok {
				break
			}
		}
	}
	return list
}
