package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// many repeats a text with a number in it until there is half a megabyte (by default a quarter of one, in a short run an eighth), or n of it.
func many(format string, n int) string {
	var b strings.Builder
	most := maxSize / 2
	switch {
	case testing.Short():
		most /= 4 // the race detector takes some ten times as long
	case !effort.Full():
		most /= 2
	}
	for i := 0; i < n && b.Len() < most; i++ {
		fmt.Fprintf(&b, strings.ReplaceAll(format, "#", "%[1]d"), i)
	}
	return b.String()
}

// largeFiles are configs of about half a megabyte, each made to find costs that grow with the square of something.
type largeFile struct {
	format Format
	text   string
}

func largeFiles() map[string]largeFile {
	return map[string]largeFile{
		"systems":                   {YAML, "version: 1\nsystems:\n" + many("- {name: s#, script: a.lua}\n", 1e6)},
		"systems in order":          {YAML, "version: 1\nsystems:\n- {name: s0, script: a}\n" + many("- {name: s#x, script: a, after: [s0]}\n", 1e6)},
		"a chain of systems":        {YAML, "version: 1\nsystems:\n- {name: s, script: a}\n- {name: s0, script: a}\n" + chain(20000)},
		"a ring of systems":         {YAML, "version: 1\nsystems:\n- {name: s0, script: a, after: [s20000]}\n" + chain(20000)},
		"many rings":                {YAML, "version: 1\nsystems:\n" + many("- {name: a#, script: a, after: [b#]}\n- {name: b#, script: a, after: [a#]}\n", 1e6)},
		"misspelt after":            {YAML, "version: 1\nsystems:\n" + many("- {name: system#, script: a.lua, after: [sistem#]}\n", 1e6)},
		"misspelt after, one name":  {YAML, "version: 1\nsystems:\n- {name: a, script: a.lua, after: [" + many("nobody#, ", 1e6) + "]}\n"},
		"after, twice":              {YAML, "version: 1\nsystems:\n- {name: b, script: a}\n- {name: a, script: a.lua, after: [" + many("b, ", 1e6) + "]}\n"},
		"after among the unnamed":   {YAML, "version: 1\nsystems:\n- {script: a}\n" + many("- {name: system#, script: a.lua, after: [sistem#]}\n", 1e6)},
		"systems without a name":    {YAML, "version: 1\nsystems:\n" + many("- {script: a}\n", 1e6)},
		"systems with no script":    {YAML, "version: 1\nsystems:\n" + many("- {name: s#}\n", 1e6)},
		"systems with unknown keys": {YAML, "version: 1\nsystems:\n" + many("- {name: s#, scirpt: a}\n", 1e6)},
		"systems of one name":       {YAML, "version: 1\nsystems:\n" + many("- {name: s, script: a.lua}\n", 1e6)},
		"scripts that are wrong":    {YAML, "version: 1\nsystems:\n" + many("- {name: s#, script: ../a.lua, impl: luaa}\n", 1e6)},
		"components":                {YAML, "version: 1\ncomponents:\n" + many("- {name: C#, fields: [x f64]}\n", 1e6)},
		"components with slips":     {YAML, "version: 1\ncomponents:\n" + many("- {name: C#, fields: [x f46]}\n", 1e6)},
		"components of one name":    {YAML, "version: 1\ncomponents:\n" + many("- {name: C, fields: [x f64]}\n", 1e6)},
		"fields":                    {YAML, "version: 1\ncomponents:\n- {name: C, fields: [" + many("x# f64, ", 1e6) + "]}\n"},
		"fields of one name":        {YAML, "version: 1\ncomponents:\n- {name: C, fields: [" + many("x f64, ", 1e6) + "]}\n"},
		"tags":                      {YAML, "version: 1\ntags: [" + many("t#, ", 1e6) + "]\n"},
		"tags that are no names":    {YAML, "version: 1\ntags: [" + many("\"#!\", ", 1e6) + "]\n"},
		"resources":                 {YAML, "version: 1\nresources:\n" + many("- {name: r#, type: i32}\n", 1e6)},
		"resources with slips":      {YAML, "version: 1\nresources:\n" + many("- {name: r#, type: i23, default: x}\n", 1e6)},
		"unknown keys":              {YAML, "version: 1\n" + many("key#: 1\n", 1e6)},
		"unknown keys of run":       {YAML, "version: 1\nrun:\n" + many("  sede#: 1\n", 1e6)},
		"keys written twice":        {JSON, "{\"version\": 1, " + many("\"tags\": [], ", 1e6) + "\"tags\": []}"},
		"unknown keys, JSON":        {JSON, "{" + many("\"key#\": 1, ", 1e6) + "\"version\": 1}"},
		"JSON, one line":            {JSON, "{\"version\": 1, \"tags\": [" + many("\"t#\", ", 1e6) + "\"t\"]}"},
		"JSON, nested":              {JSON, "{\"version\": " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}"},
		"JSON, nested keys":         {JSON, strings.Repeat("{\"a\":", 9000) + "1" + strings.Repeat("}", 9000)},
		"JSON, broken at the end":   {JSON, "{\"version\": 1, \"tags\": [" + many("\"t#\", ", 1e6) + "]}"},
		"YAML, nested":              {YAML, "version: " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000)},
		"YAML, nested open":         {YAML, "version: " + strings.Repeat("[", 1000000)},
		"YAML, nested braces":       {YAML, "version: " + strings.Repeat("{a: ", 200000)},
		"YAML, dashes":              {YAML, strings.Repeat("- ", 500000)},
		"YAML, question marks":      {YAML, strings.Repeat("? ", 500000)},
		"YAML, indented":            {YAML, indented(1300)},
		"YAML, anchors":             {YAML, "version: 1\ntags: [" + many("&a# t#, ", 1e6) + "]\n"},
		"YAML, aliases":             {YAML, "version: 1\ntags: [&a t, " + many("*a, ", 1e6) + "]\n"},
		"YAML, laughs":              {YAML, "a0: &a0 [x]\n" + many("b#: &b# [*a0, *a0, *a0]\n", 1e6)},
		"YAML, merge keys":          {YAML, "a: &a {b: 1}\n" + many("c#: {<<: *a}\n", 1e6)},
		"YAML, type tags":           {YAML, "version: 1\ntags: [" + many("!!str t#, ", 1e6) + "]\n"},
		"YAML, documents":           {YAML, "version: 1\n" + many("---\nversion: #\n", 1e6)},
		"YAML, broken at the end":   {YAML, "version: 1\ntags: [" + many("t#, ", 1e6)},
		"TOML, dotted key":          {TOML, many("a#.", 1e6) + "a = 1\n"},
		"TOML, dotted short":        {TOML, "version = 1\n" + strings.Repeat("a.", 200000) + "a = 1\n"},
		"TOML, dotted keys":         {TOML, many("a.b.c.d# = 1\n", 1e6)},
		"TOML, dotted table":        {TOML, "[" + strings.Repeat("a.", 200000) + "a]\n"},
		"TOML, tables":              {TOML, "version = 1\n" + many("[t#]\n", 1e6)},
		"TOML, tables within":       {TOML, "version = 1\n" + many("[a.t#]\n", 1e6)},
		"TOML, one table again":     {TOML, "version = 1\n" + many("[a]\n", 1e6)},
		"TOML, lists of tables":     {TOML, "version = 1\n" + many("[[tags]]\n", 1e6)},
		"TOML, systems":             {TOML, "version = 1\n" + many("[[systems]]\nname = \"s#\"\nscript = \"a\"\n", 1e6)},
		"TOML, keys":                {TOML, many("key# = 1\n", 1e6)},
		"TOML, key twice":           {TOML, many("key = 1\n", 1e6)},
		"TOML, nested":              {TOML, "version = " + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "\n"},
		"TOML, nested tables":       {TOML, "version = " + strings.Repeat("{a=", 20000) + "1" + strings.Repeat("}", 20000) + "\n"},
		"TOML, nested open":         {TOML, "version = " + strings.Repeat("[", 1000000)},
		"TOML, inline dotted":       {TOML, "version = {" + strings.Repeat("a.", 200000) + "a = 1}\n"},
		"TOML, tags":                {TOML, "version = 1\ntags = [" + many("\"t#\", ", 1e6) + "]\n"},
		"TOML, broken at the end":   {TOML, "version = 1\ntags = [" + many("\"t#\", ", 1e6)},
	}
}

// chain is systems of which each runs after the one before.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- {name: s%d, script: a, after: [s%d]}\n", i+1, i)
	}
	return b.String()
}

// indented is lists in lists, a line each.
func indented(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// A file of half a megabyte is read in less than a second on an idle machine, whatever is in it. Nothing here measures that: a cost that grows with
// the square of the file takes minutes or hours, and the time limit of go test finds it.
func TestLargeFiles(t *testing.T) {
	for name, f := range largeFiles() {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("large", []byte(f.text), f.format)
			if err != nil {
				checkProblems(t, err)
			}
		})
	}
}
