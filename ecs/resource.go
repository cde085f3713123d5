package ecs

import (
	"fmt"
	"reflect"
	"unsafe"
)

// A resource is a single value of the whole world. It is stored as a single row of a schema, at an address that
// never changes.

// A ResourceID identifies a resource in its world, in the order of declaration. See the example of [Row].
type ResourceID uint32

// resource is one declared resource with its value.
type resource struct {
	name   string
	schema *Schema
	ptr    unsafe.Pointer // the row; it stays there as long as the world
	pages  *rowPages      // of a large one: see undoresources.go; nil otherwise
}

// newResource makes a resource with its first value.
func newResource(w *World, name string, s *Schema) *resource {
	r := &resource{name: name, schema: s}
	r.ptr, _ = allocRows(nil, s, 1)
	s.setDefault(r.ptr)
	r.pages = newPages(w, s, r.ptr)
	return r
}

// DeclareResource declares a resource of one field type with its first value; the zero Value means the zero of the
// type. If the name is declared already with this type and no other first value, the resource keeps its current
// value; otherwise the error is [ErrMismatch].
func (w *World) DeclareResource(name string, t FieldType, value Value) (ResourceID, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	s, err := newSchema([]Field{{Name: "value", Type: t, Default: value}}, MaxArrayItems)
	if err == nil {
		err = s.close()
	}
	if err != nil {
		return 0, fail("declare resource", None, name, err)
	}
	return w.declareResource(name, s)
}

// declareResource declares a resource with this schema, or checks it against the one of that name.
func (w *World) declareResource(name string, s *Schema) (ResourceID, error) {
	if id, ok := w.resourceNames[name]; ok {
		if old := w.resources[id].schema; !old.sameFields(s) {
			return 0, fail("declare resource", None, name, fmt.Errorf("%w: it is %s, not %s", ErrMismatch, old.describe(), s.describe()))
		}
		return id, nil
	}
	w.mustBeAlone()
	if name == "" {
		return 0, fail("declare resource", None, name, fmt.Errorf("a resource needs a name"))
	}
	if uint64(s.arrayBytes()) > Raw.BytesLeft(w) {
		return 0, fail("declare resource", None, name, w.full())
	}
	w.bytes.Add(s.arrayBytes())
	id := ResourceID(len(w.resources))
	w.resources = append(w.resources, newResource(w, name, s))
	w.resourceNames[name] = id
	return id, nil
}

// LookupResource returns the id of a resource, false if the name is not declared.
func (w *World) LookupResource(name string) (ResourceID, bool) {
	id, ok := w.resourceNames[name]
	return id, ok
}

// ResourceNames returns the names of all resources in the order of declaration; a ResourceID is an index into it.
func (w *World) ResourceNames() []string {
	names := make([]string, len(w.resources))
	for i, r := range w.resources {
		names[i] = r.name
	}
	return names
}

// Resource returns the resource for reading and writing. A resource of a single field type has one field, "value",
// at index 0. The Row is valid as long as the world. Panics for an id that this world has not declared.
func (w *World) Resource(id ResourceID) Row {
	r := w.resource(id)
	return Row{schema: r.schema, ptr: r.ptr, pages: r.pages}
}

// RegisterResource declares a resource of the Go type T (a struct or a plain type), or checks that T has the
// layout of the resource of that name. The pointer is valid as long as the world. Error: [ErrMismatch]. With [Schedule].RollBack each turn copies
// the whole of a resource that Go code holds by its address; of a large one that is written through [World.Resource] only what is written.
func RegisterResource[T any](w *World, name string) (*T, error) {
	s, err := schemaOfType(reflect.TypeFor[T](), w.codecs)
	if err != nil {
		return nil, fail("register resource", None, name, err)
	}
	id, known := w.resourceNames[name]
	if !known {
		if id, err = w.declareResource(name, s); err != nil {
			return nil, err
		}
	}
	r := w.resources[id]
	if !r.schema.sameLayout(s) {
		return nil, fail("register resource", None, name, fmt.Errorf("%w: it is %s, %s is %s", ErrMismatch, r.schema, reflect.TypeFor[T](), s))
	}
	if r.pages != nil {
		r.pages.lent = true
		r.pages.before(0, r.pages.size)
	}
	return (*T)(r.ptr), nil
}
