package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// Frozen tables, those of ecs.data. A kernel reads them as it reads tables without a metatable. A loop that stores in one is left to the interpreter, which raises the error.

// unmarked reports whether a table is read as it is: it has no metatable, or is frozen.
func unmarked(t *lua.LTable) bool { return t.Metatable == lua.LNil || interp.Frozen(t) }

// storesInFrozen reports whether the loop may store in a table that cannot be changed. Tables that are found at keys are looked at when they are found.
func (v *variant) storesInFrozen(s *site) bool {
	frozen := func(x lua.LValue) bool {
		t, ok := x.(*lua.LTable)
		return ok && interp.Frozen(t)
	}
	for i, t := range v.p.Tables {
		if t.Stored && (frozen(s.values[t.Input]) || slices.ContainsFunc(v.tables[i].rows, func(row *lua.LTable) bool { return interp.Frozen(row) })) {
			return true
		}
	}
	for _, t := range v.p.Keyed {
		if t.Stored && frozen(s.values[t.Input]) {
			return true
		}
	}
	for _, t := range v.p.Sinks {
		if frozen(s.values[t.Input]) {
			return true
		}
	}
	for i, in := range s.template.Inputs {
		if in.Member != "" && in.Assigned && frozen(s.values[s.bases[i]]) {
			return true
		}
	}
	return false
}
