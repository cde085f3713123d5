package ecs

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"
)

// misused are two worlds full of canaries for calls that must be refused. home has 3 entities with Label and Spot and 5 with Spot; away has
// the same declarations, made in another order, and 9,000 entities.
type misused struct {
	home, away misusedWorld
	spots      *Query // of home: Spot
	labels     *Query // of home: Label
}

type misusedWorld struct {
	w     *World
	spot  Component[spot]
	label Component[label]
	es    []Entity
	tag   TagID
	event Event[spot]
	rel   RelationID
	grid  *Grid
}

type (
	spot  struct{ X, Y float64 }
	label struct{ Text string }
)

func newMisused(t *testing.T) *misused {
	t.Helper()
	m := &misused{home: newMisusedWorld(t, false), away: newMisusedWorld(t, true)}
	for i, n := range []int{3, 5} {
		ids := []ComponentID{m.home.spot.ID(), m.home.label.ID()}[:2-i]
		m.home.es = append(m.home.es, must[[]Entity](t)(must[*Bundle](t)(m.home.w.Bundle(ids...)).SpawnMany(n, nil))...)
	}
	m.away.es = append(m.away.es, must[[]Entity](t)(must[*Bundle](t)(m.away.w.Bundle(m.away.spot.ID(), m.away.label.ID())).SpawnMany(9000, nil))...)
	m.spots = must[*Query](t)(m.home.w.Query(Filter{Required: []ComponentID{m.home.spot.ID()}}))
	m.labels = must[*Query](t)(m.home.w.Query(Filter{Required: []ComponentID{m.home.label.ID()}}))
	m.home.w.Stream("leaver") // is made with the system of that name, and is in the digest
	for _, in := range []misusedWorld{m.home, m.away} {
		for i, e := range in.es {
			*in.spot.Get(e) = spot{float64(i), 1}
			if l := in.label.Get(e); l != nil {
				l.Text = fmt.Sprint("label ", i)
			}
		}
	}
	return m
}

func newMisusedWorld(t *testing.T, away bool) misusedWorld {
	w := NewWorld(Options{})
	in := misusedWorld{w: w}
	if away {
		in.spot = MustRegister[spot](w, "Spot")
	}
	in.label = MustRegister[label](w, "Label")
	in.spot = MustRegister[spot](w, "Spot")
	in.tag = must[TagID](t)(w.DeclareTag("marked"))
	in.event = must[Event[spot]](t)(RegisterEvent[spot](w, "Moved"))
	in.rel = must[RelationID](t)(w.DeclareRelation("Knows"))
	in.grid = must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: in.spot.ID(), X: "x", Y: "y", Cell: 2}))
	return in
}

// A misuse is a call that must be refused: by a panic with a sentence of this package, or by an error.
type misuse struct {
	name  string
	call  func(t *testing.T, m *misused) error
	wants string // a part of the sentence
}

// refused runs a misuse and holds that it was refused, and that neither world has changed or is locked by it.
func (c misuse) refused(t *testing.T) {
	m := newMisused(t)
	home, away := m.home.w.Digest(), m.away.w.Digest()
	said := func() (said string) {
		defer func() {
			if r := recover(); r != nil {
				said = fmt.Sprint(r)
				if _, sentence := r.(string); !sentence || !strings.HasPrefix(said, "ecs: ") {
					t.Errorf("it panics, but not with a sentence: %v", r)
				}
			}
		}()
		if err := c.call(t, m); err != nil {
			return err.Error()
		}
		return ""
	}()
	switch {
	case said == "":
		t.Error("it is not refused")
	case !strings.Contains(said, c.wants):
		t.Errorf("it says %q, which does not contain %q", said, c.wants)
	}
	for _, in := range []misusedWorld{m.home, m.away} {
		check(t, in.w)
		if in.w.Locked() {
			t.Error("it leaves a world locked")
		}
	}
	if m.home.w.Digest() != home || m.away.w.Digest() != away {
		t.Error("it changes a world")
	}
	if _, err := m.home.w.Spawn(m.home.spot.ID(), m.home.label.ID()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func refuseAll(t *testing.T, cases []misuse) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, c.refused)
	}
}

// none is the result of a call without an error.
func none(...any) error { return nil }

