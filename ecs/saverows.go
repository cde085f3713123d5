package ecs

import (
	"encoding/binary"
	"unsafe"
)

// This file writes rows, and lists of numbers, in the form that compresses well: field by field, so that values of
// the same meaning stand together.

// valuesAtOnce is the number of bytes of one field that are gathered before they are handed to the file.
const valuesAtOnce = 32 << 10

// rows writes n rows of a schema that begin at base. A row without fields is a byte, so that no short file claims
// many rows.
func (s *saver) rows(of *Schema, base unsafe.Pointer, n int) {
	if n == 0 { // base may be nil
		return
	}
	if len(of.fields) == 0 {
		for range n {
			s.number(0)
		}
	}
	for i := range of.fields {
		f := &of.fields[i]
		at := unsafe.Add(base, f.Offset)
		switch {
		case f.Type == String:
			for row := range n {
				s.text(*(*string)(unsafe.Add(at, uintptr(row)*of.size)))
			}
		case f.Type == TableField:
			for row := range n {
				s.plain(*(**Data)(unsafe.Add(at, uintptr(row)*of.size)))
			}
		default:
			s.gather(at, of.size, n, int(f.Type.Size()))
		}
	}
	s.opaqueRows(of, base, n)
}

// gather writes n values of 1, 2, 4 or 8 bytes each, which lie stride bytes apart.
func (s *saver) gather(at unsafe.Pointer, stride uintptr, n, width int) {
	if s.values == nil {
		s.values = make([]byte, valuesAtOnce)
	}
	offset := uintptr(0) // of the next value; no pointer is made that lies behind the last one
	for n > 0 {
		part := min(n, valuesAtOnce/width)
		to := s.values[:part*width]
		switch width {
		case 8:
			for i := 0; i < len(to); i, offset = i+8, offset+stride {
				binary.LittleEndian.PutUint64(to[i:], *(*uint64)(unsafe.Add(at, offset)))
			}
		case 4:
			for i := 0; i < len(to); i, offset = i+4, offset+stride {
				binary.LittleEndian.PutUint32(to[i:], *(*uint32)(unsafe.Add(at, offset)))
			}
		case 2:
			for i := 0; i < len(to); i, offset = i+2, offset+stride {
				binary.LittleEndian.PutUint16(to[i:], *(*uint16)(unsafe.Add(at, offset)))
			}
		default:
			for i := 0; i < len(to); i, offset = i+1, offset+stride {
				to[i] = *(*byte)(unsafe.Add(at, offset))
			}
		}
		s.list(to, width)
		n -= part
	}
}

// list writes values of width bytes each, little-endian.
func (s *saver) list(p []byte, width int) {
	s.flush()
	_, err := s.f.Values(p, width)
	s.fail(err)
}

// saveColumn writes one number of width bytes from each element of a list: the one that lies offset bytes behind its
// beginning.
func saveColumn[T any](s *saver, list []T, offset uintptr, width int) {
	if len(list) == 0 {
		return
	}
	s.gather(unsafe.Add(unsafe.Pointer(unsafe.SliceData(list)), offset), unsafe.Sizeof(*new(T)), len(list), width)
}

// saveRoom writes the length and the capacity of a list whose capacity counts for the limit of bytes.
func saveRoom[T any](s *saver, list []T) {
	s.count(len(list))
	s.count(cap(list))
}
