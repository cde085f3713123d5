package ecs

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"unsafe"
)

// A file keeps an opaque field as the bytes that its codec makes. Who loads the file need not have the Go type: Load
// makes a row in which the bytes stand as a string, with the same digest. World.Adopt decodes them into the rows of the
// Go type.

// opaqueType is the name of the type of an opaque field in a file; its default is then the name of the Go type.
const opaqueType = "opaque"

// kept returns the number of opaque fields that digests and files have.
func (s *Schema) kept() (n int) {
	for i := range s.opaque {
		if !s.opaque[i].left() {
			n++
		}
	}
	return n
}

// opaqueSchema writes the opaque fields of a layout.
func (s *saver) opaqueSchema(of *Schema) {
	for i := range of.opaque {
		if f := &of.opaque[i]; !f.left() {
			s.text(f.name)
			s.text(opaqueType)
			s.value(Text(f.goType()))
		}
	}
}

// opaqueRows writes the opaque fields of n rows that begin at base.
func (s *saver) opaqueRows(of *Schema, base unsafe.Pointer, n int) {
	for i := range of.opaque {
		f := &of.opaque[i]
		if f.left() {
			continue
		}
		for row := range n {
			var err error
			if s.coded, err = f.append(s.coded[:0], unsafe.Add(base, uintptr(row)*of.size)); err != nil {
				s.fail(fmt.Errorf("a %s: %w", of.memory.row, err))
				return
			}
			b := s.coded[8:]
			s.count(len(b))
			s.flush()
			_, err = s.f.Write(b)
			s.fail(err)
		}
	}
}

// opaqueRows reads what saver.opaqueRows has written into rows of an encodedSchema.
func (l *loader) opaqueRows(of *Schema, base unsafe.Pointer, n int) {
	for i := range of.opaque {
		for row := range n {
			b := make([]byte, l.count(1))
			l.read(b)
			*(*string)(unsafe.Add(base, uintptr(row)*of.size+of.opaque[i].offset)) = string(b)
		}
	}
}

// encodedSchema makes the layout of rows whose opaque fields are bytes from a file. opaque has their names and the names
// of their Go types.
func encodedSchema(fields []Field, opaque [][2]string) (*Schema, error) {
	most := MaxFieldItems
	if len(fields) == 1 {
		most = MaxArrayItems // it may be of a resource
	}
	s, err := newSchema(fields, most)
	if err != nil {
		return nil, err
	}
	for _, f := range opaque {
		typ := reflect.TypeFor[string]()
		align := uintptr(typ.Align())
		offset := (s.size + align - 1) &^ (align - 1)
		if err := s.addOpaque(f[0], typ, offset, false); err != nil {
			return nil, err
		}
		added := &s.opaque[len(s.opaque)-1]
		added.codec, added.encoded = encodedCodec, f[1]
		s.size, s.align = offset+typ.Size(), max(s.align, align)
	}
	return s, s.close()
}

// An opaqueConversion brings one opaque field into rows of another schema.
type opaqueConversion struct{ from, to *opaqueField }

// convertOpaque returns how the opaque fields of from get into to. Error: [ErrMismatch] for a field whose Go type has
// changed, and one that has no codec to decode it.
func (a *adoption) convertOpaque(what, name string, from, to *Schema, each func(visit func(base unsafe.Pointer, n int))) (list []opaqueConversion, err error) {
	for i := range from.opaque {
		f := &from.opaque[i]
		if f.encoded == "" && f.name == "*" {
			continue // its fields are copied one by one
		}
		var at *opaqueField
		for j := range to.opaque {
			if n := &to.opaque[j]; n.name == f.name && (f.encoded == "" || !n.left()) {
				at = n
			}
		}
		switch {
		case at == nil:
			held := 0
			each(func(base unsafe.Pointer, n int) { held += f.holding(base, from.size, n) })
			a.lose("field", name+"."+f.name, held, "value")
			continue
		case at.goType() != f.goType() || f.encoded == "" && at.typ != f.typ:
			return nil, fmt.Errorf("%w: field %q of %s %q was a %s and is a %s now; give the new field another name", ErrMismatch, f.name, what, name, f.goType(), at.goType())
		case f.encoded != "" && at.codec == nil:
			return nil, fmt.Errorf("%w: field %q of %s %q cannot be decoded: a %s has no codec here", ErrMismatch, f.name, what, name, f.goType())
		}
		list = append(list, opaqueConversion{f, at})
	}
	return list, nil
}

// row brings the field from the row at src into the row at dst. Error: the codec refuses the bytes.
func (c opaqueConversion) row(dst, src unsafe.Pointer) error {
	dst, src = unsafe.Add(dst, c.to.offset), unsafe.Add(src, c.from.offset)
	if c.from.encoded == "" {
		reflect.NewAt(c.to.typ, dst).Elem().Set(reflect.NewAt(c.from.typ, src).Elem())
		return nil
	}
	if err := c.to.codec.decode(dst, []byte(*(*string)(src))); err != nil {
		return fmt.Errorf("field %q, a %s: %w", c.to.name, c.to.goType(), err)
	}
	return nil
}

// different compares the field in two rows, as digests do, and returns what a list of differences shows: the number of
// bytes and the first of them.
func (c opaqueConversion) different(a, b unsafe.Pointer) (x, y string, differ bool) {
	ba, errA := c.from.append(nil, a)
	bb, errB := c.to.append(nil, b)
	if errA != nil || errB != nil {
		return fmt.Sprint(errA), fmt.Sprint(errB), (errA == nil) != (errB == nil)
	}
	return opaqueText(ba[8:]), opaqueText(bb[8:]), string(ba) != string(bb)
}

func opaqueText(b []byte) string {
	const most = 64
	if len(b) > most {
		return fmt.Sprintf("%d bytes %x… (%08x)", len(b), b[:most], checksum(b))
	}
	return fmt.Sprintf("%d bytes %x", len(b), b)
}

// checksum tells long values apart whose first bytes are equal.
func checksum(b []byte) uint32 {
	h := &quickHash{}
	_, _ = h.Write(b)
	return binary.LittleEndian.Uint32(h.Sum(nil))
}
