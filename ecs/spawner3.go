package ecs

import (
	"reflect"
	"unsafe"
)

// A Spawner3 makes entities of three components with their values; see [Spawner2].
type Spawner3[A, B, C any] struct{ spawner }

// NewSpawner3 makes a spawner of three components, as [NewSpawner2] does.
func NewSpawner3[A, B, C any](w *World, tags ...TagID) (*Spawner3[A, B, C], error) {
	s, err := w.newSpawner(tags, reflect.TypeFor[A](), reflect.TypeFor[B](), reflect.TypeFor[C]())
	if err != nil {
		return nil, err
	}
	return &Spawner3[A, B, C]{s}, nil
}

// Spawn makes an entity with these values, as [Spawner2.Spawn] does.
func (s *Spawner3[A, B, C]) Spawn(a A, b B, c C) (Entity, error) {
	v, row, err := s.place()
	if err != nil {
		return None, err
	}
	*(*A)(unsafe.Add(s.columns[0].base, uintptr(row)*unsafe.Sizeof(a))) = a
	*(*B)(unsafe.Add(s.columns[1].base, uintptr(row)*unsafe.Sizeof(b))) = b
	*(*C)(unsafe.Add(s.columns[2].base, uintptr(row)*unsafe.Sizeof(c))) = c
	if !s.plain() {
		s.finish(v)
	}
	return v, nil
}

// SpawnMany makes an entity for each row of values and appends them to list, as [Spawner2.SpawnMany] does.
func (s *Spawner3[A, B, C]) SpawnMany(list []Entity, a []A, b []B, c []C) ([]Entity, error) {
	from, err := s.placeMany(len(a), len(b), len(c))
	if err != nil {
		return list, err
	}
	fill(s.columns[0], from, a)
	fill(s.columns[1], from, b)
	fill(s.columns[2], from, c)
	return s.finishMany(list, from), nil
}
