package ecs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// A queuer fills queues with random commands. What it queues for a row depends on the row alone, and uses the handles of its own spawns in all places that
// take an entity.
type queuer struct {
	h    *household
	w    *World
	seed uint64
}

func (q queuer) row(t *testing.T, c *Commands, row int) {
	rng := rand.New(rand.NewPCG(q.seed, uint64(row)))
	h := q.h
	ids := []ComponentID{h.pos.ID(), h.vel.ID(), h.label.ID(), h.memo.ID()}
	rels := []RelationID{h.childOf, h.ownedBy, h.isA}
	label, note := Component[modelLabel]{q.w, q.w.components[h.label.ID()]}, Component[memo]{q.w, q.w.components[h.memo.ID()]}
	own := []Entity{h.es[row]}
	pick := func() Entity { return own[rng.IntN(len(own))] }
	some := func() []ComponentID {
		list := slices.Clone(ids)
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list[:rng.IntN(4)]
	}
	born := func(e Entity, err error) {
		ok(t, err)
		own = append(own, e)
	}
	about := func(e Entity) *Data {
		inner := must[*Data](t)(NewData([]DataEntry{{Text("who"), EntityOf(e)}, {Text("row"), Number(float64(row))}}))
		return must[*Data](t)(NewData([]DataEntry{{Number(1), TableOf(inner)}, {Number(2), EntityOf(h.es[1])}, {Number(3), Text("three")}}))
	}
	for range rng.IntN(9) {
		c.At(uint16(rng.IntN(100)))
		switch rng.IntN(16) {
		case 0, 1:
			born(c.Spawn(some()...))
		case 2, 3:
			born(c.SpawnRelated([]Target{{rels[rng.IntN(2)], pick()}, {h.isA, h.es[0]}}[:1+rng.IntN(2)], some()...))
		case 4:
			c.Despawn(pick())
		case 5:
			ok(t, c.Add(pick(), some()...))
		case 6:
			ok(t, c.Remove(pick(), some()...))
		case 7:
			ok(t, c.Set(pick(), h.memo.ID(), FieldValue{0, EntityOf(pick())}, FieldValue{1, TableOf(about(pick()))}))
		case 8:
			ok(t, c.Set(pick(), h.label.ID(), FieldValue{0, Text(fmt.Sprint("set by ", row))}))
		case 9:
			note.QueueSet(c, pick(), memo{Who: pick(), Note: about(pick())})
		case 10:
			label.QueueSet(c, pick(), modelLabel{fmt.Sprint("stored by ", row), 2})
		case 11:
			c.Tag(pick(), h.tags[rng.IntN(70)])
		case 12:
			c.Untag(pick(), h.tags[rng.IntN(70)])
		case 13:
			ok(t, c.Send(h.hit.ID(), FieldValue{0, EntityOf(pick())}, FieldValue{1, Number(float64(row))}))
		case 14:
			ok(t, c.Relate(pick(), rels[rng.IntN(2)], pick()))
		default:
			ok(t, c.Unrelate(pick(), rels[rng.IntN(3)]))
		}
	}
}

