package ecs

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// A Go type may hold what no FieldType describes: slices, maps, pointers, interfaces, functions, time.Time. SchemaOf
// makes such a part an opaque field. Scripts and configs do not see it. The world keeps it, moves it with its row and
// shows it to the garbage collector. Digests and files need a codec for it; opaquecodec.go has the codecs, opaquefile.go
// has what files hold.

// An OpaqueField describes a part of a Go type that scripts do not see, because no [FieldType] describes it.
//
// An opaque field stays with its entity through all moves. Digests and files include it by a codec: the methods
// AppendBinary and UnmarshalBinary of its type, or functions given to [RegisterCodec]. Without one, [World.Digest]
// panics and [World.Save] returns an error; both name the field. [World.Copy] and [Schedule].RollBack copy such a
// value as a Go assignment does: they bring back the slice that a turn has replaced, but not an element that it has
// written into a slice.
type OpaqueField struct {
	Name      string // as a field that scripts see would be named; "value" if the whole type is opaque
	Type      string // the Go type: "[]game.Point"
	Transient bool   // the tag `ecs:",transient"`: digests and files leave the field out
	Codec     bool   // digests and files include the field; false for one that they leave out or refuse
}

// opaqueField is an OpaqueField with its place in a row.
type opaqueField struct {
	name      string
	typ       reflect.Type
	offset    uintptr
	transient bool
	covered   bool   // the codec of the whole row includes it
	codec     *codec // nil if there is none, or none is needed
	encoded   string // for a row from a file: the Go type that the bytes stand for; typ is string then. "" otherwise
}

// OpaqueFields returns the parts of the Go type that scripts do not see, in layout order; nil if there are none. A type
// whose own codec covers the whole row has an entry "*" at the end.
func (s *Schema) OpaqueFields() []OpaqueField {
	var list []OpaqueField
	for i := range s.opaque {
		f := &s.opaque[i]
		list = append(list, OpaqueField{Name: f.name, Type: f.goType(), Transient: f.transient, Codec: f.codec != nil || f.covered})
	}
	return list
}

// goType returns the name of the field's Go type.
func (f *opaqueField) goType() string {
	if f.encoded != "" {
		return f.encoded
	}
	return f.typ.String()
}

// left reports whether digests and files leave the field out.
func (f *opaqueField) left() bool { return f.transient || f.covered }

// addOpaque appends an opaque field. Error: the name is used twice.
func (s *Schema) addOpaque(name string, t reflect.Type, offset uintptr, transient bool) error {
	if name == "" {
		name = "value"
	}
	if _, twice := s.byName[name]; twice || slices.ContainsFunc(s.opaque, func(f opaqueField) bool { return f.name == name }) {
		return fmt.Errorf("two fields are named %q", name)
	}
	if len(s.opaque) <= MaxFields { // as in flatten
		s.opaque = append(s.opaque, opaqueField{name: name, typ: t, offset: offset, transient: transient})
	}
	s.pointerFree = false // the row is moved as a value of its Go type
	return nil
}

// sameOpaque reports whether both schemas have the same opaque fields at the same places.
func (s *Schema) sameOpaque(o *Schema) bool {
	return slices.EqualFunc(s.opaque, o.opaque, func(a, b opaqueField) bool {
		return a.name == b.name && a.typ == b.typ && a.offset == b.offset && a.transient == b.transient && a.encoded == b.encoded
	})
}

// opaqueStruct reports whether a struct type is opaque as a whole. It is if it cannot be described completely and its
// inside is its own business: it brings a codec, or it has unexported fields. The type of a row (outer) is opaque as a
// whole only if it exports nothing; otherwise scripts see the fields that can be described.
func opaqueStruct(t reflect.Type, outer bool, codecs codecs) bool {
	inside := &Schema{byName: map[string]int{}}
	if err := inside.flattenStruct(t, "", 0, codecs); err == nil && len(inside.opaque) == 0 {
		return false
	}
	exported, hidden := false, false
	for f := range t.Fields() {
		exported = exported || f.IsExported()
		hidden = hidden || !f.IsExported() && f.Name != "_"
	}
	if outer {
		return !exported
	}
	return hidden || codecs.of(t) != nil
}

// fieldTag returns the name and the options of a field's tag: `ecs:"name,transient"`.
func fieldTag(f reflect.StructField) (name string, transient bool, err error) {
	name, option, more := strings.Cut(f.Tag.Get("ecs"), ",")
	if more && option != "transient" {
		return "", false, fmt.Errorf("field %s: the tag has the option %q; the only one is \"transient\"", f.Name, option)
	}
	return name, more, nil
}

// codec turns the values of one Go type into bytes and back.
type codec struct {
	encode func(b []byte, p unsafe.Pointer) ([]byte, error) // appends the bytes of the value at p
	decode func(p unsafe.Pointer, b []byte) error           // p holds a zero value
}

// codecs are the codecs that a program has registered for a world.
type codecs map[reflect.Type]*codec

