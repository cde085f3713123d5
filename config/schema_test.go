package config

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiled returns a schema in a validator.
func compiled(t *testing.T, schema []byte) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate says what the schema has against a file.
func validate(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(value)
}

// The shipped configs follow the schema, and so does one that uses every key.
func TestSchemaAcceptsConfigs(t *testing.T) {
	s := compiled(t, Schema())
	for _, path := range []string{"arena.yaml", "tutorial.yaml", "testdata/full.yaml", "testdata/full.json"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, s, string(text)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, text := range []string{"version: 1\ncomponents:\nrun:\n", "version: 1\nlimits: { system_time: 1m30s, memory: 1_000 kB }\n"} {
		if _, err := Parse("c.yaml", []byte(text), YAML); err != nil {
			t.Fatal(err)
		}
		if err := validate(t, s, text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What the decoder refuses for its form, the schema refuses, too.
func TestSchemaRefusesMistakes(t *testing.T) {
	s := compiled(t, Schema())
	for _, text := range []string{
		"run: {}", "version: 2", "version: 1\nsystms: []", "version: 1\nrun: { sed: 1 }", "version: 1\nrun: { frames: -1 }", "version: 1\nrun: { frames: 1.5 }",
		"version: 1\nrun: { dt: 0 }", "version: 1\nlimits: { memory: 512 }", "version: 1\nlimits: { memory: 512mb }", "version: 1\nlimits: { system_time: 30 }",
		"version: 1\nlimits: { on_error: never }", "version: 1\nlog: { level: loud }", "version: 1\ncomponents: [{ fields: [x f64] }]",
		"version: 1\ncomponents: [{ name: A, fields: [x] }]", "version: 1\ncomponents: [{ name: A, fields: [x float] }]", "version: 1\ncomponents: [{ name: A-B }]",
		"version: 1\nresources: [{ name: a }]", "version: 1\nresources: [{ name: a, type: i33 }]", "version: 1\ntags: [1x]", "version: 1\ntags: a",
		"version: 1\nsystems: [{ name: a, script: a.lua, every: 0 }]", "version: 1\nsystems: [{ name: a, scirpt: a.lua }]",
		"version: 1\nsystems: [{ name: a, script: a.lua, impl: go }]", "version: 1\nsystems: [{ name: a, script: a.lua, stage: middle }]",
	} {
		if _, err := Parse("c.yaml", []byte(text), YAML); err == nil {
			t.Errorf("the decoder accepts %q", text)
		}
		if validate(t, s, text) == nil {
			t.Errorf("the schema accepts %q", text)
		}
	}
}

// Every description is of a key that there is.
func TestSchemaDescribesWhatThereIs(t *testing.T) {
	schema := string(Schema()) + string(ManifestSchema())
	for key, text := range descriptions {
		if !strings.Contains(schema, text) {
			t.Errorf("the schema has no key %s", key)
		}
	}
	if !bytes.Equal(Schema(), Schema()) {
		t.Error("the schema differs from one call to the next")
	}
}

// A manifest of a mod has a schema, too: what ParseManifest accepts in form, and nothing else.
func TestManifestSchema(t *testing.T) {
	s := compiled(t, ManifestSchema())
	for text, ok := range map[string]bool{
		"name: poison\nversion: 1.2.0\ndepends: [{ mod: combat, version: \"^2.0\" }, base]\noptional: [{ mod: weather }]\nconflicts: [plague]\nscripts: scripts\n" +
			"tags: [ill]\nsystems: [{ name: tick, script: tick.lua, after: [combat.damage, weather.rain] }]\nexports: [lib.toxins]\n": true,
		"version: 1.2.0\n":                                               false,
		"name: poison\n":                                                 false,
		"name: poison\nversion: 1.2\n":                                   false,
		"name: a.b\nversion: 1.2.0\n":                                    false,
		"name: poison\nversion: 1.2.0\nrun: { frames: 1 }\n":             false,
		"name: poison\nversion: 1.2.0\ndepends: [{ version: \"^1\" }]\n": false,
	} {
		if err := ParseManifest("mods/poison/mod.yaml", []byte(text)); (err == nil) != ok {
			t.Errorf("the decoder says of %q: %v", text, err)
		}
		if err := validate(t, s, text); (err == nil) != ok {
			t.Errorf("the schema says of %q: %v", text, err)
		}
	}
}
