package ecs

import (
	"fmt"
	"slices"
	"unsafe"
)

// An adoption is the state of one world in a new world with other declarations. Lists are by id in the old world; nil
// stands for what the new one does not declare.
type adoption struct {
	from, to    *World
	how         Adopting
	losses      []Loss
	filled      []*resource
	values      []*conversion // of resources that both have
	prefabNames []string      // of now, also of those that are gone
	layers      []*AnyLayer
	components  []*component
	columns     []*conversion // of components that both have
	tags        []*tagSet
	relations   []*relation
	events      []*eventLog
	sent        []*conversion // of events that both have
	warnings    []string
	err         error // of the first codec that has refused bytes
}

// newAdoption returns the state of from in a new world with the declarations of like.
func newAdoption(like, from *World, how Adopting) (*adoption, error) {
	a := &adoption{from: from, how: how, to: like.blank(like.options)}
	if err := a.match(); err != nil {
		return nil, err
	}
	to := a.to
	restoreOptions(to, from)
	restoreClock(to, from)
	restoreSlots(to, from)
	to.options.MaxBytes = 0 // what there is finds room
	a.tables()
	a.marked()
	if err := a.prefabs(); err != nil {
		return nil, err
	}
	a.logs()
	a.waits()
	a.resources()
	a.cells()
	a.states()
	a.places()
	restoreStreams(to, from)
	for _, c := range from.tracked {
		if n := a.components[c.id]; n != nil {
			to.TrackRemoved(n.id)
			n.lost.entries = slices.Clone(c.lost.entries)
		}
	}
	for _, g := range to.grids {
		g.taken = 1 // so that users that derived something from a snapshot notice
	}
	a.queue(to.commands, from.commands)
	to.options.MaxBytes = from.options.MaxBytes
	to.work, to.gaveBack = from.work, from.gaveBack
	to.remeasure()
	return a, nil
}

// match finds the new declaration for each old one.
func (a *adoption) match() error {
	names := a.how.Renamed
	rows := map[ComponentID]int{}
	for _, t := range a.from.tables {
		for _, id := range t.ids {
			rows[id] += t.Len()
		}
	}
	taken := map[string]string{} // old names by kind and new name
	now := func(kind, name string, renames map[string]string) (string, error) {
		to := renamed(renames, name)
		key := kind + " " + to
		if other, twice := taken[key]; twice {
			return "", fmt.Errorf("%w: the %ss %q and %q would both be %q now", ErrMismatch, kind, other, name, to)
		}
		taken[key] = name
		return to, nil
	}
	for _, c := range a.from.components {
		renames := names.Components
		if c.kind == relationComponent {
			renames = names.Relations
		}
		name, err := now("component", c.name, renames)
		if err != nil {
			return err
		}
		id, known := a.to.componentNames[name]
		if !known {
			a.components, a.columns = append(a.components, nil), append(a.columns, nil)
			a.lose(c.kind.String(), c.name, rows[c.id], "entity")
			if c.relation != nil {
				a.relations = append(a.relations, nil)
			}
			continue
		}
		n := a.to.components[id]
		if n.kind != c.kind {
			return fmt.Errorf("%w: %q was a %s and is a %s now", ErrMismatch, c.name, c.kind, n.kind)
		}
		if c.relation != nil && c.relation.pairs != nil && n.relation.pairs == nil {
			return fmt.Errorf("%w: relation %q had %s and has %s now", ErrMismatch, c.name, targetsText(true), targetsText(false))
		}
		cv, err := a.convert("component", c.name, n.name, c.schema, n.schema, func(visit func(base unsafe.Pointer, n int)) {
			for _, t := range a.from.tables {
				if col := c.column(t.id); col != nil {
					visit(col.base, t.Len())
				}
			}
		})
		if err != nil {
			return err
		}
		a.components, a.columns = append(a.components, n), append(a.columns, cv)
		if c.relation != nil {
			a.relations = append(a.relations, n.relation)
		}
	}
	for _, s := range a.from.tags {
		name, err := now("tag", s.name, names.Tags)
		if err != nil {
			return err
		}
		var n *tagSet
		if id, known := a.to.tagNames[name]; known {
			n = a.to.tags[id]
		} else {
			a.lose("tag", s.name, len(s.dense), "entity")
		}
		a.tags = append(a.tags, n)
	}
	for _, l := range a.from.events {
		name, err := now("event", l.name, names.Events)
		if err != nil {
			return err
		}
		var n *eventLog
		var cv *conversion
		kept, waiting := int(l.end-l.first), a.from.waitRows(l.id)
		if id, known := a.to.eventNames[name]; known {
			n = a.to.events[id]
			if cv, err = a.convert("event", l.name, n.name, l.schema, n.schema, func(visit func(base unsafe.Pointer, n int)) {
				visit(l.base, kept)
				for _, p := range waiting {
					visit(p, 1)
				}
			}); err != nil {
				return err
			}
		} else {
			a.lose("event", l.name, kept+len(waiting), "event")
		}
		a.events, a.sent = append(a.events, n), append(a.sent, cv)
	}
	for _, r := range a.from.resources {
		name, err := now("resource", r.name, names.Resources)
		if err != nil {
			return err
		}
		id, known := a.to.resourceNames[name]
		if !known {
			held := 0
			for i := range r.schema.fields {
				held += r.schema.holding(i, r.ptr, 1)
			}
			for i := range r.schema.opaque {
				held += r.schema.opaque[i].holding(r.ptr, 0, 1)
			}
			a.lose("resource", r.name, held, "value")
			a.values, a.filled = append(a.values, nil), append(a.filled, nil)
			continue
		}
		n := a.to.resources[id]
		cv, err := a.convert("resource", r.name, n.name, r.schema, n.schema, func(visit func(base unsafe.Pointer, n int)) { visit(r.ptr, 1) })
		if err != nil {
			return err
		}
		a.values, a.filled = append(a.values, cv), append(a.filled, n)
	}
	for _, l := range a.from.layers {
		name, err := now("layer", l.spec.Name, names.Layers)
		if err != nil {
			return err
		}
		n := a.to.LookupLayer(name)
		if n == nil {
			a.lose("layer", l.spec.Name, l.holding(), "cell")
		} else if l.spec.Type != n.spec.Type || l.spec.Width != n.spec.Width || l.spec.Height != n.spec.Height {
			return fmt.Errorf("%w: layer %q was %s of %d × %d and is %s of %d × %d now; give the new layer another name",
				ErrMismatch, l.spec.Name, l.spec.Type, l.spec.Width, l.spec.Height, n.spec.Type, n.spec.Width, n.spec.Height)
		}
		a.layers = append(a.layers, n)
	}
	if err := a.matchPrefabs(now); err != nil {
		return err
	}
	a.matchStates()
	return nil
}

