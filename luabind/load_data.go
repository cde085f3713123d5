package luabind

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Data files: what ecs.data gives to scripts. Package script treats them as scripts; here is where they come from.

// A DataFile is a file that scripts read as one frozen Lua table, with ecs.data(Name).
type DataFile struct {
	Name  string // letters, digits and _
	File  string // as messages show it; its ending says what Options.ParseData makes of it
	Files fs.FS  // has the file
	Path  string // in Files
}

// A DataError is an error of Options.ParseData with its place in the file.
type DataError struct {
	Line, Column int // from 1; 0: the file as a whole
	Err          error
}

func (e *DataError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *DataError) Unwrap() error { return e.Err }

// sources are the script folders and the data files of a Runtime.
type sources struct {
	script.Folders
	data []DataFile
	most uint64 // bytes of a file; 0: no limit of the config
}

// dataFile returns the data file that a path means; nil if it means none.
func (s *sources) dataFile(path string) *DataFile {
	name, ok := script.DataName(path)
	if !ok {
		return nil
	}
	if i := slices.IndexFunc(s.data, func(f DataFile) bool { return f.Name == name }); i >= 0 {
		return &s.data[i]
	}
	return nil
}

// shows reports whether messages show a data file by that name.
func (s *sources) shows(name string) bool {
	return slices.ContainsFunc(s.data, func(f DataFile) bool { return f.File == name })
}

// Read implements [script.Sources].
func (s *sources) Read(path string) (string, error) {
	if f := s.dataFile(path); f != nil {
		return sandbox.ReadSource(f.Files, f.Path, s.most)
	}
	if name, ok := script.DataName(path); ok {
		return "", s.missing(name)
	}
	return s.Folders.Read(path)
}

// Shown implements [script.Sources].
func (s *sources) Shown(path string) string {
	if f := s.dataFile(path); f != nil {
		return f.File
	}
	return path
}

// Mod implements [script.Sources].
func (s *sources) Mod(path string) string {
	if _, ok := script.DataName(path); ok {
		return ""
	}
	return s.Folders.Mod(path)
}

// missing returns the error for a name that no data file has.
func (s *sources) missing(name string) error {
	var known []string
	for _, f := range s.data {
		known = append(known, f.Name)
	}
	text := fmt.Sprintf("there is no data file %q", cut(name))
	near, ok := suggest.Closest(name, known)
	for _, f := range s.data { // its path is no name
		if !ok && strings.HasSuffix("/"+name, "/"+f.Path) {
			near, ok = f.Name, true
		}
	}
	switch {
	case ok:
		text += fmt.Sprintf("; did you mean %q?", near)
	case len(known) == 0:
		text += "; list it in the config: data: [{ name: waves, file: data/waves.csv }]"
	default:
		text += "; list it under data in the config"
	}
	return missingData(text)
}

// A missingData is about a data file that is not declared. It is an ecs.ErrUnknown.
type missingData string

func (e missingData) Error() string { return string(e) }

func (missingData) Unwrap() error { return ecs.ErrUnknown }

// compileData makes the unit of a data file.
func (r *Runtime) compileData(path, name, text string) (*script.Unit, error) {
	wrong := func(err error) error {
		e := &sandbox.Error{Pos: sandbox.Pos{File: name}, Message: err.Error(), Cause: err, Value: lua.LString(err.Error())}
		var at *DataError
		if errors.As(err, &at) {
			e.Pos.Line, e.Column = at.Line, at.Column
		}
		return e
	}
	if r.options.ParseData == nil {
		return nil, wrong(errors.New("this program reads no data files"))
	}
	v, err := r.options.ParseData(name, text)
	if err != nil {
		return nil, wrong(err)
	}
	return script.NewData(path, name, text, v)
}

// loadData reads all data files, so that what is wrong in them is found before frame 1. It returns one error for each.
func (r *Runtime) loadData() (errs []error) {
	for _, f := range r.sources.data {
		if _, err := r.scripts.Script(script.DataPath(f.Name)); err != nil {
			errs = append(errs, r.notLoaded("", err))
		}
	}
	return errs
}

// Data returns the table of a data file for ecs.data.
func (h host) Data(name string) (lua.LValue, error) {
	path := script.DataPath(name)
	if h.sources.dataFile(path) == nil && h.scripts.Lookup(path) == nil { // a restored script may have one that the config no longer lists
		return nil, h.sources.missing(name)
	}
	v, err := h.scripts.Data(path)
	if err != nil {
		return nil, fmt.Errorf("ecs.data(%q): %w", cut(name), err)
	}
	return v, nil
}

// missingData returns an error for each place of a file that names a data file which there is not.
func (r *Runtime) missingData(u *script.Unit) (errs []error) {
	for _, use := range u.DataUses {
		if r.sources.dataFile(script.DataPath(use.Name)) == nil {
			se := r.loadError(u.Path, "", "%w", r.sources.missing(use.Name))
			se.Line, se.Excerpt = use.Line, u.Code.Excerpt(use.Line)
			errs = append(errs, se)
		}
	}
	return errs
}
