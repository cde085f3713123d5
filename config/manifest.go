package config

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/config/suggest"
)

// This file reads mod.yaml, the manifest of a mod. It has sections of a config (declarations and systems), and what the mod needs of others.

// manifestFile is the name of a manifest in the folder of its mod.
const manifestFile = "mod.yaml"

var modWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// A manifest is a mod as its file describes it.
type manifest struct {
	Config // its declarations, systems and the folder of its scripts; the rest is not used
	name   string
	text   string // the version as written
	number *semver.Version

	depends, optional, conflicts []need
	exports                      []string
	path                         string // its key path: "mods.poison"
	dir                          string
}

// A need is a mod that a manifest names.
type need struct {
	name       string
	constraint *semver.Constraints // nil: any version
	version    string              // the constraint as written
	pos        Pos
	path       string
}

// accepts reports whether a version is one that the need is about. A version before a release, 1.2.4-beta.2, is one only if the range names such a version of
// the same release: ^1.2.4-beta.1 does, ^1.2.3-beta.2 does not.
func (n need) accepts(v *semver.Version) bool {
	if n.constraint == nil {
		return true
	}
	if !n.constraint.Check(v) {
		return false
	}
	return v.Prerelease() == "" || slices.ContainsFunc(beforeRelease.FindAllStringSubmatch(n.version, -1), func(m []string) bool {
		return m[1] == fmt.Sprintf("%d.%d.%d", v.Major(), v.Minor(), v.Patch())
	})
}

// beforeRelease finds the versions before a release in a range: 1.2.4 in 1.2.4-beta.1.
var beforeRelease = regexp.MustCompile(`([0-9]+\.[0-9]+\.[0-9]+)-[0-9A-Za-z]`)

// String returns the need for a message: "combat", or "combat ^2.0".
func (n need) String() string { return strings.TrimSpace(n.name + " " + n.version) }

// ParseManifest checks a mod.yaml in memory: its form, and its items against each other. The mods that it depends on are not looked for. The error is Problems.
func ParseManifest(name string, data []byte) error {
	d := &decoder{where: map[string]Pos{}}
	m := d.manifest(name, data, "mods.MOD")
	if m != nil {
		m.where, m.items, m.unread = d.where, d.items, true
		for _, n := range append(append([]need{}, m.depends...), m.optional...) {
			m.listed = append(m.listed, listedMod{need: need{name: n.name}})
		}
		m.check(&d.report)
	}
	return d.problems.err()
}

// readManifest reads the manifest of a mod from the folder of the mods. If it is not there, the problem is one of what names the mod.
func (d *decoder) readManifest(c *Config, name string, pos Pos, path, chain string) *manifest {
	dir := filepath.Join(c.modsDir, name)
	file := filepath.Join(dir, manifestFile)
	data, problem := read(file)
	switch {
	case problem != nil && strings.HasPrefix(problem.Message, "no such file"):
		hint := "put it there, or take away what needs it"
		if near, ok := suggest.Closest(name, modsIn(c.modsDir)); ok {
			hint = didYouMean(near)
		}
		d.add(pos, path, fmt.Sprintf("no mod %q: there is no file %q%s", name, file, chain), hint)
		return nil
	case problem != nil:
		d.add(problem.Pos, "", problem.Message, problem.Hint)
		return nil
	}
	m := d.manifest(file, data, join("mods", step(name)))
	if m == nil {
		return nil
	}
	m.dir = dir
	if m.name != "" && m.name != name {
		d.add(d.where[m.path+".name"], m.path+".name", fmt.Sprintf("the mod in the folder %q calls itself %q", name, m.name), fmt.Sprintf("write name: %s, or rename the folder", name))
	}
	return m
}

// modsIn lists the folders in which a mod may be, for suggestions.
func modsIn(dir string) []string {
	entries, _ := fs.ReadDir(files.Folder(dir), ".") // nothing to suggest from a folder that cannot be read
	var out []string
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out
}

// manifest reads a mod.yaml. path is the key path under which its problems are reported. It returns nil if the text is no YAML.
func (d *decoder) manifest(file string, data []byte, path string) *manifest {
	root := d.parse(file, data, YAML, "mod.yaml", "name: NAME")
	if root == nil {
		return nil
	}
	m := &manifest{path: path}
	m.file = file
	m.Scripts = Scripts{Dir: filepath.Dir(file), Written: "."}
	d.object(root, path, "mod", d.manifestKeys(m))
	return m
}

// manifestKeys are the keys of a mod.yaml. The sections that a config has, too, are read as there.
func (d *decoder) manifestKeys(m *manifest) []key {
	needs := func(list *[]need, example string) func(*node, string) {
		return func(n *node, path string) {
			d.each(n, path, example, func(n *node, path string) { *list = append(*list, d.need(n, path)) })
		}
	}
	keys := []key{
		{"name", true, func(n *node, path string) { m.name = d.modName(n, path) }},
		{"version", true, func(n *node, path string) { m.text, m.number = d.modVersion(n, path) }},
		{"depends", false, needs(&m.depends, `depends: [{ mod: combat, version: "^2.0" }]`)},
		{"optional", false, needs(&m.optional, "optional: [{ mod: weather }]")},
		{"conflicts", false, needs(&m.conflicts, "conflicts: [{ mod: plague }]")},
		{"exports", false, func(n *node, path string) {
			d.each(n, path, "exports: [lib.toxins]", func(n *node, path string) {
				if s := d.str(n, path, "write the name of a module, as in lib.toxins"); s != "" {
					m.exports = append(m.exports, s)
				}
			})
		}},
	}
	for _, k := range d.bodyKeys(&m.Config, nil) {
		switch k.name {
		case "scripts", "components", "tags", "relations", "events", "resources", "layers", "data", "states", "indexes", "prefabs", "systems":
			keys = append(keys, k)
		}
	}
	return keys
}

// modVersion reads a version with three numbers.
func (d *decoder) modVersion(n *node, path string) (string, *semver.Version) {
	const hint = "write three numbers, as in 1.2.0"
	if n.kind == kindNumber { // 1.2 is a number in YAML
		d.add(n.pos, path, "version expected, got "+n.describe(), hint)
		return "", nil
	}
	text := d.str(n, path, hint)
	if text == "" {
		return "", nil
	}
	v, err := semver.StrictNewVersion(text)
	if err != nil {
		d.add(n.pos, path, fmt.Sprintf("%q is not a version", clip(text)), hint)
		return "", nil
	}
	return text, v
}

// need reads { mod, version }, or only a name.
func (d *decoder) need(n *node, path string) need {
	var out need
	d.named(n, path, &out, d.needKeys(&out))
	return out
}

// named reads what names a mod: only its name, or an object with these keys.
func (d *decoder) named(n *node, path string, out *need, keys []key) {
	out.pos, out.path = n.pos, path
	if n.kind == kindText || n.kind == kindPlain {
		out.name = d.modName(n, path)
		return
	}
	d.object(n, path, "mod", keys)
}

func (d *decoder) needKeys(out *need) []key {
	return []key{
		{"mod", true, func(n *node, path string) { out.name = d.modName(n, path) }},
		{"version", false, func(n *node, path string) { out.version, out.constraint = d.constraint(n, path) }},
	}
}
