package config

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// This file writes the JSON Schema of the config, for editors. Names and required keys come from the key lists of the decoder, kinds and ranges of scalars from
// the table of scalars, types from package ecs. Only the descriptions, and the shapes of lists, are written here; a key without them is a panic, which the tests
// find.

// An object is a part of a JSON Schema.
type object = map[string]any

// Schema returns the JSON Schema (draft 7) of a config file, indented, in the same form each time. Load accepts only files that follow it; it also checks what
// a schema cannot say, such as names that are used twice.
func Schema() []byte {
	return document("A config of ecsrun", "", (&decoder{}).bodyKeys(Default(), nil))
}

// ManifestSchema returns the JSON Schema of the manifest of a mod, mod.yaml, as Schema does.
func ManifestSchema() []byte {
	return document("The manifest of a mod of ecsrun", "mod", (&decoder{}).manifestKeys(&manifest{}))
}

// document returns the schema of a file with these keys.
func document(title, path string, keys []key) []byte {
	root := schemaOf(path, keys)
	root["$schema"] = "http://json-schema.org/draft-07/schema#"
	root["title"] = title
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic("config: " + err.Error()) // it is plain data
	}
	return append(text, '\n')
}

// schemaOf returns the schema of a mapping with these keys. path is the key of the mapping, with lists left out: "systems".
func schemaOf(path string, keys []key) object {
	properties := object{}
	var required []string
	for _, k := range keys {
		at := join(path, k.name)
		if _, own := descriptions[at]; !own && path == "mod" {
			at = k.name // a section that a config has, too
		}
		text, ok := descriptions[at]
		if !ok {
			panic("config: the schema does not describe " + at)
		}
		property := valueSchema(at)
		property["description"] = text
		properties[k.name] = property
		if k.required {
			required = append(required, k.name)
		}
	}
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		out["required"] = required
	}
	return out
}

// valueSchema returns the schema of the value of a key.
func valueSchema(at string) object {
	if s, ok := findScalar(at); ok {
		out := object{"default": schemaDefault(s)}
		for k, v := range s.schema {
			out[k] = v
		}
		return out
	}
	d := &decoder{}
	switch at {
	case "version":
		return object{"const": 1}
	case "run", "limits", "log", "inspect":
		return optional(schemaOf(at, d.sectionKeys(at, nil)))
	case "components":
		return list(schemaOf(at, d.fieldedKeys(new(string), new([]Field))))
	case "renamed":
		return optional(schemaOf(at, d.renamedKeys(new(Renamed))))
	case "renamed.components", "renamed.relations", "renamed.tags", "renamed.events", "renamed.resources", "renamed.layers", "renamed.prefabs", "renamed.fields":
		return optional(object{"additionalProperties": object{"type": "string", "minLength": 1}})
	case "events":
		return list(object{"anyOf": []object{nameSchema(identifier.String()), schemaOf(at, d.eventKeys(new(Event)))}})
	case "events.input":
		return object{"type": "boolean", "default": false}
	case "components.fields", "events.fields":
		out := list(fieldSchema())
		out["maxItems"] = mostFields
		return out
	case "mods":
		long := schemaOf("mods", d.listedModKeys(new(listedMod)))
		return list(object{"anyOf": []object{nameSchema(modWord.String()), long}})
	case "mods.mod", "mod.name", "needs.mod":
		return nameSchema(modWord.String())
	case "mod.version":
		return object{"type": "string", "pattern": `^[0-9]+\.[0-9]+\.[0-9]+`}
	case "mod.depends", "mod.optional", "mod.conflicts":
		return list(object{"anyOf": []object{nameSchema(modWord.String()), schemaOf("needs", d.needKeys(new(need)))}})
	case "mod.exports":
		return list(object{"type": "string", "minLength": 1})
	case "mods.enabled":
		return object{"type": "boolean", "default": true}
	case "resources":
		return list(object{"anyOf": []object{{"type": "string", "pattern": shortField()}, schemaOf(at, d.typedKeys(nil, nil, nil, nil))}})
	case "layers":
		return list(schemaOf(at, d.layerKeys(new(Layer), nil, nil, "")))
	case "indexes":
		return list(schemaOf(at, d.indexKeys(new(Index))))
	case "indexes.fields":
		return object{"type": "array", "items": nameSchema(identifier.String()), "minItems": 1, "maxItems": ecs.MaxIndexFields}
	case "indexes.width", "indexes.height":
		return object{"type": "integer", "minimum": 1, "maximum": ecs.MaxIndexPlaces}
	case "layers.type":
		return object{"enum": []string{"f64", "f32", "i64", "u64", "i32", "u32", "i16", "u16", "i8", "u8", "bool", "entity"}}
	case "layers.width", "layers.height":
		return object{"type": "integer", "minimum": 1, "maximum": ecs.MaxLayerCells}
	case "layers.wrap", "indexes.wrap":
		return object{"type": "boolean", "default": false}
	case "data":
		return list(schemaOf(at, d.dataKeys(new(Data), "")))
	case "states":
		return list(schemaOf(at, d.stateKeys(new(State))))
	case "states.values":
		out := list(nameSchema(identifier.String()))
		out["minItems"] = 1
		return out
	case "systems.in":
		return object{"anyOf": []object{nameSchema(dashedName.String()), list(nameSchema(dashedName.String()))}}
	case "systems.enter", "systems.leave":
		return nameSchema(dashedName.String())
	case "prefabs":
		return list(schemaOf(at, d.prefabKeys(new(Prefab))))
	case "prefabs.components":
		return optional(object{"additionalProperties": optional(object{})})
	case "prefabs.tags":
		return list(nameSchema(dashedName.String()))
	case "prefabs.children":
		return list(object{"type": "object", "required": []string{"name"}})
	case "systems":
		return list(schemaOf(at, d.systemKeys(new(System), nil, nil)))
	case "tags":
		return list(nameSchema(dashedName.String()))
	case "relations":
		return list(object{"anyOf": []object{nameSchema(identifier.String()), schemaOf(at, d.relationKeys(new(Relation)))}})
	case "relations.targets":
		return object{"enum": []string{"one", "many"}, "default": "one"}
	case "systems.name":
		return nameSchema(dashedName.String())
	case "components.name", "events.name", "resources.name", "layers.name", "data.name", "states.name", "relations.name", "indexes.name", "indexes.component", "prefabs.name", "prefabs.base", "fields.name":
		return nameSchema(identifier.String())
	case "resources.type", "fields.type":
		return object{"anyOf": []object{{"enum": ecs.FieldTypes()}, {"type": "string", "pattern": `^[a-z0-9]+\[[1-9][0-9]*\]$`}}}
	case "resources.default", "layers.default", "fields.default":
		return object{"type": []string{"number", "boolean", "string"}}
	case "systems.stage":
		return object{"enum": stages, "default": StageUpdate}
	case "systems.impl":
		return object{"enum": impls, "default": ImplAuto}
	case "systems.after":
		return list(nameSchema(dashedName.String()))
	case "systems.every":
		return object{"type": "integer", "minimum": 1, "default": 1}
	case "systems.enabled":
		return object{"type": "boolean", "default": true}
	case "systems.hot":
		return object{"type": "boolean", "default": false}
	case "scripts", "layers.file", "data.file", "mod.scripts", "mods_dir", "mods.version", "needs.version", "systems.script", "systems.native", "systems.when", "systems.random":
		return object{"type": "string", "minLength": 1}
	}
	panic("config: the schema does not say what " + at + " is")
}

