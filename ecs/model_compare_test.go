package ecs

import "slices"

// compare checks everything the model knows.
func (r *machine) compare() {
	w, m := r.w, r.m
	r.ok(w.Check())
	r.ok(wholeMemory(w))
	r.same("living", w.Len(), len(m.entities))
	for _, e := range r.handles {
		if w.Alive(e) != (m.entities[e] != nil) {
			r.fail("alive %s: the world says %v", e, w.Alive(e))
		}
		for _, id := range r.ids {
			en := m.entities[e]
			r.same("owns", w.Owns(e, id), en != nil && en.own(id) != nil)
			r.same("has", w.Has(e, id), en != nil && m.visible(en, id) != nil)
		}
	}
	r.same("tables", len(w.Tables()), len(m.tables))
	for i, t := range w.Tables() {
		if !slices.Equal(t.Components(), m.tables[i].ids) {
			r.fail("table %d has %v, not %v", i, t.Components(), m.tables[i].ids)
		}
		if !slices.Equal(t.Entities(), m.tables[i].rows) {
			r.fail("table %d holds %v, not %v", i, t.Entities(), m.tables[i].rows)
		}
		for row, e := range t.Entities() {
			for _, own := range m.entities[e].comps {
				id, c := own.id, own.c
				col := t.Column(id)
				r.sameRow(e, r.names[id], col.Row(row), c.fields)
				if col.Changed(row) != c.changed || col.Added(row) != c.added {
					r.fail("%s of %s: changed %d, added %d; the model says %d, %d", r.names[id], e, col.Changed(row), col.Added(row), c.changed, c.added)
				}
			}
		}
	}
	for _, rel := range m.relations {
		for _, e := range r.handles {
			if got := w.Sources(nil, rel.id, e); !slices.Equal(got, rel.sources[e]) {
				r.fail("the sources of %s in %s are %v, not %v", e, r.names[rel.id], got, rel.sources[e])
			}
			want := m.targetsOf(e, rel)
			if got := slices.Collect(w.Targets(e, rel.id)); !slices.Equal(got, want) || w.TargetCount(e, rel.id) != len(want) {
				r.fail("the targets of %s in %s are %v, not %v", e, r.names[rel.id], got, want)
			}
		}
	}
	for id, members := range m.tags {
		if !slices.Equal(w.TagMembers(TagID(id)), members) {
			r.fail("tag %d is on %v, not %v", id, w.TagMembers(TagID(id)), members)
		}
	}
	r.same("events", w.Peek(r.event).Len(), len(m.peek()))
	r.compareWaits()
	if got := w.Resource(r.score).Get(0); !got.Equal(m.resource) {
		r.fail("score is %s, not %s", got, m.resource)
	}
	r.compareLayers()
	r.compareIndexes()
}

// sameWorld checks that another world has the same content, order and stamps.
func (r *machine) sameWorld(o *World) {
	r.same("digest", o.Digest(), r.w.Digest())
	for i, t := range r.w.Tables() {
		if !slices.Equal(o.Tables()[i].Entities(), t.Entities()) {
			r.fail("table %d of the other world holds other entities", i)
		}
		for _, id := range t.Components() {
			for row := range t.Len() {
				if a, b := t.Column(id), o.Tables()[i].Column(id); a.Changed(row) != b.Changed(row) || a.Added(row) != b.Added(row) {
					r.fail("row %d of table %d of the other world has other stamps", row, i)
				}
			}
		}
	}
}
