package config

import (
	"strings"
	"testing"
)

// A type with a length needs quotes in brackets, and the message says so; a length that is wrong is named.
func TestArraysInConfigs(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`components: [{ name: Bag, fields: ["slots entity[8]", "heat f32[16] = 1"] }]`: "",
		`components: [{ name: Bag, fields: [n i32, slots entity[8]] }]`:                `a type with a length is not in quotes; write it in quotes, as in "slots entity[8]"`,
		`resources: [{ name: map, type: u8[3200] }]`:                                   `a type with a length is not in quotes; write it in quotes, as in "u8[3200]"`,
		`components: [{ name: Bag, fields: ["a u8[0]"] }]`:                             `unknown type "u8[0]"; write a length from 1 to 4096 (1048575 in a resource), as in u8[8]`,
		`components: [{ name: Bag, fields: ["a string[2]"] }]`:                         `unknown type "string[2]"; arrays hold numbers, bool or entity; use table`,
		`components: [{ name: Bag, fields: ["a u8[2] = 300"] }]`:                       "300 does not fit u8",
		`components: [{ name: Bag, fields: ["a entity[2] = 3"] }]`:                     "an entity has no default but none",
	} {
		_, err := Parse("a.yaml", []byte("version: 1\n"+line+"\n"), YAML)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
