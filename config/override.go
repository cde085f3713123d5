package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
)

// This file reads the sources above the file: environment variables and --set. Scalars go into the layers that
// layer.go merges; items of the config are changed in place, before check.go looks at them.

// Overrides are the sources above the file, from weak to strong: Env, Set, and the flags. Each value is checked
// like one in the file, and a problem names its source. The zero value overrides nothing.
type Overrides struct {
	Env    []string // as os.Environ gives it; a name that begins with ECSRUN_ must be one of run, limits or log; an empty value is no value
	Set    []string // KEY=VALUE of each --set; of two for one key the later wins
	Frames *uint64  // --frames; nil = not given
	Seed   *uint64  // --seed; nil = not given
}

const envPrefix = "ECSRUN_"

// environment reads the variables of run, limits and log into values. Any other variable that begins with ECSRUN_
// is a problem: whoever sets it means this program, and would learn late that it has no effect. The file has been
// read into c before.
func (d *decoder) environment(env []string, c *Config, values map[string]any) {
	byName := map[string]scalar{}
	var names []string
	for _, s := range scalars {
		byName[s.envName()] = s
		names = append(names, s.envName())
	}
	for _, v := range slices.Sorted(slices.Values(env)) { // sorted: the order of an environment is chance
		name, value, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, envPrefix) || value == "" {
			continue
		}
		s, known := byName[name]
		if !known {
			d.unknownVariable(name, value, names, c)
			continue
		}
		n := &node{kind: kindPlain, text: value, pos: Pos{File: name}, override: true}
		if v, ok := s.read(d, n, s.key); ok {
			values[s.key] = v
			d.mark(s.key, n.pos)
		}
	}
}

// unknownVariable reports a variable that does not name a scalar, and how to set what it seems to mean.
func (d *decoder) unknownVariable(name, value string, names []string, c *Config) {
	source := Pos{File: clip(oneLine(name))}
	rest := strings.TrimPrefix(name, envPrefix)
	if rest == "SYSTEMS" || strings.HasPrefix(rest, "SYSTEMS_") {
		key := "systems.NAME.KEY=VALUE"
		for _, last := range systemSetKeys {
			i := slices.IndexFunc(c.Systems, func(s System) bool { return asVariable(s.Name+"."+last) == strings.TrimPrefix(rest, "SYSTEMS_") })
			if i >= 0 {
				key = "systems." + c.Systems[i].Name + "." + last + "=" + clip(oneLine(value))
			}
		}
		d.add(source, "", "a variable does not reach systems", "use --set "+key)
		return
	}
	if rest == "RESOURCES" || strings.HasPrefix(rest, "RESOURCES_") {
		key := "resources.NAME=VALUE"
		i := slices.IndexFunc(c.Resources, func(r Resource) bool { return asVariable(r.Name) == strings.TrimPrefix(rest, "RESOURCES_") })
		if i >= 0 {
			key = "resources." + c.Resources[i].Name + "=" + clip(oneLine(value))
		}
		d.add(source, "", "a variable does not reach resources", "use --set "+key)
		return
	}
	for _, section := range []string{"RUN_", "LIMITS_", "LOG_"} {
		if strings.HasPrefix(rest, section) {
			var ours []string
			for _, n := range names {
				if strings.HasPrefix(n, envPrefix+section) {
					ours = append(ours, n)
				}
			}
			d.add(source, "", "unknown variable", d.meantWithin(envPrefix+section, name, "variables", ours))
			return
		}
	}
	hint := "ECSRUN_… sets run, limits and log; rename or unset it"
	if near, ok := suggest.Closest(name, names); ok {
		hint = `did you mean "` + near + `"?`
	}
	d.add(source, "", "unknown variable", hint)
}

// asVariable returns a name as part of a variable: "A_B" for "a.b" and "a-b".
func asVariable(name string) string {
	return strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(name))
}

// setFirst reads those --set that decide which mods there are. set reads the others, once the mods are read.
func (d *decoder) setFirst(arg string, c *Config) {
	name, value, ok := strings.Cut(arg, "=")
	if rest, mod := strings.CutPrefix(name, "mods."); mod && ok {
		d.setMod(rest, &node{kind: kindPlain, text: value, pos: Pos{File: "--set " + clip(oneLine(arg))}, override: true}, c)
	}
}

