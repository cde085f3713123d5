package luabind

import (
	"context"
	"errors"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// The first step of a reload: everything is loaded in a Runtime of its own, over an empty world with the same
// declarations. What is wrong is found there, so that a mistake leaves nothing behind: no declaration, no instance.

// trial loads a schedule into an empty world with the declarations of this one and those that declare makes. The
// caller closes the returned Runtime. The error joins all problems: those of Load, and the names that nothing
// declares in files whose text has changed.
func (r *Runtime) trial(ctx context.Context, systems []System, data []DataFile, declare func(*ecs.World) error) (*Runtime, error) {
	o := r.options
	of := r.world.Options()
	of.Memory = nil // no row is ever stored
	o.Data = data
	o.World, o.Stdout, o.Log, o.Report = r.world.Blank(of), nil, nil, nil
	if declare != nil {
		if err := declare(o.World); err != nil {
			return nil, err
		}
	}
	t, err := New(o)
	if err != nil {
		return nil, err
	}
	t.surface.Reloading = true
	for _, s := range systems {
		if err := t.Add(s); err != nil {
			_ = t.Close() // nothing is left to save
			return nil, err
		}
	}
	if err := errors.Join(t.LoadContext(ctx), errors.Join(t.newlyUndeclared(r)...)); err != nil {
		_ = t.Close()
		return nil, err
	}
	return t, nil
}

// newlyUndeclared returns what Undeclared finds in files that the Runtime in use does not have with the same text.
func (r *Runtime) newlyUndeclared(inUse *Runtime) []error {
	return slices.DeleteFunc(r.Undeclared(), func(err error) bool {
		var se *ScriptError
		return errors.As(err, &se) && inUse.hasText(se.File, r)
	})
}

// hasText reports whether a file has the same text here as in another Runtime.
func (r *Runtime) hasText(file string, other *Runtime) bool {
	a, b := r.scripts.Lookup(file), other.scripts.Lookup(file)
	return a != nil && b != nil && a.Code.Source == b.Code.Source
}
