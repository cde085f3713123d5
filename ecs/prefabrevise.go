package ecs

import (
	"slices"
	"unsafe"
)

// This file makes the entities of prefabs, and changes them when the declarations do. Nodes are told apart by their names and those above them.

// usePrefabs makes a plan the prefabs of the world. Prefabs that the plan does not have end, and what is made of them has no base then. Error:
// [ErrLimit], [ErrDepth]; after it nothing has changed.
func (w *World) usePrefabs(p *prefabPlan) error {
	old := w.prefabs
	was := p.match(old)
	if err := w.fitPrefabs(p, old, was); err != nil {
		return err
	}
	w.prefabs = p.prefabs // from now on observers know them
	var fresh []Entity
	kept := map[Entity]bool{}
	for _, i := range p.order {
		for k := range p.prefabs[i].nodes {
			n := &p.prefabs[i].nodes[k]
			if n.entity != None {
				kept[n.entity] = true
				continue
			}
			if err := w.makeNode(p.prefabs[i], n); err != nil {
				for _, e := range slices.Backward(fresh) {
					w.despawn(e, w.slots.find(e))
				}
				w.prefabs = old
				return err
			}
			fresh = append(fresh, n.entity)
		}
	}
	w.unlimited(func() {
		for _, i := range p.order {
			for k := range p.prefabs[i].nodes {
				if at := was[i][k]; at != noPlace {
					w.reviseNode(prefabPlace{i, k}, old, at)
				}
			}
		}
		for i := range slices.Backward(old) {
			for _, n := range slices.Backward(old[i].nodes) {
				if !kept[n.entity] {
					w.despawn(n.entity, w.slots.find(n.entity))
				}
			}
		}
	})
	w.findPrefabs()
	return nil
}

// unlimited runs f without the limits of bytes, entities and tags: what it makes is little, and cannot be refused.
func (w *World) unlimited(f func()) {
	o := w.options
	w.options.MaxBytes, w.options.MaxTags, w.options.MaxEntities = 0, 0, mostEntities(0)
	defer func() { w.options = o }()
	f()
}

// match gives the nodes of a plan the entities of the prefabs of now, and returns for each node the old one.
func (p *prefabPlan) match(old []*prefab) [][]prefabPlace {
	was := make([][]prefabPlace, len(p.prefabs))
	for i, now := range p.prefabs {
		at := slices.IndexFunc(old, func(o *prefab) bool { return o.spec.Name == now.spec.Name })
		for k := range now.nodes {
			n, place := &now.nodes[k], noPlace
			switch {
			case at < 0:
			case n.parent < 0:
				place = prefabPlace{at, 0}
			case was[i][n.parent] != noPlace:
				if c := childOf(old[at].nodes, was[i][n.parent].node, n.name); c >= 0 {
					place = prefabPlace{at, c}
				}
			}
			if place != noPlace {
				n.entity = old[at].nodes[place.node].entity
			}
			was[i] = append(was[i], place)
		}
	}
	return was
}

// fitPrefabs returns an error if a chain of bases would be too long.
func (w *World) fitPrefabs(p *prefabPlan, old []*prefab, was [][]prefabPlace) error {
	entityAt := func(list []*prefab, at prefabPlace) Entity {
		if at == noPlace {
			return None
		}
		return list[at.prefab].nodes[at.node].entity
	}
	for _, i := range p.order {
		for k := range p.prefabs[i].nodes {
			n, depth := &p.prefabs[i].nodes[k], 0
			for at := n.base; at != noPlace; at = p.prefabs[at.prefab].nodes[at.node].base {
				depth++
			}
			if depth > MaxBases {
				return ErrDepth
			}
			if at := was[i][k]; at != noPlace && entityAt(old, old[at.prefab].nodes[at.node].base) != entityAt(p.prefabs, n.base) && !w.flat(w.isA, n.entity, MaxBases-depth) {
				return ErrDepth
			}
		}
	}
	return nil
}

