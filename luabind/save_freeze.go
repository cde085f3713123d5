package luabind

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/snapfile"
	"github.com/ecsrun/ecsrun/luabind/internal/host/heap"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
)

// Saving a run: Freeze copies everything between two frames, and WriteTo writes the copy. What scripts remember is
// written to bytes by Freeze already, because they change it in the next frame; the world is copied. [Runtime.Restore] reads the file.

// A Frozen is everything about a run at one moment. It does not change.
type Frozen struct {
	Meta     Meta // may be completed before WriteTo
	schedule *ecs.Schedule
	files    savedFiles
	scripts  []byte
	more     []section
}

// HeapBytes returns about how many bytes of Go's heap the copy holds. Any goroutine may call it.
func (f *Frozen) HeapBytes() uint64 { return f.schedule.World().HeapBytes() + uint64(len(f.scripts)) }

// A section is a section that a program has added.
type section struct {
	name    string
	content []byte
}

// AddSection adds a section that WriteTo writes after all others. The name must differ from those of the other sections.
func (f *Frozen) AddSection(name string, content []byte) {
	f.more = append(f.more, section{name, content})
}

// Freeze copies the state of the run: the world, what the schedule keeps for its systems, and what scripts remember, which are
// their state, the variables of their files and functions, globals and required modules. It costs about as much as
// [ecs.World.Copy], and time for each table and function of scripts. Call it between frames, after Start or Restore.
//
// Errors: [ecs.ErrLocked] inside of a query loop; an [Unsaved] for a variable that holds what cannot be saved, such as an iterator.
func (r *Runtime) Freeze() (*Frozen, error) {
	if err := r.closed("Freeze"); err != nil {
		return nil, err
	}
	if r.phase != phaseLoaded || r.running != nil {
		return nil, errors.New("luabind: Freeze before Load, or inside of a frame")
	}
	f := &Frozen{Meta: Meta{Frame: r.world.Frame(), Time: r.world.Time(), Seed: r.world.Options().Seed, Failed: r.failed, Systems: []string{}}}
	for _, sys := range r.systems {
		f.Meta.Systems = append(f.Meta.Systems, sys.Name)
	}
	s := r.saving()
	var err error
	if f.scripts, err = s.encode(); err != nil {
		return nil, err
	}
	f.files = s.files
	if f.schedule, err = r.schedule.Copy(nil); err != nil {
		return nil, err
	}
	f.files.Places = r.savePlaces(f.schedule)
	return f, nil
}

// Save is [Runtime.Freeze] and [Frozen.WriteTo].
func (r *Runtime) Save(w io.Writer) error {
	f, err := r.Freeze()
	if err != nil {
		return err
	}
	_, err = f.WriteTo(w)
	return err
}

// encode writes the variables of all scripts, and fills in s.files.
func (s *saving) encode() ([]byte, error) { return s.encodeAs(s) }

