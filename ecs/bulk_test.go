package ecs

import (
	"fmt"
	"strings"
	"testing"
)

// bulkWorld has three tables of 150 rows with stamps of several ages, some whole columns stamped, and strings.
func bulkWorld(t *testing.T, tagged, related bool) (*World, *Query, []ComponentID) {
	t.Helper()
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	vel := MustRegister[velocity](w, "Velocity")
	name := MustRegister[struct{ Text string }](w, "Name")
	flag := MustRegister[struct{}](w, "Flag")
	tag, err := w.DeclareTag("tag")
	if err != nil {
		t.Fatal(err)
	}
	owned, err := w.DeclareRelation("OwnedBy")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 450 {
		b := pos.With(w.Build(), position{float64(i), 1})
		if i%3 == 1 {
			vel.With(b, velocity{float64(i), 2})
		}
		if i%3 == 2 {
			name.With(b, struct{ Text string }{fmt.Sprint("n", i)})
		}
		if tagged && i%7 == 0 {
			b.Tag(tag)
		}
		e, err := b.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		if related && i%5 == 0 && i > 0 {
			if _, err := w.Relate(e, owned, w.tables[1].entities[0]); err != nil {
				t.Fatal(err)
			}
		}
		if i%50 == 0 {
			w.advanceTick()
			pos.Column(w.tables[1]).StampAll()
		}
	}
	q, err := w.Query(Filter{Required: []ComponentID{pos.ID()}})
	if err != nil {
		t.Fatal(err)
	}
	w.advanceTick()
	return w, q, []ComponentID{vel.ID(), flag.ID(), name.ID()}
}

// stamps lists every row's stamps, which the digest leaves out.
func stamps(w *World) string {
	var s strings.Builder
	for _, t := range w.tables {
		for i := range t.columns {
			for row := range t.entities {
				fmt.Fprint(&s, t.columns[i].stampOf(row), " ")
			}
		}
	}
	return s.String()
}

// TestBulkOperationsEqualSingleOnes runs each bulk operation beside its loop of single operations.
func TestBulkOperationsEqualSingleOnes(t *testing.T) {
	ops := []struct {
		name         string
		bulk, single func(w *World, q *Query, b *Bundle) error
	}{
		{
			"despawn",
			func(w *World, q *Query, b *Bundle) error { _, err := q.DespawnAll(); return err },
			func(w *World, q *Query, b *Bundle) error {
				for _, e := range q.AppendEntities(nil) {
					if _, err := w.Despawn(e); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			"add",
			func(w *World, q *Query, b *Bundle) error { _, err := b.AddAll(q, nil); return err },
			func(w *World, q *Query, b *Bundle) error {
				for _, e := range q.AppendEntities(nil) {
					if _, err := b.Add(e); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			"remove",
			func(w *World, q *Query, b *Bundle) error { _, err := b.RemoveAll(q); return err },
			func(w *World, q *Query, b *Bundle) error {
				for _, e := range q.AppendEntities(nil) {
					if _, err := b.Remove(e); err != nil {
						return err
					}
				}
				return nil
			},
		},
	}
	for _, op := range ops {
		for _, tracked := range []bool{false, true} {
			for _, tagged := range []bool{false, true} {
				for _, related := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s/tracked=%v/tagged=%v/related=%v", op.name, tracked, tagged, related), func(t *testing.T) {
						var digests [2]string
						for i, run := range []func(*World, *Query, *Bundle) error{op.bulk, op.single} {
							w, q, ids := bulkWorld(t, tagged, related)
							if tracked {
								w.TrackRemoved(ids[0])
							}
							b, err := w.Bundle(ids...)
							if err != nil {
								t.Fatal(err)
							}
							if err := run(w, q, b); err != nil {
								t.Fatal(err)
							}
							if err := w.Check(); err != nil {
								t.Fatal(err)
							}
							digests[i] = w.Digest().String() + stamps(w) + fmt.Sprint(w.RemovedSince(nil, ids[0], 0))
						}
						if digests[0] != digests[1] {
							t.Error("the worlds differ")
						}
					})
				}
			}
		}
	}
}

func TestAddAllHandsOutWhatItFilled(t *testing.T) {
	w, q, ids := bulkWorld(t, false, false)
	b, err := w.Bundle(ids[1])
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	n, err := b.AddAll(q, func(t *Table, from, to int) {
		rows += to - from
		if _, err := w.Spawn(); err == nil {
			panic("structure is not locked in init")
		}
	})
	if err != nil || n != 450 || rows != 450 {
		t.Errorf("%d matched, %d rows handed out, %v", n, rows, err)
	}
}

// A batch that ends tagged entities, targets among them, leaves what ending them one by one leaves.
func TestDespawnAllOfTaggedEntities(t *testing.T) {
	for _, target := range []bool{false, true} {
		var worlds [2]*World
		for way := range worlds {
			w := newWorld(Options{})
			a := MustRegister[benchA](w, "A")
			tag := must[TagID](t)(w.DeclareTag("marked"))
			of := must[RelationID](t)(w.DeclareRelation("Of"))
			es := append([]Entity(nil), must[[]Entity](t)(must[*Bundle](t)(w.Bundle(a.ID())).SpawnMany(100, nil))...)
			other := must[Entity](t)(w.Spawn())
			w.Tag(other, tag)
			for i := range es {
				if i%3 == 0 {
					w.Tag(es[i], tag)
				}
			}
			if target {
				must[bool](t)(w.Relate(other, of, es[50]))
			}
			q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{a.ID()}}))
			if way == 0 {
				must[int](t)(q.DespawnAll())
			} else {
				must[int](t)(w.DespawnMany(es))
			}
			ok(t, w.Check())
			if w.TagSet(tag).Len() != 1 || w.Len() != 1 || w.slots.targets != 0 {
				t.Errorf("target %v: %d tagged, %d alive, %d targets", target, w.TagSet(tag).Len(), w.Len(), w.slots.targets)
			}
			worlds[way] = w
		}
		for range 101 {
			if x, y := must[Entity](t)(worlds[0].Spawn()), must[Entity](t)(worlds[1].Spawn()); x != y {
				t.Fatalf("target %v: the next entities are %s and %s", target, x, y)
			}
		}
	}
}
