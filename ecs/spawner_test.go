package ecs

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// Entities of a spawner are those that World.Spawn and Set make: values, stamps, tags, handles.
func TestSpawnersMakeWhatSpawnMakes(t *testing.T) {
	for _, many := range []bool{false, true} {
		a, b := newWalked(t, 6), newWalked(t, 6)
		s := must[*Spawner3[label, position, spot]](t)(NewSpawner3[label, position, spot](a.w, a.tag))
		for _, x := range []*walked{a, b} { // some slots to use again
			must[int](t)(x.w.DespawnMany(x.es[40:90]))
			x.w.advanceTick()
		}
		var got, want []Entity
		var ls []label
		var ps []position
		var ss []spot
		for i := range 200 {
			ls, ps, ss = append(ls, label{fmt.Sprint(i)}), append(ps, position{float64(i), 1}), append(ss, spot{2, float64(i)})
			e := must[Entity](t)(b.w.Spawn(b.label.ID(), b.pos.ID(), b.spot.ID()))
			*b.label.Get(e), *b.pos.Get(e), *b.spot.Get(e) = ls[i], ps[i], ss[i]
			b.w.Tag(e, b.tag)
			want = append(want, e)
			if !many {
				got = append(got, must[Entity](t)(s.Spawn(ls[i], ps[i], ss[i])))
			}
		}
		if many {
			got = must[[]Entity](t)(s.SpawnMany(nil, ls, ps, ss))
		}
		if !slices.Equal(got, want) || a.w.Digest() != b.w.Digest() {
			t.Fatalf("many: %v: other entities", many)
		}
		sameStamps(t, a.w, b.w)
		check(t, a.w)
	}
}

func TestSpawnersOfAllNumbersOfTypes(t *testing.T) {
	w := newWorld(Options{})
	type (
		a struct{ V float64 }
		b struct{ V string }
		c struct{}
		d struct{ V uint8 }
		e struct{ X, Y, Z float64 }
		f struct{ V float32 }
		g struct{ V int16 }
		h struct{ V uint32 }
	)
	cg, ch := MustRegister[g](w, "G"), MustRegister[h](w, "H")
	cf, ca, cb, cd, ce := MustRegister[f](w, "F"), MustRegister[a](w, "A"), MustRegister[b](w, "B"), MustRegister[d](w, "D"), MustRegister[e](w, "E")
	cc := MustRegister[c](w, "C")
	s1 := must[*Spawner1[a]](t)(NewSpawner1[a](w))
	s2 := must[*Spawner2[b, a]](t)(NewSpawner2[b, a](w))
	s4 := must[*Spawner4[d, c, b, a]](t)(NewSpawner4[d, c, b, a](w))
	s5 := must[*Spawner5[e, d, c, b, a]](t)(NewSpawner5[e, d, c, b, a](w))
	s6 := must[*Spawner6[f, e, d, c, b, a]](t)(NewSpawner6[f, e, d, c, b, a](w))
	s7 := must[*Spawner7[g, f, e, d, c, b, a]](t)(NewSpawner7[g, f, e, d, c, b, a](w))
	s8 := must[*Spawner8[h, g, f, e, d, c, b, a]](t)(NewSpawner8[h, g, f, e, d, c, b, a](w))
	var es []Entity
	for i := range 2 {
		es = append(es, must[Entity](t)(s1.Spawn(a{1})), must[Entity](t)(s2.Spawn(b{"2"}, a{2})), must[Entity](t)(s4.Spawn(d{4}, c{}, b{"4"}, a{4})),
			must[Entity](t)(s5.Spawn(e{5, 5, 5}, d{5}, c{}, b{"5"}, a{5})), must[Entity](t)(s6.Spawn(f{6}, e{6, 6, 6}, d{6}, c{}, b{"6"}, a{6})),
			must[Entity](t)(s7.Spawn(g{7}, f{7}, e{7, 7, 7}, d{7}, c{}, b{"7"}, a{7})), must[Entity](t)(s8.Spawn(h{8}, g{8}, f{8}, e{8, 8, 8}, d{8}, c{}, b{"8"}, a{8})))
		if i == 0 {
			es = must[[]Entity](t)(s1.SpawnMany(es, []a{{1}}))
			es = must[[]Entity](t)(s2.SpawnMany(es, []b{{"2"}}, []a{{2}}))
			es = must[[]Entity](t)(s4.SpawnMany(es, []d{{4}}, []c{{}}, []b{{"4"}}, []a{{4}}))
			es = must[[]Entity](t)(s5.SpawnMany(es, []e{{5, 5, 5}}, []d{{5}}, []c{{}}, []b{{"5"}}, []a{{5}}))
			es = must[[]Entity](t)(s6.SpawnMany(es, []f{{6}}, []e{{6, 6, 6}}, []d{{6}}, []c{{}}, []b{{"6"}}, []a{{6}}))
			es = must[[]Entity](t)(s7.SpawnMany(es, []g{{7}}, []f{{7}}, []e{{7, 7, 7}}, []d{{7}}, []c{{}}, []b{{"7"}}, []a{{7}}))
			es = must[[]Entity](t)(s8.SpawnMany(es, []h{{8}}, []g{{8}}, []f{{8}}, []e{{8, 8, 8}}, []d{{8}}, []c{{}}, []b{{"8"}}, []a{{8}}))
		}
	}
	for i, x := range es {
		n := []float64{1, 2, 4, 5, 6, 7, 8}[i%7]
		if ca.Get(x).V != n || n >= 2 && cb.Get(x).V != fmt.Sprint(n) || n >= 4 && (cd.Get(x).V != uint8(n) || !cc.Has(x)) || n >= 5 && ce.Get(x).Z != n || n >= 6 && cf.Get(x).V != float32(n) || n >= 7 && cg.Get(x).V != int16(n) || n == 8 && ch.Get(x).V != 8 {
			t.Fatal(i, x)
		}
	}
	check(t, w)
}

