package luabind

import (
	"context"
	"errors"
)

// Going back to a copy.

// RestoreCopy puts world, schedule and state tables back to where they were when the copy was made. The frames that
// follow then have the same results. A state table stays the same table, and so do the tables in it that were there
// before, so that variables of scripts that hold them see the old values, too. The settings of systems that edits have changed since are put
// back, too. Call it between frames.
//
// Errors: [ecs.ErrLocked] inside of a query loop; [ecs.ErrMismatch] if something was declared since; an error if the
// copy is one of another Runtime. After an error nothing has changed.
func (r *Runtime) RestoreCopy(s *Copy) error {
	if s == nil || s.of != r {
		return errors.New("the copy is one of another world")
	}
	if err := r.closed("RestoreCopy"); err != nil {
		return err
	}
	if err := r.resettle(s); err != nil {
		return err
	}
	return r.restoreCopy(s)
}

// resettle gives systems the settings that they had when a copy was made.
func (r *Runtime) resettle(s *Copy) error {
	to := map[string]liveSetting{}
	for _, sys := range r.systems {
		if kept, ok := s.systems[sys.Name]; ok && kept.setting != sys.setting() {
			to[sys.Name] = kept.setting
		}
	}
	if len(to) == 0 {
		return nil
	}
	r.heed(context.Background())
	return r.settle(to)
}
