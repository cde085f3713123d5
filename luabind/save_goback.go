package luabind

import (
	"context"
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
)

// Going back to an earlier moment of the same run, in memory: what a snapshot keeps is put back into the Runtime that it is of. Files
// and functions are there already; variables get the values of then, in new tables.

// A Moment is everything about a run between two frames. It does not change, and belongs to one Runtime.
type Moment struct {
	of       *Runtime
	schedule *ecs.Schedule
	saved    *saving
	scripts  []byte
	loaded   *script.Loaded
	settings map[string]liveSetting // by system
	resumed  bool
}

// ErrReplaced is wrapped by the error of GoBack for a moment before a reload.
var ErrReplaced = errors.New("scripts or systems were replaced since then")

// Remember copies the state of the run for GoBack. It copies what [Runtime.Freeze] does, and has the same errors. A moment of the same run to which
// nobody goes back any more gives its memory, and is used up then, also by an error; of nil the copy gets memory of its own. With it the copy
// costs the time to copy bytes, and allocates for what scripts remember only.
func (r *Runtime) Remember(old *Moment) (*Moment, error) {
	if err := r.closed("Remember"); err != nil {
		return nil, err
	}
	if r.phase != phaseLoaded || r.running != nil {
		return nil, errors.New("luabind: Remember before Load, or inside of a frame")
	}
	r.scripts.Environment(script.Console) // code from outside may come later, and finds it as it is now
	m := &Moment{of: r, saved: r.saving(), settings: map[string]liveSetting{}, resumed: r.resumed}
	for _, sys := range r.systems {
		m.settings[sys.Name] = sys.setting()
	}
	var err error
	if m.scripts, err = m.saved.encode(); err != nil {
		return nil, err
	}
	m.saved.forget()
	if old != nil && old.of == r {
		m.schedule, old.of = old.schedule, nil
	}
	if m.schedule == nil || m.schedule.Restore(r.schedule) != nil { // something was declared since
		if m.schedule, err = r.schedule.Copy(nil); err != nil {
			return nil, err
		}
	}
	m.loaded = r.scripts.Loaded()
	return m, nil
}

// forget drops what only encode needs.
func (s *saving) forget() {
	s.names, s.protos, s.indexed, s.texts, s.coroutines = nil, nil, nil, nil, nil
}

// Frame returns the frame after which the moment is.
func (m *Moment) Frame() uint64 { return m.schedule.World().Frame() }

// SameDeclarations reports whether two moments declare the same number of everything, so that there is a way from one to the other.
func (m *Moment) SameDeclarations(other *Moment) bool {
	return declaredNow(m.schedule.World()) == declaredNow(other.schedule.World())
}

// Bytes returns about how many bytes of Go's heap the moment holds, apart from the contents of strings and tables, most of which
// it shares with the world.
func (m *Moment) Bytes() uint64 {
	w := m.schedule.World()
	names := len(w.ComponentNames()) + len(w.TagNames()) + len(w.EventNames()) + len(w.ResourceNames()) + len(w.Tables())
	return w.HeapBytes() + uint64(len(m.scripts)) + uint64(names)*1024 + uint64(len(m.settings))*2048
}

// GoBack puts the run back to a moment that [Runtime.Remember] has returned, any number of times. The frames that follow have the
// same results as those that followed then. Call it between frames, also after a frame that has failed.
//
// Errors: [ErrReplaced]; [ecs.ErrMismatch] if something was declared since; [ecs.ErrLocked]; then nothing has changed. After any other error
// the Runtime can only be closed.
func (r *Runtime) GoBack(m *Moment) (err error) {
	if m == nil || m.of != r {
		return errors.New("the moment is one of another run, or was given for its memory")
	}
	if err := r.enter(context.Background(), "GoBack"); err != nil {
		return err
	}
	defer r.leave(&err)
	if r.running != nil {
		return errors.New("luabind: GoBack inside of a frame")
	}
	if !r.scripts.Fits(m.loaded) || len(m.settings) != len(r.systems) {
		return fmt.Errorf("go back to frame %d: %w", m.Frame(), ErrReplaced)
	}
	r.heed(context.Background())
	if err := r.schedule.Restore(m.schedule); err != nil {
		return err
	}
	if err := r.resettled(m.settings); err != nil {
		return err
	}
	r.stopObservers(func(*observer) bool { return true })
	clear(r.dropping)
	r.dropping = r.dropping[:0]
	r.scripts.Unload(m.loaded)
	l := &loading{runtime: r, files: &m.saved.files, changed: map[string]*script.Unit{}, units: m.saved.units, instances: m.saved.instances}
	r.state.Budget().Reset(1 << 62)
	if err := l.decode(m.scripts); err != nil {
		return err
	}
	for _, sys := range r.systems {
		sys.instance, sys.dropped = nil, nil
	}
	r.entities = nil
	if err := l.restoreSystems(); err != nil {
		return err
	}
	r.resumed, r.failed = m.resumed, false
	r.releaseScripts()
	return nil
}

// resettled gives systems the settings of then.
func (r *Runtime) resettled(settings map[string]liveSetting) error {
	same := true
	for _, sys := range r.systems {
		to := settings[sys.Name]
		if sys.setting() == to {
			continue
		}
		native := sys.native()
		sys.Disabled, sys.Impl, sys.Every, same = !to.enabled, to.impl, to.every, false
		if sys.native() != native {
			sys.run = nil
			if err := r.makeNative(sys); err != nil {
				return err
			}
		}
	}
	if same {
		return nil
	}
	return r.reschedule(r.systems)
}
