package luabind

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/snapfile"
	"github.com/ecsrun/ecsrun/luabind/internal/host/heap"
)

// What a snapshot file says about a run besides its world: the sections meta, files and scripts. meta is for people and
// programs that look at snapshots. files has the texts of the scripts, and what the Runtime keeps for each. scripts has the values of
// their variables (package heap).

// The sections of a snapshot file that this package writes.
const (
	metaSection    = "meta"
	filesSection   = "files"
	scriptsSection = "scripts"
)

// A Meta is the section meta of a snapshot file. Freeze fills in what a Runtime knows; a program may set the rest
// before it writes.
type Meta struct {
	Program   string     `json:"program,omitempty"`   // what has written the file, with its version
	Config    string     `json:"config,omitempty"`    // path of the config file
	Overrides []string   `json:"overrides,omitempty"` // of the config: "run.seed=2"
	Mods      []SavedMod `json:"mods,omitempty"`      // those in use, in load order
	LeftOut   []string   `json:"left_out,omitempty"`  // systems that Overrides disable because they have ended the process
	Frame     uint64     `json:"frame"`               // the last frame that was run
	Time      float64    `json:"time"`
	Seed      uint64     `json:"seed"`
	Systems   []string   `json:"systems"`          // names, in the order of the config
	Failed    bool       `json:"failed,omitempty"` // the last frame has ended with an error: the file cannot be restored
	Inputs    []Inputs   `json:"inputs,omitempty"` // of later frames, in their order: a run that goes on does them
}

// Inputs are the inputs of one frame in the section meta.
type Inputs struct {
	Frame uint64   `json:"frame"`
	Lines []string `json:"lines"` // of package inputs; "@N " in front: they are done within the frame, after N turns
}

// A SavedMod is a mod in the section meta.
type SavedMod struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ReadMeta returns the section meta of a snapshot file. The error wraps a [snapfile.Damage].
func ReadMeta(f *snapfile.Reader) (m Meta, err error) {
	return m, readJSON(f, metaSection, &m)
}

// A Variable is what a script remembers in a snapshot file: the way to it, and its value as text.
type Variable = heap.Variable

// ReadVariables lists the script variables of a snapshot file in a fixed order: poison.lua: state.count = 3. A local of a file and a
// key of what it returns both follow its name. The error wraps a [snapfile.Damage].
func ReadVariables(f *snapfile.Reader) ([]Variable, error) {
	files := &savedFiles{}
	if err := readJSON(f, filesSection, files); err != nil {
		return nil, err
	}
	b, err := f.Bytes(scriptsSection)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(files.Units))
	for i, u := range files.Units {
		names[i] = u.Name
	}
	list, err := heap.Describe(b, names)
	return list, scriptsDamage(err)
}

// scriptsDamage makes an error of package heap one of the file.
func scriptsDamage(err error) error {
	var damage *heap.Damage
	if errors.As(err, &damage) {
		return &snapfile.Damage{Section: scriptsSection, Offset: int64(damage.Offset), Reason: damage.Reason}
	}
	return err
}

// readJSON reads a section. Unknown keys are an error: they are from a newer version.
func readJSON(f *snapfile.Reader, section string, to any) error {
	text, err := f.Bytes(section)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return &snapfile.Damage{Section: section, Reason: err.Error()}
	}
	return nil
}

// A savedFiles is the section files.
type savedFiles struct {
	Units     []savedUnit     `json:"units"`
	Mods      []savedMod      `json:"mods"` // sorted
	Instances []savedInstance `json:"instances"`
	Systems   []savedSystem   `json:"systems"`
	Observers []savedObserver `json:"observers,omitempty"`
	Late      []lateName      `json:"late,omitempty"`
	Places    []savedPlace    `json:"places,omitempty"` // of queued commands, by number - 1: see ecs.Commands.At
	Failures  savedFailures   `json:"failures"`
	Named     []savedEntity   `json:"named,omitempty"` // sorted
	Edits     uint64          `json:"edits,omitempty"`
}

// A savedUnit is a source file, with its text.
type savedUnit struct {
	Path     string   `json:"path"`
	Name     string   `json:"name"`               // as messages show it
	Text     []byte   `json:"text"`               // any bytes
	Requires []string `json:"requires,omitempty"` // paths of the files that its code has required, sorted
	Mod      *int     `json:"mod,omitempty"`      // of a text that load was given, which has no path; nil for a file
}

// A savedMod is an environment. Its tables are roots of the heap, script.TablesOfEnvironment for each one, before the instances.
type savedMod struct {
	Name     string   `json:"name"`
	Builtins []string `json:"builtins,omitempty"` // built-in modules that were required
}

