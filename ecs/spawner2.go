package ecs

import (
	"reflect"
	"unsafe"
)

// A Spawner2 makes entities of two components with their values, directly in their table. It is made once with
// [NewSpawner2], belongs to its world, and stays valid as long as the world.
type Spawner2[A, B any] struct{ spawner }

// NewSpawner2 makes a spawner of the components that were registered with the types A and B. Its entities get these
// tags. Errors: [ErrUnknown] for a type that was not registered in the world, [ErrMismatch] for one that was registered
// for several components, [ErrBytes]. Panics for a tag that the world never gave out.
func NewSpawner2[A, B any](w *World, tags ...TagID) (*Spawner2[A, B], error) {
	s, err := w.newSpawner(tags, reflect.TypeFor[A](), reflect.TypeFor[B]())
	if err != nil {
		return nil, err
	}
	return &Spawner2[A, B]{s}, nil
}

// Spawn makes an entity with these values. It allocates only if the table has to grow. Errors: [ErrLocked],
// [ErrLimit], [ErrBytes].
func (s *Spawner2[A, B]) Spawn(a A, b B) (Entity, error) {
	v, row, err := s.place()
	if err != nil {
		return None, err
	}
	*(*A)(unsafe.Add(s.columns[0].base, uintptr(row)*unsafe.Sizeof(a))) = a
	*(*B)(unsafe.Add(s.columns[1].base, uintptr(row)*unsafe.Sizeof(b))) = b
	if !s.plain() {
		s.finish(v)
	}
	return v, nil
}

// SpawnMany makes an entity for each pair of values, and appends the entities to list in the same order. Errors are
// those of [Spawner2.Spawn]; then no entity was made. Panics if the slices have different lengths.
func (s *Spawner2[A, B]) SpawnMany(list []Entity, a []A, b []B) ([]Entity, error) {
	from, err := s.placeMany(len(a), len(b))
	if err != nil {
		return list, err
	}
	fill(s.columns[0], from, a)
	fill(s.columns[1], from, b)
	return s.finishMany(list, from), nil
}
