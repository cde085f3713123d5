package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file reads renamed: the names that snapshots have, and the names of now.

// A renaming is one kind of names in renamed.
type renaming struct {
	key   string
	what  string
	names *map[string]string
}

func (r *Renamed) kinds() []renaming {
	return []renaming{
		{"components", "component", &r.Components},
		{"relations", "relation", &r.Relations},
		{"tags", "tag", &r.Tags},
		{"events", "event", &r.Events},
		{"resources", "resource", &r.Resources},
		{"layers", "layer", &r.Layers},
		{"prefabs", "prefab", &r.Prefabs},
		{"fields", "field", &r.Fields},
	}
}

func (d *decoder) renamedKeys(r *Renamed) []key {
	var keys []key
	for _, k := range r.kinds() {
		keys = append(keys, key{name: k.key, read: func(n *node, path string) { *k.names = d.names(n, path, k.what) }})
	}
	return keys
}

// names reads a mapping of old names to new ones.
func (d *decoder) names(n *node, path, what string) map[string]string {
	example := "as in { Bag: Purse }, the old name first"
	if what == "field" {
		example = "as in { Health.hp: Health.current }, the old name first"
	}
	var out map[string]string
	d.entries(n, path, "write the names of "+what+"s "+example, func(name string, n *node, at string) {
		if now := d.str(n, at, "write the new name, "+example); now != "" {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = now
		}
	})
	return out
}

// renamed checks that two old names do not become one. Whether the new ones are declared, scripts have a say in.
func (k *checker) renamed() {
	for _, of := range k.c.Renamed.kinds() {
		from := map[string]string{} // old names by the new ones
		for _, old := range slices.Sorted(maps.Keys(*of.names)) {
			now, path := (*of.names)[old], join(join("renamed", of.key), step(old))
			other, twice := from[now]
			from[now] = old
			switch {
			case of.what == "field" && (!strings.Contains(old, ".") || !strings.Contains(now, ".")):
				k.problem(path, "a field is named without what has it", "write both names as in { Health.hp: Health.current }")
			case old == now:
				k.problem(path, fmt.Sprintf("%q is the same name", clip(old)), "leave it out")
			case twice:
				k.problem(path, fmt.Sprintf("%q and %q would both be %q", clip(other), clip(old), clip(now)), "leave one of them out")
			}
		}
	}
}
