package ecs

import "testing"

// Ending a walk twice, or one that has run out, does nothing; least of all to a later walk.
func TestEndingAWalkTwiceDoesNothing(t *testing.T) {
	m := newMisused(t)
	spots := must[*Query1[Mut[spot]]](t)(NewQuery1[Mut[spot]](m.home.w))
	empty := must[*Query1[Mut[spot]]](t)(NewQuery1[Mut[spot]](m.home.w, Filter{Without: []ComponentID{m.home.spot.ID()}}))

	first := spots.Start()
	s := first
	for ; s.Ok(); s = s.Next() {
	}
	s.End()
	first.End()
	none := empty.Start()
	none.End()
	c := m.spots.begin()
	c.End()
	c.End()
	if m.home.w.Locked() {
		t.Fatal("it stays locked")
	}

	later := spots.Start()
	first.End() // a deferred End of the walk before
	s.End()
	if !m.home.w.Locked() {
		t.Fatal("the End of an old walk unlocks a later one")
	}
	n := 0
	for ; later.Ok(); later = later.Next() {
		later.Get().V.X++
		n++
	}
	if n != 8 || m.home.w.Locked() {
		t.Errorf("%d entities, locked: %v", n, m.home.w.Locked())
	}

	begun := spots.Start()
	for s := begun; s.Ok(); s = s.Next() {
		if s.Entity() == m.home.es[5] { // in the second table
			break
		}
	}
	begun.End() // as a deferred End, which has the first entity
	if m.home.w.Locked() {
		t.Error("the End of the first entity does not end its walk")
	}
}

// A walk that uses up its numbers is replaced: no old Walk is taken for one of a later walk.
func TestWalksOfABillionWalksAgo(t *testing.T) {
	m := newMisused(t)
	q := must[*Query1[Mut[spot]]](t)(NewQuery1[Mut[spot]](m.home.w))
	q.Start().End() // from now on Start goes the short way
	for _, start := range []func() Walk1[Mut[spot]]{q.Start, func() Walk1[Mut[spot]] { return q.StartSince(0) }} {
		old := start()
		old.End()
		used := old.walk
		used.run = 1
		later, inside := start(), start()
		if later.walk == used || inside.walk == used {
			t.Error("it is used again")
		}
		if text := said(func() { old.Get() }); text != walkLeft {
			t.Errorf("an old walk is not refused: %q", text)
		}
		inside.End()
		later.End()
		if m.home.w.Locked() || len(m.home.w.walks) > 0 {
			t.Error("it stays open")
		}
		if again := start(); again.walk == used {
			t.Error("it is used again after another walk")
		} else {
			again.End()
		}
	}
}

func TestStructureIsLockedWhileAValueIsModified(t *testing.T) {
	m := newMisused(t)
	w, pos := m.home.w, m.home.spot
	pos.Modify(m.home.es[0], func(p *spot) {
		if _, err := w.Despawn(m.home.es[0]); err == nil {
			t.Error("the entity ends while its value is modified")
		}
		if ok, err := pos.Set(m.home.es[1], spot{7, 7}); !ok || err != nil {
			t.Error("a value may be written meanwhile", err)
		}
		p.X = 42
	})
	if pos.Get(m.home.es[0]).X != 42 || pos.Get(m.home.es[2]).X != 2 || w.Locked() {
		t.Error("another entity was written, or it stays locked")
	}
	func() {
		defer func() { _ = recover() }()
		pos.Modify(m.home.es[0], func(*spot) { panic("no") })
	}()
	if w.Locked() {
		t.Error("a panic in Modify leaves the world locked")
	}
	if n := testing.AllocsPerRun(10, func() { pos.Modify(m.home.es[0], func(p *spot) { p.Y++ }) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	check(t, w)
}

// A walk by Next that goes on by NextTable, or the other way round, stays within the tables.
func TestMixingNextAndNextTable(t *testing.T) {
	m := newMisused(t)
	c := m.spots.begin()
	for range 3 {
		c.Next()
	}
	for c.NextTable() {
		if c.RowIndex() != 0 || *m.home.spot.at(&c) != m.home.spot.Slice(c.Table())[0] {
			t.Error("the cursor is not at the first row of the table")
		}
	}
	changed := must[*Query](t)(m.home.w.Query(Filter{Required: []ComponentID{m.home.spot.ID()}, Changed: []ComponentID{m.home.spot.ID()}}))
	c = changed.beginSince(0)
	c.Next()
	c.NextTable()
	for n := 0; c.Next(); n++ {
		if e := c.Entity(); m.home.spot.at(&c) != m.home.spot.Get(e) {
			t.Error("the cursor is at no row of the table")
		}
	}
}
