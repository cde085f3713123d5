package luabind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/snapfile"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// Restoring a run from a snapshot file. The files of the scripts were loaded, so that their functions exist; now all
// variables get the values that were saved, and the world and the schedule theirs. If a file has another text than when it was saved, the
// saved text is restored first, and replaced by a reload.

// ErrFailed is the error of Restore for a snapshot that was taken after an error had ended the run.
var ErrFailed = errors.New("the snapshot was taken after an error had ended the run; it shows the world as the failing line left it, and cannot be resumed")

// Restore puts a new Runtime into the state that [Runtime.Save] has written, of this process or another one. Call it
// instead of Start: after New, the declarations of the config, and Add. If Load was not called, Restore loads the scripts, and
// drops what they print and log meanwhile. Then Frame goes on with the next frame.
//
// Neither init nor the startup stage runs. Declarations are matched by name: see [ecs.Schedule.Adopt]. If the text of a script differs from that
// in the snapshot, the new one is put in use as [Runtime.Reload] does: its state is handed over, and its other variables
// start anew. Systems that the snapshot does not have run their init before the first frame; those that are gone are dropped. All of
// that is a warning in Options.Log. What holds something and is no longer declared, such as a component of entities or the state of a
// system, is dropped if Options.Adopting allows it.
//
// Errors: [ErrFailed]; an [ecs.LossError], with all that may not be dropped; a [snapfile.Damage]; those of Load, [ecs.Schedule.Adopt] and Reload. After an error the Runtime can only be closed.
func (r *Runtime) Restore(from io.Reader) error {
	f, err := snapfile.Read(from)
	if err != nil {
		return err
	}
	return r.RestoreFile(f)
}

// RestoreFile is [Runtime.Restore] for a file that is open already.
func (r *Runtime) RestoreFile(f *snapfile.Reader) error {
	meta, err := ReadMeta(f)
	if err != nil {
		return err
	}
	if meta.Failed {
		return ErrFailed
	}
	files := &savedFiles{}
	if err := readJSON(f, filesSection, files); err != nil {
		return err
	}
	scripts, err := f.Bytes(scriptsSection)
	if err != nil {
		return err
	}
	saved, err := ecs.LoadSchedule(f, r.world.Options())
	if err != nil {
		return err
	}
	return r.resume(saved, files, scripts)
}

// resume is Restore for the contents of a file.
func (r *Runtime) resume(saved *ecs.Schedule, files *savedFiles, scripts []byte) (err error) {
	if err := r.enter(context.Background(), "Restore"); err != nil {
		return err
	}
	defer r.leave(&err)
	if err := files.check(); err != nil {
		return err
	}
	if r.phase == phaseAdding {
		r.silent = true
		err := r.load(context.Background())
		r.silent = false
		if err != nil {
			return err
		}
	}
	if r.running != nil || r.begunAny() {
		return errors.New("luabind: Restore after Start, or inside of a frame")
	}
	if err := r.declareLate(files.Late, saved.World()); err != nil {
		return err
	}
	l := &loading{runtime: r, files: files, changed: map[string]*script.Unit{}}
	r.silent, r.loading = true, true
	err = l.findScripts()
	r.silent, r.loading = false, false
	if err != nil {
		return err
	}
	var refused []ecs.Loss // all are collected first: after an error the Runtime is of no use
	how := r.options.Adopting
	how.Drop = func(loss ecs.Loss) bool {
		if drop := r.options.Adopting.Drop; drop == nil || !drop(loss) {
			refused = append(refused, loss)
		}
		return true
	}
	r.loadPlaces(saved, files.Places)
	warnings, err := r.schedule.Adopt(saved, how)
	if err != nil {
		return err
	}
	r.state.Budget().Reset(1 << 62)
	if err := l.decode(scripts); err != nil {
		return err
	}
	for _, loss := range l.lostStates() {
		how.Drop(loss)
	}
	if len(refused) > 0 {
		return fmt.Errorf("adopt: %w", &ecs.LossError{Losses: refused})
	}
	for _, text := range warnings {
		r.warn(text)
	}
	if err := l.restoreSystems(); err != nil {
		return err
	}
	r.resumed, r.started = true, true
	if err := r.reloadRestored(l.changed); err != nil {
		return err
	}
	r.trackRemovals()
	r.openReaders()
	if !r.sparing() || r.world.Len() >= loops.SmallWorld {
		r.compileAhead()
	}
	return nil
}

// begunAny reports whether an init was called.
func (r *Runtime) begunAny() bool {
	return slices.ContainsFunc(r.systems, func(s *system) bool { return s.begun })
}

// reloadRestored puts the scripts in use that have another text now than those that were restored.
func (r *Runtime) reloadRestored(changed map[string]*script.Unit) error {
	list := make([]System, len(r.systems))
	any := len(changed) > 0
	for i, sys := range r.systems {
		list[i] = sys.System
		if sys.wanted != "" {
			list[i].Script, sys.wanted, any = sys.wanted, "", true
		}
	}
	if !any {
		return nil
	}
	done, err := r.Reload(context.Background(), Change{Systems: list})
	if err != nil {
		return fmt.Errorf("a script has changed since the snapshot: %w", err)
	}
	for _, file := range done.Files {
		if r.sources.shows(file) {
			r.warn(fmt.Sprintf("%s has changed since the snapshot: the systems that read it start anew with their state", file))
			continue
		}
		r.warn(fmt.Sprintf("%s has changed since the snapshot: its state was handed over, its other variables start anew", file))
	}
	for _, name := range done.Fresh {
		r.warn(fmt.Sprintf("system %q: its state has another shape than in the snapshot, and starts anew", name))
	}
	return nil
}
