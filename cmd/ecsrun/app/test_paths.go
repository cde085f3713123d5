package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/luabind/luatest"
)

// What a test may name in t.world. A config is named by a path from the test file, and may say where its scripts are:
// it belongs to the user. A folder of scripts that the test itself names lies in the folder of the test. So a test
// script reads nothing else. A file outside of that folder that is no config tells the test nothing, only that: messages
// about a config quote its keys and values.

// configEndings are the endings of configs.
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