// Queues that workers fill, and that are merged, hold what one queue holds that was filled in the order of the query: the same commands with the same handles,
// places and values. Applied, with and without charges, they give the same world, and the charges are the steps that were made.
func TestMergedQueuesAreLikeOneQueue(t *testing.T) {
	h := newHousehold(t)
	h.Commands().Drop()
	h.options.MaxBytes = 0
	pool := NewPool(3)
	defer pool.Close()
	kinds := map[commandOp]int{}
	for seed := range uint64(effort.Of(90)) {
		direct := must[*World](t)(h.Copy())
		q := must[*Query](t)(direct.Query(Filter{}))
		for e := range q.each {
			if row := slices.Index(h.es, e); row >= 0 {
				queuer{h, direct, seed}.row(t, direct.Commands(), row)
			}
		}
		for _, op := range direct.Commands().ops {
			kinds[op.op]++
		}
		want := queueText(direct.Commands())
		charged := must[*World](t)(direct.Copy())
		applied := direct.Commands().Apply()
		check(t, direct)

		before, total, queued := Raw.Work(charged), 0, charged.Commands().Len()
		err := charged.Commands().ApplyCharged(func(steps int) error { total += steps; return nil })
		if fmt.Sprint(err) != fmt.Sprint(applied) {
			t.Fatalf("seed %d: %v, charged %v", seed, applied, err)
		}
		if steps := total - int(Raw.Work(charged)-before); steps < queued || steps > 20*queued {
			t.Errorf("seed %d: %d steps were charged for %d commands, beside the work", seed, steps, queued)
		}
		sameDump(t, fmt.Sprint("charged, seed ", seed), dump(charged), dump(direct))

		for _, grain := range []int{1, 7, 64} {
			merged := must[*World](t)(h.Copy())
			q := must[*Query](t)(merged.Query(Filter{}))
			ok(t, q.parallel(pool, 0, grain, func(p *Part) {
				for i := range p.Rows {
					if row := slices.Index(h.es, p.Entities()[i]); row >= 0 {
						queuer{h, merged, seed}.row(t, p.Commands(), row)
					}
				}
			}))
			sameDump(t, fmt.Sprintf("queue of seed %d, %d rows a part", seed, grain), queueText(merged.Commands()), want)
			if got := merged.Commands().Apply(); fmt.Sprint(got) != fmt.Sprint(applied) {
				t.Fatalf("seed %d: %v, merged %v", seed, applied, got)
			}
			check(t, merged)
			sameDump(t, fmt.Sprintf("world of seed %d, %d rows a part", seed, grain), dump(merged), dump(direct))
			forgotten(t, merged.commands)
			for i := range merged.parts[:cap(merged.parts)] {
				if p := &merged.parts[:cap(merged.parts)][i]; p.commands != nil {
					forgotten(t, p.commands)
				}
			}
		}
	}
	for op := spawnCommand; op <= unrelateCommand; op++ {
		if kinds[op] < 20 {
			t.Errorf("command %d came %d times", op, kinds[op])
		}
	}
}

// forgotten checks that an empty queue holds no strings, tables or handles in the memory it keeps.
func forgotten(t *testing.T, c *Commands) {
	t.Helper()
	if len(c.ops)+len(c.ids)+len(c.goals)+len(c.fields) > 0 || c.place != 0 || c.spawns != 0 {
		t.Fatalf("the queue is not empty: %+v", *c)
	}
	for _, fv := range c.fields[:cap(c.fields)] {
		if fv.Value.p != nil {
			t.Fatalf("an empty queue holds %s", fv.Value)
		}
	}
	for i, s := range c.values {
		if s.n != 0 {
			t.Fatalf("%d values are in an empty queue", s.n)
		}
		ok(t, noGhosts(c.world.components[i].schema, s.base, 0, s.capacity))
	}
}

// One command after another does what the operation does: the move that a queue remembers from the last command is never taken for another.
func TestTheLastMoveIsTakenForNoOther(t *testing.T) {
	type change struct {
		remove bool
		id     int
	}
	changes := []change{{false, 0}, {false, 1}, {true, 0}, {true, 1}}
	for start := range 4 {
		for other := range 4 {
			for _, first := range changes {
				for _, then := range changes {
					var worlds [2]*World
					for way := range worlds {
						w := newWorld(Options{})
						ids := letters(t, w, "A", "B")
						var es []Entity
						for _, set := range []int{start, other} {
							var list []ComponentID
							for i, id := range ids {
								if set>>i&1 != 0 {
									list = append(list, id)
								}
							}
							es = append(es, must[Entity](t)(w.Spawn(list...)))
						}
						for i, ch := range []change{first, then} {
							switch id := ids[ch.id]; {
							case way == 0 && ch.remove:
								ok(t, w.Commands().Remove(es[i], id))
							case way == 0:
								ok(t, w.Commands().Add(es[i], id))
							case ch.remove:
								must[bool](t)(w.Remove(es[i], id))
							default:
								must[bool](t)(w.Add(es[i], id))
							}
						}
						ok(t, w.Commands().Apply())
						check(t, w)
						worlds[way] = w
					}
					sameDump(t, fmt.Sprint(start, other, first, then), dump(worlds[0]), dump(worlds[1]))
				}
			}
		}
	}
}

