package ecs

import (
	"fmt"
	"slices"
)

// The functions of the section of prefabs in [sections]: what they were declared with, and which entities they have. What these hold is in the sections of tables, tags and
// relations. A world without prefabs has no such section.

const prefabSection = "prefabs"

// declarePrefabs declares the prefabs of from, without their entities.
func declarePrefabs(to, from *World) {
	if len(from.prefabs) == 0 {
		return
	}
	plan, err := to.planPrefabs(from.prefabSpecs())
	if err != nil {
		panic("ecs: a prefab that is declared is refused: " + err.Error())
	}
	to.prefabs = plan.prefabs
}

// makePrefabs makes the entities of prefabs that have none.
func (w *World) makePrefabs() {
	w.unlimited(func() {
		plan, err := w.planPrefabs(w.prefabSpecs())
		if w.prefabs = nil; err == nil {
			err = w.usePrefabs(plan)
		}
		if err != nil {
			panic("ecs: a prefab that is declared is refused: " + err.Error())
		}
	})
}

func differentPrefabs(a, b *World) error {
	if err := differentNames("prefab", a.PrefabNames(), b.PrefabNames()); err != nil {
		return err
	}
	for i := range a.prefabs {
		if !a.prefabs[i].spec.Same(b.prefabs[i].spec) {
			return fmt.Errorf("%w: prefab %q has other components, tags, children or another base", ErrMismatch, a.prefabs[i].spec.Name)
		}
	}
	return nil
}

func restorePrefabs(w, from *World) {
	for i, p := range w.prefabs {
		for k := range p.nodes {
			p.nodes[k].entity = from.prefabs[i].nodes[k].entity
		}
	}
	w.findPrefabs()
}

func savePrefabs(w *World, s *saver) {
	s.count(len(w.prefabs))
	for _, p := range w.prefabs {
		s.prefab(&p.spec)
	}
	for _, p := range w.prefabs {
		for i := range p.nodes {
			s.number(uint64(p.nodes[i].entity.Index()))
		}
	}
}

func (s *saver) prefab(p *PrefabSpec) {
	s.text(p.Name)
	s.text(p.Base)
	s.count(len(p.Components))
	for _, c := range p.Components {
		s.number(uint64(c.Component))
		s.count(len(c.Fields))
		for _, f := range c.Fields {
			s.count(f.Index)
			s.value(f.Value)
		}
	}
	s.count(len(p.Tags))
	for _, id := range p.Tags {
		s.number(uint64(id))
	}
	s.count(len(p.Children))
	for i := range p.Children {
		s.prefab(&p.Children[i])
	}
}

func loadPrefabs(w *World, l *loader) {
	specs := make([]PrefabSpec, l.count(5))
	for i := range specs {
		specs[i] = l.prefab(w, 0)
		if slices.ContainsFunc(specs[:i], func(s PrefabSpec) bool { return s.Name == specs[i].Name }) {
			l.fail("prefab %q is declared twice", specs[i].Name)
		}
	}
	plan, err := w.planPrefabs(specs)
	l.must(err)
	for _, p := range plan.prefabs {
		for i := range p.nodes {
			p.nodes[i].entity = w.slots.living(int(l.below(uint64(len(w.slots.all)), "the entity of a prefab")))
		}
	}
	w.prefabs = plan.prefabs
	w.findPrefabs()
	l.must(checkPrefabs(w))
}

// prefab reads a spec. level is how deep it lies in others.
func (l *loader) prefab(w *World, level int) PrefabSpec {
	if level > MaxPrefabEntities {
		l.fail("children of a prefab lie too deep")
	}
	p := PrefabSpec{Name: l.text(), Base: l.text()}
	for range l.count(2) {
		c := PrefabPart{Component: ComponentID(l.below(uint64(len(w.components)), "a component"))}
		for range l.count(2) {
			c.Fields = append(c.Fields, FieldValue{int(l.below(MaxFields, "a field")), l.value(0)})
		}
		p.Components = append(p.Components, c)
	}
	for range l.count(1) {
		p.Tags = append(p.Tags, TagID(l.below(uint64(len(w.tags)), "a tag")))
	}
	for range l.count(5) {
		p.Children = append(p.Children, l.prefab(w, level+1))
	}
	return p
}

// digestPrefabs hashes which entity is which prefab.
func digestPrefabs(w *World, d *digester) {
	for _, p := range w.prefabs {
		d.prefab(p)
	}
}

func (d *digester) prefab(p *prefab) {
	for i := range p.nodes {
		d.text(p.nodes[i].name)
		d.u64(uint64(p.nodes[i].entity))
	}
}

