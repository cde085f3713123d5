package control

// This file describes the methods as OpenRPC 1.3.2 does.

func discovering() []*Method {
	return []*Method{{
		Name: "rpc.discover", Doc: "Describes all methods.", Result: "OpenRPC document",
		now: func(p *Plane, _ *Session, _ args) (any, error) { return Describe(p.host.Version), nil },
	}}
}

type object = map[string]any

// Describe returns the OpenRPC document. version is that of the program.
func Describe(version string) any {
	list := []object{}
	for _, m := range methods {
		params := []object{}
		for _, p := range m.Params {
			params = append(params, object{"name": p.Name, "required": p.Required, "description": p.Doc, "schema": p.Type.schema()})
		}
		result := object{"name": "null", "schema": object{"type": "null"}}
		if m.Result != "" {
			result = object{"name": m.Result, "schema": object{}}
		}
		list = append(list, object{"name": m.Name, "description": m.Doc, "paramStructure": "by-name", "params": params, "result": result})
	}
	return object{"openrpc": "1.3.2", "info": object{"title": "ecsrun", "version": version}, "methods": list}
}

// schema returns the JSON Schema of a type.
func (t Type) schema() object {
	switch t {
	case Text:
		return object{"type": "string"}
	case Whole:
		return object{"type": "integer", "minimum": 0, "maximum": exact}
	case Number:
		return object{"type": "number"}
	case Truth:
		return object{"type": "boolean"}
	case Entity:
		return object{"type": "string", "pattern": `^([0-9]+v[0-9]+|@.+)$`}
	case Object:
		return object{"type": "object"}
	case Strings:
		return object{"type": "array", "items": object{"type": "string"}}
	case Cursor:
		return object{"type": []string{"string", "integer"}}
	}
	return object{}
}
