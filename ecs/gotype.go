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

var (
	entityType = reflect.TypeFor[Entity]()
	dataType   = reflect.TypeFor[*Data]()
)

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

// goFieldType returns the field type a Go type is stored as, 0 when it is none.
func goFieldType(t reflect.Type) FieldType {
	if t == entityType {
		return EntityField
	}
	if t == dataType {
		return TableField
	}
	switch t.Kind() {
	case reflect.Float64:
		return F64
	case reflect.Float32:
		return F32
	case reflect.Int8:
		return I8
	case reflect.Int16:
		return I16
	case reflect.Int32:
		return I32
	case reflect.Uint8:
		return U8
	case reflect.Uint16:
		return U16
	case reflect.Uint32:
		return U32
	case reflect.Int64, reflect.Int:
		if t.Size() == 4 {
			return I32
		}
		return I64
	case reflect.Uint64, reflect.Uint, reflect.Uintptr:
		if t.Size() == 4 {
			return U32
		}
		return U64
	case reflect.Bool:
		return Bool
	case reflect.String:
		return String
	default:
		return 0
	}
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
		fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: goTypes[f.Type]}
	}
	return &typedMemory{row: reflect.StructOf(fields)}
}

var goTypes = [...]reflect.Type{
	F64: reflect.TypeFor[float64](), F32: reflect.TypeFor[float32](),
	I32: reflect.TypeFor[int32](), U32: reflect.TypeFor[uint32](), I16: reflect.TypeFor[int16](), U16: reflect.TypeFor[uint16](),
	I8: reflect.TypeFor[int8](), U8: reflect.TypeFor[uint8](), Bool: reflect.TypeFor[bool](), EntityField: entityType,
	String: reflect.TypeFor[string](), TableField: dataType, I64: reflect.TypeFor[int64](), U64: reflect.TypeFor[uint64](),
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
