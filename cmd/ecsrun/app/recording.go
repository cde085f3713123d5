package app

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/record"
)

// This file is --record: it writes what ecsrun replay needs.

// A recording is the record that a run writes.
type recording struct {
	w       *record.Writer
	base    string // the folder that the paths of files start from
	files   map[string]bool
	scripts int // those of the Runtime that are in the record
	flushed time.Time
	failed  error // of the last write; the run goes on
	cut     bool  // the file can be cut
}

// startRecording writes the beginning of the record: texts, overrides, seed, and the snapshot that the run goes on from.
func (r *run) startRecording(file io.Writer, path string, o config.Overrides) error {
	c := r.config
	rec := &recording{files: map[string]bool{}, flushed: time.Now()}
	if out, ok := file.(*output); ok {
		info, err := out.Stat()
		rec.cut = err == nil && info.Mode().IsRegular()
		file = r.guarded(out)
	}
	paths := configFiles(path, c)
	folders := []string{filepath.Dir(path), c.Scripts.Dir}
	for _, m := range c.Mods {
		folders = append(folders, m.Dir, m.Scripts)
	}
	var err error
	if rec.base, err = commonFolder(folders); err != nil {
		return usageError("--record: %w", err)
	}
	name := func(path string) string { return rec.name(path) }
	set := repeatOf(path, o).set
	set = append(set, fmt.Sprintf("run.frames=%d", c.Run.Frames), fmt.Sprintf("run.seed=%d", c.Run.Seed))
	rec.w, err = record.NewWriter(file, record.Header{
		Program: versionLine(), Config: name(path), Scripts: name(c.Scripts.Dir), Set: set, Seed: c.Run.Seed, DT: c.Run.DT, Realtime: c.Run.Realtime,
	})
	if err != nil {
		return usageError("--record: %w", err)
	}
	r.recording = rec
	for _, path := range paths {
		if err := rec.file(path); err != nil {
			return usageError("--record: %w", err)
		}
	}
	if r.resumed != nil {
		if err := rec.w.Snapshot(io.NewSectionReader(r.resumed.file, 0, r.resumed.size)); err != nil {
			return usageError("--record: %w", err)
		}
	}
	if err := r.recordScripts(); err != nil {
		return usageError("--record: %w", err)
	}
	rec.flush(r.program)
	r.traceRun(func(f *record.Frame) {
		if r.doingAgain {
			r.history.ranAgain(f)
			return
		}
		r.recordFrame(f)
	})
	return nil
}

// name returns the path of a file in the record.
func (rec *recording) name(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	rel, err := filepath.Rel(rec.base, abs)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}

// file adds a file to the record, once.
func (rec *recording) file(path string) error {
	if rec.files[path] {
		return nil
	}
	rec.files[path] = true
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return rec.w.File(rec.name(path), string(config.PlainPGM(text)))
}

// recordScripts adds the scripts that have been loaded since the last call.
func (r *run) recordScripts() error {
	list := r.runtime.Files()
	for _, file := range list {
		if err := r.recording.file(r.config.ScriptFile(file)); err != nil {
			return err
		}
	}
	r.recording.scripts = len(list)
	return nil
}

// recordFrame writes a frame, and what is in memory once a second, or after each frame of a run in real time.
func (r *run) recordFrame(f *record.Frame) {
	rec := r.recording
	if len(r.runtime.Files()) > rec.scripts {
		if err := r.recordScripts(); err != nil {
			fmt.Fprintf(r.console.stderr(), "ecsrun: --record: a script that was loaded late cannot be read, and is not in the record: %v\n", err)
		}
	}
	_ = rec.w.Frame(f) // flush has the error
	if now := time.Now(); r.config.Run.Realtime || now.Sub(rec.flushed) >= flushEvery {
		rec.flushed = now
		rec.flush(r.program)
	}
}

// flush writes what is in memory. That it cannot be written is said once, and when it works again.
func (rec *recording) flush(p *program) {
	was := rec.failed
	rec.failed = rec.w.Flush()
	switch {
	case errors.Is(rec.failed, record.ErrLost) && !errors.Is(was, record.ErrLost):
		fmt.Fprintf(p.console.stderr(), "ecsrun: --record: %v, and the run goes on\n", rec.failed)
	case errors.Is(rec.failed, errStalled):
		if !errors.Is(was, errStalled) {
			fmt.Fprintf(p.console.stderr(), "ecsrun: --record: %v; frames are lost\n", rec.failed)
		}
	case rec.failed != nil && was == nil:
		fmt.Fprintf(p.console.stderr(), "ecsrun: --record: %v; frames wait until they can be written, and the run goes on\n", rec.failed)
	case rec.failed == nil && was != nil:
		fmt.Fprintf(p.console.stderr(), "ecsrun: --record: it can be written again; nothing is lost\n")
	}
}

// recordRest writes what was done after the last frame, as a frame with the same number.
func (r *run) recordRest() {
	if t := r.trace; len(t.frame.Inputs) > 0 {
		t.end(r.runtime.World())
	}
}

