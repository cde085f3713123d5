package app

import (
	"errors"
	"io/fs"
	"maps"
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
// test file whatever its name, but for a config. Hidden folders are skipped.
func findTests(paths []string) ([]luatest.File, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	under := map[string]string{} // by test file: the folder that was named, or that of the file that was named
	add := func(name, folder string) {
		name = filepath.Clean(name)
		if known, ok := under[name]; !ok || len(folder) < len(known) {
			under[name] = folder
		}
	}
	for _, p := range paths {
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, missingPath(p)
		case err != nil:
			return nil, usageError("%w", err)
		case !info.IsDir() && slices.Contains([]string{".yaml", ".yml", ".toml", ".json"}, filepath.Ext(p)):
			return nil, usageError("%s is no test file: tests are in files *%s; to run a world, write ecsrun run %s", p, testSuffix, p)
		case !info.IsDir():
			add(p, filepath.Dir(p))
			continue
		}
		err = filepath.WalkDir(p, func(at string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && at != p && strings.HasPrefix(d.Name(), "."):
				return filepath.SkipDir
			case !d.IsDir() && strings.HasSuffix(d.Name(), testSuffix):
				add(at, p)
			}
			return nil
		})
		if err != nil {
			return nil, usageError("%w", err)
		}
	}
	list := make([]luatest.File, 0, len(under))
	for _, name := range slices.Sorted(maps.Keys(under)) {
		list = append(list, testFile(name, under[name]))
	}
	return list, nil
}

// testFile determines the folder from which a test requires its modules: the current folder or the folder that the command
// names, whichever has the file; if both have it, the one around the other. Nothing above that folder is read.
func testFile(name, folder string) luatest.File {
	shown, at := filepath.ToSlash(name), realPath(name)
	dir := filepath.Dir(at)
	for _, root := range []string{filepath.Dir(realPath("x")), filepath.Dir(realPath(filepath.Join(folder, "x")))} {
		if rel, err := filepath.Rel(root, at); err == nil && filepath.IsLocal(rel) && len(root) < len(dir) {
			dir = root
		}
	}
	rel, err := filepath.Rel(dir, at)
	if err != nil {
		dir, rel = filepath.Dir(at), filepath.Base(at)
	}
	return luatest.File{Name: shown, FS: files.Folder(dir), Path: filepath.ToSlash(rel)}
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
