package ecs

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unsafe"
)

// SchemaOf returns the layout of the Go type T, usually a struct. Field names are the Go names in snake_case (X is "x", MaxHP is
// "max_hp"), or what the tag `ecs:"name"` says; nested structs and arrays are flattened ("pos_x", "m_0"). Supported are booleans,
// integers, floats, strings, [Entity], *[Data], and structs and arrays of them; any other type is an error that names the field.
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

// goFieldType returns the field type a Go type is stored as, 0 when it is none. A named type is stored as what it is made of, and int, uint and uintptr as the
// integers of their size.
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
		case of.PkgPath() == "" && kind != reflect.Pointer && of.Kind() == kind: // the Go type of an entity has a name, and is only itself
			found = f
		}
	}
	return found
}

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

// typedMemory allocates and copies rows that hold pointers, so that the collector sees them.
type typedMemory struct{ row reflect.Type }

// structMemory builds a row type for a schema declared at run time. The type is never an identity, only a description for the collector.
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

// copyRows copies n rows with the write barriers the collector needs.
func (m *typedMemory) copyRows(dst, src unsafe.Pointer, n int) {
	type header struct {
		ptr      unsafe.Pointer
		len, cap int
	}
	slice := reflect.SliceOf(m.row)
	to, from := header{dst, n, n}, header{src, n, n}
	reflect.Copy(reflect.NewAt(slice, unsafe.Pointer(&to)).Elem(), reflect.NewAt(slice, unsafe.Pointer(&from)).Elem())
}
