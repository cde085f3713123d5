package luatest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// ecs.data in a test file, and in what it requires: no config lists data files there, so a name means the file that is called like
// this. It is looked for as a module is, also in the folder data.

var dataEndings = []string{".csv", ".json", ".yaml", ".yml", ".toml", ".txt"}

// Data implements [surface.DataHost].
func (h testHost) Data(name string) (lua.LValue, error) {
	v, err := h.scripts.Data(script.DataPath(name))
	var unread *script.ReadError
	if errors.As(err, &unread) && errors.As(unread.Err, new(*script.MissingError)) {
		err = unread.Err
	}
	if err != nil {
		return nil, fmt.Errorf("ecs.data(%q): %w", name, err)
	}
	return v, nil
}

// dataFile returns the path of the data file that a name means: itself a path, if it has an ending.
func (s sources) dataFile(name string) (string, error) {
	var known []string
	for dir := path.Dir(s.file.Path); ; dir = path.Dir(dir) {
		for _, folder := range []string{dir, path.Join(dir, "data")} {
			for _, ending := range append([]string{""}, dataEndings...) {
				at := path.Join(folder, name+ending)
				if !fs.ValidPath(at) || ending == "" && !slices.Contains(dataEndings, path.Ext(name)) {
					continue
				}
				if info, err := fs.Stat(s.file.FS, at); err == nil && !info.IsDir() {
					return at, nil
				}
			}
			list, _ := fs.ReadDir(s.file.FS, folder) // nothing to suggest from a folder that cannot be read
			for _, e := range list {
				if ending := path.Ext(e.Name()); slices.Contains(dataEndings, ending) {
					known = append(known, strings.TrimSuffix(e.Name(), ending))
				}
			}
		}
		if dir == "." || dir == "/" {
			break
		}
	}
	text := fmt.Sprintf("no file %s.csv, .json, .yaml, .toml or .txt in the folder of the test file or above it, nor in a folder data there", name)
	if near, ok := suggest.Closest(name, known); ok {
		text = fmt.Sprintf("no such file; did you mean %q?", near)
	}
	return "", &script.MissingError{Text: text}
}

// compileData makes the unit of a data file.
func (s *suite) compileData(at, name, text string) (*script.Unit, error) {
	err := errors.New("this program reads no data files")
	if s.o.ParseData != nil {
		v, wrong := s.o.ParseData(name, text)
		if wrong == nil {
			return script.NewData(at, name, text, v)
		}
		err = wrong
	}
	e := &sandbox.Error{Pos: sandbox.Pos{File: name}, Message: err.Error(), Cause: err, Value: lua.LString(err.Error())}
	var place *luabind.DataError
	if errors.As(err, &place) {
		e.Pos.Line, e.Column = place.Line, place.Column
	}
	return nil, e
}
