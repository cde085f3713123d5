package ecs

import (
	"reflect"
	"unsafe"
)

// This file has the optional types of typed queries. A walk hands out columns as they lie in memory, so an entity
// without the component needs an address, too: that of absent, which is never read or written. A run of such entities
// is no longer than absent is large.

// absentBytes is the size of absent. As it is never touched, it takes no memory.
const absentBytes = 256 << 10

// absent is where the values of tables without an optional component lie.
var absent [absentBytes / 8]uint64

// Maybe as a type of a typed query says that some of the entities lack the component: the query does not ask for it.
// Maybe[Mut[T]] says that the walk may write it where there is one, and then stamps it. Do not assign to a Maybe. In
// memory it is a T.
type Maybe[T any] struct{ value T }

// Get returns the component, nil if the entity lacks it. It stays valid as long as the pointer or slice that the walk
// has returned.
func (m *Maybe[T]) Get() *T {
	if uintptr(unsafe.Pointer(m))-uintptr(unsafe.Pointer(&absent)) < absentBytes {
		return nil
	}
	return &m.value
}

// optional returns the type that is optional.
func (*Maybe[T]) optional() typedTerm { return termOf[T]() }

// isMaybe reports whether the type of a component is a Maybe: then it stands inside a Mut.
func isMaybe(of reflect.Type) bool {
	_, ok := reflect.Zero(reflect.PointerTo(of)).Interface().(interface{ optional() typedTerm })
	return ok
}

// absentRows returns how many values of a type lie in absent, at least one.
func absentRows(of reflect.Type) int { return absentBytes / max(1, min(absentBytes, int(of.Size()))) }