// A conversion brings rows from one schema into another. Fields are matched by name.
type conversion struct {
	from, to *Schema
	same     bool // the rows can be copied as they are
	fields   []int
	opaque   []opaqueConversion
	owner    *adoption
}

// convert returns the conversion of a name's rows, which is now now. each visits the rows that there are. Errors:
// [ErrMismatch] for a field whose type has changed, and for two fields that would be one.
func (a *adoption) convert(what, name, now string, from, to *Schema, each func(visit func(base unsafe.Pointer, n int))) (*conversion, error) {
	c := &conversion{from: from, to: to, same: from.sameLayout(to), fields: make([]int, len(from.fields)), owner: a}
	if c.same {
		for i := range c.fields {
			c.fields[i] = i
		}
		return c, nil
	}
	for i := range from.fields {
		f := &from.fields[i]
		at := to.Index(a.fieldName(name, now, f.Name))
		if j := slices.Index(c.fields[:i], at); at >= 0 && j >= 0 {
			return nil, fmt.Errorf("%w: the fields %q and %q of %s %q would both be %q now", ErrMismatch, from.fields[j].Name, f.Name, what, name, to.fields[at].Name)
		}
		c.fields[i] = at
		if at < 0 {
			held := 0
			each(func(base unsafe.Pointer, n int) { held += from.holding(i, base, n) })
			a.lose("field", name+"."+f.Name, held, "value")
		} else if n := &to.fields[at]; n.Type != f.Type && f.Type.Len() > 0 && n.Type.Len() > 0 && n.Type.Elem() == f.Type.Elem() {
			held := 0
			each(func(base unsafe.Pointer, rows int) { held += from.beyond(i, n.Type.Len(), base, rows) })
			if held > 0 {
				a.lose("field", fmt.Sprintf("%s.%s[%d]", name, f.Name, n.Type.Len()+1), held, "value")
			}
		} else if n.Type != f.Type {
			return nil, fmt.Errorf("%w: field %q of %s %q was %s and is %s now; give the new field another name", ErrMismatch, f.Name, what, name, f.Type, n.Type)
		}
	}
	var err error
	c.opaque, err = a.convertOpaque(what, name, from, to, each)
	return c, err
}

// rows converts n rows. dst holds valid rows.
func (c *conversion) rows(dst, src unsafe.Pointer, n int) {
	if c.same {
		c.to.copyRows(dst, src, n)
		return
	}
	for row := range n {
		to, from := unsafe.Add(dst, uintptr(row)*c.to.size), unsafe.Add(src, uintptr(row)*c.from.size)
		c.to.setDefault(to)
		for _, o := range c.opaque { // before the fields that scripts see: a codec of the whole row sets these, too
			if err := o.row(to, from); err != nil && c.owner.err == nil {
				c.owner.err = err
			}
		}
		for i, at := range c.fields {
			if at >= 0 {
				f, t := &c.from.fields[i], &c.to.fields[at]
				kind := f.Type
				if t.Type.Len() < kind.Len() {
					kind = t.Type
				}
				copyField(unsafe.Add(to, t.Offset), unsafe.Add(from, f.Offset), kind)
			}
		}
	}
}

