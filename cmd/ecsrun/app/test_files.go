package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/inputs"
	"github.com/ecsrun/ecsrun/luabind/luatest"
)

const testSuffix = "_test.lua"

// isTest reports whether a file in a folder is a test file: one of ours, or a spec of busted.
func isTest(name string) bool {
	return strings.HasSuffix(name, testSuffix) || strings.HasSuffix(name, "_spec.lua")
}

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
			case !d.IsDir() && isTest(d.Name()):
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

// What a test may name in t.world. A config is named by a path from the test file, and may say where its scripts are:
// it belongs to the user. A folder of scripts that the test itself names lies in the folder of the test. So a test
// script reads nothing else. A file outside of that folder that is no config tells the test nothing, only that: messages
// about a config quote its keys and values.

var configEndings = []string{".yaml", ".yml", ".toml", ".json"}

// checkConfigPath refuses a config that a test must not read. path is that of configPath.
func checkConfigPath(spec luatest.WorldSpec, path string) error {
	switch {
	case spec.Config == "":
		return nil
	case filepath.IsAbs(filepath.FromSlash(spec.Config)):
		return fmt.Errorf("config: %q is an absolute path; name the config relative to the test file", spec.Config)
	case !slices.Contains(configEndings, strings.ToLower(filepath.Ext(path))):
		return fmt.Errorf("config: %q is no config file; its name ends in %s", spec.Config, strings.Join(configEndings, ", "))
	}
	_, err := files.Folder(filepath.Dir(path)).Stat(filepath.ToSlash(filepath.Base(path)))
	if errors.Is(err, files.ErrOutside) {
		return fmt.Errorf("config: %q must not be read: it is %w", spec.Config, files.ErrOutside)
	}
	return nil // what else is wrong is said when it is read
}

// testLoadProblems returns the problems of the config that a test names, as far as the test may see them: all of them if the config is in the folder of the test,
// if its scripts or mods are where the test is, or if it is right by itself and something that the test sets in it is not. Of any other file a test sees nothing.
func testLoadProblems(spec luatest.WorldSpec, err error) error {
	path, here := configPath(spec), filepath.Dir(filepath.FromSlash(spec.File.Name))
	if liesIn(filepath.Dir(path), here) {
		return testProblems(spec, err)
	}
	if _, missing := os.Stat(path); errors.Is(missing, fs.ErrNotExist) {
		return fmt.Errorf("config: there is no file %q", spec.Config)
	}
	c, problems := config.Inspect(path, config.Overrides{}) // what could be understood of it
	switch {
	case c == nil:
	case problems == nil,
		c.Scripts.Pos.Line > 0 && liesIn(here, c.Scripts.Dir),
		slices.ContainsFunc(c.Mods, func(m config.Mod) bool { return liesIn(here, m.Dir) }):
		return testProblems(spec, err)
	}
	return fmt.Errorf("config: %q lies outside of the folder of the test and is not valid; ecsrun check %s says why", spec.Config, filepath.ToSlash(path))
}

// checkTestFolder refuses a folder of scripts that the test itself names and that lies outside of its own folder.
func checkTestFolder(spec luatest.WorldSpec, c *config.Config) error {
	if spec.Config != "" || liesIn(c.Scripts.Dir, filepath.Dir(filepath.FromSlash(spec.File.Name))) {
		return nil
	}
	return fmt.Errorf("scripts: %q lies outside of the folder of the test; write a config that names it", c.Scripts.Dir)
}

// liesIn reports whether a folder is another one or lies in it, after links were followed. Of one that does not exist, the part
// that exists counts.
func liesIn(dir, root string) bool {
	below, err := filepath.Rel(real(root), real(dir))
	return err == nil && filepath.IsLocal(below)
}

// real returns the absolute path of a folder without links. What does not exist of it stays as it is.
func real(path string) string {
	at, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	for found, rest := at, ""; ; {
		if whole, err := filepath.EvalSymlinks(found); err == nil {
			return filepath.Join(whole, rest)
		}
		above := filepath.Dir(found)
		if above == found {
			return at
		}
		found, rest = above, filepath.Join(filepath.Base(found), rest)
	}
}

// t.world{ input = "play.jsonl" }: the lines of a file are done to the world of a test before the frames that they name.

// A testInput is the lines of the file, by frame.
type testInput struct {
	runtime *luabind.Runtime
	name    string // as the test has written it
	text    []byte
	lines   map[uint64][]inputs.Input
}

// testInputOf reads the file, which lies in the folder of the test. It returns nil if the test names none.
func testInputOf(spec luatest.WorldSpec, rt *luabind.Runtime, reading *reading) (func(frame uint64) error, error) {
	if spec.Input == "" {
		return nil, nil
	}
	folder, name := filepath.Dir(filepath.FromSlash(spec.File.Name)), path.Clean(spec.Input)
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("input: %q lies outside of the folder of the test; put the file beside the test", spec.Input)
	}
	reading.note(filepath.Join(folder, filepath.FromSlash(name)))
	text, err := fs.ReadFile(files.Folder(folder), name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("input: there is no file %q", spec.Input)
	case err != nil:
		return nil, fmt.Errorf("input: %w", err)
	}
	i := &testInput{runtime: rt, name: spec.Input, text: text}
	return i.before, nil
}

// before does the lines of a frame; for frame 0 it decodes all of them.
func (i *testInput) before(frame uint64) error {
	if frame == 0 {
		return i.decode()
	}
	for _, in := range i.lines[frame] {
		if in.Kind == inputs.Stop {
			i.runtime.World().Stop(in.Why)
			return nil
		}
		if _, err := in.Apply(context.Background(), i.runtime); err != nil {
			return fmt.Errorf("%s:%d: %w", i.name, in.Line, err)
		}
	}
	return nil
}

func (i *testInput) decode() error {
	i.lines = map[uint64][]inputs.Input{}
	d, lines := inputs.Decoder{World: i.runtime.World(), Systems: i.runtime.Schedule().Names(), File: i.name, Next: 1}, inputs.NewLines(bytes.NewReader(i.text))
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		in, ok, err := d.Decode(line)
		if err != nil {
			return err
		}
		if ok {
			i.lines[in.Frame] = append(i.lines[in.Frame], in)
		}
	}
}
