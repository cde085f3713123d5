package surface

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
)

// Checks of names without a script: whether a name is declared, and which functions an object has. Package script
// uses them for names in the source, before anything runs. Errors have the same words as those that scripts get
// when the line runs.

// A NameKind says what a name in a script stands for.
type NameKind uint8

// The kinds of names.
const (
	ComponentName NameKind = iota
	ViewName               // a component of which the script has a view; a relation is none
	TagName
	PartName // a tag or a component: an item of a list that describes an entity
	EventName
	ResourceName
	RelationName
	GridName
	LayerName
	StateName
	IndexName
	PrefabName
	CountedName // a component, or an index
)

// Known returns nil if a name is declared, otherwise the error that its use will raise. by is the function that is given
// the name, "world:get"; "" if it is none.
func Known(w *ecs.World, by string, kind NameKind, name string) error {
	_, component := w.LookupComponent(name)
	_, tag := w.LookupTag(name)
	word, known := "component", component
	switch kind {
	case ComponentName, ViewName:
	case TagName:
		word, known = "tag", tag
	case PartName:
		word, known = "tag or component", component || tag
	case RelationName:
		word = "relation"
		_, known = w.LookupRelation(name)
	case GridName:
		word, known = "grid", w.LookupGrid(name) != nil
	case LayerName:
		word, known = "layer", w.LookupLayer(name) != nil
	case StateName:
		word = "state"
		_, known = w.LookupState(name)
	case IndexName:
		word, known = "index", w.LookupIndex(name) != nil
	case PrefabName:
		word = "prefab"
		_, known = w.PrefabSpec(name)
	case CountedName:
		known = component || w.LookupIndex(name) != nil
	case EventName:
		word = "event"
		_, known = w.LookupEvent(name)
	case ResourceName:
		word = "resource"
		_, known = w.LookupResource(name)
	}
	if known {
		return nil
	}
	return undeclared(w, by, word, name)
}

// KnownField is Known for a field of a component or an event, and for a value of a state. If the owner itself is not declared, it returns nil.
func KnownField(w *ecs.World, kind NameKind, owner, field string) error {
	if kind == StateName {
		return KnownState(w, "", owner, field)
	}
	var s *ecs.Schema
	if id, ok := w.LookupEvent(owner); ok && kind == EventName {
		s = w.EventSchema(id)
	} else if id, ok := w.LookupComponent(owner); ok && (kind == ComponentName || kind == ViewName) {
		info, _ := w.ComponentInfo(id)
		if info.Relation && kind == ViewName {
			return nil // a loop gives the target
		}
		s = info.Schema
	}
	if s == nil || s.Index(field) >= 0 {
		return nil
	}
	return noField(owner, s, field)
}

// An Object is something that scripts call named functions of. Its text is its name in messages.
type Object string

// The objects, as messages name them.
const (
	WorldObject    Object = "world"
	CommandsObject Object = "world.commands"
	ModuleObject   Object = "ecs"
	LogObject      Object = "ecs.log"
	LayerObject    Object = "layer"
	StatesObject   Object = "world.states"
)

// members returns the names that an object has.
func (o Object) members() (functions, others []string) {
	switch o {
	case WorldObject:
		return names(worldMethods), api.Properties
	case CommandsObject:
		return names(commandMethods), nil
	case ModuleObject:
		return append(names(moduleFunctions), "random"), []string{"log", "none"}
	case LogObject:
		return names(logFunctions), nil
	case LayerObject:
		return names(layerMethods), nil
	case StatesObject:
		return nil, nil
	default:
		panic("surface: unknown object " + string(o))
	}
}

// Function returns the function with a name, nil if the object has none. ecs.random is not listed.
func (o Object) Function(name string) *api.Function {
	list, ok := map[Object][]api.Function{WorldObject: api.World, CommandsObject: api.Commands, ModuleObject: api.Module, LogObject: api.Log, LayerObject: api.Layer}[o]
	if !ok {
		panic("surface: unknown object " + string(o))
	}
	return api.Find(list, name)
}

// Has returns nil if the object has a name, otherwise the error that its use will raise. w has the names that are
// declared; nil: they are not known.
func (o Object) Has(w *ecs.World, name string) error {
	functions, others := o.members()
	known := slices.Concat(functions, others)
	if slices.Contains(known, name) {
		return nil
	}
	return o.lacks(w, name, known)
}

// lacks returns the error about a name that the object does not have: world has no function "delete"; write
// world:despawn(e). known are the names that it has. Those of a module do not depend on a world.
func (o Object) lacks(w *ecs.World, name string, known []string) error {
	text := fmt.Sprintf("%s has no function %q", o, cut(name))
	if w != nil && o != ModuleObject && o != LogObject && o != LayerObject {
		if kind := kindOfName(w, name); kind != "" {
			return errors.New(text + "; " + api.Instead("", kind, name))
		}
	}
	if write := api.Elsewhere(o.Prefix(), name); write != "" {
		return errors.New(text + "; " + write)
	}
	return errors.New(text + meant(name, known))
}

// Prefix returns what a script writes before the name of a function: "world:".
func (o Object) Prefix() string {
	if o == WorldObject || o == CommandsObject || o == LayerObject {
		return string(o) + ":"
	}
	return string(o) + "."
}

// Changed returns the error of an assignment to a member of a module.
func (o Object) Changed() error { return fmt.Errorf("%s cannot be changed", string(o)) }

// Assigned returns the error of an assignment to a member of the world or of its commands.
func (o Object) Assigned(name string) error {
	switch {
	case o == LayerObject:
		return fmt.Errorf("a layer takes no fields (%s); write layer:set(x, y, value)", cut(name))
	case o == CommandsObject:
		return fmt.Errorf("%s takes no fields (%s)", string(o), cut(name))
	case name == "dt" || name == "time" || name == "frame":
		return fmt.Errorf("world.%s is read-only", name)
	case o == StatesObject:
		return errStateAssigned(name)
	case name == "states" || name == "resources" || name == "commands" || name == "layers":
		return fmt.Errorf("world.%s cannot be replaced", name)
	}
	return fmt.Errorf("world takes no fields of your own: declare a resource for %q", cut(name))
}

// Dotted returns the error of a method that is called with a dot; nil if the object has no method of that name.
func (o Object) Dotted(name string) error {
	functions, _ := o.members()
	if o != WorldObject && o != CommandsObject && o != LayerObject || !slices.Contains(functions, name) {
		return nil
	}
	return fmt.Errorf("%s.%s is called with a dot; write %s:%s(…)", o, name, o, name)
}
