package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/config/suggest"
)

// This file has the ways to read a config, and the order of the steps: read the bytes, parse them into nodes,
// decode them (body.go), apply overrides (override.go, layer.go), check the items (check.go). Problems of all
// steps are collected in one report.

// A Format is the notation of a config file.
type Format string

// The formats.
const (
	YAML Format = "yaml"
	TOML Format = "toml"
	JSON Format = "json"
)

// FormatOf returns the format for the extension of a path: .toml, .json, and YAML for all others.
func FormatOf(path string) Format {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".toml":
		return TOML
	case ".json":
		return JSON
	}
	return YAML
}

// maxSize is the largest size of a file, in bytes. The config of the arena has 5 KB.
const maxSize = 1 << 20

// Load reads the config at path, with its overrides. If anything is wrong, the error is Problems, with everything
// that is wrong, and the config is nil. A file that cannot be read is a problem without a line.
func Load(path string, o Overrides) (*Config, error) {
	c, err := Inspect(path, o)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Parse reads a config from memory, without overrides. The name is used in positions, and Scripts.Dir starts from
// its folder. No file is opened: the mods that the config lists are not read, and [Config.ModsRead] says so.
func Parse(name string, data []byte, format Format) (*Config, error) {
	return ParseWith(name, data, format, Overrides{})
}

// ParseWith is Parse with overrides.
func ParseWith(name string, data []byte, format Format, o Overrides) (*Config, error) {
	c, err := inspect(name, data, format, o, false)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Inspect is Load for callers that want to find further problems after the first stage that fails. Beside Problems
// it returns what could be understood, with defaults for the rest, or nil if nothing could. Such a config is good
// for finding more problems, not for a run.
func Inspect(path string, o Overrides) (*Config, error) {
	data, problem := read(path)
	if problem != nil {
		return nil, Problems{problem}
	}
	return inspect(path, data, FormatOf(path), o, true)
}

// inspect reads a config from memory. mods says whether the mods that it lists are read from disk.
func inspect(name string, data []byte, format Format, o Overrides, mods bool) (*Config, error) {
	d := &decoder{where: map[string]Pos{}}
	root := d.parse(name, data, format, "config", "version: 1")
	if root == nil {
		return nil, d.problems.err()
	}
	c := Default()
	c.file = name
	c.Scripts.Dir = filepath.Dir(name)
	l := layers{file: map[string]any{}, env: map[string]any{}, set: map[string]any{}, flags: map[string]any{}}
	c.modsDir = beside(name, defaultModsDir)
	d.body(root, c, l.file)
	for _, arg := range o.Set {
		d.setFirst(arg, c)
	}
	c.unread = !mods
	if mods {
		d.mods(c)
	}
	d.environment(o.Env, c, l.env)
	for _, arg := range o.Set {
		d.set(arg, c, l.set)
	}
	if o.Frames != nil {
		l.flags["run.frames"] = *o.Frames
		d.mark("run.frames", Pos{File: "--frames"})
	}
	if o.Seed != nil {
		l.flags["run.seed"] = *o.Seed
		d.mark("run.seed", Pos{File: "--seed"})
	}
	d.layerFiles(c, mods)
	l.fill(c)
	c.where, c.items = d.where, d.items
	c.check(&d.report)
	if len(c.Mods) > 0 && d.problems == nil {
		c.Systems = running(c.Systems)
	}
	return c, d.problems.err()
}

// parse builds the tree of a document, or reports why it cannot. what is what the document is, and begin how one begins, for messages.
func (d *decoder) parse(name string, data []byte, format Format, what, begin string) *node {
	before := len(d.problems)
	data = []byte(strings.TrimPrefix(string(data), "\ufeff")) // a byte order mark, and a copy of our own
	start := Pos{File: name, Line: 1, Column: 1}
	if len(data) > maxSize {
		d.add(Pos{File: name}, "", "the file is larger than 1 MiB", "is it a "+what+"?")
		return nil
	}
	if !utf8.Valid(data) {
		valid := 0
		for valid < len(data) {
			r, size := utf8.DecodeRune(data[valid:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			valid += size
		}
		d.add(newText(name, data).at(valid), "", "not UTF-8 text", "save the file as UTF-8")
		return nil
	}
	if strings.EqualFold(filepath.Ext(name), ".lua") {
		d.add(Pos{File: name}, "", "this is a Lua script, no "+what, "name the config that lists it")
		return nil
	}
	var root *node
	switch {
	case len(strings.TrimSpace(string(data))) == 0:
	case format == TOML:
		root = parseTOML(&d.report, name, data)
	case format == JSON:
		root = parseJSON(&d.report, name, data)
	case format == YAML:
		root = parseYAML(&d.report, name, data)
	default:
		d.add(Pos{File: name}, "", fmt.Sprintf("unknown format %q", format), "use yaml, toml or json")
	}
	switch {
	case len(d.problems) > before:
		return nil
	case root == nil || root.kind == kindNull, root.kind == kindMapping && len(root.entries) == 0:
		d.add(start, "", "the "+what+" is empty", "begin with "+begin)
		return nil
	case root.kind != kindMapping:
		d.add(root.pos, "", "a "+what+" is a mapping, this is "+root.describe(), "begin with "+begin)
		return nil
	}
	return root
}

// read returns the bytes of a file, at most maxSize+1 of them.
func read(path string) ([]byte, *Problem) {
	fail := func(message, hint string) ([]byte, *Problem) {
		return nil, &Problem{Pos: Pos{File: path}, Message: message, Hint: hint}
	}
	info, err := os.Stat(path)
	switch {
	case path == "":
		return fail("no config file named", "name one, as in config/arena.yaml")
	case errors.Is(err, fs.ErrNotExist):
		return fail("no such file", missingHint(path))
	case err == nil && info.IsDir():
		return fail("this is a folder", "name the config file in it"+firstConfig(path))
	}
	f, err := files.Open(path)
	switch {
	case errors.Is(err, files.ErrNotRegular):
		return fail("not a regular file", "a pipe or a device cannot be a config; write it to a file")
	case err != nil:
		return fail("cannot be read: "+cause(err), "check its permissions")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return fail("cannot be read: "+cause(err), "check the disk and its permissions")
	}
	return data, nil
}

// cause returns the error without operation and path, because the problem names them.
func cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// missingHint returns a hint with a file beside the missing one that has a similar name.
func missingHint(path string) string {
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Sprintf("there is no folder %q either", dir)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if near, ok := suggest.Closest(filepath.Base(path), names); ok {
		return fmt.Sprintf("did you mean %q?", filepath.Join(dir, near))
	}
	return "check the path"
}

// firstConfig returns the first config in a folder, for a hint.
func firstConfig(dir string) string {
	entries, _ := os.ReadDir(dir) // sorted by name
	for _, e := range entries {
		switch strings.ToLower(filepath.Ext(e.Name())) {
		case ".yaml", ".yml", ".toml", ".json":
			return fmt.Sprintf(", as in %q", filepath.Join(dir, e.Name()))
		}
	}
	return ""
}