// makeNode makes the entity of a node whose parent and base are there.
func (w *World) makeNode(of *prefab, n *prefabNode) error {
	var targets []Target
	base := None
	if n.base != noPlace {
		base = w.prefabs[n.base.prefab].nodes[n.base.node].entity
		targets = append(targets, Target{w.isA.info.id, base})
	}
	if n.parent >= 0 {
		targets = append(targets, Target{w.childOf().info.id, of.nodes[n.parent].entity})
	}
	ids := make([]ComponentID, 0, len(n.parts)+len(targets))
	for _, p := range n.parts {
		ids = append(ids, p.Component)
	}
	if err := w.room(1); err != nil {
		return err
	}
	e := Raw.Upcoming(w, 0)
	t, err := w.roomIn(w.tableOf(nil, true), e, targets, slices.Clone(ids))
	if err != nil {
		return err
	}
	for _, id := range n.tags {
		if err := w.tags[id].reserve(uint32(e)); err != nil {
			return err
		}
	}
	if w.journal != nil {
		w.journal.adds(t, 1)
	}
	n.entity = w.slots.take()
	row := w.place(n.entity, t)
	w.beginWith(t, row, ids, base)
	for _, p := range n.parts {
		info := w.components[p.Component]
		writeFields(info.schema, info.column(t.id).at(row), p.Fields)
	}
	w.relateAll(n.entity, targets)
	for _, id := range n.tags {
		w.Tag(n.entity, id)
	}
	return nil
}

// beginWith gives components of a new row the values that a base has, its own or shared. Stamps stay.
func (w *World) beginWith(t *Table, row int, ids []ComponentID, base Entity) {
	sl := w.slots.find(base)
	if sl == nil {
		return
	}
	for _, id := range ids {
		info := w.components[id]
		if info.relation != nil {
			continue
		}
		if col, from, _ := w.visible(info, sl); col != nil {
			info.schema.copyRow(info.column(t.id).at(row), col.at(from))
		}
	}
}

// childOf returns the relation of parents and children.
func (w *World) childOf() *relation { return w.components[w.componentNames[ChildOf]].relation }

// reviseNode writes to the entity of a node what has changed since it was declared as the old node.
func (w *World) reviseNode(at prefabPlace, old []*prefab, oldAt prefabPlace) {
	n, was := &w.prefabs[at.prefab].nodes[at.node], &old[oldAt.prefab].nodes[oldAt.node]
	e, base := n.entity, None
	room := func(err error) {
		if err != nil {
			panic("ecs: a prefab has no room without a limit: " + err.Error())
		}
	}
	if n.base != noPlace {
		base = w.prefabs[n.base.prefab].nodes[n.base.node].entity
	}
	if sl := w.slots.find(e); base != w.target(w.isA, e) && base != None {
		room(w.roomToRelate(w.isA, e, sl, base))
		w.relate(w.isA, e, sl, base)
	} else if base != w.target(w.isA, e) {
		w.shift(e, sl, w.tables[sl.table].takingAway([]ComponentID{w.isA.info.id}))
	}
	has := func(parts []PrefabPart, id ComponentID) bool {
		return slices.ContainsFunc(parts, func(p PrefabPart) bool { return p.Component == id })
	}
	for _, p := range was.parts {
		if sl := w.slots.find(e); !has(n.parts, p.Component) && w.tables[sl.table].mask.has(p.Component) {
			w.shift(e, sl, w.tables[sl.table].takingAway([]ComponentID{p.Component}))
		}
	}
	for _, p := range n.parts {
		w.revisePart(e, p, declaredRow(w.prefabs, at, w.components[p.Component]), declaredRow(old, oldAt, w.components[p.Component]), has(was.parts, p.Component))
	}
	for _, id := range was.tags {
		if !slices.Contains(n.tags, id) {
			w.Untag(e, id)
		}
	}
	for _, id := range n.tags {
		if !slices.Contains(was.tags, id) {
			w.Tag(e, id)
		}
	}
}

// revisePart writes a component of a prefab: the fields that differ between two declarations, and all that are given if it is new.
func (w *World) revisePart(e Entity, p PrefabPart, now, was unsafe.Pointer, had bool) {
	s := w.components[p.Component].schema
	var fields []FieldValue
	if !had {
		fields = p.Fields
	}
	for i := range s.fields {
		v := s.fields[i].load(now)
		if given := slices.ContainsFunc(fields, func(fv FieldValue) bool { return fv.Index == i }); !given && was != nil && different(v, s.fields[i].load(was)) {
			fields = append(fields, FieldValue{i, v})
		}
	}
	if had && len(fields) == 0 {
		return
	}
	if _, err := w.Set(e, p.Component, fields...); err != nil {
		panic("ecs: a checked value of a prefab did not fit: " + err.Error())
	}
}
