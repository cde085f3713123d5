package api

// declaration is the type of the fields that ecs.component and ecs.event take.
const declaration = "table<string, ecs.FieldType|{ type: ecs.FieldType, default: any }>"

// moduleTexts describes the functions of the module ecs.
var moduleTexts = map[string]Text{
	"component": {
		Params: "name, fields?", Types: map[string]string{"name": "string", "fields": declaration},
		Doc: "Declares a component, or checks it against the one of that name. A field is a type, or { type = \"f64\", default = 1 }.",
	},
	"describe": {
		Params: "world, e", Types: map[string]string{"world": "ecs.World"}, Returns: []string{"string text"},
		Doc: "Returns a text with the entity's components, relations and tags.",
	},
	"event": {
		Params: "name, fields?, options?", Types: map[string]string{"name": "string", "fields": declaration, "options": "{ input?: boolean }"},
		Doc: "Declares an event, or checks it against the one of that name. With input = true it comes from outside, so check does not miss who sends it.",
	},
	"fields": {
		Params: "view", Types: map[string]string{"view": "table"}, Returns: []string{"table fields"},
		Doc: "Returns a plain table with the fields of a view or of an event.",
	},
	"grid": {
		Params: "name, options", Types: map[string]string{"name": "string", "options": "ecs.GridOptions"},
		Doc: "Declares a grid for world:near, over two number fields of a component.",
	},
	"name": {
		Params: "e", Returns: []string{"string name"},
		Doc: "Returns the text by which messages name the entity, such as 17v2.",
	},
	"query": {
		Params: "terms", Types: map[string]string{"terms": "ecs.QueryTerms"}, Returns: []string{"ecs.Query query"},
		Doc: "Returns a reusable query. The list part names required components in the order in which a loop yields them.",
	},
	"relation": {
		Params: "name", Types: map[string]string{"name": "string"},
		Doc: "Declares a relation, besides ChildOf and IsA.",
	},
	"resource": {
		Params: "name, field", Types: map[string]string{"name": "string", "field": "ecs.FieldType|{ type: ecs.FieldType, default: any }"},
		Doc: "Declares a resource: one value of the whole world.",
	},
	"tag": {
		Params: "name", Types: map[string]string{"name": "string"},
		Doc: "Declares a tag.",
	},
}

var logTypes = map[string]string{"message": "any", "fields": "table<string, any>"}

// logTexts describes the functions of ecs.log.
var logTexts = map[string]Text{
	"debug": {Params: "message, fields?", Types: logTypes, Doc: "Writes a line to the log, at level debug."},
	"error": {Params: "message, fields?", Types: logTypes, Doc: "Writes a line to the log, at level error. It does not raise an error."},
	"info":  {Params: "message, fields?", Types: logTypes, Doc: "Writes a line to the log, at level info."},
	"warn":  {Params: "message, fields?", Types: logTypes, Doc: "Writes a line to the log, at level warn."},
}
