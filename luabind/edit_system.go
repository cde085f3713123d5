package luabind

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/config/suggest"
)

// Edits of the schedule: a system is enabled or disabled, gets another implementation, or runs in other frames. It is what a
// reload of a config does, without a look at the files.

// setSystem changes the setting of a system.
func (r *Runtime) setSystem(e Edit) error {
	sys := r.named[e.Name]
	if sys == nil {
		text := fmt.Sprintf("there is no system %q", cut(e.Name))
		if near, ok := suggest.Closest(e.Name, r.schedule.Names()); ok {
			text += fmt.Sprintf("; did you mean %q?", near)
		}
		return fmt.Errorf("%s", text)
	}
	to := sys.setting()
	if e.Impl != nil {
		to.impl = *e.Impl
	}
	if e.Every != nil {
		to.every = *e.Every
	}
	was := sys.Disabled
	if e.Enabled != nil {
		if to.enabled = *e.Enabled; to.enabled && !sys.entry.Enabled() {
			sys.Disabled = true // also if a failure has disabled it
		}
	}
	err := r.settle(map[string]liveSetting{e.Name: to})
	if err != nil {
		sys.Disabled = was
	}
	return err
}

// settle gives systems other settings. After an error all is as before.
func (r *Runtime) settle(to map[string]liveSetting) error {
	list := make([]System, len(r.systems))
	for i, sys := range r.systems {
		list[i] = sys.System
		s, ok := to[sys.Name]
		if !ok {
			continue
		}
		list[i].Disabled, list[i].Impl, list[i].Every = !s.enabled, s.impl, s.every
		if err := list[i].check(); err != nil {
			return err
		}
	}
	globals := r.scripts.Mark()
	n, err := r.prepare(r.scripts, r.revised(list))
	if err == nil {
		if err = r.adopt(n, nil); err != nil {
			n.scripts.Retire(r.scripts)
		}
	}
	if err != nil {
		globals.Undo()
	}
	return err
}

// Settings returns the systems with their settings of now, in the order of Add.
func (r *Runtime) Settings() []System {
	list := make([]System, len(r.systems))
	for i, sys := range r.systems {
		list[i] = sys.System
		list[i].After = slices.Clone(sys.After)
	}
	return list
}
