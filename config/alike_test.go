package config

import (
	"reflect"
	"strings"
	"testing"
)

// Two configs are alike whatever lines they are on, and differ in each value that a file can have.
func TestAlike(t *testing.T) {
	const text = `version: 1
run: { seed: 3, realtime: true }
components: [{ name: A, fields: [x f64 = 2] }]
tags: [player]
systems: [{ name: a, script: a.lua, after: [b] }, { name: b, script: b.lua }]
`
	parse := func(text string) Config {
		c, err := Parse("c.yaml", []byte(text), YAML)
		if err != nil {
			t.Fatal(err)
		}
		return *c
	}
	c := parse(text)
	if !Alike(c, parse("# other lines\n\n"+strings.ReplaceAll(text, ", ", " ,  "))) {
		t.Error("other places make a difference")
	}
	for _, change := range [][2]string{
		{"seed: 3", "seed: 4"},
		{"realtime: true", "realtime: false"},
		{"x f64 = 2", "x f64"},
		{"x f64 = 2", "x f32 = 2"},
		{"[player]", "[player, enemy]"},
		{"after: [b]", "after: []"},
		{"name: A", "name: B"},
		{"b.lua", "c.lua"},
		{"tags:", "limits: { errors: 2 }\ntags:"},
		{"tags:", "log: { level: debug }\ntags:"},
	} {
		if Alike(c, parse(strings.Replace(text, change[0], change[1], 1))) {
			t.Errorf("%s for %s makes no difference", change[1], change[0])
		}
	}
	for i := range reflect.TypeFor[Config]().NumField() {
		if f := reflect.TypeFor[Config]().Field(i); f.IsExported() && f.Type.Kind() == reflect.Pointer {
			t.Errorf("%s is a pointer: compare what it points at", f.Name)
		}
	}
}
