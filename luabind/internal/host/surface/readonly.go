package surface

import (
	"errors"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// A world that code can look into, and not change.

// errReadOnly is raised by what would change a world that is only read.
var errReadOnly = errors.New(`a read changes nothing; pass "as": "write" for code that does`)

// reading lists the methods of world that change nothing: neither the world nor what a script has seen of it.
var reading = []string{"alive", "all", "around", "at", "components", "count", "each", "first", "get", "has", "near", "nearest", "peek", "pick", "related", "relates", "sources", "tagged", "tags", "targets"}

// ReadOnly makes everything that would change the world raise an error, for the code of this State, whose functions must run on
// gopher-lua's own interpreter. Declaring is refused by a [Host] that has no world.
func (w *World) ReadOnly() {
	s := w.surface
	s.readOnly = true
	refuse := s.state.NewFunction(func(L *lua.LState) int { sandbox.Raise(L, errReadOnly); return 0 })
	for _, m := range worldMethods {
		if !slices.Contains(reading, m.name) {
			w.methods.RawSetString(m.name, refuse)
		}
	}
	for _, mt := range []*lua.LTable{s.views, s.resource, s.lives, s.arrays} {
		mt.RawSetString("__newindex", refuse)
	}
	w.resources.(*lua.LUserData).Metatable.(*lua.LTable).RawSetString("__newindex", refuse)
	queue := w.commands.(*lua.LUserData).Metatable.(*lua.LTable).RawGetString("__index").(*lua.LTable)
	for _, m := range commandMethods {
		queue.RawSetString(m.name, refuse)
	}
}
