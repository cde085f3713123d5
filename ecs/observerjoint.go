package ecs

import (
	"fmt"
	"slices"
	"strings"
)

// This file is about observers of several components: those whose spec has With. An operation calls one if it gives an entity the last of the components, or
// takes the first one away. A table and a move keep which observers that are, as they keep what else is observed of them.

// A joint has the observers of several components that are told of a new row of a table, or of one that leaves; or of a row that goes along a move. It is nil if there are none.
type joint struct {
	gained, lost []*Observer
}

// gains returns who is told of a new row.
func (j *joint) gains() []*Observer {
	if j == nil {
		return nil
	}
	return j.gained
}

// losses returns who is told of a row that leaves.
func (j *joint) losses() []*Observer {
	if j == nil {
		return nil
	}
	return j.lost
}

// partsOf returns the components of a spec with With, nil for others.
func (w *World) partsOf(spec ObserverSpec) (parts mask, err error) {
	if len(spec.With) == 0 {
		return nil, nil
	}
	if spec.Kind != OnAdded && spec.Kind != OnRemoved {
		return nil, fmt.Errorf("%q takes one name; With is for %q and %q", spec.Kind, OnAdded, OnRemoved)
	}
	for _, name := range spec.names() {
		one := spec
		one.Name = name
		if _, err := w.listFor(one); err != nil {
			return nil, err
		}
		id := w.componentNames[name]
		if parts.has(id) {
			return nil, fmt.Errorf("%s is listed twice", name)
		}
		parts = parts.set(id)
	}
	return parts, nil
}

// names returns all names of a spec.
func (s *ObserverSpec) names() []string { return append([]string{s.Name}, s.With...) }

// subject names what the observer is about: Health, or Health and Shield.
func (s *ObserverSpec) subject() string { return strings.Join(s.names(), " and ") }

// sharing returns the observers of several components, among which is id, in a new list.
func (o *observers) sharing(kind ObserverKind, id ComponentID) (list []*Observer) {
	for _, ob := range slices.Concat(o.onJoin, o.onPart) {
		if ob.spec.Kind == kind && ob.parts.has(id) {
			list = append(list, ob)
		}
	}
	return list
}

// jointOf returns who is told of the rows of a table.
func (o *observers) jointOf(t *Table) *joint {
	if len(o.onJoin)+len(o.onPart) == 0 {
		return nil
	}
	return &joint{complete(o.onJoin, nil, t.mask), complete(o.onPart, nil, t.mask)}
}

// jointAlong returns who is told of a row that goes along a move.
func (o *observers) jointAlong(mv *move) *joint {
	if len(o.onJoin)+len(o.onPart) == 0 {
		return nil
	}
	var before mask
	for i := range mv.to.columns {
		if c := &mv.to.columns[i]; !slices.Contains(mv.fresh, c) {
			before = before.set(c.info.id)
		}
	}
	for _, c := range mv.lost {
		before = before.set(c.info.id)
	}
	return &joint{complete(o.onJoin, before, mv.to.mask), complete(o.onPart, mv.to.mask, before)}
}

// complete returns the observers of a list all of whose components are in one set, but not in another.
func complete(list []*Observer, without, in mask) (found []*Observer) {
	for _, ob := range list {
		if in.containsAll(ob.parts) && !without.containsAll(ob.parts) {
			found = append(found, ob)
		}
	}
	return found
}
