package surface

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Words for values in error messages. When an operation on a value fails, the sandbox asks its Host what the value
// is; here the values of this package, and numbers that are entities, get a name and a hint.

// A describer is the [sandbox.Host] of a Surface.
type describer struct{ *Surface }

// Describe returns what a view, an entity or another object of this package is, and a hint on how to use it. Both
// are "" for other values.
func (d describer) Describe(m sandbox.Mention) (what, hint string) {
	switch v := m.Value.(type) {
	case lua.LNumber:
		return d.number(float64(v), m)
	case *lua.LUserData:
		switch x := v.Value.(type) {
		case *view:
			return "a view of " + x.component.name, viewHint(x, m)
		case *event:
			return "an event", "use one of its fields, or ecs.fields(event), which is a table"
		case *query:
			return "a query", "walk it with world:each(query)"
		case *World:
			if m.Use == sandbox.LoopedOver {
				return "the world", `write for e, pos in world:each("Position") do`
			}
			return "the world", ""
		case *stateTable:
			if m.Use == sandbox.Called {
				return "world.states", "world.states.NAME is the value of a state"
			}
			return "world.states", "a loop cannot walk it: write world.states.NAME"
		case *layer:
			if m.Use == sandbox.Called {
				return "layer", "write layer:get(x, y), or layer:set(x, y, value)"
			}
			return "layer", "a loop cannot walk it: write for x, y, v in layer:each() do"
		case *resourceTable:
			if m.Use == sandbox.Called {
				return "world.resources", "write world.resources.NAME"
			}
			return "world.resources", "a loop cannot walk it: write world.resources.NAME"
		case *commandQueue:
			return "world.commands", ""
		}
	case *lua.LFunction:
		return loopOf(v)
	case *lua.LTable:
		if m.Use == sandbox.Called {
			return module(v)
		}
	}
	return "", ""
}

// loopOf describes the generators of loops, which are functions and no lists. Both results are "" for other functions.
func loopOf(fn *lua.LFunction) (what, hint string) {
	switch loop := interp.IteratorOf(fn).(type) {
	case *eachLoop:
		return "a loop over entities", "write for e, view in world:each(…) do; world:count(…) counts"
	case *generator:
		if l := loop.events; l != nil {
			return "a loop over events", fmt.Sprintf("write for event in world:%s(%q) do", l.method, l.kind.name)
		}
		return "a loop over entities", "write for e in … do"
	case *indexWalk:
		return "a loop over entities", "write for e in " + loop.name + "(…) do; world:count(…) counts"
	case *layerWalk:
		return "a loop over cells", "write for x, y, v in " + loop.name + "(…) do"
	}
	return "", ""
}

// module describes the modules that a script has called as if they were functions.
func module(t *lua.LTable) (what, hint string) {
	mt, _ := t.Metatable.(*lua.LTable)
	if mt == nil {
		return "", ""
	}
	switch mt.RawGetString("__metatable") {
	case lua.LString(LogObject):
		return "the module ecs.log", "write ecs.log.info(message)"
	case lua.LString(ModuleObject):
		return "the module ecs", "write ecs.query{ … } and the like"
	}
	return "", ""
}

// isModule reports whether a value is the module ecs, or ecs.log.
func isModule(v lua.LValue) bool {
	t, ok := v.(*lua.LTable)
	if !ok {
		return false
	}
	what, _ := module(t)
	return what != ""
}

// viewHint returns a hint for a view that was used as something else.
func viewHint(v *view, m sandbox.Mention) string {
	if m.Use == sandbox.LoopedOver {
		return "ecs.fields(view) is a table of its fields"
	}
	switch m.Key { // library functions that want a table
	case "pairs", "ipairs", "next", "unpack", "concat", "sort", "insert", "remove", "maxn", "setmetatable", "rawget", "rawset":
		if m.Use == sandbox.AsArgument {
			return "ecs.fields(view) is a table of its fields"
		}
	}
	fields := v.component.fields
	if len(fields) == 0 {
		return fmt.Sprintf("%s has no fields", v.component.name)
	}
	name := m.Name
	if name == "" || name == "get" {
		name = strings.ToLower(v.component.name)
	}
	return fmt.Sprintf("use one of its fields, such as %s.%s", name, fields[0].Name)
}

