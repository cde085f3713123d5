package ecs

import (
	"fmt"
	"strings"
	"testing"
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
	w := newWorld(Options{})
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

// A misuse is a call that must be refused: by a panic with a sentence of this package, or by an error. Calls of unchecked methods of a zero value, and with an index that is
// not one, may be refused by Go itself: "runtime error: …".
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
				if _, sentence := r.(string); (!sentence || !strings.HasPrefix(said, "ecs: ")) && !strings.HasPrefix(c.wants, "runtime error: ") {
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
		{"Component.Of", func(t *testing.T, m *misused) error {
			e := m.read(t).Start()
			defer e.End()
			return none(m.away.spot.Of(e.Visit))
		}, "different worlds"},
		{"Component.WriteOf", func(t *testing.T, m *misused) error {
			e := m.read(t).Start()
			defer e.End()
			return none(m.away.spot.WriteOf(e.Visit))
		}, "different worlds"},
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

// read returns the typed query of home that reads Spot.
func (m *misused) read(t *testing.T) *Query1[spot] {
	return must[*Query1[spot]](t)(NewQuery1[spot](m.home.w))
}

func TestIdsThatWereNeverGivenOutAreRefused(t *testing.T) {
	refuseAll(t, []misuse{
		{"Commands.Tag", func(t *testing.T, m *misused) error { m.home.w.Commands().Tag(m.home.es[0], 99); return nil }, "no tag"},
		{"World.RawTag", func(t *testing.T, m *misused) error { return none(Raw.TagPages(m.home.w, 99)) }, "no tag"},
		{"Commands.Untag", func(t *testing.T, m *misused) error { m.home.w.Commands().Untag(m.home.es[0], 99); return nil }, "no tag"},
		{"Commands.Send", func(t *testing.T, m *misused) error { return m.home.w.Commands().Send(99) }, "not declared"},
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
		if w.Alive(e) || pos.Get(e) != nil || pos.Write(e) != nil || pos.Has(e) || pos.Shared(e) != nil || w.Tag(e, m.home.tag) || w.Tagged(e, m.home.tag) ||
			w.Untag(e, m.home.tag) || set || err != nil || w.Has(e, pos.ID()) || w.ComponentsOf(e) != nil {
			t.Errorf("%#x is alive to somebody", uint64(e))
		}
	}
	check(t, w)
}
