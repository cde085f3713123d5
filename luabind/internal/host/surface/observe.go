package surface

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Observers: world:on checks its arguments here and gives them to the host, which calls the function. An observer
// runs nested in whatever Lua made the change. Only calls of functions through gopher-lua's stack may do that, so the
// faster forms (direct.go, native.go, shaped.go) decline an operation that somebody observes.

// An Observing host lets scripts declare observers.
type Observing interface {
	Host
	// Observe declares an observer that calls fn with the values of ObserverArgs. at is the place of the call.
	Observe(w *World, spec ecs.ObserverSpec, fn *lua.LFunction, at sandbox.Pos) error
}

// on is world:on(kind, name, function), and world:on(kind, function) for kinds without a name.
func on(c call) int {
	text := c.text(1, "kind of observer")
	kind, err := observerKind(text)
	if err != nil {
		c.bad(1, "%s", err)
	}
	spec, at := ecs.ObserverSpec{Kind: kind}, 2
	if subject := kind.Subject(); subject != "" {
		spec.Name, at = c.text(2, subject+" name"), 3
		c.check(observable(c.w.ecs, kind, spec.Name))
	} else if c.arg(2) == lua.LNil {
		at = 3
	} else if _, named := c.arg(2).(lua.LString); named {
		c.bad(2, "%s", noName(text))
	}
	fn, ok := c.arg(at).(*lua.LFunction)
	if !ok {
		c.expected(at, "function")
	}
	h, ok := c.w.host.(Observing)
	if !ok {
		raise(c.LState, "world:on: nobody can observe this world")
	}
	c.check(h.Observe(c.w, spec, fn, sandbox.CallSite(c.LState).Pos()))
	return 0
}

// OutsideInit is what is said of a call of world:on elsewhere.
const OutsideInit = "world:on outside of init"

// Observed checks the kind and the name in a call of world:on, without a script; name is nil if it is not known. It returns how many arguments
// come before the function, and the error that the call will raise.
func Observed(w *ecs.World, kind string, name *string) (before int, err error) {
	k, err := observerKind(kind)
	switch {
	case err != nil:
		return 0, err
	case k.Subject() == "" && name != nil:
		return 0, noName(kind)
	case k.Subject() == "":
		return 1, nil
	case name != nil:
		return 2, observable(w, k, *name)
	}
	return 2, nil
}

// observerKind returns the kind of observer with a name.
func observerKind(text string) (ecs.ObserverKind, error) {
	kind, ok := ecs.ParseObserverKind(text)
	if ok {
		return kind, nil
	}
	known := ecs.ObserverKinds()
	if near, ok := suggest.Closest(text, known); ok {
		return kind, fmt.Errorf("unknown kind %q; did you mean %q?", cut(text), near)
	}
	return kind, fmt.Errorf("unknown kind %q; there are %s", cut(text), strings.Join(known, ", "))
}

// noName is the error about a name for a kind that has none.
func noName(kind string) error {
	return fmt.Errorf("%q is about entities and takes no name; write world:on(%q, function)", kind, kind)
}

// observable returns nil if a name is declared as what the kind needs.
func observable(w *ecs.World, kind ecs.ObserverKind, name string) error {
	_, tag := w.LookupTag(name)
	id, component := w.LookupComponent(name)
	is := ""
	if info, ok := w.ComponentInfo(id); component && ok && info.Relation {
		is = "relation"
	} else if component {
		is = "component"
	} else if tag {
		is = "tag"
	}
	subject := kind.Subject()
	instead := map[string]string{"component": `"added", "removed" or "set"`, "tag": `"tagged" or "untagged"`, "relation": `"related" or "unrelated"`}
	switch {
	case is == "":
		return undeclared(w, "world:on", subject, name)
	case is != subject:
		return fmt.Errorf("%q is a %s; world:on(%q) needs a %s: use %s", name, is, kind, subject, instead[is])
	}
	return nil
}

// ObserverArgs returns the arguments of an observer's function: the world, the entity, and the view or the target.
// They are valid until the next call.
func (w *World) ObserverArgs(spec *ecs.ObserverSpec, c ecs.Change) []lua.LValue {
	args := append(w.observed[:0], w.value, w.entity(c.Entity))
	switch spec.Kind.Subject() {
	case "component":
		id, _ := w.ecs.LookupComponent(spec.Name)
		args = append(args, w.view(w.ecs.Ref(c.Entity, id), w.componentOf(id)))
	case "relation":
		args = append(args, w.entity(c.Target))
	}
	w.observed = args
	return args
}

// An Outer is what a call of a script has begun within which another one runs.
type Outer struct {
	open int // how many loops are open
	visits
}

// Aside prepares the world for a call of a script within another one. The result is for Back.
func (w *World) Aside() Outer {
	w.observed = nil // the inner one gets its own
	w.depth++
	o := Outer{len(w.open), w.visits}
	w.visits = visits{}
	return o
}

// Back closes the loops that were opened since Aside.
func (w *World) Back(o Outer) {
	w.depth--
	for len(w.open) > o.open {
		w.open[len(w.open)-1].finish(left)
	}
	w.visits = o.visits
}

// observed reports whether somebody observes writes to the component.
func (c *component) observed() bool {
	if v := c.world.ecs.ObserverVersion(); v != c.version {
		c.version, c.watched = v, c.world.ecs.Observed(ecs.OnSet, uint32(c.id)) != nil
	}
	return c.watched
}

// tagObserved reports whether somebody observes a tag.
func (w *World) tagObserved(id ecs.TagID) bool {
	return w.ecs.ObserverVersion() != 0 && (w.ecs.Observed(ecs.OnTagged, uint32(id)) != nil || w.ecs.Observed(ecs.OnUntagged, uint32(id)) != nil)
}

// spawnObserved reports whether somebody observes the spawning of an entity with these parts.
func (w *World) spawnObserved(ids []ecs.ComponentID, tags []ecs.TagID) bool {
	if w.ecs.ObserverVersion() == 0 {
		return false
	}
	if w.ecs.Observed(ecs.OnSpawned, 0) != nil {
		return true
	}
	for _, id := range ids {
		if w.ecs.Observed(ecs.OnAdded, uint32(id)) != nil {
			return true
		}
	}
	for _, id := range tags {
		if w.tagObserved(id) {
			return true
		}
	}
	return false
}
