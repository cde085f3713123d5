package app

import (
	"fmt"
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
