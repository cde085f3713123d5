package loops

import (
	"math"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lower"
	lua "github.com/yuin/gopher-lua"
)

// Constant tables. A loop that chooses among the functions of a table, or that walks a short list, is compiled for
// what the table holds when the loop begins: see lower.Constant. The content is compared each time that the loop
// begins, so a table that a script changes is noticed. A table that changes again and again is no constant.

// A linkedConstant is a table that a linked template takes for a constant, and the place that has to hold it.
type linkedConstant struct {
	source
	at     lower.Place
	path   []string
	copied *copied
}

// A pending is a question of a template about a place where there was no constant.
type pending struct {
	source
	path    []string
	purpose lower.Purpose
	was     bool // there was a table with entries
}

// A copied is the content of a table at some time, for comparing it later.
type copied struct {
	list []lua.LValue // the list part
	keys []lua.LValue // as [interp.Parts] gives them
	rest []lua.LValue // the values at keys
	sub  map[int]*copied
}

// Limits of constant tables. A larger table is no constant.
const (
	mostConstants    = 64  // entries of a table
	mostConstantsAll = 256 // entries of a table, with those of the tables in it
	mostConstantDeep = 4   // nesting of tables
	mostStrings      = 16  // entries of a list of strings
	mostChanges      = 4   // how often a table may have changed
)

