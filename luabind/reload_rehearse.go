package luabind

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// Observers and reloads. Observers are declared in init, and a reload does not call the init of a system that has had
// it. So the new init of a changed file that may observe something is called once more as a rehearsal: nobody is told
// of what it does, what it prints and logs is dropped, and afterwards world, schedule, states and globals are put back. Only
// its observers are kept. They take the places of the old ones when the whole reload has succeeded.

// rehearse calls the init of the systems that have a new instance with observers.
func (r *Runtime) rehearse(olds map[string]*system, n *replacement) error {
	observing := map[string]bool{}
	for _, path := range n.scripts.Paths() {
		observing[path] = n.scripts.Lookup(path).Observes.Any()
	}
	for path, any := range observing {
		if !any {
			delete(observing, path)
		}
	}
	var list []*system
	for _, entry := range r.schedule.Systems() {
		sys := r.system(entry.Name())
		if sys == nil || sys.init() == nil || sys.run != nil {
			continue
		}
		if old := olds[sys.Name]; old != nil && old.begun && old.instance != sys.instance && sys.instance.Uses(observing) {
			list = append(list, sys)
		}
	}
	if len(list) == 0 {
		return nil
	}
	before, err := r.copyWhole()
	if err != nil {
		return err
	}
	defer n.scripts.Mark().Undo()
	r.rehearsal = r.world.Blank(r.world.Options())
	defer func() { r.rehearsal = nil }()
	r.world.Mute(func() {
		for _, sys := range list {
			if err = r.schedule.Call(sys.entry, func(*ecs.World, float64) error { return r.callInit(sys) }); err != nil {
				return
			}
		}
	})
	return errors.Join(err, r.declaredInInit(), r.takeBack(func() error { return r.restoreCopy(before) }))
}

// declaredInInit returns an error if an init has declared something new in the rehearsal.
func (r *Runtime) declaredInInit() error {
	for _, of := range []struct {
		what         string
		tried, known []string
	}{
		{"component", r.rehearsal.ComponentNames(), r.world.ComponentNames()},
		{"tag", r.rehearsal.TagNames(), r.world.TagNames()},
		{"event", r.rehearsal.EventNames(), r.world.EventNames()},
		{"resource", r.rehearsal.ResourceNames(), r.world.ResourceNames()},
		{"grid", r.rehearsal.GridNames(), r.world.GridNames()},
		{"layer", r.rehearsal.LayerNames(), r.world.LayerNames()},
		{"index", r.rehearsal.IndexNames(), r.world.IndexNames()},
	} {
		if len(of.tried) > len(of.known) {
			return fmt.Errorf("an init declares the %s %q; declare it at the top of the file, so that a reload can take it", of.what, of.tried[len(of.known)])
		}
	}
	return nil
}

// observeAnew puts the observers in use that a rehearsal has declared, in the places of those that the old versions of
// their systems had. Observers of systems that are gone end. fresh are those that were declared in the init of systems
// which have begun with this reload.
func (r *Runtime) observeAnew(olds map[string]*system, fresh []*observer) error {
	was := r.stopObservers(func(o *observer) bool {
		sys := r.named[o.sys.Name]
		old := olds[o.sys.Name]
		return !slices.Contains(fresh, o) && (sys == nil || sys.entry != o.what.Owner || old == nil || old.instance != sys.instance)
	})
	for _, o := range r.declared {
		if err := o.declare(); err != nil {
			return err
		}
		for _, old := range was {
			if old.sys.Name == o.sys.Name {
				o.in.Replace(old.in)
				break
			}
		}
	}
	return nil
}

// observeAgain declares the observers anew that have ended with systems which a failed reload has put back.
func (r *Runtime) observeAgain() error {
	all := r.inOrder()
	r.observers = nil
	for _, o := range all {
		sys := r.named[o.sys.Name]
		if sys == nil || sys.entry == o.what.Owner {
			r.observers = append(r.observers, o)
			continue
		}
		old := o.in
		o.what.Owner = sys.entry
		if err := o.declare(); err != nil {
			return err
		}
		o.in.Replace(old)
	}
	return nil
}

// A quiet is a writer that drops what is written in a rehearsal, and while files are loaded for a restore.
type quiet struct {
	*Runtime
	to io.Writer
}

func (q quiet) Write(b []byte) (int, error) {
	if q.rehearsal != nil || q.silent {
		return len(b), nil
	}
	return q.to.Write(b)
}

// takeBack puts the world back by a function that restores it. Handles that were given out since then are used up, because
// variables of scripts may hold them.
func (r *Runtime) takeBack(restore func() error) error {
	given := ecs.Raw.GivenOut(r.world)
	if err := restore(); err != nil {
		return err
	}
	ecs.Raw.UseUp(r.world, given)
	return nil
}