func TestHandlesOfAnotherWorldAreRefused(t *testing.T) {
	refuseAll(t, []misuse{
		{"Component.Slice", func(t *testing.T, m *misused) error { return none(m.away.spot.Slice(m.home.w.Tables()[1])) }, "different worlds"},
		{"Component.Column", func(t *testing.T, m *misused) error { return none(m.away.spot.Column(m.home.w.Tables()[1])) }, "different worlds"},
		{"Component.At", func(t *testing.T, m *misused) error {
			c := m.spots.Begin()
			defer c.End()
			c.Next()
			return none(m.away.spot.At(&c))
		}, "another world"},
		{"Component.MutAt", func(t *testing.T, m *misused) error {
			c := m.spots.Begin()
			defer c.End()
			c.Next()
			return none(m.away.spot.MutAt(&c))
		}, "another world"},
		{"Component.In", func(t *testing.T, m *misused) error {
			_, err := m.away.spot.In(m.spots)
			return err
		}, "another world"},
		{"Component.With", func(t *testing.T, m *misused) error {
			_, err := m.away.spot.With(m.home.w.Build(), spot{}).Spawn()
			return err
		}, "different worlds"},
		{"Component.QueueSet", func(t *testing.T, m *misused) error {
			m.away.spot.QueueSet(m.home.w.Commands(), m.home.es[0], spot{})
			return m.home.w.Commands().Apply()
		}, "different worlds"},
		{"Component.PartSlice", func(t *testing.T, m *misused) error {
			return m.spots.Parallel(nil, 0, func(p *Part) { m.away.spot.PartSlice(p) })
		}, "different worlds"},
		{"Component.StampPart", func(t *testing.T, m *misused) error {
			return m.spots.Parallel(nil, 0, func(p *Part) { m.away.spot.StampPart(p) })
		}, "different worlds"},
		{"Bundle.AddAll", func(t *testing.T, m *misused) error {
			_, err := must[*Bundle](t)(m.away.w.Bundle(m.away.label.ID())).AddAll(m.spots, nil)
			return err
		}, "different worlds"},
		{"Bundle.RemoveAll", func(t *testing.T, m *misused) error {
			_, err := must[*Bundle](t)(m.away.w.Bundle(m.away.label.ID())).RemoveAll(m.labels)
			return err
		}, "different worlds"},
	})
}

func TestTermsOfAnotherQueryAreRefused(t *testing.T) {
	refuseAll(t, []misuse{
		{"Term.At", func(t *testing.T, m *misused) error {
			at := must[Term[spot]](t)(m.home.spot.In(m.spots))
			s := m.labels.Start()
			defer s.End()
			at.At(s).X = 1.5 // would lie over a string
			return nil
		}, "another query"},
		{"Term.Stamp", func(t *testing.T, m *misused) error {
			at := must[Term[spot]](t)(m.home.spot.In(m.spots))
			s := m.labels.Start()
			defer s.End()
			at.Stamp(s)
			return nil
		}, "another query"},
		{"Term.Slice", func(t *testing.T, m *misused) error {
			at := must[Term[spot]](t)(m.home.spot.In(m.spots))
			c := m.labels.Begin()
			defer c.End()
			c.NextTable()
			return none(at.Slice(&c))
		}, "another query"},
		{"StartPair, first", func(t *testing.T, m *misused) error {
			both := must[*Query](t)(m.home.w.Query(Filter{Required: []ComponentID{m.home.label.ID(), m.home.spot.ID()}}))
			a, b := must[Term[spot]](t)(m.home.spot.In(m.spots)), must[Term[spot]](t)(m.home.spot.In(both))
			return none(StartPair(both, a, b))
		}, "another query"},
		{"StartPairSince, second", func(t *testing.T, m *misused) error {
			both := must[*Query](t)(m.home.w.Query(Filter{Required: []ComponentID{m.home.label.ID(), m.home.spot.ID()}}))
			a, b := must[Term[spot]](t)(m.home.spot.In(both)), must[Term[spot]](t)(m.home.spot.In(m.spots))
			return none(StartPairSince(both, 0, a, b))
		}, "another query"},
	})
}

