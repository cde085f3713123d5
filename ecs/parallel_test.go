package ecs

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// crowd is a world of three tables with 30,000 rows.
func crowd(t testing.TB) (*World, *Query, Component[position], Component[velocity]) {
	t.Helper()
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	vel := MustRegister[velocity](w, "Velocity")
	flag := MustRegister[struct{}](w, "Flag")
	for i, ids := range [][]ComponentID{{pos.ID(), vel.ID()}, {pos.ID(), vel.ID(), flag.ID()}, {pos.ID()}} {
		b, err := w.Bundle(ids...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.SpawnMany(10_000+i, func(t *Table, from, to int) {
			p := pos.Slice(t)
			for i := from; i < to; i++ {
				p[i] = position{float64(i), float64(to)}
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	w.advanceTick()
	q, err := w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}})
	if err != nil {
		t.Fatal(err)
	}
	return w, q, pos, vel
}

// TestParallelEqualsSerial has workers write, stamp every third row, and queue every kind of command.
func TestParallelEqualsSerial(t *testing.T) {
	type target struct {
		Who  Entity
		Seen uint32
	}
	run := func(pool Pool) string {
		w, q, pos, vel := crowd(t)
		tgt := MustRegister[target](w, "Target")
		tag, err := w.DeclareTag("tag")
		if err != nil {
			t.Fatal(err)
		}
		owned, err := w.DeclareRelation("OwnedBy")
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			w.BeginFrame(1)
			err := q.Parallel(pool, 0, func(p *Part) {
				from, to := p.Range()
				ps, es := pos.PartSlice(p), p.Entities()
				for i := range ps {
					ps[i].X = ps[i].X*1.5 + 1
					if i%3 == 0 {
						pos.Column(p.Table()).Stamp(from + i)
					}
					c := p.Commands()
					var err error
					switch i % 100 {
					case 7:
						c.Despawn(es[i])
					case 8:
						err = c.Add(es[i], tgt.ID())
					case 9:
						var e Entity
						if e, err = c.SpawnRelated([]Target{{owned, es[0]}}, pos.ID()); err == nil {
							tgt.QueueSet(c, es[i], target{Who: e, Seen: uint32(i)})
							err = c.Set(e, tgt.ID(), FieldValue{0, EntityOf(e)})
							c.Tag(e, tag)
						}
					case 10:
						err = c.Remove(es[i], vel.ID())
					}
					if err != nil {
						t.Error(err)
					}
				}
				if _, err := w.Spawn(); !errors.Is(err, ErrLocked) {
					t.Errorf("a worker changed structure: %v", err)
				}
				if to == p.Table().Len() {
					vel.StampPart(p)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Commands().Apply(); err != nil {
				t.Fatal(err)
			}
			w.EndFrame()
			if err := w.Check(); err != nil {
				t.Fatal(err)
			}
		}
		return w.Digest().String() + stamps(w)
	}
	want := run(nil)
	for _, n := range []int{1, 2, 5} {
		pool := NewPool(n)
		if got := run(pool); got != want {
			t.Errorf("%d workers: another result than one", n)
		}
		pool.Close()
	}
}

func TestParallelVisitsEachRowOnce(t *testing.T) {
	_, q, _, vel := crowd(t)
	pool := NewPool(3)
	defer pool.Close()
	if err := q.Parallel(pool, 0, func(p *Part) {
		for i := range vel.PartSlice(p) {
			vel.PartSlice(p)[i].DX++
		}
	}); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for table := range q.Tables {
		for _, v := range vel.Slice(table) {
			rows++
			if v.DX != 1 {
				t.Fatalf("a row was visited %v times", v.DX)
			}
		}
	}
	if rows != q.Count() {
		t.Errorf("%d rows, %d entities", rows, q.Count())
	}
}

// TestPartRowsAreThoseOfTheLoop walks queries with conditions on rows, some of which only a base fulfils.
func TestPartRowsAreThoseOfTheLoop(t *testing.T) {
	w, _, pos, vel := crowd(t)
	tag := must[TagID](t)(w.DeclareTag("tag"))
	isA := must[RelationID](t)(w.DeclareRelation(IsA))
	base := must[Entity](t)(w.Spawn(pos.ID(), vel.ID()))
	for i, e := range append([]Entity(nil), w.Tables()[3].Entities()...) {
		if i%5 == 0 {
			must[bool](t)(w.Relate(e, isA, base))
		}
		if i%7 == 0 {
			w.Tag(e, tag)
		}
	}
	w.EndFrame()
	w.advanceTick()
	must[bool](t)(vel.Set(base, velocity{1, 1}))
	for i, e := range append([]Entity(nil), w.Tables()[1].Entities()...) {
		if i%100 == 0 {
			must[bool](t)(vel.Set(e, velocity{1, 1}))
		}
	}
	pool := NewPool(2)
	defer pool.Close()
	for _, f := range []Filter{
		{Required: []ComponentID{pos.ID()}},
		{Required: []ComponentID{pos.ID()}, Tagged: []TagID{tag}},
		{Required: []ComponentID{pos.ID()}, Untagged: []TagID{tag}},
		{Required: []ComponentID{vel.ID()}, Inherited: true},
		{Required: []ComponentID{pos.ID()}, Changed: []ComponentID{vel.ID()}},
		{Required: []ComponentID{pos.ID()}, Changed: []ComponentID{vel.ID()}, Inherited: true},
		{Required: []ComponentID{pos.ID()}, Added: []ComponentID{vel.ID()}},
	} {
		q := must[*Query](t)(w.Query(f))
		var want, got []Entity
		for e := range q.each {
			want = append(want, e)
		}
		ok(t, q.Parallel(pool, 0, func(p *Part) {
			any := false
			for i := range p.Rows {
				any = true
				p.Commands().Tag(p.Entities()[i], tag) // merged in the order of the query
			}
			if !any {
				t.Errorf("%+v: a part without a matching row", f)
			}
		}))
		for _, op := range w.Commands().ops {
			got = append(got, op.entity)
		}
		w.Commands().Drop()
		if !slices.Equal(got, want) {
			t.Errorf("%+v: the loop visits %d, the walk %d", f, len(want), len(got))
		}
	}
}

func TestAParallelWalkAllocatesNothing(t *testing.T) {
	w, _, pos, vel := crowd(t)
	tag := must[TagID](t)(w.DeclareTag("tag"))
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}, Untagged: []TagID{tag}}))
	pool := NewPool(2)
	defer pool.Close()
	work := func(p *Part) {
		ps, es := pos.PartSlice(p), p.Entities()
		for i := range p.Rows {
			ps[i].X++
			if i%500 == 0 {
				_, _ = p.Commands().Spawn(pos.ID(), vel.ID())
				p.Commands().Despawn(es[i])
			}
		}
		pos.StampPart(p)
	}
	frame := func() {
		ok(t, q.Parallel(pool, 0, work))
		ok(t, w.Commands().Apply())
	}
	for range 5 {
		frame()
	}
	if n := testing.AllocsPerRun(20, frame); n != 0 {
		t.Errorf("%v allocations in a walk", n)
	}
}

func TestAPanicInAWorkerReachesTheCaller(t *testing.T) {
	pool := NewPool(2)
	defer pool.Close()
	defer func() {
		if r := recover(); fmt.Sprint(r) != "oh no" {
			t.Errorf("recovered %v", r)
		}
	}()
	pool.Run(10, func(i int) {
		if i == 3 {
			panic("oh no")
		}
	})
}
