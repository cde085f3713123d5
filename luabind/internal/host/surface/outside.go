package surface

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// Access for a program that runs frames, or looks at values, while a script holds the world: package luatest.

// InLoop reports whether a query loop of this world is running. It closes loops that were left.
func (w *World) InLoop() bool {
	if w.ecs.Locked() {
		w.closeLeft()
	}
	return w.ecs.Locked()
}

// Plain returns a table with the fields of a view or an event, or the items of an array, as ecs.fields makes it; nil if v
// is none of them. The error is about a view or array whose entity is gone, or about a number that Lua cannot hold exactly.
func (s *Surface) Plain(v lua.LValue) (*lua.LTable, error) {
	ud, _ := v.(*lua.LUserData)
	if ud == nil {
		return nil, nil
	}
	switch v := ud.Value.(type) {
	case *view:
		row, err := v.ref.Row()
		if err != nil {
			return nil, err
		}
		out := s.state.NewTable()
		for i, f := range v.component.schema.Fields() {
			x, err := v.component.world.field(row, i, f.Type)
			if err != nil {
				return nil, &ecs.OpError{Op: "get", Entity: v.ref.Entity(), Component: v.component.name + "." + f.Name, Err: err}
			}
			out.RawSetString(f.Name, x)
		}
		return out, nil
	case *event:
		out := s.state.NewTable()
		for i, f := range v.kind.schema.Fields() {
			x, err := v.get(i)
			if err != nil {
				return nil, err
			}
			out.RawSetString(f.Name, x)
		}
		return out, nil
	case *array:
		row, err := v.row()
		if err != nil {
			return nil, err
		}
		out, err := v.world().itemsOf(row, v.field)
		if err != nil {
			return nil, v.wrong("get", "", err)
		}
		return out.(*lua.LTable), nil
	}
	return nil, nil
}

// Fields returns a table with the fields of a row: of an event that was read outside of a script. The error is about
// a number that Lua cannot hold exactly.
func (w *World) Fields(row ecs.Row) (*lua.LTable, error) {
	out := w.surface.state.NewTable()
	for i, f := range row.Schema().Fields() {
		x, err := w.field(row, i, f.Type)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		out.RawSetString(f.Name, x)
	}
	return out, nil
}

// Function returns a method of the world object, nil if there is none of that name.
func (w *World) Function(name string) *lua.LFunction {
	fn, _ := w.methods.RawGetString(name).(*lua.LFunction)
	return fn
}

// Kind returns what a value is, for messages: "number", "view of Position", "world".
func Kind(v lua.LValue) string { return kindOf(v) }