// RegisterCodec tells the world how values of the Go type T become bytes and back, for digests, files and comparisons.
// Components, events and resources that are registered after it use it for their fields of this type, which [SchemaOf]
// cannot describe. A codec is needed only for a type that brings none: one with the methods AppendBinary
// ([encoding.BinaryAppender]) and UnmarshalBinary ([encoding.BinaryUnmarshaler]), or a pointer to such a type, has its
// own. If T is the type of a whole component, the codec includes all of its fields.
//
// encode appends the bytes of v to b. Equal values must give equal bytes on every machine and in every run: a codec for
// a map sorts the keys. decode gets a zero value and these bytes, which it must not keep.
func RegisterCodec[T any](w *World, encode func(b []byte, v *T) ([]byte, error), decode func(v *T, b []byte) error) {
	if encode == nil || decode == nil {
		panic("ecs: a codec needs both functions")
	}
	w.mustBeAlone()
	if w.codecs == nil {
		w.codecs = codecs{}
	}
	w.codecs[reflect.TypeFor[T]()] = &codec{
		encode: func(b []byte, p unsafe.Pointer) ([]byte, error) { return encode(b, (*T)(p)) },
		decode: func(p unsafe.Pointer, b []byte) error { return decode((*T)(p), b) },
	}
}

var (
	appenderType    = reflect.TypeFor[encoding.BinaryAppender]()
	unmarshalerType = reflect.TypeFor[encoding.BinaryUnmarshaler]()
)

// of returns the codec for a type, nil if there is none. A registered one counts before the type's own.
func (c codecs) of(t reflect.Type) *codec {
	if known := c[t]; known != nil {
		return known
	}
	own := reflect.PointerTo(t)
	switch {
	case own.Implements(appenderType) && own.Implements(unmarshalerType):
		return &codec{
			encode: func(b []byte, p unsafe.Pointer) ([]byte, error) {
				return reflect.NewAt(t, p).Interface().(encoding.BinaryAppender).AppendBinary(b)
			},
			decode: func(p unsafe.Pointer, b []byte) error {
				return reflect.NewAt(t, p).Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
			},
		}
	case t.Kind() == reflect.Pointer:
		if inner := c.of(t.Elem()); inner != nil && t.Elem().Kind() != reflect.Pointer {
			return pointerCodec(t.Elem(), inner)
		}
	}
	return nil
}

// pointerCodec makes the codec of *t from that of t: a byte that says whether there is a value, and the value. Pointers
// to one value become pointers to equal values.
func pointerCodec(t reflect.Type, inner *codec) *codec {
	return &codec{
		encode: func(b []byte, p unsafe.Pointer) ([]byte, error) {
			at := *(*unsafe.Pointer)(p)
			if at == nil {
				return append(b, 0), nil
			}
			return inner.encode(append(b, 1), at)
		},
		decode: func(p unsafe.Pointer, b []byte) error {
			switch {
			case len(b) == 1 && b[0] == 0:
				return nil
			case len(b) == 0 || b[0] != 1:
				return errors.New("the bytes are not those of a pointer")
			}
			v := reflect.New(t)
			*(*unsafe.Pointer)(p) = v.UnsafePointer()
			return inner.decode(v.UnsafePointer(), b[1:])
		},
	}
}

// encodedCodec is the codec of fields that a file has brought: their bytes are kept as they are.
var encodedCodec = &codec{
	encode: func(b []byte, p unsafe.Pointer) ([]byte, error) { return append(b, *(*string)(p)...), nil },
	decode: func(p unsafe.Pointer, b []byte) error {
		*(*string)(p) = string(b)
		return nil
	},
}

// findCodecs sets the codecs of the opaque fields of a Go type t. If a field has none and t has one, that includes the
// field, and an entry "*" stands for the whole row.
func (s *Schema) findCodecs(t reflect.Type, codecs codecs) {
	lacking := false
	for i := range s.opaque {
		if f := &s.opaque[i]; !f.transient {
			f.codec = codecs.of(f.typ)
			lacking = lacking || f.codec == nil
		}
	}
	whole := codecs.of(t)
	if !lacking || whole == nil {
		return
	}
	for i := range s.opaque {
		if f := &s.opaque[i]; !f.transient {
			f.covered, f.codec = true, nil
		}
	}
	s.opaque = append(s.opaque, opaqueField{name: "*", typ: t, codec: whole})
}

// append appends the bytes of the field in the row at p to b: their number and the bytes. Error: the field has no codec,
// or its codec fails; it names the field.
func (f *opaqueField) append(b []byte, p unsafe.Pointer) ([]byte, error) {
	if f.codec == nil {
		return b, fmt.Errorf("field %q holds a %s, which has no codec: give that type the methods AppendBinary and UnmarshalBinary, call RegisterCodec before it is registered, or tag the field `ecs:\",transient\"`",
			f.name, f.goType())
	}
	start := len(b)
	b, err := f.codec.encode(append(b, 0, 0, 0, 0, 0, 0, 0, 0), unsafe.Add(p, f.offset))
	if err != nil {
		return b[:start], fmt.Errorf("field %q, a %s: %w", f.name, f.goType(), err)
	}
	if len(b) < start+8 {
		panic("ecs: the codec of " + f.goType() + " has returned fewer bytes than it was given")
	}
	binary.LittleEndian.PutUint64(b[start:], uint64(len(b)-start-8))
	return b, nil
}
