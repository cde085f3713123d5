package ecs

import (
	"errors"
	"fmt"
	"testing"
)

// A memo holds entities in all the places a component can.
type memo struct {
	Who  Entity
	Note *Data
}

// walkOne runs work once, as the only part of a walk over ten entities.
func walkOne(t *testing.T, o Options, work func(w *World, p *Part)) (*World, error) {
	t.Helper()
	w := newWorld(o)
	pos := MustRegister[position](w, "Position")
	MustRegister[memo](w, "Memo")
	must[[]Entity](t)(must[*Bundle](t)(w.Bundle(pos.ID())).SpawnMany(10, nil))
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}}))
	return w, q.Parallel(nil, 0, func(p *Part) { work(w, p) })
}

func TestAnInventedHandleInAWorkersQueueIsDead(t *testing.T) {
	w, err := walkOne(t, Options{}, func(w *World, p *Part) {
		p.Commands().Despawn(Entity(7))
		must[Entity](t)(p.Commands().Spawn())
		p.Commands().Despawn(Entity(1))
		p.Commands().Despawn(Entity(2))
		p.Commands().Despawn(makeEntity(2, workerGeneration)) // the number after the last
		p.Commands().Despawn(makeEntity(0, workerGeneration))
		p.Commands().Despawn(makeEntity(9, workerGeneration))
	})
	ok(t, err)
	ok(t, w.Commands().Apply())
	if w.Len() != 11 {
		t.Errorf("%d entities live", w.Len())
	}
}

func TestAWorkerDropsItsQueue(t *testing.T) {
	w, err := walkOne(t, Options{MaxEntities: 12}, func(w *World, p *Part) {
		c := p.Commands()
		dropped := must[Entity](t)(c.Spawn())
		c.Drop()
		must[Entity](t)(c.Spawn())
		must[Entity](t)(c.Spawn())
		c.Despawn(dropped)
	})
	ok(t, err)
	ok(t, w.Commands().Apply())
	if w.Len() != 12 {
		t.Errorf("%d entities live", w.Len())
	}
	check(t, w)
}

func TestAWorkersHandleInsideValues(t *testing.T) {
	var memos Component[memo]
	var first, second Entity
	w, err := walkOne(t, Options{}, func(w *World, p *Part) {
		memos = must[Component[memo]](t)(Register[memo](w, "Memo"))
		c := p.Commands()
		e := must[Entity](t)(c.Spawn())
		inner := must[*Data](t)(NewData([]DataEntry{{Text("who"), EntityOf(e)}}))
		outer := must[*Data](t)(NewData([]DataEntry{{Number(1), TableOf(inner)}, {Number(2), Text("two")}}))
		first, second = p.Entities()[0], p.Entities()[1]
		ok(t, c.Set(first, memos.ID(), FieldValue{0, EntityOf(e)}, FieldValue{1, TableOf(outer)}))
		memos.QueueSet(c, second, memo{Who: e, Note: outer})
	})
	ok(t, err)
	ok(t, w.Commands().Apply())
	for _, e := range []Entity{first, second} {
		m := memos.Get(e)
		inside := m.Note.Get(Number(1)).Data().Get(Text("who")).Entity()
		if !w.Alive(m.Who) || inside != m.Who || m.Note.Get(Number(2)).Str() != "two" {
			t.Errorf("the memo of %s is %+v", e, m)
		}
	}
}

func TestAWorkersSpawnsBeyondTheLimitQueueNothing(t *testing.T) {
	w, err := walkOne(t, Options{MaxEntities: 11}, func(w *World, p *Part) {
		p.Commands().Despawn(p.Entities()[0])
		must[Entity](t)(p.Commands().Spawn())
		must[Entity](t)(p.Commands().Spawn())
	})
	if !errors.Is(err, ErrLimit) {
		t.Fatalf("the error is %v", err)
	}
	if w.Commands().Len() != 0 || w.pending != 0 {
		t.Errorf("%d commands are queued, %d entities pending", w.Commands().Len(), w.pending)
	}
	check(t, w)
}

func TestAPanicInAPartUnlocksTheWorld(t *testing.T) {
	var w *World
	defer func() {
		if r := recover(); fmt.Sprint(r) != "oh no" {
			t.Errorf("recovered %v", r)
		}
		if w.Locked() {
			t.Error("the world is still locked")
		}
		q := must[*Query](t)(w.Query(Filter{}))
		ok(t, q.Parallel(nil, 0, func(*Part) {}))
		if n := w.Commands().Len(); n != 0 {
			t.Errorf("%d commands of the walk that failed are queued", n)
		}
	}()
	_, _ = walkOne(t, Options{}, func(world *World, p *Part) {
		w = world
		p.Commands().Despawn(p.Entities()[0])
		panic("oh no")
	})
}

func TestAWalkInsideAWalkIsRefused(t *testing.T) {
	_, err := walkOne(t, Options{}, func(w *World, p *Part) {
		if err := p.query.Parallel(nil, 0, func(*Part) {}); !errors.Is(err, errNested) {
			t.Errorf("the inner walk: %v", err)
		}
	})
	ok(t, err)
}

// A serial walk would have stopped at task 3.
func TestOfSeveralPanicsTheFirstTasksIsRaised(t *testing.T) {
	pool := NewPool(2)
	defer pool.Close()
	for range 200 {
		func() {
			defer func() {
				if r := recover(); r != 3 {
					t.Fatalf("recovered %v", r)
				}
			}()
			pool.Run(10, func(i int) {
				if i >= 3 {
					panic(i)
				}
			})
		}()
	}
}

func TestAPoolRunsNoTasks(t *testing.T) {
	pool := NewPool(2)
	defer pool.Close()
	pool.Run(0, func(int) { t.Error("a task of none was run") })
}