// A move that finds no room for a table is tried again: by a queue, and by a bundle.
func TestAMoveWithoutRoomIsTriedAgain(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	e := must[Entity](t)(w.Spawn(ids[0]))
	bundle, first := must[*Bundle](t)(w.Bundle(ids[1])), must[*Bundle](t)(w.Bundle(ids[0]))
	q := w.Commands()
	w.options.MaxBytes = w.Bytes() + w.structure
	refused := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, ErrBytes) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for range 2 {
		refused("queued add", errors.Join(q.Add(e, ids[1]), q.Apply()))
		refused("queued remove", errors.Join(q.Remove(e, ids[0]), q.Apply()))
		refused("add of a bundle", second(bundle.Add(e)))
		refused("remove of a bundle", second(first.Remove(e)))
		refused("add", second(w.Add(e, ids[1])))
		refused("remove", second(w.Remove(e, ids[0])))
	}
	refused("queued add", errors.Join(q.Add(e, ids[1]), q.Apply())) // the last thing the queue has tried
	check(t, w)
	w.options.MaxBytes = 0
	has := func(what string, want ...ComponentID) {
		t.Helper()
		if got := w.ComponentsOf(e); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	ok(t, errors.Join(q.Add(e, ids[1]), q.Apply()))
	has("queued add", ids...)
	must[bool](t)(w.Remove(e, ids[1]))
	must[bool](t)(bundle.Add(e))
	has("add of a bundle", ids...)
	must[bool](t)(w.Remove(e, ids[1]))
	ok(t, errors.Join(q.Remove(e, ids[0]), q.Apply()))
	has("queued remove")
	w.options.MaxBytes = 1
	refused("queued add", errors.Join(q.Add(e, ids[1]), q.Apply()))
	w.options.MaxBytes = w.structure + w.Bytes() + tableCost + 100_000
	ok(t, errors.Join(q.Add(e, ids[1]), q.Apply()))
	has("queued add", ids[1])
	must[bool](t)(w.Remove(e, ids[1]))
	w.options.MaxBytes = 0
	must[bool](t)(w.Add(e, ids[0]))
	must[bool](t)(first.Remove(e))
	has("remove of a bundle")
	check(t, w)
}