// encodeAs is encode, with another answer to what values are.
func (s *saving) encodeAs(source heap.Source) ([]byte, error) {
	r := s.runtime
	for _, sys := range r.systems {
		kept := savedSystem{Name: sys.Name, Script: sys.Script, Instance: -1, Begun: sys.begun, Strikes: sys.strikes, Disabled: sys.Disabled}
		if sys.instance != nil {
			kept.Instance = s.number(sys.instance)
		}
		for _, path := range slices.Sorted(maps.Keys(sys.dropped)) {
			kept.Dropped = append(kept.Dropped, s.unitNumber(sys.dropped[path]))
		}
		s.files.Systems = append(s.files.Systems, kept)
	}
	for _, module := range r.scripts.Modules() {
		saved := &s.files.Instances[s.number(module)]
		saved.Module = true
		r.scripts.Entered(module.Unit.Path, func(mod, name string) {
			at := slices.IndexFunc(s.mods, func(e *script.Environment) bool { return e.Mod == mod })
			saved.Entered = append(saved.Entered, savedEntered{at, name})
		})
	}
	e := heap.NewEncoder(source)
	for _, o := range r.inOrder() {
		s.files.Observers = append(s.files.Observers, savedObserver{System: o.sys.Name, Kind: uint8(o.what.Kind), Name: o.what.Name, File: o.at.File, Line: o.at.Line})
		if err := e.Root(fmt.Sprintf("%s %s (line %d)", s.label(o.sys.instance), strings.TrimSpace("observer of "+o.what.Kind.String()+" "+o.what.Name), o.at.Line), o.fn); err != nil {
			return nil, s.explainUnsaved(err)
		}
	}
	if err := s.addMods(e); err != nil {
		return nil, s.explainUnsaved(err)
	}
	for done := 0; ; { // functions may lead to instances that are no longer in use
		for ; done < len(s.instances); done++ {
			if err := s.addRoots(e, s.instances[done]); err != nil {
				return nil, s.explainUnsaved(err)
			}
		}
		if err := e.Run(); err != nil {
			return nil, s.explainUnsaved(err)
		}
		if done == len(s.instances) {
			break
		}
	}
	s.files.Late = r.lateNames()
	s.files.Named, s.files.Edits = r.savedNames(), r.edits
	f := r.failures
	s.files.Failures = savedFailures{Errors: f.Errors, Limits: f.Limits, FirstError: textOf(f.FirstError), FirstLimit: textOf(f.FirstLimit), Disabled: f.Disabled}
	return e.Bytes(), nil
}

// textOf returns the text of an error; "" for nil.
func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// explainUnsaved makes the error for a variable that cannot be saved.
func (s *saving) explainUnsaved(err error) error {
	var u *heap.Unsaved
	if !errors.As(err, &u) {
		return err
	}
	out := &Unsaved{File: u.File, Line: u.Line, Variable: u.Variable, What: u.Err.Error()}
	var what *unsavedKind
	if errors.As(u.Err, &what) {
		out.Advice = what.advice
	}
	if out.File == "" {
		out.File, _, _ = strings.Cut(u.Root, ":")
		out.Line = s.mentioned(out.File, out.Variable)
	}
	return out
}

// mentioned returns the first line of a file in which the last name of a variable appears; 0 if there is none.
func (s *saving) mentioned(file, variable string) int {
	words := strings.FieldsFunc(variable, func(c rune) bool { return strings.ContainsRune(".[]\"<>", c) })
	slices.Reverse(words)
	for _, word := range words {
		if strings.Trim(word, "0123456789") == "" {
			continue
		}
		for _, u := range s.units {
			if u.Code.Name != file {
				continue
			}
			for i, line := range strings.Split(u.Code.Source, "\n") {
				if strings.Contains(line, word) {
					return i + 1
				}
			}
		}
	}
	return 0
}

// WriteTo compresses and writes a snapshot file. It returns the number of bytes written, and the first error of w. It may
// run on another goroutine while the Runtime goes on.
func (f *Frozen) WriteTo(w io.Writer) (int64, error) {
	c := &countingWriter{to: w}
	file := snapfile.NewWriter(c)
	for _, part := range []struct {
		name string
		of   any
	}{{metaSection, &f.Meta}} {
		text, err := json.Marshal(part.of)
		if err != nil {
			return 0, fmt.Errorf("snapshot: %w", err)
		}
		file.Add(part.name, text)
	}
	if err := f.schedule.SaveSections(file); err != nil {
		return c.n, err
	}
	text, err := json.Marshal(&f.files)
	if err != nil {
		return c.n, fmt.Errorf("snapshot: %w", err)
	}
	file.Add(filesSection, text)
	file.Add(scriptsSection, f.scripts)
	for _, s := range f.more {
		file.Add(s.name, s.content)
	}
	return c.n, file.Close()
}

// A countingWriter counts the bytes that it passes on.
type countingWriter struct {
	to io.Writer
	n  int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}
