package surface

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
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

	relation bool

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

// component returns the component with a name. The error suggests another name, or says what else the name is.
func (w *World) component(name string) (*component, error) {
	if c := w.components[name]; c != nil {
		return c, nil
	}
	id, ok := w.ecs.LookupComponent(name)
	if !ok {
		return nil, undeclared(w.ecs, "component", name, w.ecs.ComponentNames())
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
		w.byID[id] = &component{world: w, id: id, name: info.Name, schema: info.Schema, fields: info.Schema.Fields(), relation: info.Relation}
		w.components[info.Name] = w.byID[id]
	}
	return w.byID[id]
}

// tag returns the tag with a name. The error has a suggestion.
func (w *World) tag(name string) (ecs.TagID, error) {
	if id, ok := w.byTag[name]; ok {
		return id, nil
	}
	id, ok := w.ecs.LookupTag(name)
	if !ok {
		return 0, undeclared(w.ecs, "tag", name, w.ecs.TagNames())
	}
	w.byTag[name] = id
	return id, nil
}

// event returns the event with a name. The error has a suggestion.
func (w *World) event(name string) (*eventType, error) {
	if k := w.byEvent[name]; k != nil {
		return k, nil
	}
	id, ok := w.ecs.LookupEvent(name)
	if !ok {
		return nil, undeclared(w.ecs, "event", name, w.ecs.EventNames())
	}
	k := &eventType{world: w, id: id, name: name, schema: w.ecs.EventSchema(id)}
	w.byEvent[name] = k
	return k, nil
}

// undeclared returns the error about a name that is not declared as that kind: component "Helth" is not declared;
// did you mean "Health"? Where no name is similar, it says what else the name is, or where the name can be declared.
func undeclared(w *ecs.World, kind, name string, known []string) error {
	text := fmt.Sprintf("%s %q is not declared", kind, cut(name))
	if suffix := meant(name, known); suffix != "" {
		return unknownError{text + suffix}
	}
	if other := kindOfName(w, name); other != "" {
		return unknownError{text + fmt.Sprintf("; %q is %s", name, other)}
	}
	return unknownError{text + whereDeclared[kind]}
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
}

// kindOfName returns what a name is declared as, "" if it is not declared.
func kindOfName(w *ecs.World, name string) string {
	if _, ok := w.LookupRelation(name); ok {
		return "a relation"
	}
	if _, ok := w.LookupComponent(name); ok {
		return "a component"
	}
	if _, ok := w.LookupTag(name); ok {
		return "a tag"
	}
	if _, ok := w.LookupEvent(name); ok {
		return "an event"
	}
	if _, ok := w.LookupResource(name); ok {
		return "a resource"
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