// Observers see the values and are told once; the order is that of a Builder.
func TestSpawnersTellObservers(t *testing.T) {
	var told [3][]string
	for i := range told {
		w := newWorld(Options{})
		pos, tag := MustRegister[position](w, "Position"), must[TagID](t)(w.DeclareTag("marked"))
		for _, kind := range []ObserverKind{OnSpawned, OnTagged} {
			must[*Observer](t)(w.Observe(ObserverSpec{Kind: kind, Name: map[ObserverKind]string{OnTagged: "marked"}[kind], Run: func(_ *World, c Change) error {
				told[i] = append(told[i], fmt.Sprint(kind, c.Entity, *pos.Get(c.Entity)))
				return nil
			}}))
		}
		must[*Observer](t)(pos.OnAdded(func(_ *World, e Entity, p *position) error {
			told[i] = append(told[i], fmt.Sprint("added", e, *p))
			return nil
		}))
		s := must[*Spawner1[position]](t)(NewSpawner1[position](w, tag))
		switch i {
		case 0:
			must[Entity](t)(pos.With(w.Build().Tag(tag), position{3, 4}).Spawn())
		case 1:
			must[Entity](t)(s.Spawn(position{3, 4}))
		default:
			must[[]Entity](t)(s.SpawnMany(nil, []position{{3, 4}}))
		}
	}
	if len(told[0]) != 3 || !slices.Equal(told[0], told[1]) || !slices.Equal(told[0], told[2]) {
		t.Fatal(told)
	}
}

// Limits, locks and turns that are taken back hold as for World.Spawn; nothing has changed after an error.
func TestSpawnersRefuse(t *testing.T) {
	w := newWorld(Options{MaxEntities: 3})
	pos := MustRegister[position](w, "Position")
	s := must[*Spawner1[position]](t)(NewSpawner1[position](w))
	must[Entity](t)(s.Spawn(position{1, 1}))
	if list, err := s.SpawnMany(nil, make([]position, 3)); !errors.Is(err, ErrLimit) || len(list) != 0 || w.Len() != 1 {
		t.Error(err, w.Len())
	}
	if _, err := s.SpawnMany(nil, make([]position, 2)); err != nil || w.Len() != 3 {
		t.Error(err, w.Len())
	}
	if _, err := s.Spawn(position{}); !errors.Is(err, ErrLimit) || w.Len() != 3 {
		t.Error(err, w.Len())
	}
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}}))
	c := q.begin()
	if _, err := s.Spawn(position{}); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	if _, err := s.SpawnMany(nil, make([]position, 1)); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	c.End()
	check(t, w)
	if _, err := NewSpawner1[velocity](w); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if _, err := NewSpawner2[position, position](w); err == nil {
		t.Error("a type twice")
	}
	if _, err := NewQuery1[Mut[velocity]](w); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	MustRegister[position](w, "Elsewhere")
	if _, err := NewQuery1[position](w); !errors.Is(err, ErrMismatch) {
		t.Error(err)
	}
	small := newWorld(Options{MaxBytes: 20_000})
	MustRegister[position](small, "Position")
	ss := must[*Spawner1[position]](t)(NewSpawner1[position](small))
	n := 0
	for ; n < 10_000; n++ {
		if _, err := ss.Spawn(position{}); err != nil {
			if !errors.Is(err, ErrBytes) || small.Len() != n {
				t.Error(err, small.Len(), n)
			}
			break
		}
	}
	if n == 10_000 {
		t.Error("no limit")
	}
	check(t, small)
}