func nameSchema(pattern string) object { return object{"type": "string", "pattern": pattern} }

// list returns the schema of a list of items. In YAML a list without content is null.
func list(items object) object { return object{"type": []string{"array", "null"}, "items": items} }

// optional returns the schema of a mapping that may be empty: null in YAML.
func optional(mapping object) object {
	mapping["type"] = []string{"object", "null"}
	return mapping
}

// shortField is the pattern of the short form of a field or a resource.
func shortField() string {
	return fmt.Sprintf(`^\s*[A-Za-z_][A-Za-z0-9_]*\s+(%s)(\[[1-9][0-9]*\])?\s*(=.*)?$`, strings.Join(ecs.FieldTypes(), "|"))
}

// fieldSchema returns the schema of a field: "x f64 = 1", or the long form.
func fieldSchema() object {
	long := schemaOf("fields", (&decoder{}).typedKeys(nil, nil, nil, nil))
	return object{"anyOf": []object{{"type": "string", "pattern": shortField()}, long}, "description": `A field: "x f64", "x f64 = 1" or { name: x, type: f64, default: 1 }.`}
}

// schemaDefault returns the default of a scalar as a file writes it.
func schemaDefault(s scalar) any {
	switch s.key {
	case "limits.memory", "limits.world", "limits.allocations", "limits.script":
		const mib = 1 << 20
		return fmt.Sprintf("%dMiB", Default().scalarValues()[s.key].(uint64)/mib)
	case "limits.system_time":
		return Default().Limits.SystemTime.String()
	case "log.every":
		return "60s"
	}
	return Default().scalarValues()[s.key]
}

const durationPattern = `^\s*\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)([0-9.]+(ns|us|µs|μs|ms|s|m|h))*\s*$`

func sizePattern() string {
	var units []string
	for _, u := range sizeUnits {
		units = append(units, u.name)
	}
	return fmt.Sprintf(`^\s*[0-9][0-9_]*\s*(%s)\s*$`, strings.Join(units, "|"))
}
