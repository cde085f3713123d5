package ecs

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// A Field is one named, typed slot of a component, event or resource.
type Field struct {
	Name    string
	Type    FieldType
	Default Value   // what a fresh row holds; the zero Value means the zero of Type (0, false, "", None, the empty table)
	Offset  uintptr // bytes from the start of the row; NewSchema sets it
}

// A Schema is the layout of one row: its fields at the offsets Go would give a struct of them in this order. Schemas are immutable.
type Schema struct {
	fields      []Field
	byName      map[string]int
	size        uintptr // bytes of a row, a multiple of align
	align       uintptr
	pointerFree bool
	memory      *typedMemory // nil when pointerFree
	defaults    []byte       // the default row of a pointer-free schema; nil when all zero
	zero        bool         // the default row is all zero
}

// NewSchema lays the fields out as Go lays out a struct. No fields make a component that carries no data. Errors: a field without a name
// or type, a name given twice, a default that does not fit its type.
func NewSchema(fields ...Field) (*Schema, error) {
	if len(fields) > MaxFields {
		return nil, tooManyFields(len(fields))
	}
	s := &Schema{byName: make(map[string]int, len(fields)), align: 1, pointerFree: true, zero: true}
	for _, f := range fields {
		if f.Name == "" {
			return nil, errors.New("a field has no name")
		}
		if !f.Type.valid() {
			return nil, fmt.Errorf("field %q has no type", f.Name)
		}
		if _, twice := s.byName[f.Name]; twice {
			return nil, fmt.Errorf("field %q is declared twice", f.Name)
		}
		align := f.Type.align()
		f.Offset = (s.size + align - 1) &^ (align - 1)
		s.size = f.Offset + f.Type.Size()
		s.add(f)
	}
	s.size = (s.size + s.align - 1) &^ (s.align - 1)
	return s, s.finish()
}

func tooManyFields(n int) error {
	return fmt.Errorf("%d fields are too many: at most %d", n, MaxFields)
}

func (s *Schema) add(f Field) {
	s.align = max(s.align, f.Type.align())
	s.pointerFree = s.pointerFree && f.Type.pointerFree()
	s.byName[f.Name] = len(s.fields)
	s.fields = append(s.fields, f)
}

// finish checks the defaults and prepares the default row.
func (s *Schema) finish() error {
	if !s.pointerFree && s.memory == nil {
		s.memory = structMemory(s)
	}
	if s.pointerFree {
		s.defaults = make([]byte, s.size)
	}
	for i := range s.fields {
		f := &s.fields[i]
		if f.Default.kind == NilValue {
			continue
		}
		err := s.check(FieldValue{i, f.Default})
		if err == nil && s.pointerFree {
			err = storeValue(unsafe.Pointer(&s.defaults[f.Offset]), f.Type, f.Default)
		}
		if err != nil {
			return fmt.Errorf("default of field %q: %w", f.Name, err)
		}
		f.Default = f.Type.uniform(f.Default)
		s.zero = false
	}
	return nil
}

// Fields returns the fields in layout order. Do not change the slice.
func (s *Schema) Fields() []Field { return s.fields }

// Index returns the place of the field in [Schema.Fields], -1 when there is none of that name.
func (s *Schema) Index(name string) int {
	if i, ok := s.byName[name]; ok {
		return i
	}
	return -1
}

// Size returns the bytes of one row, padding included.
func (s *Schema) Size() uintptr { return s.size }

// PointerFree reports whether rows hold no strings and no tables.
func (s *Schema) PointerFree() bool { return s.pointerFree }

// String returns the layout as messages show it: "{x f64, y f64}".
func (s *Schema) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, f := range s.fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.Name + " " + f.Type.String())
	}
	b.WriteByte('}')
	return b.String()
}

// sameFields reports whether both have the same fields in any order, and no default of o contradicts s.
func (s *Schema) sameFields(o *Schema) bool {
	if len(s.fields) != len(o.fields) {
		return false
	}
	for _, f := range o.fields {
		i := s.Index(f.Name)
		if i < 0 || s.fields[i].Type != f.Type {
			return false
		}
		if f.Default.kind != NilValue && !f.Default.Equal(s.defaultOf(i)) {
			return false
		}
	}
	return true
}

// sameLayout reports whether rows of o can be used as rows of s without a copy.
func (s *Schema) sameLayout(o *Schema) bool {
	if s.size != o.size || len(s.fields) != len(o.fields) {
		return false
	}
	for i, f := range s.fields {
		if g := o.fields[i]; f.Name != g.Name || f.Type != g.Type || f.Offset != g.Offset {
			return false
		}
	}
	return true
}

// defaultOf returns what a fresh row holds in field i, never nil.
func (s *Schema) defaultOf(i int) Value {
	if v := s.fields[i].Default; v.kind != NilValue {
		return v
	}
	return zeroValue(s.fields[i].Type)
}

// zeroValue is what a field of a type holds in a fresh row without a default.
func zeroValue(t FieldType) Value { return fieldTypes[t].zero }

// setDefault writes the default row at p, which holds anything valid.
func (s *Schema) setDefault(p unsafe.Pointer) {
	if s.pointerFree {
		copy(unsafe.Slice((*byte)(p), s.size), s.defaults)
		return
	}
	s.memory.clear(p)
	for i := range s.fields {
		if f := &s.fields[i]; f.Default.kind != NilValue {
			if err := storeValue(unsafe.Add(p, f.Offset), f.Type, f.Default); err != nil {
				panic("ecs: default of " + f.Name + ": " + err.Error()) // finish checked it
			}
		}
	}
}

// copyRow copies one row from src to dst.
func (s *Schema) copyRow(dst, src unsafe.Pointer) {
	switch {
	case !s.pointerFree:
		s.memory.copy(dst, src)
	case s.size == 8:
		*(*uint64)(dst) = *(*uint64)(src)
	case s.size == 16:
		*(*[2]uint64)(dst) = *(*[2]uint64)(src)
	default:
		copy(unsafe.Slice((*byte)(dst), s.size), unsafe.Slice((*byte)(src), s.size))
	}
}
