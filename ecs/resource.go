package ecs

import (
	"fmt"
	"reflect"
	"unsafe"
)

// A ResourceID identifies a resource in its world, in the order of declaration.
type ResourceID uint32

// resource is one value of the whole world: a single row.
type resource struct {
	name   string
	schema *Schema
	ptr    unsafe.Pointer
}

// DeclareResource declares a resource of one field type with its starting value; the zero Value means the zero of the type. Declaring a
// name again with the same type keeps its value; another type is [ErrMismatch].
func (w *World) DeclareResource(name string, t FieldType, value Value) (ResourceID, error) {
	s, err := NewSchema(Field{Name: "value", Type: t, Default: value})
	if err != nil {
		return 0, fail("declare resource", None, name, err)
	}
	return w.declareResource(name, s)
}

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
	id := ResourceID(len(w.resources))
	r := &resource{name: name, schema: s}
	r.ptr, _ = allocRows(nil, s, 1)
	s.setDefault(r.ptr)
	w.resources = append(w.resources, r)
	w.resourceNames[name] = id
	return id, nil
}

// LookupResource returns the id of a declared resource.
func (w *World) LookupResource(name string) (ResourceID, bool) {
	id, ok := w.resourceNames[name]
	return id, ok
}

// ResourceNames returns all declared resources in the order of declaration; a ResourceID is an index into it.
func (w *World) ResourceNames() []string {
	names := make([]string, len(w.resources))
	for i, r := range w.resources {
		names[i] = r.name
	}
	return names
}

// Resource returns the resource for reading and writing. A resource of one type has the single field "value", at index 0. The Row stays
// valid as long as the world. Panics for an id this world never gave out.
func (w *World) Resource(id ResourceID) Row {
	r := w.resource(id)
	return Row{schema: r.schema, ptr: r.ptr}
}

// RegisterResource declares a resource of the Go type T (a struct, or one plain type), or lays T over the resource of that name. The
// pointer stays valid as long as the world. A mismatch is [ErrMismatch].
func RegisterResource[T any](w *World, name string) (*T, error) {
	s, err := SchemaOf[T]()
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
	return (*T)(r.ptr), nil
}
