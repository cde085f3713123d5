package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/snapfile"
	"github.com/ecsrun/ecsrun/luabind"
)

// impls are the implementations, with their words.
var impls = map[string]luabind.Impl{"lua": luabind.Lua, "closures": luabind.Closures, "auto": luabind.Auto}

// cross runs a world in all ways, and returns the first difference. failing is true if a turn was taken back.
func cross(w *world) (failing bool, err error) {
	base, err := w.whole(way{impl: luabind.Lua})
	if err != nil {
		return false, fmt.Errorf("lua: %w", err)
	}
	names := slices.Sorted(maps.Keys(impls))
	how := way{impl: impls[names[w.seed%3]], spare: w.seed%2 == 0}
	if w.tight && strings.Contains(strings.Join(base.text(true, nil), "\n"), "instructions") {
		// Other implementations may end such a turn later, or not. See Compiled loops in docs/limits.md.
		if base, err = w.whole(how); err != nil {
			return false, fmt.Errorf("%s: %w", names[w.seed%3], err)
		}
	} else if err := implementations(w, base, names); err != nil {
		return false, err
	}
	for _, x := range []struct {
		name string
		run  func(*world, *run, way) error
	}{{"resumed", resumed}, {"copied", copied}, {"gone back", goneBack}, {"reloaded", reloaded}, {"never", never}} {
		if err := x.run(w, base, how); err != nil {
			return false, fmt.Errorf("%s, %s: %w", names[w.seed%3], x.name, err)
		}
	}
	return len(base.failed) > 0, nil
}

// implementations compares the run with those of all implementations.
func implementations(w *world, base *run, names []string) error {
	for _, name := range names {
		for _, spare := range []bool{false, true} {
			if name == "lua" && spare {
				continue
			}
			r, err := w.whole(way{impl: impls[name], spare: spare})
			if err == nil {
				err = same(base.text(true, nil), r.text(true, nil))
			}
			if err != nil {
				return fmt.Errorf("%s, sparing %v: %w", name, spare, err)
			}
		}
	}
	return nil
}

// suspends reports whether the state of the scripts has coroutines that cannot be saved.
func (w *world) suspends(how way) bool { return w.state && w.talks && how.impl == luabind.Lua }

// resumed saves the run after each frame, and again when Go has worked on the world, and goes on from each save in a new Runtime.
func resumed(w *world, base *run, how way) error {
	if w.suspends(how) {
		return nil
	}
	r, err := w.open(how, w.files())
	if err != nil {
		return err
	}
	defer func() { _ = r.rt.Close() }()
	on, err := r.start()
	if err != nil || !on {
		return err
	}
	for on && r.rt.World().Frame() < uint64(w.frames) {
		if on, err = r.frame(); err != nil {
			return err
		}
		if !on {
			return nil // a run that has ended is not gone on with
		}
		for _, hosted := range []bool{false, true} {
			if hosted {
				if worked, err := r.host(); err != nil {
					return err
				} else if !worked {
					break
				}
			}
			file, err := r.saved()
			if err != nil {
				if w.remember && errors.Is(err, luabind.ErrUnsaved) {
					return nil
				}
				return err
			}
			err = resume(w, base, r, file, how)
			if errors.Is(err, luabind.ErrFailed) {
				if on, err = r.frame(); err == nil && on {
					err = errors.New("a save is that of a run that has failed, and the run goes on")
				}
				if err == nil {
					return nil
				}
			}
			if err != nil {
				return fmt.Errorf("after frame %d, hosted %v: %w", r.rt.World().Frame(), hosted, err)
			}
		}
	}
	return nil
}

// resume goes on from a save of r, and compares the rest with base.
func resume(w *world, base, r *run, file []byte, how way) error {
	next, err := w.open(how, w.files())
	if err != nil {
		return err
	}
	defer func() { _ = next.rt.Close() }()
	if err := next.rt.Load(); err != nil {
		return err
	}
	if err := next.rt.Restore(bytes.NewReader(file)); err != nil {
		return err
	}
	again, err := next.saved()
	if err != nil {
		return fmt.Errorf("saved again: %w", err)
	}
	if !bytes.Equal(file, again) {
		return errors.New("saving again at once gives other bytes")
	}
	next.hosted = r.hosted
	next.segments, next.failures, next.digests = clone(r.segments), slices.Clone(r.failures), slices.Clone(r.digests)
	if err := next.frames(uint64(w.frames)); err != nil {
		return err
	}
	return same(base.text(true, nil), next.text(true, nil))
}

// clone copies segments: turns of the copy append to lines of its own.
func clone(list []segment) []segment {
	list = slices.Clone(list)
	for i := range list {
		list[i].lines = slices.Clone(list[i].lines)
	}
	return list
}

// copied takes a copy after each frame, runs two more frames, goes back, and runs them again. A copy has no variables of scripts but their state, and
// no coroutines.
func copied(w *world, base *run, how way) error {
	if w.remember || w.state && w.talks {
		return nil
	}
	r, err := w.open(how, w.files())
	if err != nil {
		return err
	}
	defer func() { _ = r.rt.Close() }()
	if on, err := r.start(); err != nil || !on {
		return err
	}
	for r.end == "" && r.rt.World().Frame() < uint64(w.frames) {
		before := *r.trace
		before.segments = clone(r.segments)
		c, err := r.rt.Copy()
		if err != nil {
			return err
		}
		at := r.rt.World().Frame()
		if err := r.frames(min(at+2, uint64(w.frames))); err != nil {
			return err
		}
		if r.end != "" {
			break
		}
		if err := r.rt.RestoreCopy(c); err != nil {
			return fmt.Errorf("after frame %d: %w", at, err)
		}
		*r.trace = before
		if _, err := r.frame(); err != nil {
			return err
		}
	}
	return same(base.text(true, nil), r.text(true, nil))
}

