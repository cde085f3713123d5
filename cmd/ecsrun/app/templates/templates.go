// Package templates holds the projects that ecsrun init writes. A template is a folder of files; the tutorial, the arena and the gallery are the worlds that ship with ecsrun.
package templates

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun"
)

// A File of a new project.
type File struct {
	Path string // relative to the folder of the project, with slashes
	Text string
}

// Names lists the templates; the first is the default.
var Names = append([]string{"empty", "tutorial", "arena", "mod", "go"}, Gallery...)

// Gallery lists the worlds of docs/gallery.md, which are templates by their names.
var Gallery = []string{"life", "flock", "predators", "fountain", "crafting", "guards", "tower", "duel", "segregation", "wolves", "epidemic", "wires", "bullets", "dungeon"}

// The names of files begin with "dot-" for a dot, because a .gitignore would apply here, and end with ".txt" for a go.mod, because it would make a module here.
//
//go:embed common empty go mod
var folders embed.FS

// schemaLine tells yaml-language-server where the schema is.
const schemaLine = "# yaml-language-server: $schema=types/config.schema.json\n"

// Files returns the files of a template, sorted by path. version is the version of ecsrun that its CI installs.
func Files(name, version string) ([]File, error) {
	if !slices.Contains(Names, name) {
		return nil, fmt.Errorf("there is no template %q", name)
	}
	out := folder("common")
	switch {
	case name == "tutorial":
		out = append(out, shipped("tutorial", "scripts/tutorial")...)
	case name == "arena":
		out = append(out, shipped("arena", "scripts/arena", "scripts/lib", "scripts/mods")...)
	case slices.Contains(Gallery, name):
		out = append(out, shipped("gallery/"+name, "scripts/gallery/"+name, "scripts/lib/canvas.lua")...)
	default:
		out = append(out, folder(name)...)
	}
	for i := range out {
		f := &out[i]
		f.Text = strings.ReplaceAll(f.Text, "{{version}}", version)
		if path.Ext(f.Path) == ".yaml" && !strings.Contains(f.Path, "/") {
			f.Text = schemaLine + f.Text
		}
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// folder returns the files of an embedded folder.
func folder(name string) []File {
	var out []File
	walk(folders, name, func(p, text string) {
		p = strings.TrimSuffix(strings.TrimPrefix(p, name+"/"), ".txt")
		if rest, hidden := strings.CutPrefix(p, "dot-"); hidden {
			p = "." + rest
		}
		out = append(out, File{p, text})
	})
	return out
}

// shipped returns a world that ships with ecsrun: its config as config.yaml, and its scripts. In the repository the config lies in a folder beside the scripts,
// here it lies above them, so the paths in it, and those in the tests, change.
func shipped(name string, scripts ...string) []File {
	config := "config/" + name + ".yaml"
	replace := strings.NewReplacer("../../"+config, "../../config.yaml", config, "config.yaml", "scripts: ../../scripts", "scripts: scripts", "scripts: ../scripts", "scripts: scripts", "mods_dir: ../scripts", "mods_dir: scripts")
	var out []File
	add := func(p, text string) { out = append(out, File{p, replace.Replace(text)}) }
	walk(ecsrun.Worlds, config, func(_, text string) { add("config.yaml", text) })
	if files := strings.TrimSuffix(config, ".yaml"); holds(ecsrun.Worlds, files) { // those that the config names
		walk(ecsrun.Worlds, files, func(p, text string) { out = append(out, File{path.Base(files) + strings.TrimPrefix(p, files), text}) })
	}
	for _, s := range scripts {
		walk(ecsrun.Worlds, s, add)
	}
	return out
}

// holds reports whether there is such a file or folder.
func holds(files embed.FS, p string) bool {
	_, err := fs.Stat(files, p)
	return err == nil
}

// walk calls yield for each file of an embedded folder.
func walk(files embed.FS, root string, yield func(p, text string)) {
	err := fs.WalkDir(files, root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, p)
		if err == nil {
			yield(p, string(text))
		}
		return err
	})
	if err != nil {
		panic("templates: " + err.Error()) // the files are in the program
	}
}
