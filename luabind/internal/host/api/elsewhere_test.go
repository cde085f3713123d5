package api

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestElsewhereNamesWhatExists: each call that the table names exists, and no function is a synonym of another one in its own object.
func TestElsewhereNamesWhatExists(t *testing.T) {
	lists := map[string][]Function{"world:": World, "world.commands:": Commands, "ecs.": Module, "ecs.log.": Log, "layer:": Layer}
	called := regexp.MustCompile(`(world:|world\.commands:|ecs\.log\.|ecs\.|layer:)(\w+)`)
	check := func(text string) {
		for _, m := range called.FindAllStringSubmatch(text, -1) {
			if Find(lists[m[1]], m[2]) == nil && !slices.Contains([]string{"ecs.random", "ecs.none"}, m[0]) {
				t.Errorf("%q names %s, which does not exist", text, m[0])
			}
		}
		for _, m := range regexp.MustCompile(`world\.(\w+)`).FindAllStringSubmatch(text, -1) {
			if !slices.Contains(Properties, m[1]) {
				t.Errorf("%q names world.%s, which does not exist", text, m[1])
			}
		}
	}
	for _, list := range append([][]synonyms{common}, own["world:"], own["ecs."], own["ecs.log."], own["layer:"]) {
		seen := map[string]bool{}
		for _, s := range list {
			check(s.write)
			for name := range s.names {
				if seen[name] || name != strings.ToLower(name) || strings.Contains(name, "_") {
					t.Errorf("%q is listed twice, or not as it is looked up", name)
				}
				seen[name] = true
			}
		}
	}
	for _, kinds := range inPlaceOf {
		for _, text := range kinds {
			check(text)
		}
		if kinds[""] == "" {
			t.Error("a kind of names has no text for other functions")
		}
	}
}

// TestElsewhereOfOtherObjects: a function that is looked for in another object is found.
func TestElsewhereOfOtherObjects(t *testing.T) {
	for _, o := range Objects {
		for _, f := range o.Functions {
			for _, asked := range Objects {
				want := o.Prefix + f.Name
				if Find(asked.Functions, f.Name) != nil || o.Prefix == "world.commands:" || o.Prefix == "layer:" || asked.Prefix == "ecs.log." || asked.Prefix == "layer:" {
					continue
				}
				got := Elsewhere(asked.Prefix, f.Name)
				if !strings.Contains(strings.ReplaceAll(got, "world.commands:", "world:"), want) && !(o.Prefix == "ecs.log.") {
					t.Errorf("%s%s: %q, want it to name %s", asked.Prefix, f.Name, got, want)
				}
			}
		}
	}
}

func TestElsewhere(t *testing.T) {
	for _, c := range []struct{ prefix, name, want string }{
		{"world:", "delete", "write world:despawn(e)"},
		{"world.commands:", "remove_entity", "write world.commands:despawn(e)"},
		{"world.commands:", "get_component", `write world:get(e, "Name")`},
		{"world.commands:", "createEntity", `write world.commands:spawn{ … }`},
		{"ecs.", "emit", `write world:send("Event", { … })`},
		{"world:", "register_component", "write ecs.component(name, fields)"},
		{"world:", "frobnicate", ""},
	} {
		if got := Elsewhere(c.prefix, c.name); got != c.want {
			t.Errorf("%s%s: %q, want %q", c.prefix, c.name, got, c.want)
		}
	}
}