// The spawner finds its table again after a turn was taken back, in which the table may have been made.
func TestSpawnersAfterATurnThatWasTakenBack(t *testing.T) {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	var s *Spawner2[position, velocity]
	fails := true
	sched := NewSchedule(w)
	sched.RollBack = true
	sched.Add("spawns", func(*World, float64) error {
		if s == nil {
			s = must[*Spawner2[position, velocity]](t)(NewSpawner2[position, velocity](w))
		}
		for range 70 {
			must[Entity](t)(s.Spawn(position{1, 2}, velocity{3, 4}))
		}
		must[[]Entity](t)(s.SpawnMany(nil, make([]position, 70), make([]velocity, 70)))
		if fails {
			return fmt.Errorf("fails")
		}
		return nil
	})
	for range 2 {
		if sched.Run(1) == nil || w.Len() != 0 {
			t.Fatal("it is not taken back", w.Len())
		}
		check(t, w)
	}
	fails = false
	for i := range 3 {
		ok(t, sched.Run(1))
		if w.Len() != 140*(i+1) {
			t.Fatal(w.Len())
		}
	}
	e := w.Tables()[len(w.Tables())-1].Entities()[0]
	if *pos.Get(e) != (position{1, 2}) || *vel.Get(e) != (velocity{3, 4}) {
		t.Fatal(*pos.Get(e))
	}
	check(t, w)
	must[int](t)(must[*Query](t)(w.Query(Filter{})).DespawnAll())
	if n := testing.AllocsPerRun(100, func() {
		e := must[Entity](t)(s.Spawn(position{}, velocity{}))
		must[bool](t)(w.Despawn(e))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Set of a spawner writes and stamps what Set of each component would, adds what is missing in one move, and tells observers
// once for each component.
func TestSetOfASpawner(t *testing.T) {
	a, b := newWalked(t, 9), newWalked(t, 9)
	s := must[*Spawner3[label, position, spot]](t)(NewSpawner3[label, position, spot](a.w))
	var told [2][]string
	for i, x := range []*walked{a, b} {
		must[*Observer](t)(x.w.Observe(ObserverSpec{Kind: OnSet, Name: "Position", Run: func(_ *World, c Change) error {
			told[i] = append(told[i], fmt.Sprint(c.Entity))
			return nil
		}}))
		x.w.advanceTick()
		must[bool](t)(x.w.Despawn(x.es[5]))
	}
	for i, e := range a.es {
		l, p, v := label{fmt.Sprint(i)}, position{float64(i), 1}, spot{2, float64(i)}
		if i%2 == 0 {
			must[bool](t)(b.w.Add(e, b.label.ID(), b.pos.ID(), b.spot.ID()))
			must[bool](t)(b.label.Set(e, l))
			must[bool](t)(b.pos.Set(e, p))
			if must[bool](t)(b.spot.Set(e, v)) != must[bool](t)(s.Set(e, l, p, v)) {
				t.Fatal(e, "is alive in one of them")
			}
		}
	}
	if a.w.Digest() != b.w.Digest() {
		t.Fatal("other worlds")
	}
	if len(told[0]) == 0 || !slices.Equal(told[0], told[1]) {
		t.Errorf("observers were told %d and %d times", len(told[0]), len(told[1]))
	}
	sameStamps(t, a.w, b.w)
	check(t, a.w)
	q := must[*Query](t)(a.w.Query(Filter{}))
	has, lacks := must[Entity](t)(s.Spawn(label{}, position{}, spot{})), must[Entity](t)(a.w.Spawn())
	for range q.Tables {
		if _, err := s.Set(lacks, label{}, position{}, spot{}); !errors.Is(err, ErrLocked) {
			t.Error("in a loop:", err)
		}
		if !must[bool](t)(s.Set(has, label{"x"}, position{}, spot{})) {
			t.Error("in a loop: false")
		}
	}
}

// What a spawner queues is what Commands queue one by one: values, relations, tags, handles. Observers are told of the whole entity.
// A queued write of several values adds what is missing in one move, and is skipped for the dead.
func TestQueueSetOfASpawner(t *testing.T) {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	s := must[*Spawner2[velocity, position]](t)(NewSpawner2[velocity, position](w))
	none, one, dead := must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn(pos.ID())), must[Entity](t)(w.Spawn())
	var told []string
	must[*Observer](t)(w.Observe(ObserverSpec{Kind: OnAdded, Name: "Position", With: []string{"Velocity"}, Run: func(_ *World, c Change) error {
		told = append(told, c.Entity.String())
		return nil
	}}))
	q, tables := w.Commands(), len(w.tables)
	for i, e := range []Entity{none, one, dead} {
		s.QueueSet(q, e, velocity{1, float64(i)}, position{2, float64(i)})
	}
	q.Despawn(none)
	must[bool](t)(w.Despawn(dead))
	ok(t, q.Apply())
	if w.Alive(none) || *pos.Get(one) != (position{2, 1}) || *vel.Get(one) != (velocity{1, 1}) || len(w.tables) > tables+1 {
		t.Error(pos.Get(one), vel.Get(one), len(w.tables), tables)
	}
	if !slices.Equal(told, []string{none.String(), one.String()}) {
		t.Error(told)
	}
	check(t, w)
}

func TestQueueOfASpawner(t *testing.T) {
	var told [2][]string
	var worlds [2]*World
	for i := range worlds {
		w := newWorld(Options{Seed: 1})
		worlds[i] = w
		pos, text := MustRegister[position](w, "Position"), MustRegister[label](w, "Label")
		parent, tag := must[RelationID](t)(w.DeclareRelation(ChildOf)), must[TagID](t)(w.DeclareTag("young"))
		for _, kind := range []ObserverKind{OnSpawned, OnSet} {
			name := ""
			if kind == OnSet {
				name = "Position"
			}
			must[*Observer](t)(w.Observe(ObserverSpec{Kind: kind, Name: name, Run: func(w *World, c Change) error {
				told[i] = append(told[i], fmt.Sprint(kind, c.Entity, *pos.Get(c.Entity), *text.Get(c.Entity), w.Tagged(c.Entity, tag)))
				return nil
			}}))
		}
		s := must[*Spawner2[label, position]](t)(NewSpawner2[label, position](w, tag))
		a, gone := must[Entity](t)(s.Spawn(label{}, position{})), must[Entity](t)(s.Spawn(label{}, position{}))
		q := w.Commands()
		for n := range 30 {
			targets := []Target{{parent, a}, {parent, gone}}[n%3/2 : n%3]
			v, p := label{Text: fmt.Sprint(n)}, position{float64(n), 1}
			if i == 0 {
				must[Entity](t)(s.Queue(q, v, p, targets...))
				continue
			}
			e := must[Entity](t)(q.SpawnRelated(targets, pos.ID(), text.ID()))
			q.Join(true)
			text.QueueSet(q, e, v)
			pos.QueueSet(q, e, p)
			q.Tag(e, tag)
			q.Join(false)
		}
		must[bool](t)(w.Despawn(gone))
		ok(t, q.Apply())
		check(t, w)
		if w.Len() != 21 || w.SourceCount(parent, a) != 10 {
			t.Error(w.Len(), w.SourceCount(parent, a))
		}
	}
	if len(told[0]) == 0 || !slices.Equal(told[0], told[1]) || worlds[0].Digest() != worlds[1].Digest() {
		t.Errorf("%v\n%v", told[0], told[1])
	}
}

// A spawner queues on the queue of a worker, and allocates nothing once the queue is large enough.
func TestQueueOfASpawnerInALoop(t *testing.T) {
	w := newWorld(Options{})
	MustRegister[position](w, "Position")
	vel := MustRegister[velocity](w, "Velocity")
	s := must[*Spawner1[velocity]](t)(NewSpawner1[velocity](w))
	must[[]Entity](t)(must[*Spawner1[position]](t)(NewSpawner1[position](w)).SpawnMany(nil, make([]position, 300)))
	q := must[*Query1[position]](t)(NewQuery1[position](w))
	ok(t, q.Parallel(nil, 0, func(p *Part) {
		for row := range p.Rows {
			must[Entity](t)(s.Queue(p.Commands(), velocity{DX: float64(row)}))
		}
	}))
	ok(t, w.Commands().Apply())
	made := must[*Query](t)(w.Query(Filter{Required: []ComponentID{vel.ID()}}))
	sum := 0.0
	for _, e := range made.AppendEntities(nil) {
		sum += vel.Get(e).DX
	}
	if made.Count() != 300 || sum != 300*299/2 {
		t.Fatal(made.Count(), sum)
	}
	spawned := must[*Query1[velocity]](t)(NewQuery1[velocity](w))
	turn := func() { // ends what the turn before has made
		for e := q.Start(); e.Ok(); e = e.Next() {
			_, err := s.Queue(w.Commands(), velocity{})
			ok(t, err)
		}
		for e := spawned.Start(); e.Ok(); e = e.Next() {
			w.Commands().Despawn(e.Entity())
		}
		ok(t, w.Commands().Apply())
	}
	for range 8 {
		turn()
	}
	if n := testing.AllocsPerRun(10, turn); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if text := said(func() { _, _ = s.Queue(newWorld(Options{}).Commands(), velocity{}) }); text != otherWorld {
		t.Error(text)
	}
}
