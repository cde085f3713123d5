package ecs

import (
	"slices"
	"testing"
)

// NextRows begins right behind the current row after Continue, wherever the walk stands, and with whatever conditions.
func TestContinue(t *testing.T) {
	w := newWorld(Options{})
	pos, label := MustRegister[position](w, "Position"), MustRegister[modelLabel](w, "Label")
	tag := must[TagID](t)(w.DeclareTag("selected"))
	for i := range 150 {
		e := must[Entity](t)(w.Spawn([]ComponentID{pos.ID(), label.ID()}[:1+i%2]...))
		if i%3 > 0 {
			w.Tag(e, tag)
		}
	}
	for _, f := range []Filter{{Required: []ComponentID{pos.ID()}}, {Required: []ComponentID{pos.ID()}, Tagged: []TagID{tag}}} {
		q := must[*Query](t)(w.Query(f))
		var want []Entity
		for e := range q.each {
			want = append(want, e)
		}
		for every := 1; every < 90; every += 4 { // rows after which the walk is continued
			c := q.begin()
			var got []Entity
			for n, mask := c.NextRows(); n > 0; n, mask = c.NextRows() {
				seen := 0
				for i := 0; i < n; i++ {
					if i > 0 {
						c.Skip(1)
					}
					if mask != 0 && mask>>i&1 == 0 {
						continue
					}
					got = append(got, c.Entity())
					if seen++; seen == every {
						c.Continue()
						break
					}
				}
			}
			if !slices.Equal(got, want) || w.Locked() {
				t.Errorf("%d at a time: %d entities, want %d", every, len(got), len(want))
			}
		}
	}
}

// Nth moves to the entity that as many calls of Next reach, with and without conditions on rows.
func TestNth(t *testing.T) {
	w := newWorld(Options{})
	pos, label := MustRegister[position](w, "Position"), MustRegister[modelLabel](w, "Label")
	tag := must[TagID](t)(w.DeclareTag("selected"))
	target, child := must[Entity](t)(w.Spawn()), must[RelationID](t)(w.DeclareRelation(ChildOf))
	for i := range 300 {
		e := must[Entity](t)(w.Spawn([]ComponentID{pos.ID(), label.ID()}[:1+i%2]...))
		if i%3 > 0 && i%5 > 0 {
			w.Tag(e, tag)
		}
		if i%4 == 0 {
			must[bool](t)(w.Relate(e, child, target))
		}
	}
	for _, f := range []Filter{{Required: []ComponentID{pos.ID()}}, {Required: []ComponentID{pos.ID()}, Tagged: []TagID{tag}}} {
		q := must[*Query](t)(w.Query(f))
		for _, begin := range []func() Cursor{q.begin, func() Cursor { return must[Cursor](t)(Raw.BeginTarget(q, child, target)) }} {
			var all []Entity
			for c := begin(); c.Next(); {
				all = append(all, c.Entity())
			}
			for i := range len(all) + 2 {
				c := begin()
				if ok := c.Nth(i); ok != (i < len(all)) || ok && c.Entity() != all[i] {
					t.Errorf("Nth(%d) of %d: %v", i, len(all), ok)
				}
				c.End()
			}
		}
	}
}
