package ecs

import "testing"

type (
	bytes4   struct{ X float32 }
	bytes12  struct{ X, Y, Z float32 }
	bytes24  struct{ X, Y, Z float64 }
	bytes32  struct{ X, Y, Z, W float64 }
	bytes64  struct{ V [8]float64 }
	withText struct{ S string }
	bytes8   struct{ X float64 }
)

// BenchmarkSizes measures structural changes of rows whose size is not one or two words, and of rows with a string.
// The floor does the same with plain slices: it appends the values, or moves handle and value of each entity
// from one list to another and back.
func BenchmarkSizes(b *testing.B) {
	const n = 10_000
	{
		w := newWorld(Options{})
		all := sized[bytes24](b, w)
		MustRegister[bytes32](w, "bytes32")
		MustRegister[bytes4](w, "bytes4")
		s := must[*Spawner3[bytes24, bytes32, bytes4]](b)(NewSpawner3[bytes24, bytes32, bytes4](w))
		var x []bytes24
		var y []bytes32
		var z []bytes4
		bench(b, "create/24+32+4/floor", n, func() {
			x, y, z = x[:0], y[:0], z[:0]
			for i := range n {
				x, y, z = append(x, bytes24{float64(i), 1, 2}), append(y, bytes32{1, 2, 3, 4}), append(z, bytes4{1})
			}
		})
		benchPaused(b, "create/24+32+4/spawner", n, func() { must[int](b)(all.DespawnAll()) }, func() {
			for i := range n {
				_, _ = s.Spawn(bytes24{float64(i), 1, 2}, bytes32{1, 2, 3, 4}, bytes4{1})
			}
		})
	}
	{
		w := newWorld(Options{})
		all := sized[withText](b, w)
		MustRegister[benchA](w, "A")
		s := must[*Spawner2[benchA, withText]](b)(NewSpawner2[benchA, withText](w))
		var x []benchA
		var y []withText
		bench(b, "create/string/floor", n, func() {
			x, y = x[:0], y[:0]
			for i := range n {
				x, y = append(x, benchA{float64(i), 1}), append(y, withText{"rat"})
			}
		})
		var es []Entity
		spawn := func() {
			es = es[:0]
			for i := range n {
				e, _ := s.Spawn(benchA{float64(i), 1}, withText{"rat"})
				es = append(es, e)
			}
		}
		benchPaused(b, "create/string/spawner", n, func() { must[int](b)(all.DespawnAll()) }, spawn)
		spawn()
		benchPaused(b, "despawn/string", n, spawn, func() {
			for _, e := range es {
				_, _ = w.Despawn(e)
			}
		})
	}
	carried[withText](b, "string")
	carried[bytes4](b, "4")
	carried[bytes12](b, "12")
	carried[bytes24](b, "24")
	carried[bytes32](b, "32")
	carried[bytes64](b, "64")
}

// sized registers a component of the type and returns the query of all that have it.
func sized[T any](b *testing.B, w *World) *Query {
	c := MustRegister[T](w, "T")
	return must[*Query](b)(w.Query(Filter{Required: []ComponentID{c.ID()}}))
}

// carried measures the addition and removal of a component for entities that have one of type T.
func carried[T any](b *testing.B, name string) {
	const n = 10_000
	from, to, froms, tos := make([]T, n), make([]T, 0, n), make([]Entity, n), make([]Entity, 0, n)
	bench(b, "carry/"+name+"/floor", n, func() {
		for range 2 {
			for i := range froms {
				to, tos = append(to, from[i]), append(tos, froms[i])
			}
			from, to, froms, tos = to, from[:0], tos, froms[:0]
		}
	})
	w := newWorld(Options{})
	sized[T](b, w)
	bundle := must[*Bundle](b)(w.Bundle(MustRegister[bytes8](w, "bytes8").ID()))
	s := must[*Spawner1[T]](b)(NewSpawner1[T](w))
	var es []Entity
	for range n {
		es = append(es, must[Entity](b)(s.Spawn(*new(T))))
	}
	bench(b, "carry/"+name+"/bundle", n, func() {
		for _, e := range es {
			_, _ = bundle.Add(e)
		}
		for _, e := range es {
			_, _ = bundle.Remove(e)
		}
	})
}