// number describes numbers that were indexed: handles of entities, and the dt of a function that is defined with a
// colon.
func (d describer) number(v float64, m sandbox.Mention) (what, hint string) {
	if m.Use != sandbox.Indexed && m.Use != sandbox.MethodCall {
		return "", ""
	}
	e, isEntity := ecs.EntityFromNumber(v)
	switch {
	case m.Name == "world":
		return "", "a function defined with a colon, as in function M:update(world, dt), gets the world as self: write function M.update(world, dt), with the parameters in this order"
	case !isEntity || e == ecs.None || v != math.Trunc(v):
		return "", ""
	case m.Use == sandbox.MethodCall && WorldObject.Function(m.Key) != nil:
		return "an entity", fmt.Sprintf("write world:%s(%s)", m.Key, m.Name)
	case m.Use == sandbox.MethodCall:
		if write := api.OfEntity(m.Key, or(m.Name, "e")); write != "" {
			return "an entity", write
		}
		return "an entity", "an entity is a number and has no functions; those of world take it as an argument"
	}
	if d.world == nil {
		return "an entity", ""
	}
	w := d.world.ecs
	if _, ok := w.LookupComponent(m.Key); ok {
		return "an entity", fmt.Sprintf("write world:get(%s, %q)", m.Name, m.Key)
	}
	name := "Name"
	for id, known := range w.ComponentNames() {
		if info, ok := w.ComponentInfo(ecs.ComponentID(id)); ok && info.Schema.Index(m.Key) >= 0 {
			name = known
			break
		}
	}
	if m.Name == "e" { // the name says that it is an entity; the script lacks the view
		view := strings.ToLower(name)
		return "an entity", fmt.Sprintf("a loop gives the entity first, then the views: for e, %s in world:each(%q) do; elsewhere write world:get(e, %q)", view, name, name)
	}
	return "an entity", fmt.Sprintf("a loop gives the entity first, then the views: for e, %s in world:each(%q) do; elsewhere write world:get(e, %q)", or(m.Name, "view"), name, name)
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// An absence is the last call at a place of a script that returned nil because something was missing.
type absence struct {
	site   sandbox.Site
	world  *ecs.World
	entity ecs.Entity
	name   string // of the component or relation
}

// The absences of the last places, in a ring. Places in loops that kernels run do not appear: with room for a single one, what an error says
// would depend on which loops are compiled.
type absences struct {
	list [16]absence
	last int // index of the one that was noted last
}

// note notes an absence, in the place of an earlier one of the same site.
func (l *absences) note(a absence) {
	if l.list[l.last].site != a.site {
		i := slices.IndexFunc(l.list[:], func(known absence) bool { return known.site == a.site })
		if i < 0 {
			i = (l.last + 1) % len(l.list)
		}
		l.last = i
	}
	l.list[l.last] = a
}

// Absent returns which entity lacked what when a call at that site returned nil, if that is known.
func (d describer) Absent(site sandbox.Site) string {
	i := slices.IndexFunc(d.absences.list[:], func(a absence) bool { return a.site == site })
	if i < 0 || site == (sandbox.Site{}) {
		return ""
	}
	a := d.absences.list[i]
	switch {
	case a.entity == ecs.None:
		return fmt.Sprintf("entity 0 is none, and has no %s", a.name)
	case !a.world.Alive(a.entity):
		return fmt.Sprintf("%s is dead, so it has no %s", a.entity, a.name)
	}
	return fmt.Sprintf("%s has no %s", a.entity, a.name)
}
