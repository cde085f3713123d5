package ecs

import "slices"

// visible is a component of an entity, its own or that of its base; nil when neither has it. Relations are not shared.
func (m *model) visible(en *modelEntity, id ComponentID) *modelComponent {
	isA := m.relations[len(m.relations)-1].id
	shared := !slices.ContainsFunc(m.relations, func(r *modelRelation) bool { return r.id == id })
	for en.own(id) == nil {
		if !shared || en.own(isA) == nil {
			return nil
		}
		en = m.entities[en.own(isA).fields[0].Entity()]
	}
	return en.own(id)
}

// seen is a component as a query of the filter sees it.
func (m *model) seen(f *Filter, en *modelEntity, id ComponentID) *modelComponent {
	if f.Inherited {
		return m.visible(en, id)
	}
	return en.own(id)
}

// matches says whether a living entity passes a filter.
func (m *model) matches(f *Filter, e Entity, since Tick) bool {
	en := m.entities[e]
	has := func(id ComponentID) bool { return m.seen(f, en, id) != nil }
	lacks := func(id ComponentID) bool { return !has(id) }
	changed := func(id ComponentID) bool { return has(id) && m.seen(f, en, id).changed > since }
	added := func(id ComponentID) bool { return has(id) && m.seen(f, en, id).added > since }
	tagged := func(id TagID) bool { return slices.Contains(m.tags[id], e) }
	foreign := func(id ComponentID) bool {
		return f.Exclusive && !slices.Contains(f.Required, id) && !slices.Contains(f.Optional, id) && !slices.Contains(f.Any, id)
	}
	return !slices.ContainsFunc(en.table.ids, foreign) && !slices.ContainsFunc(f.Required, lacks) && !slices.ContainsFunc(f.Without, has) &&
		(len(f.Any) == 0 || slices.ContainsFunc(f.Any, has)) &&
		!slices.ContainsFunc(f.Tagged, func(id TagID) bool { return !tagged(id) }) && !slices.ContainsFunc(f.Untagged, tagged) &&
		(len(f.Changed) == 0 || slices.ContainsFunc(f.Changed, changed)) &&
		(len(f.Added) == 0 || slices.ContainsFunc(f.Added, added)) &&
		(f.Where == nil || m.holds(f, f.Where, en, tagged, since))
}

func (m *model) holds(f *Filter, x *Expr, en *modelEntity, tagged func(TagID) bool, since Tick) bool {
	part := func(i int) bool { return m.holds(f, x.parts[i], en, tagged, since) }
	var c *modelComponent
	if x.op == opContains || x.op == opChanged || x.op == opAdded {
		c = m.seen(f, en, ComponentID(x.id))
	}
	switch x.op {
	case opContains:
		return c != nil
	case opChanged:
		return c != nil && c.changed > since
	case opAdded:
		return c != nil && c.added > since
	case opTagged:
		return tagged(TagID(x.id))
	case opXor:
		return part(0) != part(1)
	case opNot:
		return !part(0)
	case opAnd:
		for i := range x.parts {
			if !part(i) {
				return false
			}
		}
		return true
	case opOr:
		for i := range x.parts {
			if part(i) {
				return true
			}
		}
		return false
	default:
		panic("no such expression")
	}
}

// query returns the entities a filter visits, in order.
func (m *model) query(f *Filter, since Tick) []Entity {
	var list []Entity
	for _, t := range m.tables {
		for _, e := range t.rows {
			if m.matches(f, e, since) {
				list = append(list, e)
			}
		}
	}
	return list
}

// modelPart is what a worker gets: rows of a table, some of which match.
type modelPart struct {
	table    int
	from, to int
	rows     []Entity // that match
}

// parts cuts the tables as a parallel walk does.
func (m *model) parts(f *Filter, since Tick, grain int) []modelPart {
	var list []modelPart
	for i, t := range m.tables {
		for from := 0; from < len(t.rows); from += grain {
			p := modelPart{table: i, from: from, to: min(from+grain, len(t.rows))}
			for _, e := range t.rows[from:p.to] {
				if m.matches(f, e, since) {
					p.rows = append(p.rows, e)
				}
			}
			if len(p.rows) > 0 {
				list = append(list, p)
			}
		}
	}
	return list
}
