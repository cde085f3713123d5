package app

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/inputs"
)

// This file is --input: lines of JSON that are done to the world before a frame. Those of a file are all checked before
// frame 1; those of stdin are read while the run goes on.

// stdinName is what --input and messages call stdin.
const stdinName = "-"

// A feed is the source of the inputs of a run.
type feed struct {
	decoder inputs.Decoder
	lines   *inputs.Lines   // of a file
	arrived chan arrival    // of stdin; nil for a file
	held    []inputs.Input  // at most one: it has been read, and its frame comes later
	over    bool            // there are no more lines
	asked   <-chan struct{} // rings while the feed waits for a line and somebody asks the run something
	answer  func() bool     // answers; false if the run is to stop
	passed  int             // lines of frames that were run before the run was resumed
	wrong   uint64          // lines that have failed while the run was going on
	failed  bool            // one of them did not fail for a limit of the world
	full    bool            // one of them did
	bell    <-chan struct{} // rings while the feed waits, too, when a signal has asked for a save
	rung    func()          // saves
}

// An arrival is one line of stdin, or the error at its end.
type arrival struct {
	line []byte
	err  error
}

// aheadLines is how many lines of stdin are read before they are wanted.
const aheadLines = 256

// openInput opens the file of --input. It is called before a confined process can no longer do so. The result of a pipe or
// a device is in memory, because it is read twice.
func openInput(path string) (io.ReadSeekCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, usageError("--input: %w", err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = fmt.Errorf("%s is a folder", path)
	case info.Mode().IsRegular():
		return file, nil
	default:
		const most = 1 << 30
		var text []byte
		if text, err = io.ReadAll(io.LimitReader(file, most+1)); err == nil && len(text) > most {
			err = fmt.Errorf("%s: more than %d bytes; pass them with --input -", path, most)
		}
		if err == nil {
			_ = file.Close()
			return memoryFile{bytes.NewReader(text)}, nil
		}
	}
	_ = file.Close()
	return nil, usageError("--input: %w", err)
}

// A memoryFile is a file whose content is in memory.
type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// startInput checks a file whole, or begins to read stdin. The declarations of the world are complete by now.
func (r *run) startInput(file io.ReadSeeker) error {
	world := r.runtime.World()
	f := &feed{decoder: inputs.Decoder{World: world, Systems: r.runtime.Schedule().Names(), File: r.flags.io.input, Next: 1}}
	if file == nil {
		f.decoder.File, f.decoder.Next, f.decoder.Live = "stdin", world.Frame()+1, r.config.Run.Realtime
		f.arrived = make(chan arrival, aheadLines)
		f.bell, f.rung = r.saveBell, r.saveIfAsked
		go receive(r.stdin, f.arrived)
		r.feed = f
		return nil
	}
	f.lines = inputs.NewLines(file)
	check, known := f.decoder, r.inputsKnown()
	for {
		line, err := f.lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			var in inputs.Input
			var ok bool
			if in, ok, err = check.Decode(line); err == nil && ok {
				err = known.check(&in, check.File)
			}
		}
		if err != nil {
			return usageError("--input: %w", err)
		}
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return usageError("--input: %w", err)
	}
	f.lines = inputs.NewLines(file)
	r.feed = f
	return nil
}

// failures returns how many lines have failed.
func (f *feed) failures() uint64 {
	if f == nil {
		return 0
	}
	return f.wrong
}

// receive passes on the lines of stdin. It ends with stdin, or with the process.
func receive(stdin io.Reader, to chan<- arrival) {
	lines := inputs.NewLines(stdin)
	for {
		line, err := lines.Next()
		to <- arrival{line, err}
		if err != nil {
			return
		}
	}
}

// next returns the next input. ok is false at the end of the inputs, when no live input has come yet, and when a signal came
// while next waited.
func (f *feed) next(signal *interruption) (in inputs.Input, ok bool, err error) {
	if len(f.held) > 0 {
		in, f.held = f.held[0], f.held[:0]
		return in, true, nil
	}
	for !f.over {
		var line []byte
		switch {
		case f.arrived == nil:
			line, err = f.lines.Next()
		case f.decoder.Live:
			select {
			case a := <-f.arrived:
				line, err = a.line, a.err
			default:
				return in, false, nil
			}
		default:
			select {
			case a := <-f.arrived:
				line, err = a.line, a.err
			case <-signal.first.Done():
				return in, false, nil
			case <-f.bell:
				f.rung()
				continue
			case <-f.asked:
				if !f.answer() {
					return in, false, nil
				}
				continue
			}
		}
		if err != nil {
			f.over = true
			if errors.Is(err, io.EOF) {
				return in, false, nil
			}
			return in, false, fmt.Errorf("%s: %w", f.decoder.File, err)
		}
		if in, ok, err = f.decoder.Decode(line); ok || err != nil {
			return in, ok, err
		}
	}
	return in, false, nil
}

