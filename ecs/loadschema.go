package ecs

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// laidOut makes a schema whose fields lie where a Go type in another program has them: with padding that
// [NewSchema] would not leave. Errors: fields that overlap, are not in order, or are not aligned.
func laidOut(fields []Field, size, align uintptr) (*Schema, error) {
	s := &Schema{byName: make(map[string]int, len(fields)), align: 1, size: size, pointerFree: true, zero: true}
	end := uintptr(0)
	var parts []reflect.StructField // the row as a Go struct, for the garbage collector
	pad := func(to uintptr) {
		if to > end {
			parts = append(parts, reflect.StructField{Name: "P" + strconv.Itoa(len(parts)), Type: reflect.ArrayOf(int(to-end), reflect.TypeFor[byte]())})
		}
	}
	for _, f := range fields {
		if f.Offset < end || f.Offset%f.Type.align() != 0 || f.Offset+f.Type.Size() > size {
			return nil, fmt.Errorf("field %q lies at byte %d of %d, behind %d", f.Name, f.Offset, size, end)
		}
		pad(f.Offset)
		parts = append(parts, reflect.StructField{Name: "F" + strconv.Itoa(len(parts)), Type: fieldTypes[f.Type].goType})
		end = f.Offset + f.Type.Size()
		s.add(f)
	}
	pad(size)
	if align < s.align || align&(align-1) != 0 || align > 8 || size%align != 0 {
		return nil, fmt.Errorf("rows of %d bytes cannot be aligned to %d", size, align)
	}
	s.align = align
	if !s.pointerFree {
		row := reflect.StructOf(parts)
		if row.Size() != size {
			return nil, errors.New("the layout of a row is not that of a Go type on this machine")
		}
		s.memory = newTypedMemory(row)
	}
	return s, s.finish()
}