// copyOf copies the content of a table, with the tables in it. left counts down the entries. It returns nil if the
// table is too large or too deep, or has a metatable or a hole in its list.
func copyOf(t *lua.LTable, left *int, depth int) *copied {
	list, named, others, keys := interp.Parts(t)
	if t.Metatable != lua.LNil || depth > mostConstantDeep || len(list) > mostConstants || len(keys) > mostConstants {
		return nil
	}
	if *left -= len(list) + len(keys); *left < 0 {
		return nil
	}
	c := &copied{list: slices.Clone(list), keys: slices.Clone(keys)}
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

// holds reports whether a value is a table with the same content as when it was copied.
func (c *copied) holds(v lua.LValue) bool {
	t, ok := v.(*lua.LTable)
	if !ok || t.Metatable != lua.LNil {
		return false
	}
	list, named, others, keys := interp.Parts(t)
	if len(list) != len(c.list) || len(keys) != len(c.keys) {
		return false
	}
	for i, x := range list {
		if !c.same(i, x) {
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
		if !c.same(len(c.list)+i, x) {
			return false
		}
	}
	return true
}

// same reports whether the i-th value is still the same.
func (c *copied) same(i int, x lua.LValue) bool {
	before := c.value(i)
	if n, ok := before.(lua.LNumber); ok {
		m, ok := x.(lua.LNumber)
		return ok && math.Float64bits(float64(n)) == math.Float64bits(float64(m))
	}
	if sub := c.sub[i]; sub != nil {
		return sub.holds(x)
	}
	return before == x
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

// pathOf returns the names of a [lower.Place.Path].
func pathOf(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, lower.PathSeparator)
}

// valueAt returns what a place holds now; nil if that is not known.
func valueAt(from source, path []string, args []lua.LValue) lua.LValue {
	v := from.value(args)
	for _, name := range path {
		if v == nil {
			return nil
		}
		v = memberOf(v, name)
	}
	return v
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
		if sub := c.sub[i]; sub != nil && worth(sub, purpose) && !sub.onlyTexts() {
			return true
		}
	}
	return texts
}

// onlyTexts reports whether a table is a list of strings.
func (c *copied) onlyTexts() bool {
	return len(c.keys) == 0 && !slices.ContainsFunc(c.list, func(v lua.LValue) bool { return v.Type() != lua.LTString })
}

// constant implements [lower.Source].Constant.
func (n *linker) constant(at lower.Place, purpose lower.Purpose) *lower.Constant {
	ask := lower.Ask{Place: at, Purpose: purpose}
	c, ok := n.asked[ask]
	if !ok {
		c = n.constantAt(at, purpose)
		n.asked[ask] = c
	}
	return c
}

// constantAt is constant for a question that was not asked before.
func (n *linker) constantAt(at lower.Place, purpose lower.Purpose) *lower.Constant {
	from, ok := n.from[at.Variable]
	if !ok {
		return nil
	}
	path := pathOf(at.Path)
	t, ok := valueAt(from, path, n.args).(*lua.LTable)
	if ok && n.base.changes[constantPlace{from, at.Path}] < mostChanges {
		left := mostConstantsAll
		if c := copyOf(t, &left, 0); c != nil && !c.empty() && worth(c, purpose) {
			n.k.constants = append(n.k.constants, linkedConstant{from, at, path, c})
			return n.constantOf(c)
		}
	}
	n.k.pending = append(n.k.pending, pending{from, path, purpose, ok && !emptyTable(t)})
	return nil
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

// constantOf returns a table as a constant.
func (n *linker) constantOf(c *copied) *lower.Constant {
	out := &lower.Constant{Kind: lower.TableConstant, Items: len(c.list)}
	for i, v := range c.list {
		out.Entries = append(out.Entries, lower.Entry{Key: &lower.Constant{N: float64(i + 1)}, Value: n.constantValue(c, i, v)})
	}
	for i, v := range c.rest {
		if v != lua.LNil {
			i += len(c.list)
			out.Entries = append(out.Entries, lower.Entry{Key: n.constantValue(nil, 0, c.keys[i-len(c.list)]), Value: n.constantValue(c, i, v)})
		}
	}
	return out
}

// constantValue returns a value as a constant: the i-th value of a table, or a key.
func (n *linker) constantValue(c *copied, i int, v lua.LValue) *lower.Constant {
	switch v := v.(type) {
	case lua.LNumber:
		return &lower.Constant{N: float64(v)}
	case lua.LString:
		return &lower.Constant{Kind: lower.TextConstant, S: string(v)}
	case lua.LBool:
		out := &lower.Constant{Kind: lower.BoolConstant}
		if v {
			out.N = 1
		}
		return out
	case *lua.LTable:
		if c != nil {
			return n.constantOf(c.sub[i])
		}
	case *lua.LFunction:
		if name := n.library.nameOf(v); name != "" {
			return &lower.Constant{Kind: lower.LibraryConstant, S: name}
		}
		if f := n.instance(v); f != nil {
			return &lower.Constant{Kind: lower.FunctionConstant, Function: f}
		}
	}
	return &lower.Constant{Kind: lower.OtherConstant}
}

// A constantPlace identifies a place of a linked template, for counting how often its table has changed.
type constantPlace struct {
	source
	path string
}

// constantsHold reports whether the tables that a template takes for constants have not changed, and whether no other
// one has become a constant. changed, if not nil, is called for each place whose table has changed.
func (k *linked) constantsHold(args []lua.LValue, changed func(constantPlace)) bool {
	for i := range k.constants {
		c := &k.constants[i]
		if !c.copied.holds(valueAt(c.source, c.path, args)) {
			if changed != nil {
				changed(constantPlace{c.source, strings.Join(c.path, lower.PathSeparator)})
			}
			return false
		}
	}
	for i := range k.pending {
		p := &k.pending[i]
		if p.was {
			continue
		}
		if t, ok := valueAt(p.source, p.path, args).(*lua.LTable); ok && !emptyTable(t) {
			left := mostConstantsAll
			if c := copyOf(t, &left, 0); c != nil && worth(c, p.purpose) {
				return false
			}
		}
	}
	return true
}

// constantTables returns the tables that the loop takes for constants, with the tables in them, and those of classes.
func (s *site) constantTables() (list []*lua.LTable) {
	for i := range s.constants {
		c := &s.constants[i]
		list = tables(list, valueAt(c.source, c.path, s.args))
	}
	for i := range s.classes {
		list = append(list, s.classes[i].tables()...)
	}
	return list
}

// apartFromConstants reports whether no table that the loop assigns to is a constant, or a part of one. The tables
// that are found at keys while the loop runs are compared then: see owners.
func (v *variant) apartFromConstants(s *site) bool {
	if len(s.constants)+len(s.classes) == 0 || !v.writes && v.writer == nil {
		return true
	}
	constants := s.constantTables()
	fresh := func(x lua.LValue) bool {
		t, ok := x.(*lua.LTable)
		return !ok || !slices.Contains(constants, t)
	}
	for i, t := range v.p.Tables {
		if t.Stored && (!fresh(s.values[t.Input]) || slices.ContainsFunc(v.tables[i].rows, func(row *lua.LTable) bool { return !fresh(row) })) {
			return false
		}
	}
	for _, t := range v.p.Keyed {
		if t.Stored && !fresh(s.values[t.Input]) {
			return false
		}
	}
	for _, t := range v.p.Sinks {
		if !fresh(s.values[t.Input]) {
			return false
		}
	}
	for i, in := range s.template.Inputs {
		if in.Member != "" && in.Assigned && !fresh(s.values[s.bases[i]]) {
			return false
		}
	}
	return true
}