func TestWalksThatAreOverAreRefused(t *testing.T) {
	ended := func(use func(m *misused, c *Cursor)) func(t *testing.T, m *misused) error {
		return func(t *testing.T, m *misused) error {
			c := m.spots.Begin()
			c.Next()
			c.End()
			use(m, &c)
			return nil
		}
	}
	left := func(use func(m *misused, at Term[spot], s Step)) func(t *testing.T, m *misused) error {
		return func(t *testing.T, m *misused) error {
			at := must[Term[spot]](t)(m.home.spot.In(m.spots))
			s := m.spots.Start()
			s.End()
			use(m, at, s)
			return nil
		}
	}
	pair := func(use func(p Pair[spot, label])) func(t *testing.T, m *misused) error {
		return func(t *testing.T, m *misused) error {
			q := must[*Query](t)(m.home.w.Query(Filter{Required: []ComponentID{m.home.spot.ID(), m.home.label.ID()}}))
			p := StartPair(q, must[Term[spot]](t)(m.home.spot.In(q)), must[Term[label]](t)(m.home.label.In(q)))
			p.End()
			use(p)
			return nil
		}
	}
	refuseAll(t, []misuse{
		{"Component.At", ended(func(m *misused, c *Cursor) { m.home.spot.At(c) }), "over"},
		{"Component.MutAt", ended(func(m *misused, c *Cursor) { m.home.spot.MutAt(c) }), "over"},
		{"Cursor.Entity", ended(func(m *misused, c *Cursor) { c.Entity() }), "over"},
		{"Cursor.Table", ended(func(m *misused, c *Cursor) { c.Table() }), "over"},
		{"Cursor.Column", ended(func(m *misused, c *Cursor) { c.Column(0) }), "over"},
		{"Cursor.Row", ended(func(m *misused, c *Cursor) { c.Row(0) }), "over"},
		{"Cursor.Stamp", ended(func(m *misused, c *Cursor) { c.Stamp(0) }), "over"},
		{"Cursor.Ref", ended(func(m *misused, c *Cursor) { c.Ref(0) }), "over"},
		{"Cursor.Entity before Next", func(t *testing.T, m *misused) error {
			c := m.spots.Begin()
			defer c.End()
			return none(c.Entity())
		}, "Next was not called"},
		{"Cursor.Row of Each's, kept", func(t *testing.T, m *misused) error {
			var kept *Cursor
			for _, c := range m.spots.Each {
				kept = c
			}
			return none(kept.Row(0))
		}, "over"},
		{"Term.At", left(func(m *misused, at Term[spot], s Step) { at.At(s) }), "Term is of another query"},
		{"Term.Stamp", left(func(m *misused, at Term[spot], s Step) { at.Stamp(s) }), "Term is of another query"},
		{"Step.Entity", left(func(m *misused, at Term[spot], s Step) { s.Entity() }), "over"},
		{"Step.Next", left(func(m *misused, at Term[spot], s Step) {
			for ; s.Ok(); s = s.Next() {
			}
		}), "over"},
		{"Term.At of a Step of an earlier walk", left(func(m *misused, at Term[spot], s Step) {
			later := m.spots.Start()
			defer later.End()
			at.At(s)
		}), "over"},
		{"Pair.Get", pair(func(p Pair[spot, label]) { p.Get() }), "over"},
		{"Pair.Entity", pair(func(p Pair[spot, label]) { p.Entity() }), "over"},
		{"Pair.StampA", pair(func(p Pair[spot, label]) { p.StampA() }), "over"},
		{"Pair.StampB", pair(func(p Pair[spot, label]) { p.StampB() }), "over"},
		{"Pair.Next", pair(func(p Pair[spot, label]) { p.Next() }), "over"},
		{"a Step whose copy went on to the next table", func(t *testing.T, m *misused) error {
			at := must[Term[spot]](t)(m.home.spot.In(m.spots))
			first := m.spots.Start()
			defer first.End()
			s := first
			for ; s.Ok() && s.Entity() != m.home.es[3]; s = s.Next() {
			}
			return none(at.At(first))
		}, "a copy of it has moved on"},
		{"a loop inside a loop without a Start", func(t *testing.T, m *misused) error {
			for a := m.spots.Start(); a.Ok(); a = a.Next() {
				for b := a.Next(); b.Ok(); b = b.Next() {
				}
			}
			return nil
		}, "a Start of its own"},
		{"a cursor that a system left open", func(t *testing.T, m *misused) error {
			var c Cursor
			err := NewSchedule(m.home.w).Add("leaver", func(*World, float64) error {
				c = m.spots.Begin()
				c.Next()
				return nil
			}).Run(1)
			if err == nil || !strings.Contains(err.Error(), "left a query loop open") {
				t.Error(err)
			}
			return none(m.home.spot.At(&c))
		}, "over"},
		{"a step that a system left open", func(t *testing.T, m *misused) error {
			at := must[Term[spot]](t)(m.home.spot.In(m.spots))
			var s Step
			if NewSchedule(m.home.w).Add("leaver", func(*World, float64) error {
				s = m.spots.Start()
				return nil
			}).Run(1) == nil {
				t.Error("a step is left open in silence")
			}
			return none(at.At(s))
		}, "query"},
		{"a step that a system left open, of a query that was released", func(t *testing.T, m *misused) error {
			q := must[*Query](t)(m.home.w.Query(Filter{Required: []ComponentID{m.home.spot.ID()}, Without: []ComponentID{m.home.label.ID()}}))
			at := must[Term[spot]](t)(m.home.spot.In(q))
			var s Step
			if NewSchedule(m.home.w).Add("leaver", func(*World, float64) error {
				s = q.Start()
				q.Release()
				return nil
			}).Run(1) == nil {
				t.Error("a step is left open in silence")
			}
			if len(m.home.w.orphans) > 0 {
				t.Error("the walk is kept")
			}
			return none(at.At(s))
		}, "query"},
		{"Cursor.Skip beyond", func(t *testing.T, m *misused) error {
			c := m.spots.Begin()
			defer c.End()
			c.NextRows()
			c.Skip(c.Table().Len() + 1)
			return nil
		}, "leaves the rows"},
		{"Cursor.Skip back", func(t *testing.T, m *misused) error {
			c := m.spots.Begin()
			defer c.End()
			c.NextRows()
			c.Skip(-1)
			return nil
		}, "leaves the rows"},
		{"Component.At behind the last row", func(t *testing.T, m *misused) error {
			c := m.spots.Begin()
			defer c.End()
			n, _ := c.NextRows()
			c.Skip(n)
			if p := m.home.spot.MutAt(&c); p != nil {
				t.Error("there is a value")
			}
			c.Row(0)
			return nil
		}, "behind the last row"},
		{"Cursor.Stamp behind the last row", func(t *testing.T, m *misused) error {
			c := m.spots.Begin()
			defer c.End()
			n, _ := c.NextRows()
			c.Skip(n)
			c.Stamp(0)
			return nil
		}, "behind the last row"},
		{"EventReader.Skip beyond", func(t *testing.T, m *misused) error {
			r := m.home.w.EventReader(m.home.event.ID())
			defer r.Close()
			r.Skip(1000)
			return none(r.Next())
		}, "skip 1000 of 0 unread events of Moved"},
		{"EventReader.Skip back", func(t *testing.T, m *misused) error {
			r := m.home.w.EventReader(m.home.event.ID())
			defer r.Close()
			r.Skip(-1)
			return none(r.Next())
		}, "skip -1"},
	})
}

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

