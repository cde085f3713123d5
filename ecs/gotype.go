package ecs

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unsafe"
)

// This file derives schemas from Go types by reflection, and makes Go types from schemas where rows hold pointers.
// It runs when components are declared. After that, reflection is used only for rows with strings or tables, whose
// pointers the garbage collector must see.

// SchemaOf returns the layout of the Go type T, usually a struct. A field is named as in Go but in snake_case (X
// is "x", MaxHP is "max_hp"), or as the tag `ecs:"name"` says. Nested structs and arrays are flattened ("pos_x",
// "m_0"). The supported types are booleans, integers, floats, strings, [Entity], *[Data], and structs and arrays
// of them; any other type is an error that names the field.
func SchemaOf[T any]() (*Schema, error) {
	return schemaOfType(reflect.TypeFor[T]())
}

func schemaOfType(t reflect.Type) (*Schema, error) {
	s := &Schema{byName: map[string]int{}, align: max(1, uintptr(t.Align())), size: t.Size(), pointerFree: true, zero: true}
	if err := s.flatten(t, "", 0); err != nil {
		return nil, fmt.Errorf("type %s: %w", t, err)
	}
	if len(s.fields) > MaxFields {
		return nil, fmt.Errorf("type %s: %w", t, tooManyFields(len(s.fields)))
	}
	if !s.pointerFree {
		s.memory = &typedMemory{row: t}
	}
	return s, s.finish()
}

// flatten adds the fields of t, which lies at offset, to the schema. name is the name so far, "" for the outermost
// type. Fields named _ are padding and left out.
func (s *Schema) flatten(t reflect.Type, name string, offset uintptr) error {
	leaf := goFieldType(t)
	if leaf != 0 {
		if name == "" {
			name = "value"
		}
		if _, twice := s.byName[name]; twice {
			return fmt.Errorf("two fields are named %q", name)
		}
		s.add(Field{Name: name, Type: leaf, Offset: offset})
		return nil
	}
	join := func(part string) string {
		if name == "" {
			return part
		}
		return name + "_" + part
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" {
				continue
			}
			part := f.Tag.Get("ecs")
			if part == "" {
				part = snakeCase(f.Name)
			}
			if err := s.flatten(f.Type, join(part), offset+f.Offset); err != nil {
				return err
			}
		}
		return nil
	case reflect.Array:
		for i := range t.Len() {
			if err := s.flatten(t.Elem(), join(strconv.Itoa(i)), offset+uintptr(i)*t.Elem().Size()); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf("field %q: a component cannot hold a %s; use numbers, booleans, strings, ecs.Entity or *ecs.Data", name, t)
	}
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
	for f := F64; f.valid(); f++ {
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

// typedMemory allocates, copies and clears rows that hold pointers, with the write barriers that the garbage
// collector needs.
type typedMemory struct{ row reflect.Type }

// structMemory makes a Go struct type for the rows of a schema that was declared at run time. The type serves the
// garbage collector only; components are never compared by it.
func structMemory(s *Schema) *typedMemory {
	fields := make([]reflect.StructField, len(s.fields))
	for i, f := range s.fields {
		fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: fieldTypes[f.Type].goType}
	}
	return &typedMemory{row: reflect.StructOf(fields)}
}

func (m *typedMemory) alloc(rows int) unsafe.Pointer {
	return reflect.MakeSlice(reflect.SliceOf(m.row), rows, rows).UnsafePointer()
}

func (m *typedMemory) copy(dst, src unsafe.Pointer) {
	reflect.NewAt(m.row, dst).Elem().Set(reflect.NewAt(m.row, src).Elem())
}

func (m *typedMemory) clear(p unsafe.Pointer) {
	reflect.NewAt(m.row, p).Elem().SetZero()
}

// copyRows copies n rows, with write barriers. The ranges may overlap.
func (m *typedMemory) copyRows(dst, src unsafe.Pointer, n int) {
	type header struct {
		ptr      unsafe.Pointer
		len, cap int
	}
	slice := reflect.SliceOf(m.row)
	to, from := header{dst, n, n}, header{src, n, n}
	reflect.Copy(reflect.NewAt(slice, unsafe.Pointer(&to)).Elem(), reflect.NewAt(slice, unsafe.Pointer(&from)).Elem())
}
