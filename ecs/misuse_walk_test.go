package ecs

import (
	"strings"
	"testing"
)

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
