package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// Methods of objects of which nothing is known but that they are tables (lower/dispatch.go). The functions that a name may
// mean are searched in the tables that can be found from the variables of the loop, and from those around the functions
// that it calls. The search decides only what is compiled: a row compares what it finds with the functions.

// A linkedMethods is what a search for a name has found.
type linkedMethods struct {
	name  string
	roots []source
	found []*lua.LFunction
}

const (
	mostSearched = 100 // tables that a search looks into
	mostLookedAt = 32  // values that it looks at in each of them
)

// methods implements [lower.Source].Methods.
func (n *linker) methods(name string) (list []*lower.Function) {
	if n.library.off.Has(without.Dispatch) {
		return nil
	}
	m := linkedMethods{name: name}
	for _, in := range n.base.template.Inputs {
		m.roots = append(m.roots, n.from[in.Variable])
	}
	m.roots = append(m.roots, n.behind...)
	m.found = m.search(n.args, n.library)
	n.k.methods = append(n.k.methods, m)
	return n.numbered(m.found)
}

// numbered returns copies of functions, by which kernels know them.
func (n *linker) numbered(found []*lua.LFunction) (list []*lower.Function) {
	for _, fn := range found {
		f := n.instance(fn)
		if f == nil {
			continue
		}
		if f.Number == 0 {
			n.k.functions = append(n.k.functions, fn)
			f.Number = len(n.k.functions)
		}
		list = append(list, f)
	}
	return list
}

// elements implements [lower.Source].Elements.
func (n *linker) elements(v *syntax.Variable, path string) (list []*lower.Function, callable bool) {
	if n.library.off.Has(without.Dispatch) {
		return nil, false
	}
	t, ok := n.value(v, path).(*lua.LTable)
	if !ok {
		return nil, false
	}
	var found []*lua.LFunction
	add := func(v lua.LValue, is bool) bool {
		fn, ok := v.(*lua.LFunction)
		switch {
		case !ok || fn.IsG:
			return true
		case len(found) > 0 && callable != is: // both functions and tables that are called
			return false
		case !slices.Contains(found, fn):
			found = append(found, fn)
		}
		callable = is
		return true
	}
	items, named, others, keys := interp.Parts(t)
	values := slices.Clone(items[:min(len(items), mostLookedAt)])
	for _, k := range keys[:min(len(keys), mostLookedAt)] {
		if s, ok := k.(lua.LString); ok {
			values = append(values, named[string(s)])
		} else {
			values = append(values, others[k])
		}
	}
	for _, x := range values {
		of := x
		if element, ok := x.(*lua.LTable); ok {
			of = lua.LNil
			if meta, ok := element.Metatable.(*lua.LTable); ok {
				of = meta.RawGetString("__call")
			}
		}
		if !add(of, of != x) {
			return nil, false
		}
	}
	return n.numbered(found), callable
}

// mostBehind is how many tables behind one another handled follows.
const mostBehind = 8

// handled implements [lower.Source].Handled.
func (n *linker) handled(v *syntax.Variable, path, event string) bool {
	if n.library.off.Has(without.Dispatch) {
		return false
	}
	x := n.value(v, path)
	for range mostBehind {
		t, ok := x.(*lua.LTable)
		if !ok {
			return false
		}
		meta, ok := t.Metatable.(*lua.LTable)
		if !ok {
			return false
		}
		x = meta.RawGetString(event)
		if _, ok = x.(*lua.LFunction); ok {
			return true
		}
	}
	return false
}

// search lists the functions that a name means.
func (m *linkedMethods) search(args []lua.LValue, library *Library) (found []*lua.LFunction) {
	var tables []*lua.LTable
	add := func(v lua.LValue) {
		if t, ok := v.(*lua.LTable); ok && len(tables) < mostSearched && !slices.Contains(tables, t) {
			tables = append(tables, t)
		}
	}
	for _, from := range m.roots {
		if v := from.value(args); v != nil {
			add(v)
		}
	}
	for i := 0; i < len(tables); i++ {
		t := tables[i]
		if fn, ok := t.RawGetString(m.name).(*lua.LFunction); ok && !fn.IsG && !slices.Contains(found, fn) {
			if expr, _ := library.function(fn); expr != nil {
				found = append(found, fn)
			}
		}
		add(t.Metatable)
		items, named, others, keys := interp.Parts(t)
		for _, v := range items[:min(len(items), mostLookedAt)] {
			add(v)
		}
		for _, k := range keys[:min(len(keys), mostLookedAt)] {
			if s, ok := k.(lua.LString); ok {
				add(named[string(s)])
			} else {
				add(others[k])
			}
		}
	}
	return found
}

// methodsHold reports whether searches would find what they have found when the template was linked. It searches again the
// first, second, fourth, … time.
func (k *linked) methodsHold(args []lua.LValue, library *Library) bool {
	if len(k.methods) == 0 {
		return true
	}
	k.looked++
	if k.looked&(k.looked-1) != 0 {
		return true
	}
	for i := range k.methods {
		if m := &k.methods[i]; !slices.EqualFunc(m.search(args, library), m.found, closures.SameFunction) {
			return false
		}
	}
	return true
}
