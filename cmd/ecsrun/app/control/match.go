package control

import (
	"errors"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/query"
	"github.com/ecsrun/ecsrun/ecs"
)

// The rows of an answer.

// parseQuery parses a query of a call.
func (p *Plane) parseQuery(text string) (*query.Query, error) {
	q, err := query.Parse(p.world, text, query.Words{Entity: p.entity, Since: func(frame uint64, framed bool) (ecs.Tick, error) {
		tick, known := p.writers.began(frame)
		if framed && !known {
			return 0, wrong(CodeFailed, "changes are known after frame %d only", p.writers.start)
		}
		return tick, nil
	}})
	return q, wrongParams(err)
}

// wrongParams gives an error about params its code, unless it has one.
func wrongParams(err error) error {
	if err == nil {
		return nil
	}
	code := CodeParams
	if e := (*Error)(nil); errors.As(err, &e) {
		code = e.Code
	}
	return wrong(code, "%v", err)
}

// A match is a row of an answer, copied.
type match struct {
	entity    ecs.Entity
	values    named
	tags      []string
	relations map[string]any // of the pairs of the query; nil if it has none
}

// copied copies what the answer has of an entity.
func copied(w *ecs.World, q *query.Query, e ecs.Entity) match {
	m := match{entity: e, tags: tagsOf(w, e)}
	for _, id := range q.Shown {
		info, _ := w.ComponentInfo(id)
		if info.Relation {
			m.relate(w, e, info)
			continue
		}
		if row, err := w.Ref(e, id).Row(); err == nil {
			m.values.add(info.Name, recordOf(row))
		}
	}
	for _, p := range q.Pairs {
		if info, _ := w.ComponentInfo(p.Relation); !p.Not {
			m.relate(w, e, info)
		}
	}
	return m
}

func (m *match) relate(w *ecs.World, e ecs.Entity, info ecs.ComponentInfo) {
	if targets := targetsOf(w, e, info); targets != nil {
		if m.relations == nil {
			m.relations = map[string]any{}
		}
		m.relations[info.Name] = targets
	}
}

// targetsOf returns the target of an entity as "17v2", a list where it may have many, nil if it has none.
func targetsOf(w *ecs.World, e ecs.Entity, info ecs.ComponentInfo) any {
	var list []string
	for to := range w.Targets(e, info.ID) {
		list = append(list, to.String())
	}
	switch {
	case list == nil:
		return nil
	case info.Many:
		return list
	}
	return list[0]
}

func tagsOf(w *ecs.World, e ecs.Entity) []string {
	names := []string{}
	for _, id := range w.TagsOf(e) {
		names = append(names, w.TagName(id))
	}
	return names
}

// MarshalJSON implements [json.Marshaler].
func (m match) MarshalJSON() ([]byte, error) {
	n := named{}
	n.add("entity", m.entity.String())
	n.add("components", m.values)
	n.add("tags", m.tags)
	if m.relations != nil {
		n.add("relations", m.relations)
	}
	return n.MarshalJSON()
}