func TestIdsThatWereNeverGivenOutAreRefused(t *testing.T) {
	refuseAll(t, []misuse{
		{"Commands.Tag", func(t *testing.T, m *misused) error { m.home.w.Commands().Tag(m.home.es[0], 99); return nil }, "no tag"},
		{"Commands.Untag", func(t *testing.T, m *misused) error { m.home.w.Commands().Untag(m.home.es[0], 99); return nil }, "no tag"},
		{"Commands.Send", func(t *testing.T, m *misused) error { return m.home.w.Commands().Send(99) }, "no event"},
		{"Commands.Add", func(t *testing.T, m *misused) error { return m.home.w.Commands().Add(m.home.es[0], 99) }, "not declared"},
		{"Commands.Remove", func(t *testing.T, m *misused) error { return m.home.w.Commands().Remove(m.home.es[0], 99) }, "not declared"},
		{"Commands.Set", func(t *testing.T, m *misused) error { return m.home.w.Commands().Set(m.home.es[0], 99) }, "not declared"},
		{"Commands.Relate", func(t *testing.T, m *misused) error { return m.home.w.Commands().Relate(m.home.es[0], 0, m.home.es[1]) }, "not declared"},
		{"Commands.Spawn", func(t *testing.T, m *misused) error { _, err := m.home.w.Commands().Spawn(99); return err }, "not declared"},
		{"Builder.Tag", func(t *testing.T, m *misused) error { _, err := m.home.w.Build().Tag(99).Spawn(); return err }, "no tag"},
		{"Builder.With", func(t *testing.T, m *misused) error { _, err := m.home.w.Build().With(99).Spawn(); return err }, "not declared"},
		{"World.Tag", func(t *testing.T, m *misused) error { return none(m.home.w.Tag(m.home.es[0], 99)) }, "no tag"},
		{"World.Untag", func(t *testing.T, m *misused) error { return none(m.home.w.Untag(m.home.es[0], 99)) }, "no tag"},
		{"World.Tagged", func(t *testing.T, m *misused) error { return none(m.home.w.Tagged(m.home.es[0], 99)) }, "no tag"},
		{"World.TagMembers", func(t *testing.T, m *misused) error { return none(m.home.w.TagMembers(99)) }, "no tag"},
		{"World.TagSet", func(t *testing.T, m *misused) error { return none(m.home.w.TagSet(99)) }, "no tag"},
		{"World.RawTag", func(t *testing.T, m *misused) error { return none(Raw.TagEntries(m.home.w, 99)) }, "no tag"},
		{"World.Send", func(t *testing.T, m *misused) error { return m.home.w.Send(99) }, "no event"},
		{"World.Append", func(t *testing.T, m *misused) error { return none(Raw.AppendEvent(m.home.w, 99)) }, "no event"},
		{"World.Peek", func(t *testing.T, m *misused) error { return none(m.home.w.Peek(99)) }, "no event"},
		{"World.Drain", func(t *testing.T, m *misused) error { return none(m.home.w.Drain(99)) }, "no event"},
		{"World.EventReader", func(t *testing.T, m *misused) error { return none(m.home.w.EventReader(99)) }, "no event"},
		{"World.ReaderOf", func(t *testing.T, m *misused) error { return none(m.home.w.ReaderOf(99)) }, "no event"},
		{"World.EventSchema", func(t *testing.T, m *misused) error { return none(m.home.w.EventSchema(99)) }, "no event"},
		{"World.EventCount", func(t *testing.T, m *misused) error { return none(m.home.w.EventCount(99)) }, "no event"},
		{"World.Resource", func(t *testing.T, m *misused) error { return none(m.home.w.Resource(99)) }, "no resource"},
		{"World.Ref", func(t *testing.T, m *misused) error { return none(m.home.w.Ref(m.home.es[0], 99)) }, "no component"},
		{"World.Finder", func(t *testing.T, m *misused) error { return none(Raw.Finder(m.home.w, 99)) }, "no component"},
		{"World.TrackRemoved", func(t *testing.T, m *misused) error { m.home.w.TrackRemoved(99); return nil }, "no component"},
		{"World.Removed", func(t *testing.T, m *misused) error { return none(m.home.w.Removed(nil, 99)) }, "no component"},
		{"World.Set", func(t *testing.T, m *misused) error { _, err := m.home.w.Set(m.home.es[0], 99); return err }, "not declared"},
		{"World.Bundle", func(t *testing.T, m *misused) error { _, err := m.home.w.Bundle(99); return err }, "not declared"},
		{"World.Query", func(t *testing.T, m *misused) error {
			_, err := m.home.w.Query(Filter{Tagged: []TagID{99}})
			return err
		}, "not declared"},
		{"World.DeclareGrid", func(t *testing.T, m *misused) error {
			_, err := m.home.w.DeclareGrid(GridSpec{Name: "g", Component: 99, X: "x", Y: "y", Cell: 1})
			return err
		}, "not declared"},
	})
}

// Handles with bits that no handle has are dead, whatever the function.
func TestForgedHandlesAreDead(t *testing.T) {
	m := newMisused(t)
	w, pos := m.home.w, m.home.spot
	forged := []Entity{1<<63 | m.home.es[0], Entity(1<<32 | 0xffffffff), Entity(1<<32 | 1<<31), ^Entity(0), None}
	for bit := 21; bit < 32; bit++ {
		forged = append(forged, m.home.es[0]|1<<(32+bit))
	}
	for _, e := range forged {
		set, err := pos.Set(e, spot{9, 9})
		if w.Alive(e) || pos.Get(e) != nil || pos.Mut(e) != nil || pos.Has(e) || pos.Shared(e) != nil || w.Tag(e, m.home.tag) || w.Tagged(e, m.home.tag) ||
			w.Untag(e, m.home.tag) || set || err != nil || w.Has(e, pos.ID()) || w.ComponentsOf(e) != nil {
			t.Errorf("%#x is alive to somebody", uint64(e))
		}
	}
	check(t, w)
}
