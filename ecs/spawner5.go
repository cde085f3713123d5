package ecs

import (
	"reflect"
	"unsafe"
)

// A Spawner5 makes entities of five components with their values; see [Spawner2].
type Spawner5[A, B, C, D, E any] struct{ spawner }

// NewSpawner5 makes a spawner of five components, as [NewSpawner2] does.
func NewSpawner5[A, B, C, D, E any](w *World, tags ...TagID) (*Spawner5[A, B, C, D, E], error) {
	s, err := w.newSpawner(tags, reflect.TypeFor[A](), reflect.TypeFor[B](), reflect.TypeFor[C](), reflect.TypeFor[D](), reflect.TypeFor[E]())
	if err != nil {
		return nil, err
	}
	return &Spawner5[A, B, C, D, E]{s}, nil
}

// Spawn makes an entity with these values, as [Spawner2.Spawn] does.
func (s *Spawner5[A, B, C, D, E]) Spawn(a A, b B, c C, d D, e E) (Entity, error) {
	v, row, err := s.place()
	if err != nil {
		return None, err
	}
	*(*A)(unsafe.Add(s.columns[0].base, uintptr(row)*unsafe.Sizeof(a))) = a
	*(*B)(unsafe.Add(s.columns[1].base, uintptr(row)*unsafe.Sizeof(b))) = b
	*(*C)(unsafe.Add(s.columns[2].base, uintptr(row)*unsafe.Sizeof(c))) = c
	*(*D)(unsafe.Add(s.columns[3].base, uintptr(row)*unsafe.Sizeof(d))) = d
	*(*E)(unsafe.Add(s.columns[4].base, uintptr(row)*unsafe.Sizeof(e))) = e
	if !s.plain() {
		s.finish(v)
	}
	return v, nil
}

// SpawnMany makes an entity for each row of values and appends them to list, as [Spawner2.SpawnMany] does.
func (s *Spawner5[A, B, C, D, E]) SpawnMany(list []Entity, a []A, b []B, c []C, d []D, e []E) ([]Entity, error) {
	from, err := s.placeMany(len(a), len(b), len(c), len(d), len(e))
	if err != nil {
		return list, err
	}
	fill(s.columns[0], from, a)
	fill(s.columns[1], from, b)
	fill(s.columns[2], from, c)
	fill(s.columns[3], from, d)
	fill(s.columns[4], from, e)
	return s.finishMany(list, from), nil
}
