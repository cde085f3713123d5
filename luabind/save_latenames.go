package luabind

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// Declarations that scripts have made while the world ran: in an init, or in a file that was required later. Loading
// does not make them again, so a snapshot lists them, and a restore declares them before it looks for them.

// Declarations are the numbers of names of each kind, in the order of declaration.
type declarations struct{ components, tags, events, resources, grids, layers, indexes int }

func declaredNow(w *ecs.World) declarations {
	return declarations{len(w.ComponentNames()), len(w.TagNames()), len(w.EventNames()), len(w.ResourceNames()), len(w.GridNames()), len(w.LayerNames()), len(w.IndexNames())}
}

// The kinds of declarations that a lateName has.
const (
	lateComponent = "component"
	lateRelation  = "relation"
	lateTag       = "tag"
	lateEvent     = "event"
	lateResource  = "resource"
	lateGrid      = "grid"
	lateLayer     = "layer"
	lateIndex     = "index"
)

// lateNames lists what was declared since the files were loaded.
func (r *Runtime) lateNames() (out []lateName) {
	w := r.world
	since := func(kind string, names []string, n int) {
		for _, name := range names[min(n, len(names)):] {
			k := kind
			if _, relation := w.LookupRelation(name); relation && kind == lateComponent {
				k = lateRelation
			}
			out = append(out, lateName{k, name})
		}
	}
	since(lateComponent, w.ComponentNames(), r.loaded.components)
	since(lateTag, w.TagNames(), r.loaded.tags)
	since(lateEvent, w.EventNames(), r.loaded.events)
	since(lateResource, w.ResourceNames(), r.loaded.resources)
	since(lateGrid, w.GridNames(), r.loaded.grids)
	since(lateLayer, w.LayerNames(), r.loaded.layers)
	since(lateIndex, w.IndexNames(), r.loaded.indexes)
	return out
}

// declareLate declares names as they are in the world of a snapshot.
func (r *Runtime) declareLate(names []lateName, as *ecs.World) error {
	w := r.world
	for _, n := range names {
		missing := fmt.Errorf("the snapshot has no %s %q", n.Kind, n.Name)
		switch n.Kind {
		case lateComponent:
			id, ok := as.LookupComponent(n.Name)
			if !ok {
				return missing
			}
			info, _ := as.ComponentInfo(id)
			if _, err := w.DeclareComponent(n.Name, info.Schema); err != nil {
				return err
			}
		case lateRelation:
			if _, err := w.DeclareRelation(n.Name, relationOptions(as, n.Name)...); err != nil {
				return err
			}
		case lateTag:
			if _, err := w.DeclareTag(n.Name); err != nil {
				return err
			}
		case lateEvent:
			id, ok := as.LookupEvent(n.Name)
			if !ok {
				return missing
			}
			if _, err := w.DeclareEvent(n.Name, as.EventSchema(id)); err != nil {
				return err
			}
		case lateResource:
			id, ok := as.LookupResource(n.Name)
			if !ok {
				return missing
			}
			row := as.Resource(id)
			fields := row.Schema().Fields()
			if len(fields) != 1 {
				return missing
			}
			if _, err := w.DeclareResource(n.Name, fields[0].Type, fields[0].Default); err != nil {
				return err
			}
		case lateGrid:
			if err := r.declareLateGrid(n.Name, as); err != nil {
				return err
			}
		case lateLayer:
			l := as.LookupLayer(n.Name)
			if l == nil {
				return missing
			}
			if _, err := w.DeclareLayer(l.Spec()); err != nil {
				return err
			}
		case lateIndex:
			x := as.LookupIndex(n.Name)
			if x == nil {
				return missing
			}
			if _, err := w.DeclareIndex(x.Spec()); err != nil {
				return err
			}
		default:
			return fmt.Errorf("the snapshot declares a %q", n.Kind)
		}
	}
	return nil
}

// relationOptions returns how a relation of a world was declared.
func relationOptions(w *ecs.World, name string) (how []ecs.RelationOption) {
	id, _ := w.LookupRelation(name)
	if info, ok := w.ComponentInfo(id); ok && info.Many {
		how = append(how, ecs.ManyTargets)
	}
	return how
}

// declareLateGrid declares a grid. Its components have other numbers here.
func (r *Runtime) declareLateGrid(name string, as *ecs.World) error {
	grid := as.LookupGrid(name)
	if grid == nil {
		return fmt.Errorf("the snapshot has no grid %q", name)
	}
	spec := grid.Spec()
	here := func(id *ecs.ComponentID) error {
		info, _ := as.ComponentInfo(*id)
		now, ok := r.world.LookupComponent(info.Name)
		if !ok {
			return fmt.Errorf("grid %q: there is no component %q", name, info.Name)
		}
		*id = now
		return nil
	}
	if err := here(&spec.Component); err != nil {
		return err
	}
	if spec.Carry.Field != "" {
		if err := here(&spec.Carry.Component); err != nil {
			return err
		}
	}
	if spec.Query != nil {
		q, err := r.queryHere(name, spec.Query.Filter(), as, here)
		if err != nil {
			return err
		}
		defer q.Release()
		spec.Query = q
	}
	_, err := r.world.DeclareGrid(spec)
	return err
}

// queryHere returns the query of a grid by its filter in another world. here changes the number of a component to the one of this
// world.
func (r *Runtime) queryHere(name string, f ecs.Filter, as *ecs.World, here func(*ecs.ComponentID) error) (*ecs.Query, error) {
	for _, list := range []*[]ecs.ComponentID{&f.Required, &f.Optional, &f.Without, &f.Any} {
		*list = slices.Clone(*list)
		for i := range *list {
			if err := here(&(*list)[i]); err != nil {
				return nil, err
			}
		}
	}
	for _, list := range []*[]ecs.TagID{&f.Tagged, &f.Untagged} {
		*list = slices.Clone(*list)
		for i, id := range *list {
			now, ok := r.world.LookupTag(as.TagName(id))
			if !ok {
				return nil, fmt.Errorf("grid %q: there is no tag %q", name, as.TagName(id))
			}
			(*list)[i] = now
		}
	}
	return r.world.Query(f)
}
