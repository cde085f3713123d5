package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// This file derives schemas from Go types by reflection. It runs when components are declared. pointerrow.go has the
// memory of rows with pointers, opaque.go the fields that no FieldType describes.

// SchemaOf returns the layout of the Go type T, usually a struct. A field is named as in Go but in snake_case (X
// is "x", MaxHP is "max_hp"), or as the tag `ecs:"name"` says. An array of up to [MaxFieldItems] numbers, booleans or entities is a field of its
// own, see [ArrayOf]; nested structs and other arrays are flattened ("pos_x", "m_0"). Booleans, integers, floats, strings, [Entity], *[Data], and structs and arrays of them become fields that
// scripts see. Any other part of T becomes an opaque field ([Schema.OpaqueFields]), which only Go code sees: a slice, a
// map, a pointer, an interface, a function, and a struct inside of T that has one of these and is not open, which
// means that it has unexported fields or a codec, as time.Time does. [RegisterCodec] says how such a field comes into
// digests and files; the tag `ecs:",transient"` leaves any field out of them, and out of the sight of scripts.
//
// Errors: two fields of one name, an unknown option in a tag, more than [MaxFields] fields.
func SchemaOf[T any]() (*Schema, error) {
	return schemaOfType(reflect.TypeFor[T](), nil)
}

// schemaOfType is SchemaOf with the codecs of a world.
func schemaOfType(t reflect.Type, codecs codecs) (*Schema, error) {
	s := &Schema{byName: map[string]int{}, align: max(1, uintptr(t.Align())), size: t.Size(), pointerFree: true, zero: true}
	if err := s.flatten(t, "", 0, codecs); err != nil {
		return nil, fmt.Errorf("type %s: %w", t, err)
	}
	switch {
	case s.parts() > MaxFields:
		return nil, fmt.Errorf("type %s: more than %d fields", t, MaxFields)
	case s.pointerFree && s.size > maxPadded:
		return nil, fmt.Errorf("type %s: a row of %d bytes is too large: at most %d", t, s.size, maxPadded)
	}
	s.findCodecs(t, codecs)
	if !s.pointerFree {
		s.memory = newTypedMemory(t)
	}
	return s, s.finish()
}

// maxPadded is the largest size of a row without pointers, in bytes. [MaxFields] fields fill a small part of it; the rest is padding.
const maxPadded = 1 << 20

// parts returns the number of fields and opaque fields.
func (s *Schema) parts() int { return len(s.fields) + len(s.opaque) }

// flatten adds the fields of t, which lies at offset, to the schema. name is the name so far, "" for the outermost
// type.
func (s *Schema) flatten(t reflect.Type, name string, offset uintptr, codecs codecs) error {
	leaf := goFieldType(t)
	if t.Kind() == reflect.Array && 0 < t.Len() && t.Len() <= MaxFieldItems {
		if elem := goFieldType(t.Elem()); elem.inArrays() {
			leaf = ArrayOf(elem, t.Len())
		}
	}
	if leaf != 0 {
		if name == "" {
			name = "value"
		}
		if _, twice := s.byName[name]; twice || slices.ContainsFunc(s.opaque, func(f opaqueField) bool { return f.name == name }) {
			return fmt.Errorf("two fields are named %q", name)
		}
		if len(s.fields) <= MaxFields { // one more is enough to know that there are too many
			s.add(Field{Name: name, Type: leaf, Offset: offset})
		}
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		if opaqueStruct(t, name == "", codecs) {
			return s.addOpaque(name, t, offset, false)
		}
		return s.flattenStruct(t, name, offset, codecs)
	case reflect.Array:
		for i, before := 0, -1; i < t.Len() && s.parts() > before; i++ { // until an element adds nothing: it has no fields, or there are too many
			before = s.parts()
			if err := s.flatten(t.Elem(), join(name, strconv.Itoa(i)), offset+uintptr(i)*t.Elem().Size(), codecs); err != nil {
				return err
			}
		}
		return nil
	default:
		return s.addOpaque(name, t, offset, false)
	}
}

// flattenStruct adds the fields of a struct. Fields named _ are padding and left out.
func (s *Schema) flattenStruct(t reflect.Type, name string, offset uintptr, codecs codecs) error {
	for f := range t.Fields() {
		if f.Name == "_" {
			continue
		}
		part, transient, err := fieldTag(f)
		if err != nil {
			return err
		}
		if part == "" {
			part = snakeCase(f.Name)
		}
		if transient {
			err = s.addOpaque(join(name, part), f.Type, offset+f.Offset, true)
		} else {
			err = s.flatten(f.Type, join(name, part), offset+f.Offset, codecs)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// join returns the name of a part of a field; name is "" for the outermost type.
func join(name, part string) string {
	if name == "" {
		return part
	}
	return name + "_" + part
}

// goFieldType returns the field type as which a Go type is stored, 0 if there is none. A named type is stored as
// its underlying type; int, uint and uintptr are stored as the integers of their size.
func goFieldType(t reflect.Type) FieldType {
	kind := t.Kind()
	switch kind {
	case reflect.Int:
		kind = reflect.Int64
		if t.Size() == 4 {
			kind = reflect.Int32
		}
	case reflect.Uint, reflect.Uintptr:
		kind = reflect.Uint64
		if t.Size() == 4 {
			kind = reflect.Uint32
		}
	}
	found := FieldType(0)
	for f := F64; int(f) < len(fieldTypes); f++ {
		switch of := fieldTypes[f].goType; {
		case of == t:
			return f
		case of.PkgPath() == "" && kind != reflect.Pointer && of.Kind() == kind: // Entity is a named type, and matches only itself
			found = f
		}
	}
	return found
}

// snakeCase converts a Go name: MaxHP is max_hp, HTTPPort is http_port.
func snakeCase(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 {
			afterLower := !unicode.IsUpper(runes[i-1])
			beforeLower := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if afterLower || beforeLower {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
