package ecs

import (
	"fmt"
	"reflect"
	"unsafe"
)

// cellType lists the Go types of layers.
type cellType interface {
	~float64 | ~float32 | ~int64 | ~int32 | ~int16 | ~int8 | ~uint64 | ~uint32 | ~uint16 | ~uint8 | ~bool
}

// A Layer is a layer of a Go type: an [Entity] or a number type or bool.
type Layer[T cellType] struct{ any *AnyLayer }

// DeclareLayer declares a layer whose cells are of type T, or checks that the layer of that name is like this. Type and
// Default of the spec follow from T and first. Errors: those of [World.DeclareLayer].
func DeclareLayer[T cellType](w *World, spec LayerSpec, first T) (*Layer[T], error) {
	s, err := schemaOfType(reflect.TypeFor[T](), nil)
	if err != nil {
		return nil, fail("declare layer", None, spec.Name, err)
	}
	spec.Type = s.fields[0].Type
	spec.Default = loadValue(unsafe.Pointer(&first), spec.Type)
	l, err := w.DeclareLayer(spec)
	if err != nil {
		return nil, err
	}
	return &Layer[T]{l}, nil
}

// LayerOf returns a declared layer with its Go type. Error: [ErrUnknown]; [ErrMismatch] if its cells are not of type T.
func LayerOf[T cellType](w *World, name string) (*Layer[T], error) {
	l := w.LookupLayer(name)
	if l == nil {
		return nil, fail("look up layer", None, name, ErrUnknown)
	}
	s, err := schemaOfType(reflect.TypeFor[T](), nil)
	if err == nil && s.fields[0].Type != l.spec.Type {
		err = fmt.Errorf("%w: its cells are %s, not %s", ErrMismatch, l.spec.Type, s.fields[0].Type)
	}
	if err != nil {
		return nil, fail("look up layer", None, name, err)
	}
	return &Layer[T]{l}, nil
}

// Any returns the layer without its Go type.
func (l *Layer[T]) Any() *AnyLayer { return l.any }

// Get returns the value at (x, y). Error: the place is outside.
func (l *Layer[T]) Get(x, y int) (T, error) {
	cell, err := l.any.Cell(x, y)
	if err != nil {
		var zero T
		return zero, err
	}
	return *(*T)(l.any.at(cell)), nil
}

// Set writes the value at (x, y). Error: the place is outside.
func (l *Layer[T]) Set(x, y int, v T) error {
	cell, err := l.any.Cell(x, y)
	if err != nil {
		return err
	}
	l.any.before(cell, cell+1)
	*(*T)(l.any.at(cell)) = v
	return nil
}

// Add adds to the number at (x, y). Errors, after which nothing is written: the place is outside; T is bool or [Entity]; the
// sum does not fit T.
func (l *Layer[T]) Add(x, y int, v T) error {
	l.made()
	n := 0.0
	if t := l.any.spec.Type; t.Numeric() {
		n = loadNumber(unsafe.Pointer(&v), t)
	}
	_, err := l.any.Add(x, y, n)
	return err
}

// Fill writes a value into each cell.
func (l *Layer[T]) Fill(v T) {
	l.made()
	l.any.before(0, l.any.Len())
	cells := l.cells()
	for i := range cells {
		cells[i] = v
	}
}

// Slice returns the cells, row after row (len == Width * Height; cell (x, y) is at y*Width + x), for reading and writing.
// Where failed turns are taken back ([Schedule].RollBack), call it again in each turn that writes; the first call of a turn
// then copies the layer. The slice is valid as long as the world.
func (l *Layer[T]) Slice() []T {
	l.made()
	l.any.before(0, l.any.Len())
	return l.cells()
}

func (l *Layer[T]) made() { made(l.any != nil, "Layer", "DeclareLayer") }

func (l *Layer[T]) cells() []T { return unsafe.Slice((*T)(l.any.cells), l.any.Len()) }
