package ecs

import (
	"reflect"
	"unsafe"
)

// A Spawner1 makes entities of one component with their values; see [Spawner2].
type Spawner1[A any] struct{ spawner }

// NewSpawner1 makes a spawner of one component, as [NewSpawner2] does.
func NewSpawner1[A any](w *World, tags ...TagID) (*Spawner1[A], error) {
	s, err := w.newSpawner(tags, reflect.TypeFor[A]())
	if err != nil {
		return nil, err
	}
	return &Spawner1[A]{s}, nil
}

// Spawn makes an entity with this value, as [Spawner2.Spawn] does.
func (s *Spawner1[A]) Spawn(a A) (Entity, error) {
	v, row, err := s.place()
	if err != nil {
		return None, err
	}
	*(*A)(unsafe.Add(s.columns[0].base, uintptr(row)*unsafe.Sizeof(a))) = a
	if !s.plain() {
		s.finish(v)
	}
	return v, nil
}

// SpawnMany makes an entity for each value and appends them to list, as [Spawner2.SpawnMany] does.
func (s *Spawner1[A]) SpawnMany(list []Entity, a []A) ([]Entity, error) {
	from, err := s.placeMany(len(a))
	if err != nil {
		return list, err
	}
	fill(s.columns[0], from, a)
	return s.finishMany(list, from), nil
}