// A savedInstance is a file that was loaded. Its values are roots of the heap: rootsOfInstance for each
// instance, in this order.
type savedInstance struct {
	Unit    int            `json:"unit"`
	Mod     int            `json:"mod"`
	Name    string         `json:"name,omitempty"`    // by which it was required first
	Module  bool           `json:"module,omitempty"`  // require returns it
	Entered []savedEntered `json:"entered,omitempty"` // the names under which package.loaded has it
}

// A savedEntered is a name in package.loaded of a mod.
type savedEntered struct {
	Mod  int    `json:"mod"`
	Name string `json:"name"`
}

// rootsOfInstance are the values of an instance that are roots: what the file returned, table of the system, init,
// update, on_reload, shape of the state.
const rootsOfInstance = 6

// A savedSystem is what the Runtime keeps for a system.
type savedSystem struct {
	Name     string `json:"name"`
	Script   string `json:"script,omitempty"`
	Instance int    `json:"instance"` // -1: none
	Begun    bool   `json:"begun,omitempty"`
	Strikes  int    `json:"strikes,omitempty"`
	Disabled bool   `json:"disabled,omitempty"` // by the config
	Dropped  []int  `json:"dropped,omitempty"`  // the units of a system that was dropped: see dropDisabled
}

// A savedObserver is a call of world:on. Its function is a root of the heap, after those of the instances.
type savedObserver struct {
	System string `json:"system"`
	Kind   uint8  `json:"kind"`
	Name   string `json:"name,omitempty"`
	File   string `json:"file"`
	Line   int    `json:"line"`
}

// A lateName is a name that was declared while the world ran, not while files were loaded.
type lateName struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// A savedPlace is the line that has queued a command.
type savedPlace struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// A savedEntity is a name that an edit has given.
type savedEntity struct {
	Name   string     `json:"name"`
	Entity ecs.Entity `json:"entity"`
}

// A savedFailures is the counts of [Failures].
type savedFailures struct {
	Errors     int      `json:"errors,omitempty"`
	Limits     int      `json:"limits,omitempty"`
	FirstError string   `json:"first_error,omitempty"`
	FirstLimit string   `json:"first_limit,omitempty"`
	Disabled   []string `json:"disabled,omitempty"`
}

// check returns an error if an index is out of range.
func (s *savedFiles) check() error {
	bad := func(format string, args ...any) error {
		return &snapfile.Damage{Section: filesSection, Reason: fmt.Sprintf(format, args...)}
	}
	for _, u := range s.Units {
		if u.Mod != nil && (*u.Mod < 0 || *u.Mod >= len(s.Mods)) {
			return bad("there is no mod %d", *u.Mod)
		}
	}
	for _, i := range s.Instances {
		if i.Unit < 0 || i.Unit >= len(s.Units) {
			return bad("there is no file %d", i.Unit)
		}
		for _, in := range append([]savedEntered{{Mod: i.Mod}}, i.Entered...) {
			if in.Mod < 0 || in.Mod >= len(s.Mods) {
				return bad("there is no mod %d", in.Mod)
			}
		}
	}
	for _, sys := range s.Systems {
		if sys.Instance < -1 || sys.Instance >= len(s.Instances) || sys.Strikes < 0 {
			return bad("there is no script %d for system %q", sys.Instance, sys.Name)
		}
		for _, u := range sys.Dropped {
			if u < 0 || u >= len(s.Units) || sys.Instance >= 0 {
				return bad("there is no file %d for system %q, which was dropped", u, sys.Name)
			}
		}
	}
	return nil
}

// ErrUnsaved is wrapped by the error of Freeze and Save for a value that cannot be saved.
var ErrUnsaved = errors.New("cannot be saved")

// An Unsaved is the error of Freeze and Save for a variable whose value cannot be saved. It is an [ErrUnsaved].
type Unsaved struct {
	File     string // the script
	Line     int    // in which the variable is declared, or where its name appears first; 0 if that is not known
	Variable string // co; state.talk[1]
	What     string // an iterator of the world
	Advice   string // what to do about it
}

// Error returns one line: file, line, variable, what it holds, and what to do.
func (u *Unsaved) Error() string {
	at := u.File
	if u.Line > 0 {
		at = fmt.Sprintf("%s:%d", u.File, u.Line)
	}
	text := fmt.Sprintf("%s: %q holds %s, which cannot be saved", at, u.Variable, u.What)
	if u.Advice != "" {
		text += "; " + u.Advice
	}
	return text
}

func (u *Unsaved) Unwrap() error { return ErrUnsaved }
