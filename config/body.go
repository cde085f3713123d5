package config

import (
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/condition"
	"github.com/ecsrun/ecsrun/ecs"
)

// This file is the second step of reading a config: it turns the tree of nodes (yaml.go, toml.go, json.go) into a
// Config, section by section, with the functions of decode.go. It checks each value by itself; check.go later
// checks the items against each other.

// body reads a whole file into c. The scalars of run, limits and log go into values, by key; layer.go merges them
// with the other sources.
func (d *decoder) body(n *node, c *Config, values map[string]any) {
	d.object(n, "", "config", d.bodyKeys(c, values))
}

// bodyKeys are the keys at the top. schema.go reads the names from this list and from the others of this file.
func (d *decoder) bodyKeys(c *Config, values map[string]any) []key {
	section := func(name string) key {
		return key{name: name, read: func(n *node, path string) { d.object(n, path, "mapping", d.sectionKeys(path, values)) }}
	}
	return []key{
		{"version", true, func(n *node, path string) { d.version(n, path) }},
		section("run"),
		{"scripts", false, func(n *node, path string) { d.scripts(n, path, c) }},
		{"mods_dir", false, func(n *node, path string) { d.modsDir(n, path, c) }},
		{"mods", false, func(n *node, path string) {
			d.each(n, path, "[combat, { mod: poison, version: \"^1\" }]", func(n *node, path string) {
				c.listed = append(c.listed, d.listedMod(n, path))
			})
		}},
		{"components", false, func(n *node, path string) {
			d.each(n, path, "[{ name: Position, fields: [x f64, y f64] }]", func(n *node, path string) {
				name, fields := d.fielded(n, path, "component")
				c.Components = append(c.Components, Component{name, fields, n.pos})
			})
		}},
		{"tags", false, func(n *node, path string) {
			d.each(n, path, "[player, enemy]", func(n *node, path string) {
				c.Tags = append(c.Tags, Tag{d.str(n, path, "write a name, as in player"), n.pos})
			})
		}},
		{"relations", false, func(n *node, path string) {
			d.each(n, path, "[OwnedBy, { name: Knows, targets: many }]", func(n *node, path string) {
				v := Relation{Pos: n.pos}
				if n.kind == kindText {
					v.Name = d.str(n, path, "write a name, as in OwnedBy")
				} else {
					d.object(n, path, "relation", d.relationKeys(&v))
				}
				c.Relations = append(c.Relations, v)
			})
		}},
		{"events", false, func(n *node, path string) {
			d.each(n, path, "[Died, { name: Hit, fields: [target entity] }]", func(n *node, path string) {
				v := Event{Pos: n.pos}
				if n.kind == kindText { // a name alone: an event without fields
					v.Name, _ = d.fielded(n, path, "event")
				} else {
					d.object(n, path, "event", d.eventKeys(&v))
				}
				c.Events = append(c.Events, v)
			})
		}},
		{"resources", false, func(n *node, path string) {
			d.each(n, path, "[score i32]", func(n *node, path string) {
				f := d.oneField(n, path, "resource")
				c.Resources = append(c.Resources, Resource{f.Name, f.Type, f.Default, n.pos})
			})
		}},
		{"layers", false, func(n *node, path string) {
			d.each(n, path, "[{ name: ground, type: u8, width: 80, height: 40 }]", func(n *node, path string) {
				c.Layers = append(c.Layers, d.layer(n, path, c))
			})
		}},
		{"data", false, func(n *node, path string) {
			d.each(n, path, "[{ name: waves, file: data/waves.csv }]", func(n *node, path string) {
				v := Data{Pos: n.pos}
				d.object(n, path, "data file", d.dataKeys(&v, c.file))
				c.Data = append(c.Data, v)
			})
		}},
		{"states", false, func(n *node, path string) {
			d.each(n, path, "[{ name: game, values: [menu, playing, over] }]", func(n *node, path string) {
				c.States = append(c.States, d.state(n, path))
			})
		}},
		{"indexes", false, func(n *node, path string) {
			d.each(n, path, "[{ name: cells, component: Cell, fields: [x, y] }]", func(n *node, path string) {
				c.Indexes = append(c.Indexes, d.index(n, path))
			})
		}},
		{"prefabs", false, func(n *node, path string) {
			d.each(n, path, "[{ name: goblin, components: { Health: { current: 7 } } }]", func(n *node, path string) {
				c.Prefabs = append(c.Prefabs, d.prefab(n, path, "prefab"))
			})
		}},
		{"systems", false, func(n *node, path string) {
			d.each(n, path, "[{ name: movement, script: movement.lua }]", func(n *node, path string) {
				c.Systems = append(c.Systems, d.system(n, path))
			})
		}},
		{"renamed", false, func(n *node, path string) { d.object(n, path, "mapping", d.renamedKeys(&c.Renamed)) }},
		section("limits"),
		section("log"),
		section("inspect"),
	}
}

