package control

import (
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/query"
	"github.com/ecsrun/ecsrun/ecs"
)

// entity.get.

func (p *Plane) get(c *call) (any, error) {
	w := p.world
	e, err := p.entity(c.args.text("entity"))
	if err != nil {
		return nil, err
	}
	if !w.Alive(e) {
		return nil, wrong(CodeFailed, "entity %s is dead", e)
	}
	relations, values := named{}, named{}
	for id := range w.ComponentNames() {
		info, ok := w.ComponentInfo(ecs.ComponentID(id))
		if !ok || !w.Has(e, info.ID) {
			continue
		}
		if info.Relation {
			if targets := targetsOf(w, e, info); targets != nil {
				relations.add(info.Name, targets)
			}
			continue
		}
		row, err := w.Ref(e, info.ID).Row()
		if err != nil {
			continue
		}
		tick, owner := query.Written(w, e, info.ID)
		by, in := p.writers.of(tick)
		one := named{}
		one.add("set", recordOf(row))
		one.add("by", by)
		one.add("in", in)
		if owner != e {
			one.add("from", owner.String())
		}
		values.add(info.Name, one)
	}
	out := named{}
	out.add("entity", e.String())
	out.add("components", values)
	out.add("tags", tagsOf(w, e))
	out.add("relations", relations)
	out.add("as_of", p.asOf(p.firstFrame()))
	return out, nil
}

// entity returns the entity of a text: "17v2", or a name of the run, "@boss".
func (p *Plane) entity(text string) (ecs.Entity, error) {
	if e, ok := ecs.ParseEntity(text); ok {
		return e, nil
	}
	if name, ok := strings.CutPrefix(text, "@"); ok {
		if e, ok := p.host.Runtime.Named(name); ok {
			return e, nil
		}
		return ecs.None, wrong(CodeFailed, "no entity is named %q%s", text, query.Meant(name, "names", p.host.Runtime.EntityNames()))
	}
	return ecs.None, wrong(CodeParams, `an entity expected, got %.60q; entities are written as "17v2", or by a name as "@boss"`, text)
}
