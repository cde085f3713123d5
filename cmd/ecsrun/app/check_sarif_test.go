package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The parts of SARIF 2.1.0 that check writes, as the standard requires them: what each object must have, and nothing
// that the standard does not know. The schema of the standard itself accepts all that this one accepts.
const sarifSchema = `{
  "type": "object", "required": ["version", "runs"], "additionalProperties": false,
  "properties": {
    "$schema": { "type": "string", "format": "uri" },
    "version": { "enum": ["2.1.0"] },
    "runs": { "type": "array", "items": {
      "type": "object", "required": ["tool"], "additionalProperties": false,
      "properties": {
        "tool": { "type": "object", "required": ["driver"], "additionalProperties": false, "properties": { "driver": {
          "type": "object", "required": ["name"], "additionalProperties": false,
          "properties": {
            "name": { "type": "string" }, "version": { "type": "string" }, "informationUri": { "type": "string", "format": "uri" },
            "rules": { "type": "array", "uniqueItems": true, "items": {
              "type": "object", "required": ["id"], "additionalProperties": false,
              "properties": {
                "id": { "type": "string" }, "shortDescription": { "$ref": "#/$defs/text" }, "helpUri": { "type": "string", "format": "uri" },
                "defaultConfiguration": { "type": "object", "additionalProperties": false, "properties": { "level": { "$ref": "#/$defs/level" } } }
              }
            } }
          }
        } } },
        "columnKind": { "enum": ["utf16CodeUnits", "unicodeCodePoints"] },
        "invocations": { "type": "array", "uniqueItems": true, "items": {
          "type": "object", "required": ["executionSuccessful"], "additionalProperties": false, "properties": { "executionSuccessful": { "type": "boolean" } }
        } },
        "results": { "type": "array", "items": {
          "type": "object", "required": ["message"], "additionalProperties": false,
          "properties": {
            "ruleId": { "type": "string" }, "ruleIndex": { "type": "integer", "minimum": 0 }, "level": { "$ref": "#/$defs/level" }, "message": { "$ref": "#/$defs/text" },
            "locations": { "type": "array", "items": { "type": "object", "additionalProperties": false, "properties": {
              "physicalLocation": { "type": "object", "required": ["artifactLocation"], "additionalProperties": false, "properties": {
                "artifactLocation": { "type": "object", "additionalProperties": false, "properties": { "uri": { "type": "string", "format": "uri-reference" } } },
                "region": { "type": "object", "additionalProperties": false, "properties": {
                  "startLine": { "type": "integer", "minimum": 1 }, "startColumn": { "type": "integer", "minimum": 1 }
                } }
              } }
            } } }
          }
        } }
      }
    } }
  },
  "$defs": {
    "text": { "type": "object", "required": ["text"], "additionalProperties": false, "properties": { "text": { "type": "string", "minLength": 1 } } },
    "level": { "enum": ["none", "note", "warning", "error"] }
  }
}`

// What check writes as SARIF is valid, also for names with characters that a URI escapes, for a config that cannot be
// read, and for mistakes in the environment. Each result names the rule that it points at.
func TestSARIF(t *testing.T) {
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(sarifSchema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("sarif.json", schema); err != nil {
		t.Fatal(err)
	}
	valid := compiler.MustCompile("sarif.json")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ok.yaml":      "version: 1\n",
		"bad ü%1.yaml": "version: 1\nrun: { sede: \"a\\u0001\\u20ac\" }\nscripts: x\nsystems: [{ name: a, script: a.lua }]\n",
		"warn.yaml":    "version: 1\nscripts: .\ntags: [a]\nsystems: [{ name: a, script: \"b [1]#?.lua\" }]\n",
		"b [1]#?.lua":  "local x = 1\nreturn function() end\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, args := range [][]string{{"ok.yaml"}, {"bad ü%1.yaml", "warn.yaml"}, {"none.yaml"}, {filepath.Join(dir, "warn.yaml"), "--strict"}} {
		var stdout, stderr strings.Builder
		Main(append([]string{"check", "--format", "sarif"}, args...), strings.NewReader(""), &stdout, &stderr)
		log, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout.String()))
		if err != nil {
			t.Fatalf("%v: %v\n%s%s", args, err, &stdout, &stderr)
		}
		if err := valid.Validate(log); err != nil {
			t.Errorf("%v: %v\n%s", args, err, &stdout)
		}
		run := log.(map[string]any)["runs"].([]any)[0].(map[string]any)
		rules := run["tool"].(map[string]any)["driver"].(map[string]any)["rules"].([]any)
		results := run["results"].([]any)
		if (len(results) == 0) != (args[0] == "ok.yaml") {
			t.Errorf("%v: %d results", args, len(results))
		}
		for _, r := range results {
			r := r.(map[string]any)
			index, err := r["ruleIndex"].(interface{ Int64() (int64, error) }).Int64()
			if err != nil || rules[index].(map[string]any)["id"] != r["ruleId"] {
				t.Errorf("%v: rule %v has the index %v", args, r["ruleId"], r["ruleIndex"])
			}
		}
	}
}
