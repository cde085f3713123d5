package api

import (
	"fmt"
	"strings"
)

// What to write where a name is declared, but as something else than the function takes: a tag that was given to world:has, a component that was given to
// world:tag.

// Instead returns what to write with a name that is declared as kind, in the place where the function with the full name by takes another kind:
// Instead("world:has", "tag", "player") is `write world:tagged(e, "player")`. kind is "component", "tag", "event", "resource", "relation", "index", "prefab" or "grid". by is "" if
// no function is known.
func Instead(by, kind, name string) string {
	object, function := "world:", by
	if i := strings.LastIndexAny(by, ":."); i >= 0 {
		object, function = by[:i+1], by[i+1:]
	}
	write := inPlaceOf[kind][function]
	if write == "" {
		write = inPlaceOf[kind][""]
	}
	if called, ok := strings.CutPrefix(write, "world:"); ok && object == "world.commands:" {
		if f, _, _ := strings.Cut(called, "("); Find(Commands, f) != nil {
			write = object + called
		}
	}
	return "write " + fmt.Sprintf(write, name)
}

// inPlaceOf has what to write, by the kind of the name and the function that was called; "" for all others.
var inPlaceOf = map[string]map[string]string{
	"component": {
		"tag":      `world:add(e, %[1]q)`,
		"untag":    `world:remove(e, %[1]q)`,
		"tagged":   `world:has(e, %[1]q)`,
		"relate":   `world:set(e, %[1]q, { … })`,
		"unrelate": `world:remove(e, %[1]q)`,
		"relates":  `world:has(e, %[1]q)`,
		"targets":  `world:each(%[1]q)`,
		"sources":  `world:each(%[1]q)`,
		"send":     `world:set(e, %[1]q, { … })`,
		"read":     `world:each(ecs.query{ %[1]q, changed = { %[1]q } })`,
		"query":    `the component in the list without a key, or under without: ecs.query{ %[1]q }`,
		"":         `world:get(e, %[1]q), which gives its fields`,
	},
	"tag": {
		"has":     `world:tagged(e, %[1]q)`,
		"add":     `world:tag(e, %[1]q)`,
		"set":     `world:tag(e, %[1]q)`,
		"remove":  `world:untag(e, %[1]q)`,
		"each":    `ecs.query{ tagged = { %[1]q } }, and give the query to the loop`,
		"count":   `ecs.query{ tagged = { %[1]q } }, and count the query`,
		"first":   `ecs.query{ tagged = { %[1]q } }, and give the query to world:first`,
		"pick":    `ecs.query{ tagged = { %[1]q } }, and give the query to world:pick`,
		"query":   `it in tagged = { %[1]q }, or in untagged`,
		"removed": `world:on("untagged", %[1]q, run) in init`,
		"spawn":   `world:spawn{ %[1]q }, with tags in the list part`,
		"":        `world:tagged(e, %[1]q), which says whether e has it`,
	},
	"event": {
		"": `world:send(%[1]q, { … }), and for event in world:read(%[1]q) do`,
	},
	"resource": {
		"": `world.resources.%[1]s`,
	},
	"relation": {
		"tag":    `world:relate(e, %[1]q, target)`,
		"untag":  `world:unrelate(e, %[1]q)`,
		"tagged": `world:has(e, %[1]q)`,
		"":       `world:related(e, %[1]q), which gives its target`,
	},
	"state": {
		"spawn": `one of its values behind it, as in world:spawn{ "%[1]s.value" }`,
		"":      `world.states.%[1]s`,
	},
	"index": {
		"":      `world:at(%[1]q, …), which gives the first entity at a place`,
		"each":  `for e in world:all(%[1]q, …) do`,
		"first": `world:at(%[1]q, …), or for e in world:all(%[1]q, …) do`,
		"near":  `for e, x, y in world:around(%[1]q, x, y, r) do`,
	},
	"prefab": {
		"": `world:instance(%[1]q, { … })`,
	},
	"grid": {
		"": `for e, d2 in world:near(%[1]q, x, y, radius) do`,
	},
}
