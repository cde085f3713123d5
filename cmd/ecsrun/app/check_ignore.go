package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/suggest"
)

// Comments that silence warnings: -- ecs: ignore W101, W301 in Lua, # ecs: ignore W401 in YAML and TOML. They hold for
// their line. Text behind the codes is a reason.

var ignoreComment = map[string]*regexp.Regexp{
	".lua":  regexp.MustCompile(`--.*?\becs:\s*ignore\b(.*)$`),
	".yaml": regexp.MustCompile(`(?:^|\s)#.*?\becs:\s*ignore\b(.*)$`),
}

var ignoredCodes = regexp.MustCompile(`^[\s,]*([A-Z]\d+)`)

// An ignored is a code that a comment silences.
type ignored struct {
	file string
	line int
	code string // "": the comment names none
	used bool
}

// ignore removes the warnings that comments silence, and adds one for each comment that silences nothing. scripts are
// the files that were loaded.
func (f *findings) ignore(c *config.Config, scripts []string) {
	files := []string{f.config}
	for _, m := range c.Mods {
		files = append(files, filepath.Join(m.Dir, "mod.yaml"))
	}
	for _, path := range scripts {
		files = append(files, c.ScriptFile(path))
	}
	var list []*ignored
	for _, file := range files {
		list = append(list, ignoresOf(file)...)
	}
	f.list = slices.DeleteFunc(f.list, func(x finding) bool {
		gone := false
		for _, one := range list {
			if x.code[0] == 'W' && one.code == x.code && one.line == x.pos.Line && filepath.Clean(one.file) == filepath.Clean(x.pos.File) {
				one.used, gone = true, true
			}
		}
		return gone
	})
	for _, one := range list {
		pos := config.Pos{File: one.file, Line: one.line}
		known := keys(codesOf)
		switch _, ok := codesOf[one.code]; {
		case one.used:
		case one.code == "":
			f.warning("W901", pos, "this comment names no code, so it silences nothing", "write -- ecs: ignore W101")
		case !ok:
			fix := "docs/check.md lists the codes"
			if near, ok := suggest.Closest(one.code, known); ok {
				fix = fmt.Sprintf("did you mean %s?", near)
			}
			f.warning("W901", pos, fmt.Sprintf("there is no code %s", one.code), fix)
		case one.code[0] == 'E':
			f.warning("W901", pos, fmt.Sprintf("%s is a mistake, which no comment silences", one.code), "mend it")
		default:
			f.warning("W901", pos, fmt.Sprintf("there is no %s on this line, so this comment silences nothing", one.code), "remove it")
		}
	}
}

// ignoresOf finds the comments in a file. A file that cannot be read has none: loading it has said so.
func ignoresOf(file string) []*ignored {
	kind := filepath.Ext(file)
	if kind == ".yml" || kind == ".toml" {
		kind = ".yaml"
	}
	pattern := ignoreComment[kind]
	if pattern == nil {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var out []*ignored
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		m := pattern.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		rest, found := m[1], false
		for {
			code := ignoredCodes.FindStringSubmatch(rest)
			if code == nil {
				break
			}
			found, rest = true, rest[len(code[0]):]
			out = append(out, &ignored{file: file, line: n, code: code[1]})
		}
		if !found {
			out = append(out, &ignored{file: file, line: n})
		}
	}
	return out
}

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