func (d *decoder) version(n *node, path string) {
	num, ok := n.number()
	if v, whole := num.integer(); !ok || !whole || v != 1 || n.kind == kindNumber && strings.ContainsAny(n.text, ".eE") { // 1.0 is a version of something else
		d.add(n.pos, path, "version 1 expected, got "+n.describe(), "write 1, the only version there is")
	}
}

// sectionKeys are the keys of run, limits or log, from the table of scalars.
func (d *decoder) sectionKeys(section string, values map[string]any) []key {
	var keys []key
	for _, s := range scalars {
		if name, ok := strings.CutPrefix(s.key, section+"."); ok {
			keys = append(keys, key{name: name, read: func(n *node, path string) {
				if v, ok := s.read(d, n, path); ok {
					values[s.key] = v
				}
			}})
		}
	}
	return keys
}

func (d *decoder) scripts(n *node, at string, c *Config) {
	s := d.str(n, at, "write the folder of the scripts, relative to this file")
	if s == "" {
		return
	}
	dir := filepath.FromSlash(s)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.Scripts.Dir, dir)
	}
	c.Scripts = Scripts{Dir: filepath.Clean(dir), Written: s, Pos: n.pos}
}

// mostFields is the largest number of fields of a component or an event.
const mostFields = 256

// fielded reads a component or an event: a name and a list of fields. An event may be only a name.
func (d *decoder) fielded(n *node, path, what string) (name string, fields []Field) {
	if n.kind == kindText && what == "event" {
		d.mark(join(path, "name"), n.pos)
		return n.text, nil
	}
	d.object(n, path, what, d.fieldedKeys(&name, &fields))
	return name, fields
}

func (d *decoder) fieldedKeys(name *string, fields *[]Field) []key {
	return []key{
		{"name", true, func(n *node, path string) { *name = d.str(n, path, "write a name, as in Position") }},
		{"fields", false, func(n *node, path string) {
			d.each(n, path, "fields: [x f64, y f64]", func(n *node, path string) {
				*fields = append(*fields, d.field(n, path))
			})
			if len(*fields) > mostFields {
				d.add(n.pos, path, fmt.Sprintf("%d fields are too many", len(*fields)), fmt.Sprintf("at most %d are allowed", mostFields))
			}
		}},
	}
}

func (d *decoder) eventKeys(v *Event) []key {
	return append(d.fieldedKeys(&v.Name, &v.Fields), key{"input", false, func(n *node, path string) { v.Input, _ = d.truth(n, path) }})
}

// relationKeys are the keys of a relation in its long form.
func (d *decoder) relationKeys(v *Relation) []key {
	return []key{
		{"name", true, func(n *node, path string) { v.Name = d.str(n, path, "write a name, as in OwnedBy") }},
		{"targets", false, func(n *node, path string) {
			word, ok := d.word(n, path, []string{"one", "many"})
			v.Many = ok && word == "many"
		}},
	}
}

// field reads a field of a component or an event.
func (d *decoder) field(n *node, path string) Field {
	if n.kind == kindMapping && d.colons(n, path) {
		return Field{Pos: n.pos}
	}
	return d.oneField(n, path, "field")
}

// oneField reads a field or a resource: "x f64 = 1" or { name: x, type: f64, default: 1 }.
func (d *decoder) oneField(n *node, path, what string) Field {
	switch n.kind {
	case kindMapping:
		name, typ, def := d.typed(n, path, what)
		return Field{name, typ, def, n.pos}
	case kindText:
		return d.fieldText(n.text, n.pos, path, what)
	}
	d.add(n.pos, path, what+" expected, got "+n.describe(), fieldHint)
	return Field{Pos: n.pos}
}

// colons reports fields written with a colon as one problem: in YAML [x: f64] is a list of mappings.
func (d *decoder) colons(n *node, path string) bool {
	var meant []string
	for _, e := range n.entries {
		if e.key == "name" || e.key == "type" || e.key == "default" || e.value == nil || e.value.text == "" {
			return false
		}
		meant = append(meant, e.key+" "+e.value.text)
	}
	if len(meant) == 0 {
		return false
	}
	d.add(n.pos, path, fmt.Sprintf("field %q is written with a colon", n.entries[0].key), "write "+strings.Join(meant, ", "))
	return true
}

// typed reads { name, type, default }, which is a resource, or the long form of a field.
func (d *decoder) typed(n *node, path, what string) (name, typ string, def any) {
	var t ecs.FieldType
	var value *node
	d.object(n, path, what, d.typedKeys(&name, &typ, &t, &value))
	if value != nil && typ != "" { // the type may come after the default
		def = d.defaultValue(t, value, join(path, "default"))
	}
	return name, typ, def
}