// goneBack remembers each frame, and goes back from the end, or the failure, to one after another, in a disorder. A save there has the bytes of
// the one that was made then, and the frames that follow are those of base.
func goneBack(w *world, base *run, how way) error {
	if w.suspends(how) {
		return nil
	}
	r, err := w.open(how, w.files())
	if err != nil {
		return err
	}
	defer func() { _ = r.rt.Close() }()
	on, err := r.start()
	if err != nil || !on {
		return err
	}
	type place struct {
		moment *luabind.Moment
		trace  trace
		file   []byte
	}
	var places []place
	for on && r.rt.World().Frame() < uint64(w.frames) {
		m, err := r.rt.Remember(nil)
		if w.remember && errors.Is(err, luabind.ErrUnsaved) {
			return nil
		} else if err != nil {
			return err
		}
		before := *r.trace
		before.segments, before.failures, before.digests = clone(r.segments), slices.Clone(r.failures), slices.Clone(r.digests)
		file, err := r.saved()
		if err != nil {
			return err
		}
		places = append(places, place{m, before, file})
		if on, err = r.frame(); err != nil {
			return err
		}
	}
	for i := range places {
		p := places[(i*5+2)%len(places)]
		if err := r.rt.GoBack(p.moment); errors.Is(err, ecs.ErrMismatch) {
			continue // a turn has declared something since
		} else if err != nil {
			return fmt.Errorf("to frame %d: %w", p.moment.Frame(), err)
		}
		*r.trace = p.trace
		r.segments, r.failures, r.digests = clone(p.trace.segments), slices.Clone(p.trace.failures), slices.Clone(p.trace.digests)
		again, err := r.saved()
		if err == nil {
			err = sameSave(p.file, again)
		}
		if err != nil {
			return fmt.Errorf("to frame %d: %w", p.moment.Frame(), err)
		}
		if err := r.frames(uint64(w.frames)); err != nil {
			return err
		}
		if err := same(base.text(true, nil), r.text(true, nil)); err != nil {
			return fmt.Errorf("from frame %d on: %w", p.moment.Frame(), err)
		}
	}
	return nil
}

// sameSave compares two saves, but for whether a grid was asked in frame 0.
func sameSave(a, b []byte) error {
	x, err := snapfile.Read(bytes.NewReader(a))
	if err != nil {
		return err
	}
	y, err := snapfile.Read(bytes.NewReader(b))
	if err != nil {
		return err
	}
	for _, s := range x.Sections() {
		was, _ := x.Bytes(s.Name)
		if is, err := y.Bytes(s.Name); (err != nil || !bytes.Equal(was, is)) && s.Name != "world/grids" {
			return fmt.Errorf("a save has another section %s (%v)", s.Name, err)
		}
	}
	return nil
}

// reloaded loads all files anew after each frame, with a comment more.
func reloaded(w *world, base *run, how way) error {
	if w.remember || w.policy == luabind.Disable { // a reload enables systems again
		return nil
	}
	files := w.files()
	r, err := w.open(how, files)
	if err != nil {
		return err
	}
	defer func() { _ = r.rt.Close() }()
	on, err := r.start()
	if err != nil {
		return err
	}
	for on && r.rt.World().Frame() < uint64(w.frames) {
		if on, err = r.frame(); err != nil {
			return err
		}
		if !on {
			break
		}
		for name := range w.sources {
			if name != "lib.lua" { // it keeps the ghosts
				files[name] = &fstest.MapFile{Data: append(slices.Clone(files[name].Data), "-- again\n"...)}
			}
		}
		if _, err := r.rt.Reload(context.Background(), luabind.Change{}); err != nil {
			return fmt.Errorf("after frame %d: %w", r.rt.World().Frame(), err)
		}
	}
	return same(base.text(true, nil), r.text(true, nil))
}

// never runs the world without the turns that were taken back: what the others print is the same. What scripts keep in variables is not taken back.
func never(w *world, base *run, how way) error {
	if !w.traceless() || len(base.failed) == 0 {
		return nil
	}
	for turn := range base.failed {
		if strings.HasPrefix(turn, "start ") || strings.HasPrefix(turn, "dump ") {
			return nil // they have no predicate
		}
	}
	how.never = base.failed
	r, err := w.whole(how)
	if err != nil {
		return err
	}
	if len(r.failed) > 0 {
		return fmt.Errorf("a turn fails that did not fail before: %s", r.failures[0])
	}
	return same(base.text(false, base.failed), r.text(false, nil))
}

// same compares the lines of two traces.
func same(a, b []string) error {
	for i := range max(len(a), len(b)) {
		x, y := "nothing", "nothing"
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			from := max(0, min(i, len(a), len(b))-6)
			return fmt.Errorf("line %d:\n      is %s\n  should %s\n  after:\n    %s", i+1, y, x, strings.Join(a[from:min(i, len(a))], "\n    "))
		}
	}
	return nil
}
