package lint

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/yuin/gopher-lua/ast"
)

// A field is a field of a view or an event that an expression reads, an item of an array, or a cell of a layer.
type field struct {
	owner, name string
	kind        ecs.FieldType
}

func (x field) String() string { return x.owner + "." + x.name }

// field returns the field that an expression reads, also through a local that is never assigned again. ok is false
// if the source does not show it, or nothing declares the field.
func (c *checker) field(f *file, e ast.Expr) (out field, ok bool) {
	if v := f.Chunk.Bindings.Variable(e); v != nil && !v.Assigned && v.Value != nil {
		e = v.Value
	}
	if x, ok := c.item(f, e); ok {
		return x, true
	}
	if x, ok := c.cell(f, e); ok {
		return x, true
	}
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return field{}, false
	}
	key, ok := get.Key.(*ast.StringExpr)
	if !ok {
		return field{}, false
	}
	what := f.names.Of(get.Object)
	var s *ecs.Schema
	switch what.Kind {
	case alias.View:
		id, ok := c.World.LookupComponent(what.Name)
		if info, _ := c.World.ComponentInfo(id); ok && !info.Relation {
			s = info.Schema
		}
	case alias.Event:
		if id, ok := c.World.LookupEvent(what.Name); ok {
			s = c.World.EventSchema(id)
		}
	default: // only views and events have fields
	}
	if s == nil || s.Index(key.Value) < 0 {
		return field{}, false
	}
	return field{what.Name, key.Value, s.Fields()[s.Index(key.Value)].Type}, true
}
