package loops

import (
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
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

// Limits of constant tables. A larger table is no constant.
const (
	mostConstants    = 64  // entries of a table
	mostConstantsAll = 256 // entries of a table, with those of the tables in it
	mostConstantDeep = 4   // nesting of tables
	mostStrings      = 16  // entries of a list of strings
	mostChanges      = 12  // how often the table at a place may have changed, by the next two
	anotherTable     = 1   // the cost of another table, such as that of another caller
	anotherContent   = 3   // the cost of another content of the same table
)

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
		v = memberOf(v, name, nil)
	}
	return v
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
	if filledEachCall(at.Variable) {
		return nil
	}
	path := pathOf(at.Path)
	t, ok := valueAt(from, path, n.args).(*lua.LTable)
	if ok && n.base.changes[from.place(at.Path)] < mostChanges {
		left := mostConstantsAll
		if c := copyOf(t, &left, 0); c != nil && !c.empty() && worth(c, purpose) {
			n.k.constants = append(n.k.constants, linkedConstant{from, at, path, c})
			return n.constantOf(c, from, at, nil)
		}
	}
	n.k.pending = append(n.k.pending, pending{from, path, purpose, ok && !emptyTable(t)})
	return nil
}

// filledEachCall reports whether a variable holds a table that is made without entries in each call of the function that uses it. What it
// has when a loop begins will be something else in the next call, and a template for it would be of no use then.
func filledEachCall(v *syntax.Variable) bool {
	made, ok := v.Value.(*ast.TableExpr)
	return ok && len(made.Fields) == 0 && v.Kind == syntax.Local && !v.Captured && v.Function.Node != nil
}

// constantOf returns a table as a constant: the one at a place, or the one to which keys lead from there.
func (n *linker) constantOf(c *copied, from source, at lower.Place, keys []lua.LValue) *lower.Constant {
	out := &lower.Constant{Kind: lower.TableConstant, Items: len(c.list)}
	for i := range len(c.list) + len(c.rest) {
		v := c.value(i)
		if v == lua.LNil && i >= len(c.list) {
			continue
		}
		value := n.constantValue(v)
		switch v := v.(type) {
		case *lua.LTable:
			value = n.constantOf(c.sub[i], from, at, append(slices.Clip(keys), c.key(i)))
		case *lua.LFunction:
			if value.Function == nil {
				break
			}
			if c.code == nil {
				c.code = map[int]*inlined{}
			}
			call := n.call(from, v)
			call.member, call.entry = at.Path, &entry{at, append(slices.Clip(keys), c.key(i)), c, i}
			n.k.calls, c.code[i] = append(n.k.calls, call), call.of
		}
		out.Entries = append(out.Entries, lower.Entry{Key: n.constantValue(c.key(i)), Value: value})
	}
	return out
}

// constantValue returns a value that is no table as a constant.
func (n *linker) constantValue(v lua.LValue) *lower.Constant {
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

// A constantPlace identifies a place of a linked template, for counting how often its table has changed. For an upvalue
// it has the code of the function, because each function that is made anew has upvalues of its own.
type constantPlace struct {
	source
	proto *lua.FunctionProto
	index int
	path  string
}

// place returns the place that a path leads to from the variable of a source.
func (f source) place(path string) constantPlace {
	p := constantPlace{source: f, path: path}
	if f.cell != nil {
		p.cell, p.proto, p.index = nil, f.cell.proto, f.cell.index
	}
	return p
}

// constantsHold reports whether the tables that a template takes for constants have not changed, and whether no other
// one has become a constant. If the functions in them are other ones with the same code, it binds them. changed, if not
// nil, is called for the place whose table has changed, with the cost of the change.
func (k *linked) constantsHold(args []lua.LValue, changed func(at constantPlace, cost int)) bool {
	moved, other := false, -1
	for i := range k.constants {
		c := &k.constants[i]
		before, v := moved, valueAt(c.source, c.path, args)
		same := c.copied.holds(v, &moved)
		if t, ok := v.(*lua.LTable); ok && same {
			c.copied.of = t
		}
		if other < 0 && (!same || moved && !before) {
			other = i
		}
	}
	if moved && k.bind(args) { // the other constants may be in upvalues of these functions
		return k.constantsHold(args, changed)
	}
	if other >= 0 {
		if changed != nil {
			c := &k.constants[other]
			cost := anotherTable
			if valueAt(c.source, c.path, args) == lua.LValue(c.copied.of) {
				cost = anotherContent
			}
			changed(c.place(c.at.Path), cost)
		}
		return false
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
