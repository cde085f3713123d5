package api

// declaration is the type of the fields that ecs.component and ecs.event take.
const declaration = "table<string, ecs.FieldType|{ type: ecs.FieldType, default: any }>"

// moduleTexts describes the functions of the module ecs.
var moduleTexts = map[string]Text{
	"component": {
		Params: "name, fields?", Types: map[string]string{"name": "string", "fields": declaration},
		Doc: "Declares a component, or checks it against the one of that name. A field is a type, or { type = \"f64\", default = 1 }.",
	},
	"data": {
		Params: "name", Types: map[string]string{"name": "string"}, Returns: []string{"any data"},
		Doc: "Returns what a data file of the config says: a table that cannot be changed, the same one at each call.",
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
	"index": {
		Params: "name, options", Types: map[string]string{"name": "string", "options": "ecs.IndexOptions"},
		Doc: "Declares an index: world:at, all, around and count find entities by the values of these fields.",
	},
	"layer": {
		Params: "name, options", Types: map[string]string{"name": "string", "options": "ecs.LayerOptions"},
		Doc: "Declares a layer: a grid of numbers, booleans or entities, world.layers.NAME.",
	},
	"name": {
		Params: "e", Returns: []string{"string name"},
		Doc: "Returns the text by which messages name the entity, such as 17v2.",
	},
	"normal": {
		Params: "mean?, sd?", Types: map[string]string{"mean": "number", "sd": "number"}, Returns: []string{"number value"},
		Doc: "Returns a number of the normal distribution with that mean, by default 0, and standard deviation, by default 1. It draws two numbers from the stream of this system.",
	},
	"pick": {
		Params: "list", Types: map[string]string{"list": "any[]"}, Returns: []string{"any item"},
		Doc: "Returns an item of a list by chance; nil of an empty list, and then it draws no number.",
	},
	"prefab": {
		Params: "name, options", Types: map[string]string{"name": "string", "options": "ecs.PrefabOptions"},
		Doc: "Declares a prefab, from which world:instance makes entities. It belongs at the top of a file.",
	},
	"query": {
		Params: "terms", Types: map[string]string{"terms": "ecs.QueryTerms"}, Returns: []string{"ecs.Query query"},
		Doc: "Returns a reusable query. The list part names required components in the order in which a loop yields them.",
	},
	"relation": {
		Params: "name, how?", Types: map[string]string{"name": "string", "how": `{ targets: "one"|"many" }`},
		Doc: "Declares a relation, besides ChildOf and IsA. With targets = \"many\" an entity may have many targets in it.",
	},
	"resource": {
		Params: "name, field", Types: map[string]string{"name": "string", "field": "ecs.FieldType|{ type: ecs.FieldType, default: any }"},
		Doc: "Declares a resource: one value of the whole world.",
	},
	"sample": {
		Params: "list, n", Types: map[string]string{"list": "any[]", "n": "integer"}, Returns: []string{"any[] items"},
		Doc: "Returns a new list of n different items of a list in random order; of all items if there are fewer. The list stays as it is.",
	},
	"shuffle": {
		Params: "list", Types: map[string]string{"list": "any[]"}, Returns: []string{"any[] list"},
		Doc: "Puts the items of a list into random order, and returns the list. A list in the world, as in ecs.shuffle(bag.items), is changed there.",
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