// copyField copies one field of a row.
func copyField(dst, src unsafe.Pointer, t FieldType) {
	switch {
	case t == String:
		*(*string)(dst) = *(*string)(src)
	case t == TableField:
		*(**Data)(dst) = *(**Data)(src)
	default:
		copy(unsafe.Slice((*byte)(dst), t.Size()), unsafe.Slice((*byte)(src), t.Size()))
	}
}

// tables brings the rows into tables of the new components. Tables that differ only in what is dropped become one.
func (a *adoption) tables() {
	w := a.to
	for _, o := range a.from.tables {
		var m mask
		for _, id := range o.ids {
			if c := a.components[id]; c != nil {
				m = m.set(c.id)
			}
		}
		t := w.tableOf(m, o.prefab)
		first, n := t.Len(), o.Len()
		if first+n > t.capacity {
			t.resize(first + n)
		}
		t.entities = append(t.entities, o.entities...)
		t.occupy()
		for row, e := range o.entities {
			sl := &w.slots.all[uint32(e)]
			sl.table, sl.row = t.id, uint32(first+row)
		}
		for i := range o.columns {
			old := &o.columns[i]
			if c := a.components[old.info.id]; c != nil {
				col := c.column(t.id)
				a.columns[old.info.id].rows(col.at(first), old.base, n)
				for row := range n {
					col.follow(first+row, old.stampOf(row))
				}
			}
		}
	}
}

// marked brings tags and relations with their marks.
func (a *adoption) marked() {
	for id, s := range a.from.tags {
		if n := a.tags[id]; n != nil {
			n.restore(s)
		}
	}
	for place, r := range a.from.relations {
		if n := a.relations[place]; n != nil {
			n.patience = r.patience
			if n.pairs == nil || r.pairs != nil {
				n.restore(a.to, r)
			} else {
				n.pairs.adopt(a.to, n, r)
			}
		}
	}
	a.marks(&a.to.tagMarks, &a.from.tagMarks, func(id uint32) (uint32, bool) {
		if n := a.tags[id]; n != nil {
			return uint32(n.id), true
		}
		return 0, false
	})
	a.marks(&a.to.targets, &a.from.targets, func(place uint32) (uint32, bool) {
		if n := a.relations[place]; n != nil {
			return n.place, true
		}
		return 0, false
	})
}

// marks sets the marks of to for those of from, by their new numbers.
func (a *adoption) marks(to, from *slotMarks, number func(uint32) (uint32, bool)) {
	var buf []uint32
	for slot := range a.to.slots.all {
		for _, old := range from.list(buf[:0], uint32(slot)) {
			if n, known := number(old); known {
				if err := to.reserve(a.to, n, uint32(slot)); err != nil {
					panic("ecs: a world without a limit of bytes has no room: " + err.Error())
				}
				to.mark(n, uint32(slot))
			}
		}
	}
}

// logs brings the events, their marks and their readers.
func (a *adoption) logs() {
	for id, l := range a.from.events {
		n := a.events[id]
		if n == nil {
			continue
		}
		old, cv := *l, a.sent[id]
		if !cv.same {
			old.schema = n.schema
			old.base, _ = allocRows(nil, n.schema, l.capacity)
			cv.rows(old.base, l.base, int(l.end-l.first))
		}
		n.restore(&old)
	}
	a.to.clock.readers = a.to.adopt(nil, a.readers(a.from.clock.readers))
}

// readers returns a list of readers by the new ids of their events.
func (a *adoption) readers(old []*EventReader) []*EventReader {
	list := make([]*EventReader, len(a.to.events))
	for id, r := range old {
		if n := a.events[id]; n != nil {
			list[n.id] = r
		}
	}
	return list
}

func (a *adoption) cells() {
	for i, l := range a.from.layers {
		if n := a.layers[i]; n != nil {
			copy(n.span(0, n.Len()), l.span(0, l.Len()))
		}
	}
}

func (a *adoption) resources() {
	for i, r := range a.from.resources {
		if n := a.filled[i]; n != nil {
			a.values[i].rows(n.ptr, r.ptr, 1)
		}
	}
}

// places builds the indexes anew. Those that share a place keep their order where the old world has an index of the same fields.
func (a *adoption) places() {
	for _, x := range a.to.indexes {
		if at := slices.IndexFunc(a.from.indexes, func(o *Index) bool { return a.sameFields(o, x) }); at >= 0 {
			o := a.from.indexes[at]
			var list []Entity
			for place := range o.lists {
				list = o.members(list[:0], place)
				for _, e := range list {
					sl := &a.to.slots.all[uint32(e)]
					x.follow(e, x.info.column(sl.table).at(int(sl.row)))
				}
			}
		}
		x.sync(false)
	}
}

// sameFields reports whether an index has the fields of an old one, whatever they are called now.
func (a *adoption) sameFields(o, x *Index) bool {
	if a.components[o.info.id] != x.info || len(o.fields) != len(x.fields) {
		return false
	}
	for i, f := range o.fields {
		if a.fieldName(o.info.name, x.info.name, f.Name) != x.fields[i].Name {
			return false
		}
	}
	return true
}