// feedFrame applies the inputs of the next frame. It reports false if the run is over: an input has stopped it or is wrong,
// or a signal came.
func (r *run) feedFrame(signal *interruption) bool {
	f := r.feed
	if f == nil {
		return true
	}
	frame, backs := r.runtime.World().Frame()+1, r.backs
	if f.arrived != nil { // the first lines of a file are those of frame 1, also when that was run before
		f.decoder.Next = max(f.decoder.Next, frame)
	}
	for {
		in, ok, err := f.next(signal)
		switch {
		case err != nil:
			f.wrong++
			f.failed = true
			r.ended = "an input is wrong"
			fmt.Fprintf(r.console.stderr(), "ecsrun: --input: %v\n", err)
			return false
		case signal.came():
			r.stopped, r.ended = true, "interrupted"
			return false
		case r.control.Stopping():
			r.endAsked()
			return false
		case r.backs != backs:
			return true
		case !ok:
			return true
		case in.Frame < frame:
			f.passed++
			continue
		case in.Frame > frame:
			f.held = append(f.held, in)
			return true
		}
		if r.history.past() {
			r.history.leaveWay()
		}
		r.noteInput(in.Text)
		if in.Kind == inputs.Stop {
			r.ended = fmt.Sprintf("stopped before frame %d by an input: %s", frame, oneLine(in.Why))
			return false
		}
		if !r.feedLine(&in, signal) {
			r.undoInput()
			return false
		}
	}
}

// feeds reports whether lines of --input are done before the frame that comes. In the past it is only what comes right now: that is new.
func (r *run) feeds() bool {
	return r.feed != nil && (!r.history.past() || r.feed.decoder.Live && !r.control.Rushing())
}

// feedLine does a line to the world, or to both worlds if two are compared. An edit that fails is taken back, and the run goes on. It
// reports false if the run is over.
func (r *run) feedLine(in *inputs.Input, signal *interruption) bool {
	f := r.feed
	res, err := in.Apply(signal.over, r.runtime)
	if r.verify != nil {
		_, errB := in.Apply(signal.over, r.verify.b.runtime)
		err = cmp.Or(err, errB)
	}
	_, _ = io.WriteString(r.console.stdout(), res.Printed)
	switch {
	case err == nil:
		if !res.Done {
			e := in.Edit.Entity
			which := e.Entity.String()
			if e.Name != "" {
				which = "@" + e.Name
			}
			why := fmt.Sprintf("entity %s is dead", which)
			if in.Edit.Kind == luabind.EditUnrelate && (e.Name != "" || r.runtime.World().Alive(e.Entity)) {
				why = fmt.Sprintf("the relation of %s has another target, or the entity is dead", which)
			}
			r.logs.log.Warn(fmt.Sprintf("--input: %s:%d: nothing was done: %s", f.decoder.File, in.Line, why))
		}
		r.keepSetting(in)
		return true
	case errors.Is(err, errInterrupted), errors.Is(err, luabind.ErrBug):
		r.fail(err)
		return false
	}
	fmt.Fprintf(r.console.stderr(), "ecsrun: --input: %s:%d: %v\n", f.decoder.File, in.Line, err)
	limit := errors.Is(err, luabind.ErrLimit) || errors.Is(err, ecs.ErrLimit)
	f.wrong++
	f.full, f.failed = f.full || limit, f.failed || !limit
	switch {
	case errors.Is(err, luabind.ErrTakenBack):
		return true
	case limit:
		r.ended = "an input does not fit a limit"
	default:
		r.ended = "an input is wrong"
	}
	return false
}

// keepSetting notes what an edit has changed of a system: for snapshots, from which a run goes on with it, and for a reload of the
// config, which keeps it.
func (r *run) keepSetting(in *inputs.Input) {
	e := &in.Edit
	if in.Kind != inputs.System {
		return
	}
	var set []string
	key := "systems." + e.Name + "."
	if e.Enabled != nil {
		set = append(set, fmt.Sprintf("%senabled=%v", key, *e.Enabled))
	}
	if e.Impl != nil {
		set = append(set, fmt.Sprintf("%simpl=%v", key, *e.Impl))
	}
	if e.Every != nil {
		set = append(set, fmt.Sprintf("%severy=%d", key, *e.Every))
	}
	change := func(s *config.System) {
		if e.Enabled != nil {
			s.Enabled = *e.Enabled
		}
		if e.Impl != nil {
			s.Impl = e.Impl.String()
		}
		if e.Every != nil {
			s.Every = *e.Every
		}
	}
	with := func(c *config.Config) *config.Config {
		out := *c
		out.Systems = slices.Clone(c.Systems)
		if i := out.FindSystem(e.Name); i >= 0 {
			change(&out.Systems[i])
		}
		return &out
	}
	r.config = with(r.config)
	r.conduct.reimplemented(e.Name)
	if r.saver != nil {
		r.saver.from.Overrides = overridesOf("", config.Overrides{Set: slices.Concat(r.saver.from.Overrides, set)})
	}
	if r.watch != nil {
		r.watch.over.Set, r.watch.written = slices.Concat(r.watch.over.Set, set), with(r.watch.written)
	}
}
