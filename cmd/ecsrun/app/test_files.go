package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind/luatest"
)

const testSuffix = "_test.lua"

// findTests returns the test files below the paths, sorted by name, without duplicates. A file that is named is a
// test file whatever its name. Hidden folders are skipped.
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
	list := make([]luatest.File, 0, len(names))
	for _, name := range slices.Compact(names) {
		list = append(list, testFile(name))
	}
	return list, nil
}

// testFile determines the folder from which a test requires its modules: the current folder, or for a file outside
// of it the folder of the file.
func testFile(name string) luatest.File {
	shown := filepath.ToSlash(name)
	at := realPath(name)
	if rel, err := filepath.Rel(filepath.Dir(realPath("x")), at); err == nil && filepath.IsLocal(rel) {
		return luatest.File{Name: shown, FS: files.Folder("."), Path: filepath.ToSlash(rel)}
	}
	// Outside of the current folder everything above the file is searched, so that a module in a folder in between
	// is found, too.
	root := filepath.VolumeName(at) + string(filepath.Separator)
	if rel, err := filepath.Rel(root, at); err == nil {
		return luatest.File{Name: shown, FS: files.Folder(root), Path: filepath.ToSlash(rel)}
	}
	return luatest.File{Name: shown, FS: files.Folder(filepath.Dir(at)), Path: filepath.Base(at)}
}

// realPath returns the absolute path of a file after resolving the links in the path of its folder. The file
// itself may be a link.
func realPath(name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return filepath.Clean(name)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return abs
	}
	return filepath.Join(dir, filepath.Base(abs))
}

// missingPath returns the error for a path that does not exist.
func missingPath(p string) error {
	dir := filepath.Dir(p)
	if near, ok := suggest.Closest(filepath.Base(p), entries(files.Folder(dir), ".")); ok {
		return usageError("no file or folder %q; did you mean %q?", p, filepath.Join(dir, near))
	}
	return usageError("no file or folder %q", p)
}
