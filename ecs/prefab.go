package ecs

import (
	"errors"
	"fmt"
	"slices"
)

// Prefabs are entities from which others are made. They are made when they are declared, lie in tables of their own, and live as long as the
// declaration. Queries, grids, indexes, observers and counts leave them out. This file has their declarations; prefabtree.go works out which entities a
// declaration stands for, prefabrevise.go makes and changes these, instance.go makes instances, prefabstate.go has the section of the state.

// A PrefabSpec describes a prefab: an entity with components and tags, and its children, which are entities of the prefab, too.
//
// With a base it has what the base has: the base's components until it has its own, the base's tags, and its children by name. A component that both have
// begins with the values of the base, and a child that both have has the base's child as its base. The base may be declared earlier only.
type PrefabSpec struct {
	Name       string // of a child: unlike those of its siblings
	Base       string // the name of another prefab; "" for none
	Components []PrefabPart
	Tags       []TagID
	Children   []PrefabSpec
}

// A PrefabPart is a component of a prefab with the values of some of its fields. The others have the values of the base, or their defaults. See the example
// of [PrefabSpec].
type PrefabPart struct {
	Component ComponentID
	Fields    []FieldValue
}

// MaxPrefabEntities is the largest number of entities of one prefab: itself, its children and theirs.
const MaxPrefabEntities = 10_000

// A prefab is a declaration with its entities.
type prefab struct {
	spec  PrefabSpec
	nodes []prefabNode // parents before children, the prefab itself first
}

// A prefabPlace says where a node is: in which prefab of the world, and which of its nodes. {-1, 0} is none.
type prefabPlace struct{ prefab, node int }

var noPlace = prefabPlace{prefab: -1}

// DeclarePrefab makes a prefab and returns its entity. If one of that name is declared alike, it is returned, as it is by now. Its base must be declared.
// Errors: [ErrMismatch] if it is declared differently, see [World.RevisePrefab]; [ErrUnknown]; a value that does not fit its field; two children of one name;
// [ErrDepth]; [ErrLimit]; [ErrLocked] inside of a turn or a query loop. After an error nothing has changed.
func (w *World) DeclarePrefab(spec PrefabSpec) (Entity, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	if i := w.prefabNamed(spec.Name); i >= 0 {
		if p := w.prefabs[i]; !p.spec.Same(spec) {
			return None, fail("declare prefab", None, spec.Name, fmt.Errorf("%w: it has other components, tags, children or another base", ErrMismatch))
		}
		return w.prefabs[i].nodes[0].entity, nil
	}
	specs := w.prefabSpecs()
	if err := w.revisePrefabs("declare prefab", spec.Name, append(specs, spec.clone())); err != nil {
		return None, err
	}
	return w.prefabs[len(specs)].nodes[0].entity, nil
}

// RevisePrefab gives a prefab that is declared another description. What differs from its declaration is written to it, and to the prefabs that have it as
// a base, where these say nothing else: values, components, tags, base and children. What differs otherwise, because it was written since, stays. Instances
// share the new values; they keep the tags and children that they have. Errors: those of [World.DeclarePrefab], and [ErrCycle]. After an error nothing has changed.
func (w *World) RevisePrefab(spec PrefabSpec) error {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	i := w.prefabNamed(spec.Name)
	if i < 0 {
		return fail("revise prefab", None, spec.Name, ErrUnknown)
	}
	if w.prefabs[i].spec.Same(spec) {
		return nil
	}
	specs := w.prefabSpecs()
	specs[i] = spec.clone()
	return w.revisePrefabs("revise prefab", spec.Name, specs)
}

// revisePrefabs makes specs the prefabs of the world.
func (w *World) revisePrefabs(op, name string, specs []PrefabSpec) error {
	if w.busy() {
		return fail(op, None, name, fmt.Errorf("%w; prefabs are declared between turns", ErrLocked))
	}
	w.mustBeAlone()
	plan, err := w.planPrefabs(specs)
	if err == nil {
		err = w.usePrefabs(plan)
	}
	if err != nil {
		return fail(op, None, name, err)
	}
	return nil
}

func (w *World) prefabNamed(name string) int {
	return slices.IndexFunc(w.prefabs, func(p *prefab) bool { return p.spec.Name == name })
}

// prefabSpecs returns the descriptions of all prefabs in a new list.
func (w *World) prefabSpecs() []PrefabSpec {
	specs := make([]PrefabSpec, len(w.prefabs))
	for i, p := range w.prefabs {
		specs[i] = p.spec
	}
	return specs
}

// LookupPrefab returns the entity of the prefab of that name, [None] if it is not declared.
func (w *World) LookupPrefab(name string) Entity {
	if i := w.prefabNamed(name); i >= 0 {
		return w.prefabs[i].nodes[0].entity
	}
	return None
}

// PrefabNames returns the names of all prefabs in the order of declaration.
func (w *World) PrefabNames() []string {
	names := make([]string, len(w.prefabs))
	for i, p := range w.prefabs {
		names[i] = p.spec.Name
	}
	return names
}

