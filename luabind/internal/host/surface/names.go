package surface

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
)

// Names of components, tags and events: from the string that a script gives to what this package keeps about the
// thing. Unknown names become errors with a suggestion.

// A component is what this package keeps about a declared component, for one World.
type component struct {
	world  *World
	id     ecs.ComponentID
	name   string
	schema *ecs.Schema
	fields []ecs.Field

	lastArray *array // see array

	relation bool
	many     bool // a relation with many targets

	watched bool   // see observed
	version uint32 // of the observers for which watched was set
}

// field returns the index of a field, -1 if there is no such field. Most components have few fields, and a search
// among them is faster than hashing.
func (c *component) field(name string) int {
	if len(c.fields) > 8 {
		return c.schema.Index(name)
	}
	for i := range c.fields {
		if c.fields[i].Name == name {
			return i
		}
	}
	return -1
}

// An unknownError is about a name that is not declared. It is an ecs.ErrUnknown.
type unknownError struct{ text string }

func (e unknownError) Error() string { return e.text }

func (e unknownError) Unwrap() error { return ecs.ErrUnknown }

// component returns the component with a name. The error suggests another name, or says what else the name is, and what
// to write instead of the function by, "world:get".
func (w *World) component(by, name string) (*component, error) {
	if c := w.components[name]; c != nil {
		return c, nil
	}
	id, ok := w.ecs.LookupComponent(name)
	if !ok {
		return nil, undeclared(w.ecs, by, "component", name)
	}
	return w.componentOf(id), nil
}

// componentOf returns what is kept about a component, and makes it at the first use.
func (w *World) componentOf(id ecs.ComponentID) *component {
	for int(id) >= len(w.byID) {
		w.byID = append(w.byID, nil)
	}
	if w.byID[id] == nil {
		info, _ := w.ecs.ComponentInfo(id)
		w.byID[id] = &component{world: w, id: id, name: info.Name, schema: info.Schema, fields: info.Schema.Fields(), relation: info.Relation, many: info.Many}
		w.components[info.Name] = w.byID[id]
	}
	return w.byID[id]
}

// tag returns the tag with a name. The error has a suggestion.
func (w *World) tag(by, name string) (ecs.TagID, error) {
	if id, ok := w.byTag[name]; ok {
		return id, nil
	}
	id, ok := w.ecs.LookupTag(name)
	if !ok {
		return 0, undeclared(w.ecs, by, "tag", name)
	}
	w.byTag[name] = id
	return id, nil
}

// event returns the event with a name. The error has a suggestion.
func (w *World) event(by, name string) (*eventType, error) {
	if k := w.byEvent[name]; k != nil {
		return k, nil
	}
	id, ok := w.ecs.LookupEvent(name)
	if !ok {
		return nil, undeclared(w.ecs, by, "event", name)
	}
	k := &eventType{world: w, id: id, name: name, schema: w.ecs.EventSchema(id)}
	w.byEvent[name] = k
	return k, nil
}

// undeclared returns the error about a name that is not declared as that kind: component "Helth" is not declared;
// did you mean "Health"? Where the name is declared as something else, it says so, and what to write instead of the
// function by; where no name is similar, it says where the name can be declared.
func undeclared(w *ecs.World, by, kind, name string) error {
	text := fmt.Sprintf("%s %q is not declared", kind, cut(name))
	if other := kindOfName(w, name); other != "" {
		article := "a"
		if other == "event" || other == "index" {
			article = "an"
		}
		return unknownError{text + fmt.Sprintf("; %q is %s %s: %s", name, article, other, api.Instead(by, other, name))}
	}
	if several := severalNames(w, by, name); several != "" {
		return unknownError{text + "; " + several}
	}
	if suffix := meant(name, namesOf(w, kind)); suffix != "" {
		return unknownError{text + suffix}
	}
	return unknownError{text + whereDeclared[kind]}
}