// checkPrefabs verifies that the entities in tables of prefabs are those of the nodes, and that each has the base and the parent that it must have.
func checkPrefabs(w *World) error {
	rows, nodes := 0, 0
	for _, t := range w.tables {
		if t.prefab {
			rows += len(t.entities)
		}
	}
	for _, p := range w.prefabs {
		for i := range p.nodes {
			n := &p.nodes[i]
			if !w.isPrefab(n.entity) {
				return fmt.Errorf("prefab %s is %s, which is no entity of a prefab", p.path(i), n.entity)
			}
			base, parent := None, None
			if n.base != noPlace {
				base = w.prefabs[n.base.prefab].nodes[n.base.node].entity
			}
			if n.parent >= 0 {
				parent = p.nodes[n.parent].entity
			}
			if w.target(w.isA, n.entity) != base || w.target(w.childOf(), n.entity) != parent {
				return fmt.Errorf("prefab %s has another base or parent than its declaration says", p.path(i))
			}
			nodes++
		}
	}
	if rows != nodes || len(w.prefabAt) != nodes {
		return fmt.Errorf("%d rows for %d entities of prefabs, of which %d are found", rows, nodes, len(w.prefabAt))
	}
	return nil
}

// prefabs compares which entities prefabs have. What they hold is compared with that of all entities.
func (c *comparison) prefabs() {
	paths := func(w *World) (list []string) {
		for _, p := range w.prefabs {
			for i := range p.nodes {
				list = append(list, p.path(i)+" "+p.nodes[i].entity.String())
			}
		}
		return list
	}
	as, bs := paths(c.a), paths(c.b)
	for i := range max(len(as), len(bs)) {
		at := func(list []string) string {
			if i < len(list) {
				return list[i]
			}
			return "nothing"
		}
		if c.differ(Difference{Kind: DifferentPrefab, Index: i + 1}, at(as), at(bs)) {
			return
		}
	}
}

// matchPrefabs finds the new name of each old prefab. What is no longer declared is lost if something is made of it.
func (a *adoption) matchPrefabs(now func(kind, name string, renames map[string]string) (string, error)) error {
	for _, p := range a.from.prefabs {
		name, err := now("prefab", p.spec.Name, a.how.Renamed.Prefabs)
		if err != nil {
			return err
		}
		a.prefabNames = append(a.prefabNames, name)
		if a.to.prefabNamed(name) < 0 {
			heirs := 0
			for _, n := range p.nodes {
				for _, e := range a.from.Sources(nil, a.from.isA.info.id, n.entity) {
					if !a.from.isPrefab(e) {
						heirs++
					}
				}
			}
			a.lose("prefab", p.spec.Name, heirs, "instance")
		}
	}
	return nil
}

// prefabs brings the prefabs, and writes to them what their declarations say otherwise now.
func (a *adoption) prefabs() error {
	w := a.to
	specs := w.prefabSpecs()
	if w.prefabs = nil; len(a.from.prefabs) > 0 {
		old := make([]PrefabSpec, len(a.from.prefabs))
		for i, p := range a.from.prefabs {
			old[i] = a.prefabSpec(&p.spec)
			old[i].Name = a.prefabNames[i]
		}
		plan, err := w.planPrefabs(old)
		if err != nil {
			return err
		}
		for i, p := range plan.prefabs {
			for k := range p.nodes {
				p.nodes[k].entity = a.from.prefabs[i].nodes[k].entity
			}
		}
		w.prefabs = plan.prefabs
	}
	if len(w.prefabs)+len(specs) == 0 {
		return nil
	}
	plan, err := w.planPrefabs(specs)
	if err == nil {
		w.unlimited(func() { err = w.usePrefabs(plan) })
	}
	return err
}

// prefabSpec returns an old spec by the names and ids of now, without what is dropped.
func (a *adoption) prefabSpec(old *PrefabSpec) PrefabSpec {
	now := PrefabSpec{Name: old.Name}
	if i := a.from.prefabNamed(old.Base); i >= 0 {
		now.Base = a.prefabNames[i]
	}
	for _, p := range old.Components {
		c := a.components[p.Component]
		if c == nil {
			continue
		}
		part := PrefabPart{Component: c.id}
		for _, fv := range p.Fields {
			if at := a.columns[p.Component].fields[fv.Index]; at >= 0 && c.schema.check(FieldValue{at, fv.Value}) == nil {
				part.Fields = append(part.Fields, FieldValue{at, fv.Value})
			}
		}
		now.Components = append(now.Components, part)
	}
	for _, id := range old.Tags {
		if n := a.tags[id]; n != nil {
			now.Tags = append(now.Tags, n.id)
		}
	}
	for i := range old.Children {
		now.Children = append(now.Children, a.prefabSpec(&old.Children[i]))
	}
	return now
}
