package luabind

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// Edits of entities, events and resources. Each does what the function of the same name does for scripts.

// change makes or changes an entity.
func change(w *ecs.World, e *Edit) (res Result, err error) {
	at := e.Entity.Entity
	switch e.Kind {
	case EditSpawn:
		res.Entity, err = spawnOf(w, e)
		res.Done = err == nil
		return res, err
	case EditDespawn:
		res.Done, err = w.Despawn(at)
		return res, err
	}
	if res.Done = w.Alive(at); !res.Done {
		return res, nil
	}
	switch e.Kind {
	case EditSet:
		for _, p := range e.Parts {
			if _, err := w.Set(at, p.Component, valuesOf(p.Fields)...); err != nil {
				return res, err
			}
		}
	case EditAdd:
		_, err = w.Add(at, e.Components...)
	case EditRemove:
		_, err = w.Remove(at, e.Components...)
	case EditTag:
		_, err = w.TryTags(at, e.Tags...)
	case EditUntag:
		for _, id := range e.Tags {
			w.Untag(at, id)
		}
	case EditRelate:
		for _, l := range e.Links {
			if _, err := w.Relate(at, l.Relation, l.Target.Entity); err != nil {
				return res, err
			}
		}
	case EditUnrelate:
		for _, l := range e.Links {
			if to := l.Target.Entity; to != ecs.None {
				ended, err := w.UnrelateFrom(at, l.Relation, to)
				if err != nil {
					return res, err
				}
				res.Done = res.Done && ended
			} else if _, err := w.Unrelate(at, l.Relation); err != nil {
				return res, err
			}
		}
	}
	return res, err
}

// spawnOf makes an entity, which observers see when it is whole.
func spawnOf(w *ecs.World, e *Edit) (ecs.Entity, error) {
	ids := make([]ecs.ComponentID, len(e.Parts))
	for i, p := range e.Parts {
		ids[i] = p.Component
	}
	start := ecs.Raw.Hold(w)
	made, err := w.Spawn(ids...)
	if err == nil {
		t, row := w.TableOf(made)
		for _, p := range e.Parts {
			into := t.Column(p.Component).Row(row)
			for _, f := range p.Fields {
				if err := into.Set(f.Index, f.Value); err != nil {
					panic("luabind: a checked value did not fit: " + err.Error())
				}
			}
		}
		for _, id := range e.Tags {
			if _, err = w.TryTag(made, id); err != nil {
				break
			}
		}
	}
	ecs.Raw.Release(w, start, err == nil)
	return made, err
}

// setResource sets fields of a resource.
func (r *Runtime) setResource(e Edit) error {
	row := r.world.Resource(e.Resource)
	for _, f := range e.Fields {
		if err := row.Set(f.Index, f.Value); err != nil {
			return fmt.Errorf("set %s: %w", r.world.ResourceNames()[e.Resource], err)
		}
	}
	return nil
}

func valuesOf(fields []Field) []ecs.FieldValue {
	list := make([]ecs.FieldValue, len(fields))
	for i, f := range fields {
		list[i] = f.FieldValue
	}
	return list
}
