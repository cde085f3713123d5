package ecs

import (
	"reflect"
	"unsafe"
)

// A Spawner4 makes entities of four components with their values; see [Spawner2].
type Spawner4[A, B, C, D any] struct{ spawner }

// NewSpawner4 makes a spawner of four components, as [NewSpawner2] does.
func NewSpawner4[A, B, C, D any](w *World, tags ...TagID) (*Spawner4[A, B, C, D], error) {
	s, err := w.newSpawner(tags, reflect.TypeFor[A](), reflect.TypeFor[B](), reflect.TypeFor[C](), reflect.TypeFor[D]())
	if err != nil {
		return nil, err
	}
	return &Spawner4[A, B, C, D]{s}, nil
}

// Spawn makes an entity with these values, as [Spawner2.Spawn] does.
func (s *Spawner4[A, B, C, D]) Spawn(a A, b B, c C, d D) (Entity, error) {
	v, row, err := s.place()
	if err != nil {
		return None, err
	}
	*(*A)(unsafe.Add(s.columns[0].base, uintptr(row)*unsafe.Sizeof(a))) = a
	*(*B)(unsafe.Add(s.columns[1].base, uintptr(row)*unsafe.Sizeof(b))) = b
	*(*C)(unsafe.Add(s.columns[2].base, uintptr(row)*unsafe.Sizeof(c))) = c
	*(*D)(unsafe.Add(s.columns[3].base, uintptr(row)*unsafe.Sizeof(d))) = d
	if !s.plain() {
		s.finish(v)
	}
	return v, nil
}

// SpawnMany makes an entity for each row of values and appends them to list, as [Spawner2.SpawnMany] does.
func (s *Spawner4[A, B, C, D]) SpawnMany(list []Entity, a []A, b []B, c []C, d []D) ([]Entity, error) {
	from, err := s.placeMany(len(a), len(b), len(c), len(d))
	if err != nil {
		return list, err
	}
	fill(s.columns[0], from, a)
	fill(s.columns[1], from, b)
	fill(s.columns[2], from, c)
	fill(s.columns[3], from, d)
	return s.finishMany(list, from), nil
}
