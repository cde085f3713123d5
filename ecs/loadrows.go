package ecs

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// This file reads rows and lists of numbers: the inverse of savetables.go.

// shortest returns the least number of bytes that n rows of a schema take in a file.
func (s *Schema) shortest(n int) int64 {
	size := 0
	for i := range s.fields {
		if t := s.fields[i].Type; t.pointerFree() {
			size += int(t.Size())
		} else {
			size++
		}
	}
	if len(s.fields) == 0 {
		size = 1
	}
	return int64(n) * int64(size+len(s.opaque))
}

// rows reads n rows into memory at base, which holds valid rows. The caller has checked that they fit into the
// section.
func (l *loader) rows(of *Schema, base unsafe.Pointer, n int) {
	if n == 0 { // base may be nil
		return
	}
	if len(of.fields) == 0 {
		for range n {
			if l.number() != 0 {
				l.fail("a row without fields has a value")
			}
		}
	}
	for i := range of.fields {
		f := &of.fields[i]
		at := unsafe.Add(base, f.Offset)
		switch {
		case f.Type == String:
			for row := range n {
				*(*string)(unsafe.Add(at, uintptr(row)*of.size)) = l.text()
			}
		case f.Type == TableField:
			for row := range n {
				*(**Data)(unsafe.Add(at, uintptr(row)*of.size)) = l.plain(0)
			}
		case f.Type == Bool:
			l.booleans(at, of.size, n)
		case f.Type.Len() > 0:
			width := f.Type.Elem().Size()
			for row := range n {
				if items := unsafe.Add(at, uintptr(row)*of.size); f.Type.Elem() == Bool {
					l.booleans(items, 1, f.Type.Len())
				} else {
					l.scatter(items, width, f.Type.Len(), int(width))
				}
			}
		default:
			l.scatter(at, of.size, n, int(f.Type.Size()))
		}
	}
	l.opaqueRows(of, base, n)
}

// booleans reads n bytes, each 0 or 1, into places that lie stride bytes apart.
func (l *loader) booleans(at unsafe.Pointer, stride uintptr, n int) {
	l.scatter(at, stride, n, 1)
	for i := range n {
		if v := *(*byte)(unsafe.Add(at, uintptr(i)*stride)); v > 1 {
			*(*byte)(unsafe.Add(at, uintptr(i)*stride)) = 0
			l.fail("a boolean is %d", v)
		}
	}
}

// scatter reads n values of 1, 2, 4 or 8 bytes each into places that lie stride bytes apart.
func (l *loader) scatter(at unsafe.Pointer, stride uintptr, n, width int) {
	if l.values == nil {
		l.values = make([]byte, valuesAtOnce)
	}
	offset := uintptr(0)
	for n > 0 {
		part := min(n, valuesAtOnce/width)
		from := l.values[:part*width]
		l.read(from)
		switch width {
		case 8:
			for i := 0; i < len(from); i, offset = i+8, offset+stride {
				*(*uint64)(unsafe.Add(at, offset)) = binary.LittleEndian.Uint64(from[i:])
			}
		case 4:
			for i := 0; i < len(from); i, offset = i+4, offset+stride {
				*(*uint32)(unsafe.Add(at, offset)) = binary.LittleEndian.Uint32(from[i:])
			}
		case 2:
			for i := 0; i < len(from); i, offset = i+2, offset+stride {
				*(*uint16)(unsafe.Add(at, offset)) = binary.LittleEndian.Uint16(from[i:])
			}
		default:
			for i := 0; i < len(from); i, offset = i+1, offset+stride {
				*(*byte)(unsafe.Add(at, offset)) = from[i]
			}
		}
		n -= part
	}
}

// loadColumn reads one number of width bytes into each element of a list: where [saveColumn] has it from.
func loadColumn[T any](l *loader, list []T, offset uintptr, width int) {
	if len(list) == 0 {
		return
	}
	l.scatter(unsafe.Add(unsafe.Pointer(unsafe.SliceData(list)), offset), unsafe.Sizeof(*new(T)), len(list), width)
}

// room reads the length and the capacity of a list whose elements have size bytes in memory and stored bytes in the
// section. The capacity is the one to allocate: see capacity.
func (l *loader) room(size, stored int) (n, capacity int) {
	n = int(l.below(math.MaxInt32, "a length"))
	if int64(n) > l.c.Left()/int64(stored) {
		l.fail("%d things do not fit into the section", n)
	}
	return n, l.capacity(n, uint64(size))
}

// capacity reads the capacity of something of which n elements of size bytes are used.
func (l *loader) capacity(n int, size uint64) int {
	c := l.number()
	if c < uint64(n) {
		l.fail("%d things in room for %d", n, c)
	}
	return n + l.allow(c-uint64(n), size)
}

// unused reads by how much the capacity is larger than n, and returns the capacity.
func (l *loader) unused(n int, size uint64) int { return n + l.allow(l.number(), size) }

// allow returns how many unused elements of size bytes are allocated of those that the file asks for: all, or none
// if they would take more memory than a file may ask for.
func (l *loader) allow(unused, size uint64) int {
	size = max(size, 1)
	if unused > uint64(l.spare)/size || unused > math.MaxInt32 {
		return 0
	}
	l.spare -= int64(unused * size)
	return int(unused)
}

// charge counts memory for an index of which the file does not hold each element.
func (l *loader) charge(n int, size uintptr) {
	if uint64(n) > uint64(l.extra)/uint64(size) {
		l.fail("an index of %d entries is too large for so short a file", n)
	}
	l.extra -= int64(n) * int64(size)
}

// loadRoom reads a list of which stored bytes of each element are in the file, and returns it with its capacity;
// fill reads the elements.
func loadRoom[T any](l *loader, m Memory, owned *bool, stored int) []T {
	n, capacity := l.room(int(unsafe.Sizeof(*new(T))), stored)
	if capacity == 0 {
		return nil
	}
	return room[T](m, nil, owned, capacity)[:n]
}