// end writes the end of the record.
func (rec *recording) end(p *program, reason string) {
	_ = rec.w.End(reason) // flush has the error
	rec.flush(p)
}

// commonFolder returns the deepest folder that all folders are in.
func commonFolder(folders []string) (string, error) {
	common := ""
	for i, folder := range folders {
		abs, err := filepath.Abs(folder)
		if err != nil {
			return "", err
		}
		if i == 0 {
			common = abs
		}
		for common != filepath.Dir(common) && abs != common && !strings.HasPrefix(abs, strings.TrimSuffix(common, string(filepath.Separator))+string(filepath.Separator)) {
			common = filepath.Dir(common)
		}
	}
	return common, nil
}

// This file collects what a record has of each frame. recording.go writes it; replay_compare.go compares it with a record.

// Inputs that are done within a frame have in front of them after how many of its turns: "@3 {…}".

// inFrame returns the text of such an input.
func inFrame(turns int, line string) string { return fmt.Sprintf("@%d %s", turns, line) }

// fromFrame takes it apart; ok is false for any other input.
func fromFrame(text string) (turns int, line string, ok bool) {
	number, line, ok := strings.Cut(strings.TrimPrefix(text, "@"), " ")
	turns, err := strconv.Atoi(number)
	return turns, line, ok && err == nil && strings.HasPrefix(text, "@")
}

// A trace is told of turns and inputs, and makes a frame of a record at the end of each frame.
type trace struct {
	frame   record.Frame
	digests *ecs.TurnDigests
	parts   []ecs.PartDigest
	bytes   []byte              // what the digest of a frame is made of
	done    func(*record.Frame) // gets each frame; it is valid until done returns
}

// traceRun hooks a trace into the schedule of a run, beside what is hooked in already.
func (r *run) traceRun(done func(*record.Frame)) {
	s := r.runtime.Schedule()
	t := &trace{digests: r.runtime.World().NewTurnDigests(), done: done}
	before, after := s.Before, s.After
	s.Before = func(sys *ecs.System) {
		t.digests.Begin()
		if before != nil {
			before(sys)
		}
	}
	s.After = func(sys *ecs.System) {
		if after != nil {
			after(sys)
		}
		t.frame.Turns = append(t.frame.Turns, record.Digest{Name: sys.Name(), Digest: t.digests.End(sys, nil)})
	}
	r.trace = t
	r.countTurns()
}

// countTurns counts the turns of each frame, for what is done within it. It is hooked in behind all that a turn is told to.
func (r *run) countTurns() {
	if r.counting {
		return
	}
	r.counting = true
	s := r.runtime.Schedule()
	before, after := s.Before, s.After
	s.Before = func(sys *ecs.System) {
		if r.within != nil {
			r.within()
		}
		if before != nil {
			before(sys)
		}
	}
	s.After = func(sys *ecs.System) {
		if after != nil {
			after(sys)
		}
		r.turnsDone++
	}
}

// noteInput notes a line that is done before the next frame, or within this one.
func (r *run) noteInput(line string) {
	if r.trace != nil {
		r.trace.input(line)
	}
	r.history.input(line)
}

// undoInput forgets the last line: it could not be done.
func (r *run) undoInput() {
	if r.trace != nil {
		r.trace.undone()
	}
	r.history.undone()
}

// input notes a line that is done before the next frame.
func (t *trace) input(line string) { t.frame.Inputs = append(t.frame.Inputs, line) }

// undone forgets the last line: it could not be done.
func (t *trace) undone() { t.frame.Inputs = t.frame.Inputs[:len(t.frame.Inputs)-1] }

// mark notes that something has ended a turn that may not do so in another run.
func (t *trace) mark(err error) {
	var m *measuredLimit
	switch {
	case errors.As(err, &m):
		t.frame.Marks = append(t.frame.Marks, m.Error())
	case errors.Is(err, errInterrupted):
		t.frame.Marks = append(t.frame.Marks, "a signal ended a turn")
	}
}

// end makes the frame that has ended.
func (t *trace) end(w *ecs.World) {
	f := &t.frame
	f.Number = w.Frame()
	t.parts = w.PartDigests(t.parts[:0])
	t.bytes = binary.LittleEndian.AppendUint64(t.bytes[:0], w.OrderDigest())
	for _, p := range t.parts {
		f.Parts = append(f.Parts, record.Digest{Name: p.Part, Digest: p.Digest})
		t.bytes = binary.LittleEndian.AppendUint64(append(t.bytes, p.Part...), p.Digest)
	}
	whole := sha256.Sum256(t.bytes)
	f.Digest = [16]byte(whole[:])
	t.done(f)
	clear(f.Inputs)
	*f = record.Frame{Inputs: f.Inputs[:0], Turns: f.Turns[:0], Parts: f.Parts[:0]}
}

// flushEvery is how often frames of a record are written: at most so much of a run is lost when it is killed.
const flushEvery = time.Second
