package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/luabind/luatest"
)

// What a test may name in t.world. A config is named by a path from the test file, and may say where its scripts are:
// it belongs to the user. A folder of scripts that the test itself names lies in the folder of the test. So a test
// script reads nothing else.

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
