package luabind

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// Declarations that scripts have made while the world ran: in an init, or in a file that was required later. Loading
// does not make them again, so a snapshot lists them, and a restore declares them before it looks for them.

// Declarations are the numbers of names of each kind, in the order of declaration.
type declarations struct{ components, tags, events, resources, grids int }

// declaredNow returns what is declared in a world.
func declaredNow(w *ecs.World) declarations {
	return declarations{len(w.ComponentNames()), len(w.TagNames()), len(w.EventNames()), len(w.ResourceNames()), len(w.GridNames())}
}

// The kinds of names.
const (
	lateComponent = "component"
	lateRelation  = "relation"
	lateTag       = "tag"
	lateEvent     = "event"
	lateResource  = "resource"
	lateGrid      = "grid"
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
			if _, err := w.DeclareRelation(n.Name); err != nil {
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
		default:
			return fmt.Errorf("the snapshot declares a %q", n.Kind)
		}
	}
	return nil
}

// declareLateGrid declares a grid. Its components have other numbers here.
func (r *Runtime) declareLateGrid(name string, as *ecs.World) error {
	grid := as.LookupGrid(name)
	if grid == nil {
		return fmt.Errorf("the snapshot has no grid %q", name)
	}
	spec := grid.Spec()
	here := func(id ecs.ComponentID) (ecs.ComponentID, error) {
		info, _ := as.ComponentInfo(id)
		now, ok := r.world.LookupComponent(info.Name)
		if !ok {
			return 0, fmt.Errorf("grid %q: there is no component %q", name, info.Name)
		}
		return now, nil
	}
	var err error
	if spec.Component, err = here(spec.Component); err != nil {
		return err
	}
	if spec.Carry.Field != "" {
		if spec.Carry.Component, err = here(spec.Carry.Component); err != nil {
			return err
		}
	}
	_, err = r.world.DeclareGrid(spec)
	return err
}
