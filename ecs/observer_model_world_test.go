package ecs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// This file is the model of a world with observers: what they should be told of each operation.

// An observedEntity is what the model knows of an entity.
type observedEntity struct {
	parts, tags int
	to          [2]Entity // ChildOf, Likes
	since       [2]int    // when the relation was made
}

type observedModel struct {
	t         testing.TB
	w         *World
	ids       []ComponentID
	tags      []TagID
	relations []RelationID
	names     []string
	live      []Entity
	is        map[Entity]*observedEntity
	declared  []string // kinds and names in the order of declaration
	told      []string // what observers were told
	want      []string // what they should have been told
	clock     int
}

// newObservedModel makes a world with observers of everything, in an order that the seed decides, some of it twice.
func newObservedModel(t testing.TB, seed uint64) *observedModel {
	w := newWorld(Options{})
	m := &observedModel{t: t, w: w, ids: letters(t, w, "A", "B", "C"), is: map[Entity]*observedEntity{}, names: []string{ChildOf, "Likes"}}
	for _, name := range []string{"x", "y"} {
		m.tags = append(m.tags, must[TagID](t)(w.DeclareTag(name)))
	}
	for _, name := range m.names {
		m.relations = append(m.relations, must[RelationID](t)(w.DeclareRelation(name)))
	}
	var specs []ObserverSpec
	for kind := range ObserverKind(len(observerKindNames)) {
		names := map[string][]string{"component": {"A", "B"}, "tag": {"x", "y"}, "relation": m.names, "": {""}}[kind.Subject()]
		for _, name := range names { // nobody observes C
			specs = append(specs, ObserverSpec{Kind: kind, Name: name})
		}
	}
	for _, kind := range []ObserverKind{OnAdded, OnRemoved} {
		specs = append(specs, ObserverSpec{Kind: kind, Name: "B", With: []string{"A"}}, ObserverSpec{Kind: kind, Name: "A", With: []string{"C", "B"}})
	}
	random := rand.New(rand.NewPCG(seed, 1))
	specs = append(specs, specs[random.IntN(len(specs))], specs[random.IntN(len(specs))])
	random.Shuffle(len(specs), func(i, j int) { specs[i], specs[j] = specs[j], specs[i] })
	for _, spec := range specs {
		text := strings.TrimSpace(spec.Kind.String() + " " + strings.Join(append([]string{spec.Name}, spec.With...), "+"))
		m.declared = append(m.declared, text)
		spec.Run = func(w *World, c Change) error {
			line := c.Entity.String() + " " + text
			if c.Target != None {
				line += " " + c.Target.String()
			}
			if !w.Alive(c.Entity) {
				line += " (dead)"
			}
			m.told = append(m.told, line)
			return nil
		}
		must[*Observer](t)(w.Observe(spec))
	}
	return m
}

// expect notes the reports of one entity by one operation: the observers are called in the order of declaration.
func (m *observedModel) expect(e Entity, reports ...string) {
	for _, text := range m.declared {
		for _, r := range reports {
			if r == text || strings.HasPrefix(r, text+" ") {
				m.want = append(m.want, e.String()+" "+r)
			}
		}
	}
}

// together returns the reports of several components of an entity whose components change.
func together(before, after int) (reports []string) {
	for text, set := range map[string]int{"B+A": 3, "A+C+B": 7} {
		switch had, has := before&set == set, after&set == set; {
		case has && !had:
			reports = append(reports, "added "+text)
		case had && !has:
			reports = append(reports, "removed "+text)
		}
	}
	return reports // in any order: see expect
}

func (m *observedModel) now() int {
	m.clock++
	return m.clock
}

// sources returns the entities whose target is e, in the order in which they were related.
func (m *observedModel) sources(r int, e Entity) (list []Entity) {
	for source, of := range m.is {
		if of.to[r] == e {
			list = append(list, source)
		}
	}
	slices.SortFunc(list, func(a, b Entity) int { return m.is[a].since[r] - m.is[b].since[r] })
	return list
}

func (m *observedModel) some(n int) Entity {
	if len(m.live) == 0 {
		return None
	}
	return m.live[n%len(m.live)]
}

