package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// This file reads what a config says of mods: which ones, in which versions, and where they are. manifest.go reads the mods themselves, resolve.go finds out
// which of them are in use and in which order, and merge.go puts what they declare into the config.

// A Mod is a mod in use: a folder with a manifest, mod.yaml, that adds declarations and systems.
type Mod struct {
	Name    string
	Version string   // as in its manifest
	Dir     string   // its folder
	Scripts string   // the folder of its scripts
	Depends []string // the mods in use whose exports it may require: its dependencies, then the optional ones
	Exports []string // modules that other mods may require, by their names in the folder of the scripts
	Needed  []string // the mods that depend on it
	Listed  bool     // the config lists it; otherwise it is there because another mod depends on it
	Adds    Adds
	Pos     Pos // the start of its manifest
}

// Adds counts what a mod adds to the config: systems, and declarations that neither the config nor an earlier mod has made.
type Adds struct{ Components, Tags, Relations, Events, Resources, Layers, Data, States, Indexes, Prefabs, Systems int }

// A listedMod is an entry of mods.
type listedMod struct {
	need
	off bool
}

// EarlierVersion reports whether a version of a mod comes before another one, as semver orders them. It is false for what is
// no version.
func EarlierVersion(version, than string) bool {
	a, errA := semver.NewVersion(version)
	b, errB := semver.NewVersion(than)
	return errA == nil && errB == nil && a.LessThan(b)
}

// defaultModsDir is the folder of the mods, relative to the config.
const defaultModsDir = "mods"

// modName is what a mod may be called: a word, because its name is the first part of module names and of paths.
func (d *decoder) modName(n *node, path string) string {
	name := d.str(n, path, "write the name of a mod, as in poison")
	if name != "" && !modWord.MatchString(name) {
		d.add(n.pos, path, fmt.Sprintf("%q is not a name for a mod", clip(name)), "a mod has letters, digits, _ and - in its name, and no digit first")
		return ""
	}
	return name
}

func (d *decoder) modsDir(n *node, at string, c *Config) {
	if s := d.str(n, at, "write the folder of the mods, relative to this file"); s != "" {
		c.modsDir = beside(c.file, s)
	}
}

// listedMod reads an entry of mods: a name, or { mod, version, enabled }.
func (d *decoder) listedMod(n *node, path string) listedMod {
	var m listedMod
	d.named(n, path, &m.need, d.listedModKeys(&m))
	return m
}

func (d *decoder) listedModKeys(m *listedMod) []key {
	return append(d.needKeys(&m.need), key{"enabled", false, func(n *node, path string) {
		if on, ok := d.truth(n, path); ok {
			m.off = !on
		}
	}})
}

// constraint reads a range of versions.
func (d *decoder) constraint(n *node, path string) (string, *semver.Constraints) {
	const hint = `write a range in quotes, as in "^1.2" or ">=1.2, <3"`
	text := d.str(n, path, hint)
	if text == "" {
		return "", nil
	}
	c, err := semver.NewConstraint(text)
	if err != nil {
		d.add(n.pos, path, fmt.Sprintf("%q is not a range of versions", clip(text)), hint)
		return "", nil
	}
	return text, c
}

// setMod handles --set mods.NAME.enabled=BOOL. It is applied before the mods are read.
func (d *decoder) setMod(rest string, n *node, c *Config) {
	name, last, _ := strings.Cut(rest, ".")
	i := slices.IndexFunc(c.listed, func(m listedMod) bool { return m.name == name })
	switch {
	case i < 0:
		var names []string
		for _, m := range c.listed {
			names = append(names, m.name)
		}
		d.add(n.pos, "", fmt.Sprintf("no mod %q in the config", clip(name)), d.meant(name, "mods", names))
	case last != "enabled":
		d.add(n.pos, "", fmt.Sprintf("unknown key %q", clip(last)), "of a mod, --set reaches mods.NAME.enabled")
	default:
		if on, ok := d.truth(n, c.listed[i].path+".enabled"); ok {
			c.listed[i].off = !on
		}
	}
}

// ModsOff returns the mods that the config lists and has switched off.
func (c *Config) ModsOff() []string {
	var out []string
	for _, m := range c.listed {
		if m.off && m.name != "" {
			out = append(out, m.name)
		}
	}
	return out
}

// off reports whether a name belongs to a mod that the config lists and has switched off.
func (c *Config) off(name string) bool {
	mod, _, dotted := strings.Cut(name, ".")
	return dotted && slices.ContainsFunc(c.listed, func(m listedMod) bool { return m.name == mod && m.off })
}

// listedUnread reports whether a name belongs to a mod that the config lists, but that was not read.
func (c *Config) listedUnread(name string) bool {
	mod, _, dotted := strings.Cut(name, ".")
	return c.unread && dotted && slices.ContainsFunc(c.listed, func(m listedMod) bool { return m.name == mod })
}

// ModsRead returns a problem if the config lists mods that were not read, because it came from memory: Load reads them. It is nil otherwise.
func (c *Config) ModsRead() *Problem {
	if !c.unread || !slices.ContainsFunc(c.listed, func(m listedMod) bool { return !m.off }) {
		return nil
	}
	return c.Problem("mods", "the mods were not read, because the config was parsed from memory", "use config.Load")
}

// ScriptFile returns the path of a script: file is its name in messages and in System.Script, "movement.lua", or "poison/tick.lua" for a script of the mod
// poison. A data file has its path in messages.
func (c *Config) ScriptFile(file string) string {
	if slices.ContainsFunc(c.Data, func(v Data) bool { return v.File == file }) {
		return file // messages show its path
	}
	if first, rest, ok := strings.Cut(file, "/"); ok {
		if i := slices.IndexFunc(c.Mods, func(m Mod) bool { return m.Name == first }); i >= 0 {
			return filepath.Join(c.Mods[i].Scripts, filepath.FromSlash(rest))
		}
	}
	return filepath.Join(c.Scripts.Dir, filepath.FromSlash(file))
}

// FindSystem returns the index of a system, -1 if there is none. The system of a mod may also be given without its mod, tick for poison.tick, if only one mod
// has a system of that name, and the config has none.
func (c *Config) FindSystem(name string) int {
	found := -1
	for i, s := range c.Systems {
		switch {
		case s.Name == name:
			return i
		case s.Mod != "" && s.Name == s.Mod+"."+name && found >= 0:
			found = len(c.Systems) // of two mods
		case s.Mod != "" && s.Name == s.Mod+"."+name:
			found = i
		}
	}
	if found == len(c.Systems) {
		return -1
	}
	return found
}

// SystemPath returns the key path of a system, for Problem: "systems[3]", or "mods.poison.systems[0]" for one of a mod.
func (c *Config) SystemPath(i int) string {
	return c.itemPath("systems", i, c.Systems[i].Pos)
}

// DataPath is SystemPath for a data file.
func (c *Config) DataPath(i int) string { return c.itemPath("data", i, c.Data[i].Pos) }

// itemPath is SystemPath for an item of any section.
func (c *Config) itemPath(section string, i int, pos Pos) string {
	return (&decoder{items: c.items}).itemPath(section, i, pos)
}

func (d *decoder) itemPath(section string, i int, pos Pos) string {
	if path, ok := d.items[pos]; ok {
		return path
	}
	return index(section, i)
}
