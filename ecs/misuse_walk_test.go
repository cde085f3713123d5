package ecs

import (
	"strings"
	"testing"
)

func TestWalksThatAreOverAreRefused(t *testing.T) {
	ended := func(use func(m *misused, c *Cursor)) func(t *testing.T, m *misused) error {
		return func(t *testing.T, m *misused) error {
			c := m.spots.begin()
			c.Next()
			c.End()
			use(m, &c)
			return nil
		}
	}
	left := func(use func(m *misused, e Walk2[spot, label])) func(t *testing.T, m *misused) error {
		return func(t *testing.T, m *misused) error {
			e := must[*Query2[spot, label]](t)(NewQuery2[spot, label](m.home.w)).Start()
			e.End()
			use(m, e)
			return nil
		}
	}
	refuseAll(t, []misuse{
		{"Cursor.Entity", ended(func(m *misused, c *Cursor) { c.Entity() }), "over"},
		{"Cursor.Table", ended(func(m *misused, c *Cursor) { c.Table() }), "over"},
		{"Cursor.Column", ended(func(m *misused, c *Cursor) { c.Column(0) }), "over"},
		{"Cursor.Row", ended(func(m *misused, c *Cursor) { c.Row(0) }), "over"},
		{"Cursor.Stamp", ended(func(m *misused, c *Cursor) { c.Stamp(0) }), "over"},
		{"Cursor.Ref", ended(func(m *misused, c *Cursor) { c.Ref(0) }), "over"},
		{"Cursor.Entity before Next", func(t *testing.T, m *misused) error {
			c := m.spots.begin()
			defer c.End()
			return none(c.Entity())
		}, "Next was not called"},
		{"Cursor.Row, kept", func(t *testing.T, m *misused) error {
			var kept *Cursor
			for _, c := range m.spots.each {
				kept = c
			}
			return none(kept.Row(0))
		}, "over"},
		{"Walk.Get", left(func(m *misused, e Walk2[spot, label]) { e.Get() }), "over"},
		{"Walk.Slices", left(func(m *misused, e Walk2[spot, label]) { e.Slices() }), "over"},
		{"Walk.Entity", left(func(m *misused, e Walk2[spot, label]) { e.Entity() }), "over"},
		{"Walk.Entities", left(func(m *misused, e Walk2[spot, label]) { e.Entities() }), "over"},
		{"Walk.Next", left(func(m *misused, e Walk2[spot, label]) { e.Next() }), "over"},
		{"Walk.NextRun", left(func(m *misused, e Walk2[spot, label]) { e.NextRun() }), "over"},
		{"Component.Of", left(func(m *misused, e Walk2[spot, label]) { m.home.spot.Of(e.Visit) }), "over"},
		{"Component.WriteOf", left(func(m *misused, e Walk2[spot, label]) { m.home.spot.WriteOf(e.Visit) }), "over"},
		{"Get of an earlier walk", func(t *testing.T, m *misused) error {
			q := m.read(t)
			e := q.Start()
			e.End()
			later := q.Start()
			defer later.End()
			return none(e.Get())
		}, "over"},
		{"Get at the end", func(t *testing.T, m *misused) error {
			e := m.read(t).Start()
			for ; e.Ok(); e = e.Next() {
			}
			return none(e.Get())
		}, "over"},
		{"Next at the end", func(t *testing.T, m *misused) error {
			e := m.read(t).Start()
			for ; e.Ok(); e = e.Next() {
			}
			return none(e.Next())
		}, "over"},
		{"a walk whose copy went on to the next table", func(t *testing.T, m *misused) error {
			first := m.read(t).Start()
			defer first.End()
			e := first
			for ; e.Ok() && e.Entity() != m.home.es[3]; e = e.Next() {
			}
			return none(first.Get())
		}, "a copy of it has moved on"},
		{"a loop inside a loop without a Start", func(t *testing.T, m *misused) error {
			for a := m.read(t).Start(); a.Ok(); a = a.Next() {
				for b := a.Next(); b.Ok(); b = b.Next() {
				}
			}
			return nil
		}, "a Start of its own"},
		{"a cursor that a system left open", func(t *testing.T, m *misused) error {
			var c Cursor
			err := NewSchedule(m.home.w).Add("leaver", func(*World, float64) error {
				c = m.spots.begin()
				c.Next()
				return nil
			}).Run(1)
			if err == nil || !strings.Contains(err.Error(), "left a query loop open") {
				t.Error(err)
			}
			return none(c.Row(0))
		}, "over"},
		{"a walk that a system left open", func(t *testing.T, m *misused) error {
			q := m.read(t)
			var e Walk1[spot]
			if NewSchedule(m.home.w).Add("leaver", func(*World, float64) error {
				e = q.Start()
				q.Release()
				return nil
			}).Run(1) == nil {
				t.Error("a walk is left open in silence")
			}
			if len(m.home.w.walks) > 0 {
				t.Error("the walk is kept")
			}
			return none(e.Get())
		}, "over"},
		{"Cursor.Skip beyond", func(t *testing.T, m *misused) error {
			c := m.spots.begin()
			defer c.End()
			c.NextRows()
			c.Skip(c.Table().Len() + 1)
			return nil
		}, "leaves the rows"},
		{"Cursor.Skip back", func(t *testing.T, m *misused) error {
			c := m.spots.begin()
			defer c.End()
			c.NextRows()
			c.Skip(-1)
			return nil
		}, "leaves the rows"},
		{"Cursor.Row behind the last row", func(t *testing.T, m *misused) error {
			c := m.spots.begin()
			defer c.End()
			n, _ := c.NextRows()
			c.Skip(n)
			c.Row(0)
			return nil
		}, "behind the last row"},
		{"Cursor.Stamp behind the last row", func(t *testing.T, m *misused) error {
			c := m.spots.begin()
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
