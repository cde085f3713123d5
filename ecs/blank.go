package ecs

import "unsafe"

// Blank returns an empty world, made with o, that declares what w declares under the same ids: components, relations, tags, events, grids,
// and resources at the values they start with. It reads w only, so a system or a query loop may be running. It costs O(declarations).
func (w *World) Blank(o Options) *World {
	b := NewWorld(o)
	b.copyDeclarations(w)
	for _, info := range b.components {
		if info.lost != nil {
			info.lost.entries = nil
		}
	}
	for _, s := range w.tags {
		b.tags = append(b.tags, newTagSet(s.id, s.name, b))
	}
	for _, l := range w.events {
		b.events = append(b.events, &eventLog{world: b, id: l.id, name: l.name, schema: l.schema, base: unsafe.Pointer(&zeroBase)})
	}
	for _, r := range w.resources {
		n := &resource{name: r.name, schema: r.schema}
		n.ptr, _ = allocRows(nil, r.schema, 1)
		r.schema.setDefault(n.ptr)
		b.resources = append(b.resources, n)
	}
	for _, g := range w.grids {
		b.grids = append(b.grids, &Grid{world: b, spec: g.spec, x: g.x, y: g.y})
	}
	return b
}
