package luatest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// sources find the modules that a test file requires: in the nearest folder that has them, that of the test file
// or one above it, also in src and as name/init.lua, as busted looks. So a test finds the same modules as the scripts, wherever it lies in the script folder. Paths
// are those of the file system that holds the test file.
type sources struct{ file File }

// Shown implements [script.Sources]. It names files as the test file is named: relative to the folder in which the
// command was run.
func (s sources) Shown(file string) string {
	if name, ok := script.DataName(file); ok {
		at, err := s.dataFile(name)
		if err != nil {
			return name
		}
		file = at
	}
	if prefix, ok := strings.CutSuffix(s.file.Name, s.file.Path); ok {
		return prefix + file
	}
	if file == s.file.Path {
		return s.file.Name
	}
	return file
}

// Read implements [script.Sources].
func (s sources) Read(file string) (string, error) {
	if name, ok := script.DataName(file); ok {
		at, err := s.dataFile(name)
		if err != nil {
			return "", err
		}
		file = at
	}
	return sandbox.ReadSource(s.file.FS, file, 0)
}

// Mod implements [script.Sources]. The test file has an environment, and all that it requires have another one: see openScope and share.
func (s sources) Mod(file string) string {
	if file == s.file.Path {
		return ""
	}
	return "required"
}

// Module implements [script.Sources].
func (s sources) Module(name, _ string) (string, error) {
	for part := range strings.SplitSeq(name, ".") {
		if part == "" || strings.ContainsAny(part, `/\`) {
			return "", fmt.Errorf("require %q: folders are separated by single dots, as in %q", name, "lib.prose")
		}
	}
	file, whole := strings.ReplaceAll(name, ".", "/")+".lua", strings.ReplaceAll(name, ".", "/")+"/init.lua"
	var known []string
	var unreadable error
	for dir := path.Dir(s.file.Path); ; dir = path.Dir(dir) {
		for _, form := range []string{file, whole, "src/" + file, "src/" + whole} {
			at := path.Join(dir, form)
			info, err := fs.Stat(s.file.FS, at)
			switch wrong := (*fs.PathError)(nil); {
			case err == nil && !info.IsDir():
				return at, nil
			case unreadable == nil && errors.As(err, &wrong) && !sandbox.NoFile(err) && form == file:
				unreadable = &script.ReadError{Shown: s.Shown(at), Err: wrong.Err}
			}
		}
		known = append(known, modulesIn(s.file.FS, path.Dir(path.Join(dir, file)), name)...)
		if dir == "." || dir == "/" {
			break
		}
	}
	if unreadable != nil {
		return "", fmt.Errorf("require %q: %w", name, unreadable)
	}
	return "", &script.MissingError{Text: fmt.Sprintf("require %q: no %s in the folder of the test file or above it", name, file), Known: known}
}

// modulesIn returns what a folder contains, in the form of module names like the one that is searched for.
func modulesIn(fsys fs.FS, dir, like string) []string {
	prefix := ""
	if i := strings.LastIndexByte(like, '.'); i >= 0 {
		prefix = like[:i+1]
	}
	list, _ := fs.ReadDir(fsys, dir) // nothing to suggest from a folder that cannot be read
	var names []string
	for _, e := range list {
		if base, ok := strings.CutSuffix(e.Name(), ".lua"); ok {
			names = append(names, prefix+base)
		}
	}
	return names
}
