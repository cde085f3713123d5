package ecs

import (
	"fmt"
	"slices"
	"testing"
)

// Queries for tags of any size find the same rows, in the same order, however they look for them.
func TestScarceTags(t *testing.T) {
	w := newWorld(Options{})
	s, err := NewSchema(Field{Name: "x", Type: F64})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := w.DeclareComponent("A", s)
	b, _ := w.DeclareComponent("B", s)
	const rows = 3000
	var all []Entity
	for i := range rows {
		ids := []ComponentID{a}
		if i%3 == 0 {
			ids = append(ids, b)
		}
		e, err := w.Spawn(ids...)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	other, _ := w.DeclareTag("other")
	for i := 0; i < rows; i += 2 {
		w.Tag(all[i], other)
	}
	for _, members := range []int{0, 1, 5, 40, 200, 700, 1500, rows} {
		tag, _ := w.DeclareTag(fmt.Sprint("tag", members))
		for i := range members {
			w.Tag(all[(i*7919+rows-1)%rows], tag) // from the end, all over the tables
		}
		w.Despawn(all[rows-1-members%rows]) // members that have died are no members
		for name, f := range map[string]Filter{
			"tagged":             {Required: []ComponentID{a}, Tagged: []TagID{tag}},
			"two tags":           {Required: []ComponentID{a}, Tagged: []TagID{other, tag}},
			"one, not the other": {Required: []ComponentID{a}, Tagged: []TagID{tag}, Untagged: []TagID{other}},
			"in one table":       {Required: []ComponentID{a, b}, Tagged: []TagID{tag}},
			"either":             {Required: []ComponentID{a}, Where: Or(HasTag(tag), HasTag(other))},
			"of all":             {Tagged: []TagID{tag}},
		} {
			q, err := w.Query(f)
			if err != nil {
				t.Fatal(err)
			}
			var want, got []Entity
			base := f
			base.Tagged, base.Untagged, base.Where = nil, nil, nil
			every, err := w.Query(base)
			if err != nil {
				t.Fatal(err)
			}
			for e := range every.each {
				ok := !slices.ContainsFunc(f.Tagged, func(id TagID) bool { return !w.Tagged(e, id) }) &&
					!slices.ContainsFunc(f.Untagged, func(id TagID) bool { return w.Tagged(e, id) }) &&
					(f.Where == nil || w.Tagged(e, tag) || w.Tagged(e, other))
				if ok {
					want = append(want, e)
				}
			}
			for e := range q.each {
				got = append(got, e)
			}
			first := None
			if len(want) > 0 {
				first = want[0]
			}
			if !slices.Equal(got, want) || q.Count() != len(want) || q.First() != first {
				t.Errorf("%d members, %s: %d rows, count %d, first %v; want %d, first %v", members, name, len(got), q.Count(), q.First(), len(want), first)
			}
		}
	}
}

func BenchmarkScarceTags(b *testing.B) {
	for _, members := range []int{10, 1000, 20_000} {
		b.Run(fmt.Sprint(members), func(b *testing.B) {
			w := newWorld(Options{})
			s, _ := NewSchema(Field{Name: "x", Type: F64})
			a, _ := w.DeclareComponent("A", s)
			tag, _ := w.DeclareTag("tag")
			const rows = 100_000
			for i := range rows {
				e, _ := w.Spawn(a)
				if i%(rows/members) == 0 {
					w.Tag(e, tag)
				}
			}
			q, _ := w.Query(Filter{Required: []ComponentID{a}, Tagged: []TagID{tag}})
			for b.Loop() {
				for range q.each {
				}
			}
		})
	}
}