// PrefabSpec returns what a prefab was declared with, false if there is none of that name.
func (w *World) PrefabSpec(name string) (PrefabSpec, bool) {
	if i := w.prefabNamed(name); i >= 0 {
		return w.prefabs[i].spec.clone(), true
	}
	return PrefabSpec{}, false
}

// PrefabEntities returns the entities of a prefab: it and its children, parents before children, children in the order of the declaration; nil if there is none of that
// name.
func (w *World) PrefabEntities(name string) []Entity {
	i := w.prefabNamed(name)
	if i < 0 {
		return nil
	}
	list := make([]Entity, len(w.prefabs[i].nodes))
	for k := range list {
		list[k] = w.prefabs[i].nodes[k].entity
	}
	return list
}

// PrefabOf returns the name of the prefab that e is, for a child with those above it, as in "goblin/sword"; "" if it is none.
func (w *World) PrefabOf(e Entity) string {
	at, ok := w.prefabAt[e]
	if !ok {
		return ""
	}
	return w.prefabs[at.prefab].path(at.node)
}

// path returns the name of a node with those above it.
func (p *prefab) path(node int) string {
	if up := p.nodes[node].parent; up >= 0 {
		return p.path(up) + "/" + p.nodes[node].name
	}
	return p.nodes[node].name
}

// isPrefab reports whether e is a living entity of a prefab.
func (w *World) isPrefab(e Entity) bool {
	if len(w.prefabs) == 0 {
		return false
	}
	sl := w.slots.find(e)
	return sl != nil && w.tables[sl.table].prefab
}

// fixes reports whether relations that a prefab must keep are among ids.
func (w *World) fixes(ids []ComponentID) bool {
	return slices.ContainsFunc(ids, func(id ComponentID) bool { r := w.components[id].relation; return r != nil && r.acyclic })
}

// prefabEntities returns how many entities prefabs have.
func (w *World) prefabEntities() int { return len(w.prefabAt) }

// findPrefabs makes prefabAt anew.
func (w *World) findPrefabs() {
	w.prefabAt = nil
	for i, p := range w.prefabs {
		for k := range p.nodes {
			if e := p.nodes[k].entity; e != None {
				if w.prefabAt == nil {
					w.prefabAt = map[Entity]prefabPlace{}
				}
				w.prefabAt[e] = prefabPlace{i, k}
			}
		}
	}
}

func (s *PrefabSpec) clone() PrefabSpec {
	c := *s
	c.Tags, c.Components, c.Children = slices.Clone(s.Tags), slices.Clone(s.Components), slices.Clone(s.Children)
	for i := range c.Components {
		c.Components[i].Fields = slices.Clone(c.Components[i].Fields)
	}
	for i := range c.Children {
		c.Children[i] = c.Children[i].clone()
	}
	return c
}

// Same reports whether two specs describe the same, in the same order.
func (s PrefabSpec) Same(o PrefabSpec) bool {
	return s.Name == o.Name && s.Base == o.Base && slices.Equal(s.Tags, o.Tags) &&
		slices.EqualFunc(s.Components, o.Components, PrefabPart.same) &&
		slices.EqualFunc(s.Children, o.Children, PrefabSpec.Same)
}

func (p PrefabPart) same(o PrefabPart) bool {
	return p.Component == o.Component && slices.EqualFunc(p.Fields, o.Fields, func(a, b FieldValue) bool {
		return a.Index == b.Index && !different(a.Value, b.Value)
	})
}

// check returns what is wrong with a spec by itself, nil if nothing is.
func (s *PrefabSpec) check(w *World) error {
	if s.Name == "" {
		return errors.New("a prefab needs a name")
	}
	for i, p := range s.Components {
		if uint(p.Component) >= uint(len(w.components)) {
			return unknownID("component", p.Component)
		}
		info := w.components[p.Component]
		if info.relation != nil {
			return fmt.Errorf("%q is a relation; a prefab has components, tags and children", info.name)
		}
		if slices.ContainsFunc(s.Components[:i], func(o PrefabPart) bool { return o.Component == p.Component }) {
			return fmt.Errorf("component %q is there twice", info.name)
		}
		for _, fv := range p.Fields {
			if err := info.schema.check(fv); err != nil {
				return fmt.Errorf("%s: %w", info.schema.of(info.name, fv), err)
			}
		}
	}
	for _, id := range s.Tags {
		if uint(id) >= uint(len(w.tags)) {
			return unknownID("tag", id)
		}
	}
	for i := range s.Children {
		c := &s.Children[i]
		if err := c.check(w); err != nil {
			return fmt.Errorf("child %q: %w", c.Name, err)
		}
		if slices.ContainsFunc(s.Children[:i], func(o PrefabSpec) bool { return o.Name == c.Name }) {
			return fmt.Errorf("%w: two children are called %q", ErrMismatch, c.Name)
		}
	}
	return nil
}
