package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// A guard is what must hold of a variable from around a nest when it begins. It
// holds until the nest ends, as nothing in the nest can change it.
type guard struct {
	name   string
	global bool // the global math
	kind   guardKind
	member string
}

type guardKind uint8

const (
	isPlain     guardKind = iota // no operator on the value runs a script's function
	isPure                       // a function of math or ecs.random, as they came
	isResources                  // world.resources
	hasPlain                     // world.resources, or a table whose member is plain
	hasPure                      // a table whose member is pure
)

func (n *nest) guard(g guard) {
	if !slices.Contains(n.guards, g) {
		n.guards = append(n.guards, g)
	}
}

// holds checks a guard for a value.
func (g guard) holds(v lua.LValue, world *surface.World, pure map[lua.LValue]bool) bool {
	switch g.kind {
	case isPlain:
		return plain(v)
	case isPure:
		return pure[v]
	case isResources:
		return v == world.Resources()
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		return g.kind == hasPlain && v == world.Resources()
	}
	member := t.RawGetString(g.member)
	if g.kind == hasPure {
		return pure[member]
	}
	return member != lua.LNil && plain(member)
}

// plain reports whether operators on the value are Lua's own.
func plain(v lua.LValue) bool {
	switch v := v.(type) {
	case *lua.LNilType, lua.LBool, lua.LNumber, lua.LString, *lua.LFunction:
		return true
	case *lua.LTable:
		return v.Metatable == lua.LNil
	}
	return false
}

// pureOf lists the functions of math, as an environment has them before its
// script runs. ecs.random is math.random.
func pureOf(library *lua.LTable) map[lua.LValue]bool {
	pure := map[lua.LValue]bool{}
	for k, v := library.Next(lua.LNil); k != lua.LNil; k, v = library.Next(k) {
		if fn, ok := v.(*lua.LFunction); ok && fn.IsG {
			pure[fn] = true
		}
	}
	return pure
}