// set reads the value of one --set: a scalar goes into values, an item into c.
func (d *decoder) set(arg string, c *Config, values map[string]any) {
	name, value, ok := strings.Cut(arg, "=")
	n := &node{kind: kindPlain, text: value, pos: Pos{File: "--set " + clip(oneLine(arg))}, override: true}
	fail := func(message, hint string) { d.add(n.pos, "", message, hint) }
	if !ok {
		fail("no value", "write KEY=VALUE, as in run.seed=7")
		return
	}
	section, rest, _ := strings.Cut(name, ".")
	switch section {
	case "mods": // setFirst has read it
	case "systems":
		d.setSystem(rest, n, c)
	case "resources":
		d.setResource(rest, n, c)
	case "states":
		d.setState(rest, n, c)
	case "layers":
		d.setLayer(rest, n, c)
	case "run", "limits", "log", "inspect":
		s, known := findScalar(name)
		if !known {
			var keys []string
			for _, k := range scalarKeys() {
				if strings.HasPrefix(k, section+".") {
					keys = append(keys, k)
				}
			}
			fail(fmt.Sprintf("unknown key %q", clip(name)), d.meantWithin(section+".", name, "keys", keys))
			return
		}
		if v, ok := s.read(d, n, s.key); ok {
			values[s.key] = v
			d.mark(s.key, n.pos)
		}
	default:
		hint, ok := d.near(name, scalarKeys())
		if !ok {
			hint, ok = d.near(section, []string{"run", "limits", "log", "inspect", "systems", "resources", "layers", "states", "mods"})
		}
		if !ok {
			hint = "--set reaches run.*, limits.*, log.*, inspect.*, systems.NAME.*, resources.NAME, layers.NAME.*, states.NAME and mods.NAME.enabled"
		}
		fail(fmt.Sprintf("unknown key %q", clip(name)), hint)
	}
}

var systemSetKeys = []string{"impl", "enabled", "every", "when"}

// setSystem handles NAME.KEY. NAME may contain dots; the last part is the key.
func (d *decoder) setSystem(rest string, n *node, c *Config) {
	dot := strings.LastIndexByte(rest, '.')
	if dot < 0 {
		d.add(n.pos, "", "no key of the system", "write systems.NAME.KEY=VALUE; KEY is "+strings.Join(systemSetKeys, ", "))
		return
	}
	name, last := rest[:dot], rest[dot+1:]
	i := c.FindSystem(name)
	if i < 0 {
		var names []string
		for _, s := range c.Systems {
			names = append(names, s.Name)
		}
		d.add(n.pos, "", fmt.Sprintf("no system %q", clip(name)), d.meant(name, "systems", names))
		return
	}
	s, path := &c.Systems[i], d.itemPath("systems", i, c.Systems[i].Pos)+"."+last
	switch last {
	case "impl":
		d.impl(n, path, s)
	case "enabled":
		d.enabled(n, path, s)
	case "every":
		d.every(n, path, s)
	case "when":
		d.when(n, path, s)
	case "name", "stage", "script", "native", "after", "random", "hot", "in", "enter", "leave":
		d.add(n.pos, "", fmt.Sprintf("--set does not reach %q", last), "change it in the file; of a system it reaches "+strings.Join(systemSetKeys, ", "))
		return
	default:
		d.add(n.pos, "", fmt.Sprintf("unknown key %q", clip(last)), d.meant(last, "keys", systemSetKeys))
		return
	}
	d.mark(path, n.pos)
}

// setResource replaces the default of a resource.
func (d *decoder) setResource(name string, n *node, c *Config) {
	i := slices.IndexFunc(c.Resources, func(r Resource) bool { return r.Name == name })
	if i < 0 {
		var names []string
		for _, r := range c.Resources {
			names = append(names, r.Name)
		}
		d.add(n.pos, "", fmt.Sprintf("no resource %q", clip(name)), d.meant(name, "resources", names))
		return
	}
	r, path := &c.Resources[i], d.itemPath("resources", i, c.Resources[i].Pos)+".default"
	t, ok := ecs.ParseFieldType(r.Type)
	if !ok {
		return // its type was reported
	}
	if v := d.defaultValue(t, n, path); v != nil {
		r.Default = v
		d.mark(path, n.pos)
	}
}
