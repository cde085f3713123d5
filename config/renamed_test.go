package config

import (
	"reflect"
	"strings"
	"testing"
)

// Old names keep their case, in every format, and may be words that are keys elsewhere.
func TestRenamed(t *testing.T) {
	want := Renamed{
		Components: map[string]string{"Bag": "Purse", "bag": "sack"}, Tags: map[string]string{"components": "parts", "very-rich": "wealthy"},
		Fields: map[string]string{"Health.hp": "Health.current"},
	}
	for format, text := range map[Format]string{
		YAML: "version: 1\nrenamed:\n  components: { Bag: Purse, bag: sack }\n  tags: { components: parts, very-rich: wealthy }\n  fields: { Health.hp: Health.current }\n  events:\n",
		TOML: "version = 1\n[renamed]\ncomponents = { Bag = \"Purse\", bag = \"sack\" }\ntags = { components = \"parts\", very-rich = \"wealthy\" }\nfields = { \"Health.hp\" = \"Health.current\" }\n",
		JSON: `{"version": 1, "renamed": {"components": {"Bag": "Purse", "bag": "sack"}, "tags": {"components": "parts", "very-rich": "wealthy"}, "fields": {"Health.hp": "Health.current"}}}`,
	} {
		c, err := Parse("c", []byte(text), format)
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		if !reflect.DeepEqual(c.Renamed, want) {
			t.Errorf("%s: %v", format, c.Renamed)
		}
	}
}

func TestRenamedMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"renamed: [a]":                         "c.yaml:2:10: renamed: mapping expected, got a list",
		"renamed: { component: { A: B } }":     `c.yaml:2:12: renamed.component: unknown key; did you mean "components"?`,
		"renamed: { tags: [a] }":               "c.yaml:2:18: renamed.tags: mapping expected, got a list; write the names of tags as in { Bag: Purse }, the old name first",
		"renamed:\n  tags: { a: b, a: c }":     "renamed.tags.a",
		"renamed: { tags: { a: 3 } }":          "c.yaml:2:23: renamed.tags.a: string expected, got number 3; write the new name",
		"renamed: { tags: { a: a } }":          `c.yaml:2:23: renamed.tags.a: "a" is the same name; leave it out`,
		"renamed: { tags: { a: c, b: c } }":    `c.yaml:2:29: renamed.tags.b: "a" and "b" would both be "c"; leave one of them out`,
		"renamed: { fields: { hp: current } }": "c.yaml:2:26: renamed.fields.hp: a field is named without what has it; write both names as in { Health.hp: Health.current }",
	} {
		_, err := Parse("c.yaml", []byte("version: 1\n"+text+"\n"), YAML)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got  %v\n want %s", text, err, want)
		}
	}
}
