package query

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
)

// Meant is the end of a message about an unknown name: the known one that is close to it, or what is known.
func Meant(name, what string, known []string) string {
	if near, ok := suggest.Closest(name, known); ok {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	switch {
	case len(known) == 0:
		return "; there are none"
	case len(known) > 12:
		return ""
	}
	return "; " + what + " are " + strings.Join(known, ", ")
}

// Component finds a component by its name.
func Component(w *ecs.World, name string) (ecs.ComponentID, error) {
	if id, ok := w.LookupComponent(name); ok {
		return id, nil
	}
	if _, ok := w.LookupTag(name); ok {
		return 0, fmt.Errorf("component %q is not declared, but a tag has that name; write #%s", name, name)
	}
	var names []string
	for id := range w.ComponentNames() {
		if info, ok := w.ComponentInfo(ecs.ComponentID(id)); ok && !info.Relation {
			names = append(names, info.Name)
		}
	}
	return 0, fmt.Errorf("component %q is not declared%s", name, Meant(name, "components", names))
}

// Tag finds a tag by its name.
func Tag(w *ecs.World, name string) (ecs.TagID, error) {
	if id, ok := w.LookupTag(name); ok {
		return id, nil
	}
	return 0, fmt.Errorf("tag %q is not declared%s", name, Meant(name, "tags", w.TagNames()))
}

// Relation finds a relation by its name.
func Relation(w *ecs.World, name string) (ecs.RelationID, error) {
	if id, ok := w.LookupRelation(name); ok {
		return id, nil
	}
	return 0, fmt.Errorf("relation %q is not declared%s", name, Meant(name, "relations", w.RelationNames()))
}

// Resource finds a resource by its name.
func Resource(w *ecs.World, name string) (ecs.ResourceID, error) {
	if id, ok := w.LookupResource(name); ok {
		return id, nil
	}
	return 0, fmt.Errorf("resource %q is not declared%s", name, Meant(name, "resources", w.ResourceNames()))
}

// Field finds a field of a component or a resource.
func Field(of string, schema *ecs.Schema, name string) (int, error) {
	if i := schema.Index(name); i >= 0 {
		return i, nil
	}
	var names []string
	for _, f := range schema.Fields() {
		names = append(names, f.Name)
	}
	return 0, fmt.Errorf("%s has no field %q%s", of, name, Meant(name, "fields", names))
}
