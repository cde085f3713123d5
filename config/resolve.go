package config

import (
	"fmt"
	"slices"
	"strings"
)

// This file finds out which mods are in use and in which order they are loaded: dependencies first, then the order of the config. A dependency that the config
// does not list is in use, too, if it is in the folder of the mods. Each thing that cannot be is one problem, with the chain of mods that leads to it.

// A resolver looks for the mods of one config.
type resolver struct {
	*decoder
	c     *Config
	read  map[string]*manifest // by name; nil for one that cannot be read
	chain map[string][]string  // how a mod came into use: the mods that lead to it, itself last
	found []string             // the mods in use, in the order in which they were found
}

// mods reads the mods of a config, and puts what they declare and schedule into it.
func (d *decoder) mods(c *Config) {
	r := &resolver{decoder: d, c: c, read: map[string]*manifest{}, chain: map[string][]string{}}
	before := len(d.problems)
	first := map[string]listedMod{}
	for _, m := range c.listed {
		switch other, twice := first[m.name]; {
		case m.name == "": // was reported
		case twice:
			d.add(m.pos, m.path, fmt.Sprintf("the mod %q is listed twice", m.name), fmt.Sprintf("keep this one or that of line %d", other.pos.Line))
		default:
			first[m.name] = m
			if !m.off {
				r.use(need{m.name, m.constraint, m.version, m.pos, m.path}, nil)
			}
		}
	}
	var order []*manifest
	if len(d.problems) == before {
		r.conflicts()
		order = r.order()
	}
	if len(d.problems) > before {
		c.unread = true // what is missing would lead to more problems
		return
	}
	r.merge(order)
}

// chainText returns a chain for a message: " (config → poison → combat)".
func chainText(names []string) string {
	return " (" + strings.Join(append([]string{"config"}, names...), " → ") + ")"
}

// listedAs returns the entry of a mod in the config.
func (r *resolver) listedAs(name string) (listedMod, bool) {
	i := slices.IndexFunc(r.c.listed, func(m listedMod) bool { return m.name == name })
	if i < 0 {
		return listedMod{}, false
	}
	return r.c.listed[i], true
}

// use brings a mod into use, and the mods that it depends on. by are the mods that lead to it.
func (r *resolver) use(n need, by []string) {
	if n.name == "" {
		return // its name was reported
	}
	chain := append(slices.Clone(by), n.name)
	if entry, ok := r.listedAs(n.name); ok && entry.off {
		r.add(n.pos, n.path, fmt.Sprintf("the mod %q is switched off, but needed%s", n.name, chainText(chain)), fmt.Sprintf("switch it on, or %q off", by[0]))
		return
	}
	m, seen := r.read[n.name]
	if !seen {
		m = r.readManifest(r.c, n.name, n.pos, n.path, chainText(chain))
		r.read[n.name], r.chain[n.name] = m, chain
	}
	if m == nil {
		return
	}
	r.version(n, m, chain)
	if !seen {
		r.found = append(r.found, n.name)
		for _, next := range m.depends {
			r.use(next, chain)
		}
	}
}

// version reports a mod that has another version than is needed.
func (r *resolver) version(n need, m *manifest, chain []string) {
	if m.number != nil && !n.accepts(m.number) {
		r.add(n.pos, n.path, fmt.Sprintf("the mod %q has version %s, but %s is needed%s", m.name, m.text, n.version, chainText(chain)), "use another version of one of them")
	}
}

// conflicts reports mods that cannot be used together, and optional mods of a wrong version.
func (r *resolver) conflicts() {
	for _, name := range r.found {
		m := r.read[name]
		for _, n := range m.conflicts {
			if other := r.read[n.name]; other != nil && other != m && other.number != nil && n.accepts(other.number) {
				r.add(n.pos, n.path, fmt.Sprintf("the mods %q%s and %q%s cannot be used together", name, chainText(r.chain[name]), n.name, chainText(r.chain[n.name])),
					"switch one of them off")
			}
		}
		for _, n := range m.optional {
			if other := r.read[n.name]; other != nil {
				r.version(n, other, append(slices.Clone(r.chain[name]), n.name))
			}
		}
	}
}

// order returns the mods in use so that each comes after those that it depends on, optional ones included. A cycle is reported.
func (r *resolver) order() []*manifest {
	var out []*manifest
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(n need, path []string)
	visit = func(n need, path []string) {
		m := r.read[n.name]
		if m == nil || state[n.name] == done {
			return
		}
		if state[n.name] == visiting {
			circle := append(path[slices.Index(path, n.name):], n.name)
			r.add(n.pos, n.path, "these mods depend on each other: "+strings.Join(circle, " → "), "take one of the dependencies away")
			return
		}
		state[n.name] = visiting
		path = append(slices.Clone(path), n.name)
		for _, next := range slices.Concat(m.depends, m.optional) {
			visit(next, path)
		}
		state[n.name] = done
		out = append(out, m)
	}
	for _, entry := range r.c.listed {
		if !entry.off {
			visit(need{name: entry.name}, nil)
		}
	}
	return out
}
