package ecs

import (
	"testing"
	"unsafe"
)

// Ending a walk twice, or one that has run out, does nothing; least of all to a later walk.
func TestEndingAWalkTwiceDoesNothing(t *testing.T) {
	m := newMisused(t)
	at := must[Term[spot]](t)(m.home.spot.In(m.spots))
	empty := must[*Query](t)(m.home.w.Query(Filter{Required: []ComponentID{m.home.spot.ID()}, Without: []ComponentID{m.home.spot.ID()}}))

	first := m.spots.Start()
	s := first
	for ; s.Ok(); s = s.Next() {
	}
	s.End()
	first.End()
	none := empty.Start()
	none.End()
	if s.Next().Ok() {
		t.Error("Next of a step at the end goes on")
	}
	p := StartPair(m.spots, at, at)
	firstPair := p
	for ; p.Ok(); p = p.Next() {
	}
	p.End()
	firstPair.End()
	c := m.spots.Begin()
	c.End()
	c.End()
	if m.home.w.Locked() {
		t.Fatal("it stays locked")
	}

	later := m.spots.Start()
	first.End() // a deferred End of the walk before
	s.End()
	if !m.home.w.Locked() {
		t.Fatal("the End of an old walk unlocks a later one")
	}
	n := 0
	for ; later.Ok(); later = later.Next() {
		at.At(later).X++
		n++
	}
	if n != 8 || m.home.w.Locked() {
		t.Errorf("%d entities, locked: %v", n, m.home.w.Locked())
	}

	begun := m.spots.Start()
	for s := begun; s.Ok(); s = s.Next() {
		if s.Entity() == m.home.es[5] { // in the second table
			break
		}
	}
	begun.End() // as a deferred End, which has the first step
	if m.home.w.Locked() {
		t.Error("the End of the first step does not end its walk")
	}
}

// A walk by steps that uses up its numbers takes new ones: no old Step is taken for one of a later walk.
func TestStepsOfABillionWalksAgo(t *testing.T) {
	m := newMisused(t)
	at := must[Term[spot]](t)(m.home.spot.In(m.spots))
	old := m.spots.Start()
	old.End()
	m.spots.steps.run = 1
	later := m.spots.Start()
	defer later.End()
	defer func() {
		if r := recover(); r != termForeign && r != walkLeft {
			t.Errorf("an old step is not refused: %v", r)
		}
	}()
	if n := len(m.spots.walks); n != 1 {
		t.Errorf("%d walks are kept", n)
	}
	at.At(old)
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
	c := m.spots.Begin()
	for range 3 {
		c.Next()
	}
	for c.NextTable() {
		if c.RowIndex() != 0 || *m.home.spot.At(&c) != m.home.spot.Slice(c.Table())[0] {
			t.Error("the cursor is not at the first row of the table")
		}
	}
	changed := must[*Query](t)(m.home.w.Query(Filter{Required: []ComponentID{m.home.spot.ID()}, Changed: []ComponentID{m.home.spot.ID()}}))
	c = changed.BeginSince(0)
	c.Next()
	c.NextTable()
	for n := 0; c.Next(); n++ {
		if e := c.Entity(); m.home.spot.At(&c) != m.home.spot.Get(e) {
			t.Error("the cursor is at no row of the table")
		}
	}
}

// What an inherited query shares is not in the row: the pointer that a term gives for it panics, and is no address of anything.
func TestTermsGiveNothingForWhatIsShared(t *testing.T) {
	w := NewWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	isA := must[RelationID](t)(w.DeclareRelation(IsA))
	base := must[Entity](t)(w.Spawn(pos.ID(), vel.ID()))
	for range 3 {
		must[Entity](t)(w.SpawnRelated([]Target{{isA, base}}, vel.ID()))
	}
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}, Inherited: true}))
	p, v := must[Term[position]](t)(pos.In(q)), must[Term[velocity]](t)(vel.In(q))
	reads := func(p *position) (ok bool) {
		defer func() { _ = recover() }()
		return p.X == 0
	}
	n := 0
	for s := q.Start(); s.Ok(); s = s.Next() {
		n++
		if reads(p.At(s)) != (s.Entity() == base) || (address(p.At(s)) != 0) != (s.Entity() == base) || v.At(s) != vel.Get(s.Entity()) {
			t.Errorf("step at %s: %p, %p for %p", s.Entity(), p.At(s), v.At(s), vel.Get(s.Entity()))
		}
		p.Stamp(s)
	}
	for s := StartPair(q, p, v); s.Ok(); s = s.Next() {
		n++
		a, b := s.Get()
		if reads(a) != (s.Entity() == base) || (address(a) != 0) != (s.Entity() == base) || b != vel.Get(s.Entity()) {
			t.Errorf("pair at %s: %p %p", s.Entity(), a, b)
		}
		s.StampA()
	}
	if n != 8 {
		t.Errorf("%d steps", n)
	}
	check(t, w)
}

// address is for pointers that the compiler takes for not nil.
//
//go:noinline
func address(p *position) uintptr { return uintptr(unsafe.Pointer(p)) }
