package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind/luatest"
)

const testSuffix = "_test.lua"

// findTests lists the test files under the paths, sorted by name, each once. A file that is named is taken whatever it is called. Hidden
// folders are passed over.
func findTests(paths []string) ([]luatest.File, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var names []string
	for _, p := range paths {
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, missingPath(p)
		case err != nil:
			return nil, usageError("%w", err)
		case !info.IsDir():
			names = append(names, filepath.Clean(p))
			continue
		}
		err = filepath.WalkDir(p, func(at string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && at != p && strings.HasPrefix(d.Name(), "."):
				return filepath.SkipDir
			case !d.IsDir() && strings.HasSuffix(d.Name(), testSuffix):
				names = append(names, filepath.Clean(at))
			}
			return nil
		})
		if err != nil {
			return nil, usageError("%w", err)
		}
	}
	slices.Sort(names)
	files := make([]luatest.File, 0, len(names))
	for _, name := range slices.Compact(names) {
		files = append(files, testFile(name))
	}
	return files, nil
}

// testFile says from which folder on a test finds its modules: the current one, or that of a file which lies elsewhere.
func testFile(name string) luatest.File {
	shown := filepath.ToSlash(name)
	if filepath.IsLocal(name) {
		return luatest.File{Name: shown, FS: os.DirFS("."), Path: shown}
	}
	// Outside the current folder: all that is above it, so that a module in a folder between is found as well.
	root := filepath.VolumeName(name) + string(filepath.Separator)
	if abs, err := filepath.Abs(name); err == nil {
		if rel, err := filepath.Rel(root, abs); err == nil {
			return luatest.File{Name: shown, FS: os.DirFS(root), Path: filepath.ToSlash(rel)}
		}
	}
	return luatest.File{Name: shown, FS: os.DirFS(filepath.Dir(name)), Path: filepath.Base(name)}
}

// missingPath is the error of a path that is not there.
func missingPath(p string) error {
	dir := filepath.Dir(p)
	if near, ok := suggest.Closest(filepath.Base(p), entries(os.DirFS(dir), ".")); ok {
		return usageError("no file or folder %q; did you mean %q?", p, filepath.Join(dir, near))
	}
	return usageError("no file or folder %q", p)
}
