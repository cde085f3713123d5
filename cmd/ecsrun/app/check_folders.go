package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Which configs the arguments of check name.

// isConfig recognizes a config among the other files of a folder: version 1 and a list of systems, at the top.
var isConfig = map[string]*regexp.Regexp{
	".yaml": regexp.MustCompile(`(?s)(^|\n)version\s*:\s*1\s*(#[^\n]*)?(\n.*)?\nsystems\s*:|(^|\n)systems\s*:.*\nversion\s*:\s*1\s*(\n|#|$)`),
	".toml": regexp.MustCompile(`(?s)(^|\n)version\s*=\s*1\s*(#[^\n]*)?\n.*\n\[\[systems\]\]|(^|\n)version\s*=\s*1\s*(#[^\n]*)?\n(.*\n)?systems\s*=`),
	".json": regexp.MustCompile(`(?s)"version"\s*:\s*1\s*[,}].*"systems"\s*:\s*\[|"systems"\s*:\s*\[.*"version"\s*:\s*1\s*[,}]`),
}

// configsIn returns the files that are named, and the configs in the folders that are named, each once, in the order of
// the arguments and sorted in a folder. Folders called testdata, or with a dot in front, are passed over, and so are manifests of
// mods.
func configsIn(args []string) ([]string, error) {
	var out []string
	add := func(path string) {
		if !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			add(arg) // a file that does not exist is a finding
			continue
		}
		before := len(out)
		err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != arg && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
				return fs.SkipDir
			case d.Type().IsRegular() && looksLikeConfig(path):
				add(path)
			}
			return nil
		})
		if err != nil {
			return nil, usageError("%w", pathError(err))
		}
		if len(out) == before {
			return nil, usageError("no config in %q; a config has version: 1 and systems:", arg)
		}
	}
	return out, nil
}

// looksLikeConfig reports whether a file in a folder is a config.
func looksLikeConfig(path string) bool {
	kind := filepath.Ext(path)
	if kind == ".yml" {
		kind = ".yaml"
	}
	pattern := isConfig[kind]
	if pattern == nil || strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) == "mod" {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && pattern.Match(text)
}

// pathError makes the text of an error of the file system short.
func pathError(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return errors.New(p.Path + ": " + p.Err.Error())
	}
	return err
}
