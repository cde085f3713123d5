package script

import (
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Data files are scripts without code: a file is read, kept, compared, saved and replaced as a script is, and its module is a frozen table. Code that reads one
// uses it as code that requires a file does, so a changed file replaces that code.

const dataPrefix = "data:"

// DataPath returns the path of the data file with a name among the sources.
func DataPath(name string) string { return dataPrefix + name }

// DataName returns the name of a data file; false for the path of a script.
func DataName(path string) (name string, ok bool) { return strings.CutPrefix(path, dataPrefix) }

// NewData makes the unit of a data file from its text, and what the text says.
func NewData(path, name, text string, v ecs.Value) (*Unit, error) {
	code, err := sandbox.Compile(name, "")
	if err != nil {
		return nil, err
	}
	code.Source = text
	return (&Unit{Path: path, Code: code, Data: &v}).own(), nil
}

// Data returns the frozen table of a data file, which is made at the first call. It notes that the running code uses the file. The error is that of [Set.Script].
func (s *Set) Data(path string) (lua.LValue, error) {
	set := s.mods.set
	of, err := set.Script(path)
	if err != nil {
		return nil, err
	}
	set.noted(path)
	if of.module == nil {
		module := set.instance(of)
		if err := module.Load(); err != nil {
			return nil, err
		}
		set.SetModule(module)
	}
	return of.module.value, nil
}

// Remove takes a data file out of the set.
func (s *Set) Remove(path string) { delete(s.scripts, path) }

// A DataUse is a place where a file reads a data file by a name that is known.
type DataUse struct {
	Name string
	Line int
}
