package ecs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// A schema describes the rows of a component, event or resource. Whether it comes from a Go type (gotype.go) or
// from fields given at run time (NewSchema), the layout follows Go's rules for structs, so that both kinds of code
// can work on the same rows.

// A Field is one named, typed field of a component, event or resource.
type Field struct {
	Name    string
	Type    FieldType
	Default Value   // the value in a fresh row, for an array also that of each of its values; the zero Value stands for the zero of Type (0, false, "", None, the empty table)
	Offset  uintptr // bytes from the start of the row; NewSchema sets it
}

// A Schema is the layout of a row: fields at the offsets that Go would give them in a struct. A Schema is
// immutable and may be shared by worlds.
type Schema struct {
	fields      []Field
	byName      map[string]int // index in fields
	size        uintptr        // bytes of a row, a multiple of align
	align       uintptr
	pointerFree bool
	arrays      bool          // some field is an array
	opaque      []opaqueField // parts of the Go type that no FieldType describes; in layout order
	memory      *typedMemory  // allocates and copies rows with pointers; nil if pointerFree
	defaults    []byte        // the bytes of the default row; nil for a schema with pointers
	zero        bool          // the default row is all zero
}

// NewSchema makes a schema of these fields, laid out as Go lays out a struct; it sets their offsets. Without
// fields the component carries no data. Errors: a field without a name or type, a name that is used twice, a
// default that does not fit its type, more than [MaxFields] fields.
func NewSchema(fields ...Field) (*Schema, error) {
	s, err := newSchema(fields, MaxFieldItems)
	if err != nil {
		return nil, err
	}
	return s, s.close()
}

// newSchema makes a schema that more may be added to; close ends that.
func newSchema(fields []Field, most int) (*Schema, error) {
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
		if n := f.Type.Len(); n > most {
			return nil, fmt.Errorf("field %q has %d values: at most %d", f.Name, n, most)
		}
		if _, twice := s.byName[f.Name]; twice {
			return nil, fmt.Errorf("field %q is declared twice", f.Name)
		}
		align := f.Type.align()
		f.Offset = (s.size + align - 1) &^ (align - 1)
		s.size = f.Offset + f.Type.Size()
		s.add(f)
	}
	return s, nil
}

// close pads the row to its alignment and finishes the schema.
func (s *Schema) close() error {
	s.size = (s.size + s.align - 1) &^ (s.align - 1)
	return s.finish()
}

func tooManyFields(n int) error {
	return fmt.Errorf("%d fields are too many: at most %d", n, MaxFields)
}

// add appends a field whose offset is set.
func (s *Schema) add(f Field) {
	s.align = max(s.align, f.Type.align())
	s.pointerFree = s.pointerFree && f.Type.pointerFree()
	s.arrays = s.arrays || f.Type.Len() > 0
	s.byName[f.Name] = len(s.fields)
	s.fields = append(s.fields, f)
}

// finish is the last step of making a schema: it checks the defaults and prepares the default row.
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
		err := f.checkDefault(f.Default)
		if err == nil && s.pointerFree {
			err = f.storeDefault(unsafe.Pointer(&s.defaults[0]))
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

// Index returns the index of a field in [Schema.Fields], -1 if there is no field of that name.
func (s *Schema) Index(name string) int {
	if i, ok := s.byName[name]; ok {
		return i
	}
	return -1
}

// Size returns the size of a row in bytes, including padding.
func (s *Schema) Size() uintptr { return s.size }

// PointerFree reports whether rows contain neither strings nor tables nor opaque fields.
func (s *Schema) PointerFree() bool { return s.pointerFree }

// String returns the fields as messages show them: "{x f64, y f64}". Opaque fields follow with their Go types.
func (s *Schema) String() string {
	parts := make([]string, 0, len(s.fields)+len(s.opaque))
	for _, f := range s.fields {
		parts = append(parts, f.Name+" "+f.Type.String())
	}
	for i := range s.opaque {
		parts = append(parts, s.opaque[i].name+" "+s.opaque[i].goType())
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// sameFields reports whether o has the same fields as s, in any order. A default of o must be equal to that of s;
// a field of o without a default agrees with any. If o has no opaque fields, those of s do not count: a config or a
// script describes what it sees.
func (s *Schema) sameFields(o *Schema) bool {
	if len(s.fields) != len(o.fields) || len(o.opaque) > 0 && !s.sameOpaque(o) {
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

// sameVisible reports whether both schemas have fields of the same names and types, in any order.
func (s *Schema) sameVisible(o *Schema) bool {
	return len(s.fields) == len(o.fields) && !slices.ContainsFunc(o.fields, func(f Field) bool {
		i := s.Index(f.Name)
		return i < 0 || s.fields[i].Type != f.Type
	})
}

// sameLayout reports whether rows of o can be used as rows of s without conversion: same names, types, offsets and
// size, and the same opaque fields.
func (s *Schema) sameLayout(o *Schema) bool {
	if s.size != o.size || len(s.fields) != len(o.fields) || !s.sameOpaque(o) {
		return false
	}
	for i, f := range s.fields {
		if g := o.fields[i]; f.Name != g.Name || f.Type != g.Type || f.Offset != g.Offset {
			return false
		}
	}
	return true
}

// defaultOf returns the value of field i in a fresh row. It is never nil.
func (s *Schema) defaultOf(i int) Value {
	if v := s.fields[i].Default; v.kind != NilValue {
		return v
	}
	return zeroValue(s.fields[i].Type)
}

// zeroValue returns the value of a field of type t in a fresh row without a default.
func zeroValue(t FieldType) Value { return fieldTypes[t.Elem()].zero }

// setDefault writes the default row at p, which must hold a valid row.
func (s *Schema) setDefault(p unsafe.Pointer) {
	if s.pointerFree {
		copy(unsafe.Slice((*byte)(p), s.size), s.defaults)
		return
	}
	s.memory.clear(p)
	for i := range s.fields {
		if f := &s.fields[i]; f.Default.kind != NilValue {
			if err := f.storeDefault(p); err != nil {
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