func (d *decoder) typedKeys(name, typ *string, t *ecs.FieldType, value **node) []key {
	return []key{
		{"name", true, func(n *node, path string) { *name = d.str(n, path, "write a name, as in score") }},
		{"type", true, func(n *node, path string) {
			text := d.str(n, path, "one of "+strings.Join(ecs.FieldTypes(), ", "))
			if text == "" {
				return
			}
			if known, ok := d.fieldType(text, n.pos, path); ok {
				*t, *typ = known, text
			}
		}},
		{"default", false, func(n *node, _ string) { *value = n }},
	}
}

var (
	stages = []string{StageStartup, StageFirst, StageUpdate, StageLast}
	impls  = []string{ImplAuto, ImplLua, ImplClosures, ImplNative}
)

func (d *decoder) system(n *node, at string) System {
	s := System{Stage: StageUpdate, Impl: ImplAuto, Every: 1, Enabled: true, Pos: n.pos}
	var enter, leave string
	d.object(n, at, "system", d.systemKeys(&s, &enter, &leave))
	d.changes(&s, enter, leave, at, func(key string) bool { _, ok := d.where[at+"."+key]; return ok })
	return s
}

func (d *decoder) systemKeys(s *System, enter, leave *string) []key {
	return []key{
		{"name", true, func(n *node, path string) { s.Name = d.str(n, path, "write a name, as in movement") }},
		{"stage", false, func(n *node, path string) {
			if w, ok := d.word(n, path, stages); ok {
				s.Stage = w
			}
		}},
		{"script", false, func(n *node, path string) { s.Script = d.script(n, path) }},
		{"native", false, func(n *node, path string) { s.Native = d.str(n, path, "write the name of a registered Go function") }},
		{"impl", false, func(n *node, path string) { d.impl(n, path, s) }},
		{"after", false, func(n *node, path string) {
			d.each(n, path, "after: [movement]", func(n *node, path string) {
				s.After = append(s.After, d.str(n, path, "write the name of a system"))
			})
		}},
		{"every", false, func(n *node, path string) { d.every(n, path, s) }},
		{"when", false, func(n *node, path string) { d.when(n, path, s) }},
		{"in", false, func(n *node, path string) { s.In = d.stateValues(n, path) }},
		{StageEnter, false, func(n *node, path string) { *enter = d.str(n, path, "write STATE.VALUE, as in game.playing") }},
		{StageLeave, false, func(n *node, path string) { *leave = d.str(n, path, "write STATE.VALUE, as in game.playing") }},
		{"enabled", false, func(n *node, path string) { d.enabled(n, path, s) }},
		{"random", false, func(n *node, path string) { s.Random = d.str(n, path, "write the name of a random stream") }},
		{"hot", false, func(n *node, path string) { s.Hot, _ = d.truth(n, path) }},
	}
}

// The keys impl, every, when and enabled are read by functions of their own, because --set reads them, too.

func (d *decoder) impl(n *node, path string, s *System) {
	if w, ok := d.word(n, path, impls); ok {
		s.Impl = w
	}
}

func (d *decoder) every(n *node, path string, s *System) {
	if v, ok := d.whole(n, path, 1, math.MaxInt32); ok {
		s.Every = int(v)
	}
}

func (d *decoder) when(n *node, path string, s *System) {
	if n.kind != kindText && n.kind != kindPlain {
		d.add(n.pos, path, "string expected, got "+n.describe(), `write a Lua expression, as in "resources.score < 100"`)
		return
	}
	when := strings.TrimSpace(n.text)
	if name, ok := condition.Native(when); ok && name == "" {
		d.add(n.pos, path, "native: without a name", `write "native:NAME", the name of a registered predicate`)
		return
	}
	s.When = when
}

func (d *decoder) enabled(n *node, path string, s *System) {
	if v, ok := d.truth(n, path); ok {
		s.Enabled = v
	}
}

// script reads a path that stays inside the script folder, whatever machine and
// file system it is opened on.
func (d *decoder) script(n *node, at string) string {
	const hint = `write it relative to the scripts folder, as in "arena/movement.lua"`
	s := d.str(n, at, hint)
	if s == "" {
		return ""
	}
	clean := path.Clean(s)
	switch {
	case strings.Contains(s, `\`):
		d.add(n.pos, at, fmt.Sprintf("script %q has a backslash", s), fmt.Sprintf("write %q", strings.ReplaceAll(s, `\`, "/")))
	case path.IsAbs(s) || slices.Contains(strings.Split(clean, "/"), ".."):
		d.add(n.pos, at, fmt.Sprintf("script %q leaves the scripts folder", s), hint)
	case clean == "." || strings.HasSuffix(s, "/"):
		d.add(n.pos, at, fmt.Sprintf("script %q is a folder", s), hint)
	default:
		return clean
	}
	return ""
}