func (m *observedModel) components(set int) (ids []ComponentID) {
	for i, id := range m.ids {
		if set&(1<<i) != 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

func (m *observedModel) born(e Entity, set int, to []Target) {
	of := &observedEntity{parts: set & 7}
	m.live, m.is[e] = append(m.live, e), of
	reports := []string{"spawned"}
	for i := range 3 {
		if set&(1<<i) != 0 {
			reports = append(reports, "added "+string(rune('A'+i)))
		}
	}
	reports = append(reports, together(0, of.parts)...)
	for _, target := range to {
		r := slices.Index(m.relations, target.Relation)
		of.to[r], of.since[r] = target.Entity, m.now()
		reports = append(reports, fmt.Sprintf("related %s %s", m.names[r], target.Entity))
	}
	m.expect(e, reports...)
}

// die is the naive despawn: an entity is told, then those who like it, then its children are told in the same way.
func (m *observedModel) die(e Entity) {
	of := m.is[e]
	if of == nil {
		return
	}
	var order []Entity // all that are told, in order
	reports := map[Entity][]string{}
	tell := func(e Entity, text string) {
		if !slices.Contains(order, e) {
			order = append(order, e)
		}
		reports[e] = append(reports[e], text)
	}
	var end func(e Entity)
	gone := map[Entity]bool{}
	end = func(e Entity) {
		of := m.is[e]
		gone[e] = true
		tell(e, "despawned")
		for i := range 3 {
			if of.parts&(1<<i) != 0 {
				tell(e, "removed "+string(rune('A'+i)))
			}
		}
		for _, text := range together(of.parts, 0) {
			tell(e, text)
		}
		for i, name := range []string{"x", "y"} {
			if of.tags&(1<<i) != 0 {
				tell(e, "untagged "+name)
			}
		}
		for r, target := range of.to {
			if target != None {
				tell(e, fmt.Sprintf("unrelated %s %s", m.names[r], target))
			}
		}
		for _, source := range m.sources(1, e) {
			if other := m.is[source]; !gone[source] && other.to[1] == e {
				tell(source, fmt.Sprintf("unrelated Likes %s", e))
				other.to[1] = None
			}
		}
		for _, child := range m.sources(0, e) {
			end(child)
		}
	}
	end(e)
	for _, e := range order {
		m.expect(e, reports[e]...)
	}
	for e := range gone {
		delete(m.is, e)
	}
	m.live = slices.DeleteFunc(m.live, func(e Entity) bool { return gone[e] })
}

// gain adds or removes a set of components.
func (m *observedModel) gain(op observedOp, add, queued bool) {
	e, ids := m.some(op.a), m.components(op.b)
	if len(ids) == 0 {
		return
	}
	switch q := m.w.Commands(); {
	case queued && add:
		ok(m.t, q.Add(e, ids...))
		apply(m.t, q)
	case queued:
		ok(m.t, q.Remove(e, ids...))
		apply(m.t, q)
	case add:
		must[bool](m.t)(m.w.Add(e, ids...))
	default:
		must[bool](m.t)(m.w.Remove(e, ids...))
	}
	m.moved(e, op.b, add)
}

func (m *observedModel) moved(e Entity, set int, add bool) {
	of := m.is[e]
	if of == nil {
		return
	}
	var reports []string
	before := of.parts
	for i := range 3 {
		if set&(1<<i) == 0 || of.parts&(1<<i) != 0 == add {
			continue
		}
		of.parts ^= 1 << i
		if name := string(rune('A' + i)); add {
			reports = append(reports, "added "+name)
		} else {
			reports = append(reports, "removed "+name)
		}
	}
	m.expect(e, append(reports, together(before, of.parts)...)...)
}

// gainAll adds or removes a set of components to or from all entities with a component.
func (m *observedModel) gainAll(op observedOp, add bool) {
	q := must[*Query](m.t)(m.w.Query(Filter{Required: m.components(1 << (op.a % 3))}))
	bundle := must[*Bundle](m.t)(m.w.Bundle(m.components(op.b)...))
	list := q.AppendEntities(nil)
	if add {
		must[int](m.t)(bundle.AddAll(q, nil))
	} else {
		must[int](m.t)(bundle.RemoveAll(q))
	}
	for _, e := range list {
		m.moved(e, op.b, add)
	}
}

func (m *observedModel) tag(op observedOp, on bool) {
	e, bit := m.some(op.a), op.b%2
	name := []string{"x", "y"}[bit]
	if op.c%2 == 0 {
		q := m.w.Commands()
		if on {
			q.Tag(e, m.tags[bit])
		} else {
			q.Untag(e, m.tags[bit])
		}
		apply(m.t, q)
	} else if on {
		m.w.Tag(e, m.tags[bit])
	} else {
		m.w.Untag(e, m.tags[bit])
	}
	of := m.is[e]
	if of == nil || of.tags&(1<<bit) != 0 == on {
		return
	}
	of.tags ^= 1 << bit
	if on {
		m.expect(e, "tagged "+name)
	} else {
		m.expect(e, "untagged "+name)
	}
}
