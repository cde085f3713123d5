package luabind

import "github.com/ecsrun/ecsrun/ecs"

// The init of systems that are there only since a reload or a restore. Start calls the others (turn_run.go).

// starting reports whether the init of a system is still to be called.
func (s *system) starting() bool {
	return s.init() != nil && !s.begun && s.Stage != ecs.Startup && !s.Disabled && s.run == nil
}

// begin calls the init of the systems that have not had it.
func (r *Runtime) begin() error {
	for _, entry := range r.schedule.Systems() {
		sys := r.system(entry.Name())
		if sys == nil || !sys.starting() {
			continue
		}
		sys.begun = true
		if err := r.schedule.Call(entry, func(*ecs.World, float64) error { return r.callInit(sys) }); err != nil {
			return err
		}
	}
	return nil
}

// beginRestored calls the init of the systems that a snapshot did not have, before the first frame after a Restore.
func (r *Runtime) beginRestored() error {
	if !r.resumed {
		return nil
	}
	r.resumed = false
	if err := r.begin(); err != nil {
		return r.count(err)
	}
	return nil
}
