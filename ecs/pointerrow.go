package ecs

import (
	"reflect"
	"strconv"
	"unsafe"
)

// This file is the memory of rows that hold pointers: strings, plain data, opaque fields. The garbage collector must
// know their type, and be told of each pointer that is written. A single row is copied and cleared word by word; that
// takes a tenth of the time of reflection, which is left for whole columns and for very large rows.

// typedMemory allocates, copies and clears rows that hold pointers, with the write barriers that the garbage
// collector needs.
type typedMemory struct {
	row      reflect.Type
	end      uintptr // bytes of a row; 0 for a row of more than 64 machine words, which reflection copies
	pointers uint64  // the machine words that hold pointers, one bit each
}

// newTypedMemory returns the memory for rows of a Go type.
func newTypedMemory(row reflect.Type) *typedMemory {
	m := &typedMemory{row: row}
	if row.Size() <= 64*pointerSize {
		m.end = row.Size()
		m.note(row, 0)
	}
	return m
}

// note marks the words of a value of type t that hold pointers. The value begins at an offset in the row.
func (m *typedMemory) note(t reflect.Type, offset uintptr) {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16,
		reflect.Uint32, reflect.Uint64, reflect.Uintptr, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
	case reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Func, reflect.String, reflect.Slice:
		m.pointers |= 1 << (offset / pointerSize) // of a string or a slice the first word
	case reflect.Interface:
		m.pointers |= 1 << (offset/pointerSize + 1) // the first word leads to a type, which is never freed
	case reflect.Struct:
		for f := range t.Fields() {
			m.note(f.Type, offset+f.Offset)
		}
	case reflect.Array:
		for i := uintptr(0); i < t.Size(); i += t.Elem().Size() {
			m.note(t.Elem(), offset+i)
		}
	default:
		panic("ecs: a row with a value of the kind " + t.Kind().String())
	}
}

// structMemory makes a Go struct type for the rows of a schema that was declared at run time or comes from a file. The type serves the
// garbage collector only; components are never compared by it.
func structMemory(s *Schema) *typedMemory {
	fields := make([]reflect.StructField, len(s.fields))
	for i, f := range s.fields {
		fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: f.Type.goType()}
	}
	for i := range s.opaque { // from a file: see encodedSchema
		fields = append(fields, reflect.StructField{Name: "O" + strconv.Itoa(i), Type: s.opaque[i].typ})
	}
	return newTypedMemory(reflect.StructOf(fields))
}

func (m *typedMemory) alloc(rows int) unsafe.Pointer {
	return reflect.MakeSlice(reflect.SliceOf(m.row), rows, rows).UnsafePointer()
}

// copy copies one row.
func (m *typedMemory) copy(dst, src unsafe.Pointer) {
	if m.end == 0 {
		reflect.NewAt(m.row, dst).Elem().Set(reflect.NewAt(m.row, src).Elem())
		return
	}
	pointers := m.pointers
	for at := uintptr(0); at < m.end; at += pointerSize {
		if pointers&1 != 0 {
			*(*unsafe.Pointer)(unsafe.Add(dst, at)) = *(*unsafe.Pointer)(unsafe.Add(src, at))
		} else {
			*(*uintptr)(unsafe.Add(dst, at)) = *(*uintptr)(unsafe.Add(src, at))
		}
		pointers >>= 1
	}
}

// move copies one row and sets src to zero.
func (m *typedMemory) move(dst, src unsafe.Pointer) {
	if m.end == 0 {
		m.copy(dst, src)
		m.clear(src)
		return
	}
	pointers := m.pointers
	for at := uintptr(0); at < m.end; at += pointerSize {
		if pointers&1 != 0 {
			*(*unsafe.Pointer)(unsafe.Add(dst, at)) = *(*unsafe.Pointer)(unsafe.Add(src, at))
			*(*unsafe.Pointer)(unsafe.Add(src, at)) = nil
		} else {
			*(*uintptr)(unsafe.Add(dst, at)) = *(*uintptr)(unsafe.Add(src, at))
			*(*uintptr)(unsafe.Add(src, at)) = 0
		}
		pointers >>= 1
	}
}

// clear sets one row to zero.
func (m *typedMemory) clear(p unsafe.Pointer) {
	if m.end == 0 {
		reflect.NewAt(m.row, p).Elem().SetZero()
		return
	}
	pointers := m.pointers
	for at := uintptr(0); at < m.end; at += pointerSize {
		if pointers&1 != 0 {
			*(*unsafe.Pointer)(unsafe.Add(p, at)) = nil
		} else {
			*(*uintptr)(unsafe.Add(p, at)) = 0
		}
		pointers >>= 1
	}
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
