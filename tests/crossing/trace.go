package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// A segment is what one turn of a system has printed.
type segment struct {
	turn  string // "NAME FRAME"; "" before the first turn
	lines []string
}

// A trace is what can be seen of a run.
type trace struct {
	segments []segment
	failures []string        // texts of the errors, in order
	failed   map[string]bool // turns that were taken back, as "NAME FRAME"
	digests  []string        // after each frame
	hosted   uint64          // the frame before which Go has worked on the world; 0 before the first
	end      string          // the error that ended the run; "" if none did
}

// Write gets one line of print.
func (t *trace) Write(p []byte) (int, error) {
	line := strings.TrimSuffix(string(p), "\n")
	if turn, ok := strings.CutPrefix(line, "> "); ok {
		t.segments = append(t.segments, segment{turn: turn})
		return len(p), nil
	}
	if len(t.segments) == 0 {
		t.segments = append(t.segments, segment{})
	}
	s := &t.segments[len(t.segments)-1]
	s.lines = append(s.lines, line)
	return len(p), nil
}

// report notes an error that does not end the run.
func (t *trace) report(err *luabind.ScriptError) {
	t.failures = append(t.failures, err.Error())
	if !strings.Contains(err.Message, "(while ") { // of the turn, not of an observer
		t.failed[fmt.Sprintf("%s %d", err.System, err.Frame)] = true
	}
}

// text is the trace as lines. Without whole it leaves out what depends on the numbers of entities.
func (t *trace) text(whole bool, without map[string]bool) []string {
	var out []string
	for _, s := range t.segments {
		if without[s.turn] {
			continue
		}
		out = append(out, "> "+s.turn)
		out = append(out, s.lines...)
	}
	if whole {
		for _, f := range t.failures {
			out = append(out, "failure "+f)
		}
		out = append(out, t.digests...)
		out = append(out, "end "+t.end)
	}
	return out
}

// A run is a world that runs.
type run struct {
	*trace
	w  *world
	rt *luabind.Runtime
}

// A way is how a world is run.
type way struct {
	impl  luabind.Impl
	spare bool            // loops are compiled once they have done enough
	never map[string]bool // turns that do not happen, as "NAME FRAME"
}

// files are the scripts as a file system.
func (w *world) files() fstest.MapFS {
	files := fstest.MapFS{"waves.csv": {Data: []byte("kind,power\norc,2\nelf,3.5\ntroll,7\n")}}
	for name, text := range w.sources {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func (w *world) open(how way, files fs.FS) (*run, error) {
	r := &run{trace: &trace{failed: map[string]bool{}}, w: w}
	predicates := map[string]func(*ecs.World) (bool, error){}
	for _, s := range w.systems {
		if name, ok := strings.CutPrefix(s.When, "native:"); ok {
			predicates[name] = func(world *ecs.World) (bool, error) {
				return !how.never[fmt.Sprintf("%s %d", name, world.Frame())], nil
			}
		}
	}
	o := w.options
	o.Memory = luabind.NewMemory()
	world := ecs.NewWorld(o)
	if _, err := world.DeclareState(ecs.StateSpec{Name: "mode", Values: []string{"day", "night", "dusk"}}); err != nil {
		return nil, err
	}
	rt, err := luabind.New(luabind.Options{
		World: world, Scripts: files, Data: []luabind.DataFile{{Name: "waves", File: "waves.csv", Files: files, Path: "waves.csv"}}, ParseData: config.ReadData, Stdout: r.trace, Log: slog.New(slog.DiscardHandler), Limits: w.limits,
		Predicates: predicates, Report: r.report, Sparing: how.spare,
	})
	if err != nil {
		return nil, err
	}
	r.rt = rt
	for _, s := range w.systems {
		s.Impl = how.impl
		if err := rt.Add(s); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// start loads the files and begins the run. False: it has ended.
func (r *run) start() (bool, error) {
	if err := r.rt.Load(); err != nil {
		return false, fmt.Errorf("the files do not load: %w", err)
	}
	return r.noteEnd(r.rt.Start(context.Background()))
}

// noteEnd notes an error that ends the run. An error that is neither a script's nor that of a command of the host at a limit is a fault.
func (r *run) noteEnd(err error) (bool, error) {
	if err == nil {
		return true, nil
	}
	var script *luabind.ScriptError
	if !errors.As(err, &script) && !errors.Is(err, ecs.ErrLimit) || errors.Is(err, luabind.ErrBug) {
		return false, fmt.Errorf("a fault: %w", err)
	}
	r.end = err.Error()
	return false, nil
}

// frame runs one frame. False: the run has ended.
func (r *run) frame() (bool, error) {
	world := r.rt.World()
	if _, err := r.host(); err != nil {
		return false, err
	}
	on, err := r.noteEnd(r.rt.Frame(context.Background(), 0.25))
	if err != nil {
		return false, err
	}
	if err := world.Check(); err != nil {
		return false, fmt.Errorf("after frame %d: %w", world.Frame(), err)
	}
	r.digests = append(r.digests, fmt.Sprintf("digest %d %x", world.Frame(), world.Digest()))
	for _, s := range r.segments {
		for _, line := range s.lines {
			if strings.HasPrefix(line, "GHOST") {
				return false, fmt.Errorf("frame %d: an entity of a turn that was taken back lives: %s", world.Frame(), line)
			}
		}
	}
	return on, nil
}

// host does what Go does before the next frame, once. It returns false if that is nothing.
func (r *run) host() (worked bool, err error) {
	world := r.rt.World()
	next := world.Frame() + 1
	if !r.w.native || r.end != "" || next > uint64(r.w.frames) || next == r.hosted || next%3 != 2 || world.Len() > 80 {
		return false, nil
	}
	r.hosted = next
	pos, _ := world.LookupComponent("Pos")
	hp, _ := world.LookupComponent("Hp")
	tag, _ := world.LookupTag("a")
	note, _ := world.LookupEvent("Note")
	if next%2 == 0 {
		if _, err := world.Commands().Spawn(pos); err != nil {
			return true, err
		}
	}
	e, err := world.Spawn(pos, hp)
	if err != nil {
		return true, err
	}
	if _, err = world.TryTag(e, tag); err == nil {
		err = world.Send(note)
	}
	if errors.Is(err, ecs.ErrLimit) {
		err = nil
	}
	return true, err
}

// frames runs the world up to its last frame, or the frame given.
func (r *run) frames(last uint64) error {
	for r.end == "" && r.rt.World().Frame() < last {
		on, err := r.frame()
		if err != nil {
			return err
		}
		if !on {
			return nil
		}
	}
	return nil
}

// whole runs a world from its start to its end.
func (w *world) whole(how way) (*run, error) {
	r, err := w.open(how, w.files())
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.rt.Close() }()
	if on, err := r.start(); err != nil || !on {
		return r, err
	}
	return r, r.frames(uint64(w.frames))
}

func (r *run) saved() ([]byte, error) {
	var b bytes.Buffer
	err := r.rt.Save(&b)
	return b.Bytes(), err
}