// namesOf lists what is declared as that kind.
func namesOf(w *ecs.World, kind string) []string {
	switch kind {
	case "component":
		return w.ComponentNames()
	case "tag":
		return w.TagNames()
	case "tag or component":
		return append(w.TagNames(), w.ComponentNames()...)
	case "event":
		return w.EventNames()
	case "resource":
		return w.ResourceNames()
	case "relation":
		return w.RelationNames()
	case "grid":
		return w.GridNames()
	case "state":
		return w.StateNames()
	case "layer":
		return w.LayerNames()
	case "index":
		return w.IndexNames()
	case "prefab":
		return w.PrefabNames()
	case "component or index":
		return append(w.ComponentNames(), w.IndexNames()...)
	}
	panic("surface: unknown kind of names " + kind)
}

// severalNames says what is wrong with a name that is made of declared ones: "Health, Position" is two arguments,
// "Health.current" a field of a component. It is "" for all others.
func severalNames(w *ecs.World, by, name string) string {
	owner, field, dotted := strings.Cut(name, ".")
	if id, ok := w.LookupComponent(owner); ok && dotted {
		if info, _ := w.ComponentInfo(id); info.Schema.Index(field) >= 0 {
			if strings.HasSuffix(by, "set") {
				return fmt.Sprintf("%q is a field of %s: write { %s = … } behind %q", field, owner, field, owner)
			}
			return fmt.Sprintf("%q is a field of %s: write world:get(e, %q).%s", field, owner, owner, field)
		}
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(", ;|+&", r) })
	if len(parts) < 2 {
		return ""
	}
	for _, part := range parts {
		if kindOfName(w, part) == "" {
			return ""
		}
	}
	return fmt.Sprintf(`a string has one name: write "%s"`, strings.Join(parts, `", "`))
}

// whereDeclared ends the message about a name that nothing resembles.
var whereDeclared = map[string]string{
	"component":        "; declare it under components in the config, or with ecs.component",
	"tag":              "; declare it under tags in the config, or with ecs.tag",
	"tag or component": "; declare it under tags or components in the config, or with ecs.tag or ecs.component",
	"event":            "; declare it under events in the config, or with ecs.event",
	"resource":         "; declare it under resources in the config, or with ecs.resource",
	"relation":         "; declare it under relations in the config, or with ecs.relation",
	"grid":             "; declare it with ecs.grid",
	"state":            "; declare it under states in the config",
	"prefab":           "; declare it under prefabs in the config, or with ecs.prefab",
	"index":            "; declare it under indexes in the config, or with ecs.index",
	"layer":            "; declare it under layers in the config, or with ecs.layer",
}

// kindOfName returns what a name is declared as, "" if it is not declared.
func kindOfName(w *ecs.World, name string) string {
	if _, ok := w.LookupRelation(name); ok {
		return "relation"
	}
	if _, ok := w.LookupComponent(name); ok {
		return "component"
	}
	if _, ok := w.LookupTag(name); ok {
		return "tag"
	}
	if _, ok := w.LookupEvent(name); ok {
		return "event"
	}
	if _, ok := w.LookupResource(name); ok {
		return "resource"
	}
	if w.LookupGrid(name) != nil {
		return "grid"
	}
	if w.LookupIndex(name) != nil {
		return "index"
	}
	if _, ok := w.PrefabSpec(name); ok {
		return "prefab"
	}
	if _, ok := w.LookupState(name); ok {
		return "state"
	}
	return ""
}

// noField returns the error about a name that is not a field.
func noField(owner string, s *ecs.Schema, name string) error {
	known := make([]string, len(s.Fields()))
	for i, f := range s.Fields() {
		known[i] = f.Name
	}
	if len(known) == 0 {
		return unknownError{fmt.Sprintf("%s has no fields, so no %q", owner, cut(name))}
	}
	suffix := meant(name, known)
	if suffix == "" {
		suffix = "; its fields are " + listed(known)
	}
	return unknownError{fmt.Sprintf("%s has no field %q%s", owner, cut(name), suffix)}
}

// listed returns names for a message, the first dozen of them.
func listed(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