// The errors of commands without room say what was to be done and to whom, and the rest of the queue is dropped, with its handles.
func TestCommandsWithoutRoom(t *testing.T) {
	for _, charge := range []func(int) error{nil, func(int) error { return nil }} {
		for want, queue := range map[string]func(w *World, q *Commands, e Entity, ids []ComponentID) error{
			"add B on 0v1: ": func(_ *World, q *Commands, e Entity, ids []ComponentID) error { return q.Add(e, ids[1]) },
			"add B, C on 0v1: ": func(_ *World, q *Commands, e Entity, ids []ComponentID) error {
				return q.Add(e, ids[2], ids[1], ids[2])
			},
			"remove A on 0v1: ": func(_ *World, q *Commands, e Entity, ids []ComponentID) error { return q.Remove(e, ids[0]) },
			"set B on 0v1: ":    func(_ *World, q *Commands, e Entity, ids []ComponentID) error { return q.Set(e, ids[1]) },
			"set Position on 0v1: ": func(w *World, q *Commands, e Entity, _ []ComponentID) error {
				MustRegister[position](w, "Position").QueueSet(q, e, position{})
				return nil
			},
			"spawn: ":    func(_ *World, q *Commands, _ Entity, ids []ComponentID) error { return second(q.Spawn(ids...)) },
			"send Hit: ": func(w *World, q *Commands, _ Entity, _ []ComponentID) error { return q.Send(0) },
			"tag marked 0v1: ": func(_ *World, q *Commands, e Entity, _ []ComponentID) error {
				q.Tag(e, 0)
				return nil
			},
		} {
			w := newWorld(Options{MaxEntities: 100})
			MustRegister[position](w, "Position")
			ids := letters(t, w, "A", "B", "C")
			hits(t, w)
			must[TagID](t)(w.DeclareTag("marked"))
			e := must[Entity](t)(w.Spawn(ids[0]))
			must[bool](t)(w.Despawn(must[Entity](t)(w.Spawn(ids[0]))))
			w.options.MaxBytes = w.Bytes() + w.structure
			q := w.Commands()
			q.At(3)
			ok(t, queue(w, q, e, ids))
			q.At(9)
			var dropped []Entity
			for range 5 {
				dropped = append(dropped, must[Entity](t)(q.Spawn()))
			}
			err := q.ApplyCharged(charge)
			var failed *CommandError
			if !errors.As(err, &failed) || failed.Place != 3 || !errors.Is(err, ErrBytes) || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
				t.Errorf("%s: got %v", want, err)
			}
			if w.pending != 0 || q.Len() != 0 || w.Alive(dropped[0]) || Raw.Room(w) != 99 {
				t.Errorf("%s: %d are pending, %d queued", want, w.pending, q.Len())
			}
			if next := must[Entity](t)(w.Commands().Spawn()); next.Index() != 1 {
				t.Errorf("%s: the next handle is %s, not the first that was dropped", want, next)
			}
			w.Commands().Drop()
			check(t, w)
		}
	}
}

// Every function that queues is refused where it must be: in a worker on a queue of the world, and after the walk on the queue of a part.
func TestEveryCommandAsksWhetherItMayBeQueued(t *testing.T) {
	var calls []misuse
	for name, call := range map[string]func(m *misused, q *Commands){
		"Spawn":        func(m *misused, q *Commands) { _, _ = q.Spawn() },
		"SpawnRelated": func(m *misused, q *Commands) { _, _ = q.SpawnRelated([]Target{{m.home.rel, m.home.es[0]}}) },
		"Despawn":      func(m *misused, q *Commands) { q.Despawn(m.home.es[0]) },
		"Add":          func(m *misused, q *Commands) { _ = q.Add(m.home.es[0], m.home.label.ID()) },
		"Remove":       func(m *misused, q *Commands) { _ = q.Remove(m.home.es[0], m.home.label.ID()) },
		"Set":          func(m *misused, q *Commands) { _ = q.Set(m.home.es[0], m.home.spot.ID()) },
		"QueueSet":     func(m *misused, q *Commands) { m.home.spot.QueueSet(q, m.home.es[0], spot{}) },
		"Tag":          func(m *misused, q *Commands) { q.Tag(m.home.es[0], m.home.tag) },
		"Untag":        func(m *misused, q *Commands) { q.Untag(m.home.es[0], m.home.tag) },
		"Send":         func(m *misused, q *Commands) { _ = q.Send(m.home.event.ID()) },
		"Relate":       func(m *misused, q *Commands) { _ = q.Relate(m.home.es[0], m.home.rel, m.home.es[1]) },
		"Unrelate":     func(m *misused, q *Commands) { _ = q.Unrelate(m.home.es[0], m.home.rel) },
	} {
		calls = append(calls, misuse{name + " on a queue of the world", func(t *testing.T, m *misused) error {
			q := m.home.w.Commands()
			return m.spots.Parallel(nil, 0, func(*Part) { call(m, q) })
		}, "queues on Part.Commands alone"}, misuse{name + " on a queue of a part, kept", func(t *testing.T, m *misused) error {
			var q *Commands
			ok(t, m.spots.Parallel(nil, 0, func(p *Part) { q = p.Commands() }))
			call(m, q)
			return nil
		}, "only during the walk"})
	}
	refuseAll(t, calls)
}
