package ecs

import (
	"fmt"
	"slices"
	"unsafe"
)

// This file works out the entities that the descriptions of prefabs stand for: one for each prefab and each child, and those that a base adds.

// A prefabNode is an entity of a prefab.
type prefabNode struct {
	name   string
	entity Entity      // None while it is planned
	parent int         // among the nodes of its prefab; -1 for the prefab itself
	base   prefabPlace // the node whose entity is its base; noPlace for none
	parts  []PrefabPart
	tags   []TagID // with those of its base, each once
}

// A prefabPlan has prefabs as they are to be, and an order in which bases come before what is made of them.
type prefabPlan struct {
	prefabs []*prefab
	order   []int
	world   *World
	state   []uint8 // by prefab: 0 unplanned, 1 being planned, 2 planned
}

// planPrefabs plans prefabs. Errors: those of [World.DeclarePrefab], and ErrCycle.
func (w *World) planPrefabs(specs []PrefabSpec) (*prefabPlan, error) {
	p := &prefabPlan{world: w, state: make([]uint8, len(specs))}
	for _, s := range specs {
		p.prefabs = append(p.prefabs, &prefab{spec: s})
	}
	for i := range specs {
		if err := p.plan(i); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// plan plans prefab i, after its bases.
func (p *prefabPlan) plan(i int) error {
	switch p.state[i] {
	case 1:
		return fmt.Errorf("%w: prefab %q is made of itself", ErrCycle, p.prefabs[i].spec.Name)
	case 2:
		return nil
	}
	p.state[i] = 1
	spec := &p.prefabs[i].spec
	if err := spec.check(p.world); err != nil {
		return err
	}
	if err := p.node(i, spec, -1, noPlace); err != nil {
		return err
	}
	p.state[i] = 2
	p.order = append(p.order, i)
	return nil
}

// node plans the node of a spec, and its children. base is what the base of its parent has under its name.
func (p *prefabPlan) node(i int, spec *PrefabSpec, parent int, base prefabPlace) error {
	if spec.Base != "" {
		at := slices.IndexFunc(p.prefabs, func(o *prefab) bool { return o.spec.Name == spec.Base })
		if at < 0 {
			return fmt.Errorf("the base of %q: %w", spec.Name, unknown("prefab", spec.Base))
		}
		if err := p.plan(at); err != nil {
			return err
		}
		base = prefabPlace{at, 0}
	}
	to := p.prefabs[i]
	n, this := prefabNode{name: spec.Name, parent: parent, base: base, parts: spec.Components}, len(to.nodes)
	var above []prefabNode
	if base != noPlace {
		above = p.prefabs[base.prefab].nodes
		n.tags = append(n.tags, above[base.node].tags...)
	}
	for _, id := range spec.Tags {
		if !slices.Contains(n.tags, id) {
			n.tags = append(n.tags, id)
		}
	}
	if to.nodes = append(to.nodes, n); len(to.nodes) > MaxPrefabEntities {
		return fmt.Errorf("%w: a prefab has at most %d entities with its children", ErrLimit, MaxPrefabEntities)
	}
	for k := range above {
		if b := &above[k]; b.parent == base.node {
			child := PrefabSpec{Name: b.name}
			if own := slices.IndexFunc(spec.Children, func(c PrefabSpec) bool { return c.Name == b.name }); own >= 0 {
				child = spec.Children[own]
			}
			if err := p.node(i, &child, this, prefabPlace{base.prefab, k}); err != nil {
				return err
			}
		}
	}
	for k := range spec.Children {
		c := &spec.Children[k]
		if base != noPlace && childOf(above, base.node, c.Name) >= 0 {
			continue
		}
		if err := p.node(i, c, this, noPlace); err != nil {
			return err
		}
	}
	return nil
}

// childOf returns the child of a node that has a name, -1 if there is none.
func childOf(nodes []prefabNode, parent int, name string) int {
	return slices.IndexFunc(nodes, func(n prefabNode) bool { return n.parent == parent && n.name == name })
}

// declaredRow returns the values of a component at a node as they are declared, nil if neither the node nor its base has the component.
func declaredRow(prefabs []*prefab, at prefabPlace, info *component) unsafe.Pointer {
	if at == noPlace {
		return nil
	}
	n := &prefabs[at.prefab].nodes[at.node]
	row := declaredRow(prefabs, n.base, info)
	own := slices.IndexFunc(n.parts, func(p PrefabPart) bool { return p.Component == info.id })
	if own < 0 {
		return row
	}
	if row == nil {
		row, _ = allocRows(nil, info.schema, 1)
		info.schema.setDefault(row)
	}
	writeFields(info.schema, row, n.parts[own].Fields)
	return row
}

// writeFields writes checked values.
func writeFields(s *Schema, row unsafe.Pointer, fields []FieldValue) {
	for _, fv := range fields {
		if err := s.fields[fv.Index].store(row, fv.Value); err != nil {
			panic("ecs: a checked value did not fit: " + err.Error())
		}
	}
}
