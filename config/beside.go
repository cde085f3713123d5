package config

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// This file reads the paths of files that a config or a mod names. They lie below its folder.

// beside returns a path that a file names, from the folder of that file.
func beside(file, path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	return filepath.Clean(path)
}

// A fileKind says which files a key may name.
type fileKind struct {
	endings []string
	example string
	hint    string // for a file with another ending
}

var (
	layerFiles = fileKind{[]string{".csv", ".pgm"}, "maps/ground.csv", "write rows of numbers with commas, or a grey image in the format PGM"}
	dataFiles  = fileKind{[]string{".csv", ".json", ".yaml", ".yml", ".toml", ".txt"}, "data/waves.csv", "write a table in one of these formats, or lines of text"}
)

// fileBeside reads the path of a file that lies below the folder of the config or mod that names it: as written, and the path to open.
func (d *decoder) fileBeside(n *node, at, config string, kind fileKind) (written, file string) {
	hint := fmt.Sprintf("write it relative to the folder of this file, as in %q", kind.example)
	s := d.str(n, at, hint)
	clean := path.Clean(s)
	switch {
	case s == "":
	case strings.Contains(s, `\`):
		d.add(n.pos, at, fmt.Sprintf("file %q has a backslash", s), fmt.Sprintf("write %q", strings.ReplaceAll(s, `\`, "/")))
	case path.IsAbs(s) || slices.Contains(strings.Split(clean, "/"), ".."):
		d.add(n.pos, at, fmt.Sprintf("file %q leaves the folder", s), hint)
	case !slices.Contains(kind.endings, strings.ToLower(path.Ext(s))):
		d.add(n.pos, at, fmt.Sprintf("file %q is %s", s, neither(kind.endings)), kind.hint)
	default:
		return s, beside(config, clean)
	}
	return s, ""
}

// neither returns "neither .csv nor .pgm".
func neither(endings []string) string {
	last := len(endings) - 1
	if last == 1 {
		return "neither " + endings[0] + " nor " + endings[1]
	}
	return "none of " + strings.Join(endings[:last], ", ") + " and " + endings[last]
}
