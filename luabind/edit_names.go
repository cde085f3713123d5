package luabind

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
)

// Names that edits give to entities: they belong to the run, and are in its snapshots.

// Named returns the entity that an edit has given a name, which may be dead by now; false if there is no such name.
func (r *Runtime) Named(name string) (ecs.Entity, bool) {
	e, ok := r.entities[name]
	return e, ok
}

// EntityNames returns the names that edits have given, sorted.
func (r *Runtime) EntityNames() []string { return slices.Sorted(maps.Keys(r.entities)) }

func (r *Runtime) nameEntity(name string, e ecs.Entity) {
	if r.entities == nil {
		r.entities = map[string]ecs.Entity{}
	}
	r.entities[name] = e
}

func (r *Runtime) savedNames() (list []savedEntity) {
	for _, name := range r.EntityNames() {
		list = append(list, savedEntity{name, r.entities[name]})
	}
	return list
}

// lookup returns the entity that is meant.
func (r *Runtime) lookup(ref EntityRef) (ecs.Entity, error) {
	if ref.Name == "" {
		return ref.Entity, nil
	}
	e, ok := r.entities[ref.Name]
	if !ok {
		return e, r.nameless(ref.Name)
	}
	return e, nil
}

func (r *Runtime) nameless(name string) error {
	text := fmt.Sprintf("no entity is named %q", "@"+cut(name))
	if near, ok := suggest.Closest(name, r.EntityNames()); ok {
		return fmt.Errorf("%s; did you mean %q?", text, "@"+near)
	}
	return fmt.Errorf("%s; \"as\" of a spawn gives a name", text)
}

// withEntities replaces the names in an edit by their entities.
func (r *Runtime) withEntities(e Edit) (_ Edit, err error) {
	if e.Entity.Entity, err = r.lookup(e.Entity); err != nil {
		return e, err
	}
	if e.Fields, err = r.fieldsNamed(e.Fields); err != nil {
		return e, err
	}
	e.Parts, e.Links = slices.Clone(e.Parts), slices.Clone(e.Links)
	for i := range e.Parts {
		if e.Parts[i].Fields, err = r.fieldsNamed(e.Parts[i].Fields); err != nil {
			return e, err
		}
	}
	for i := range e.Links {
		if e.Links[i].Target.Entity, err = r.lookup(e.Links[i].Target); err != nil {
			return e, err
		}
	}
	return e, nil
}

func (r *Runtime) fieldsNamed(list []Field) ([]Field, error) {
	list = slices.Clone(list)
	for i := range list {
		if f := &list[i]; f.Name != "" {
			e, err := r.lookup(EntityRef{Name: f.Name})
			if err != nil {
				return nil, err
			}
			f.Value = ecs.EntityOf(e)
		}
		if f := &list[i]; len(f.Items) > 0 {
			entries := make([]ecs.DataEntry, len(f.Items))
			for k, ref := range f.Items {
				e, err := r.lookup(ref)
				if err != nil {
					return nil, fmt.Errorf("[%d]: %w", k+1, err)
				}
				entries[k] = ecs.DataEntry{Key: ecs.Number(float64(k + 1)), Value: ecs.EntityOf(e)}
			}
			d, err := ecs.NewData(entries)
			if err != nil {
				return nil, err
			}
			f.Value = ecs.TableOf(d)
		}
	}
	return list, nil
}
