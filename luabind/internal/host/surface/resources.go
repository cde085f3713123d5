package surface

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// world.resources: reading and writing the resources of a world. A resource with one value is that value; one with
// several fields, which Go code has registered, is an object.

// A resource is what this package keeps about a resource of a world.
type resource struct {
	world  *World
	name   string
	index  int // in usedResources
	row    ecs.Row
	single bool           // it has one value, and is not a struct
	view   *lua.LUserData // of a struct: its Lua value
	last   *live          // see live
	arrays []*array       // see array
}

// A record is the Lua value of a resource with several fields. It is read and written by field, like a view.
type record struct{ *resource }

// resource returns the resource with a name. The error has a suggestion.
func (w *World) resource(name string) (*resource, error) {
	if r := w.byResource[name]; r != nil {
		return r, nil
	}
	id, ok := w.ecs.LookupResource(name)
	if !ok {
		return nil, undeclared(w.ecs, "world.resources", "resource", name)
	}
	r := &resource{world: w, name: name, index: len(w.usedResources), row: w.ecs.Resource(id)}
	fields := r.row.Schema().Fields()
	r.single = len(fields) == 1 && fields[0].Name == "value"
	if !r.single {
		r.view = w.surface.state.NewUserData(record{r}, w.surface.resource)
	}
	w.byResource[name] = r
	w.usedResources = append(w.usedResources, r)
	return r, nil
}

// namedResource returns the resource that value 2 of a metamethod names.
func (w *World) namedResource(L *lua.LState) *resource {
	if w.surface.loading > 0 {
		raise(L, "world.resources while a file is being loaded: a file declares things and returns functions; only those get at a world")
	}
	name, ok := L.Get(2).(lua.LString)
	if !ok {
		raise(L, "world.resources has named values only, not [%s]", sandbox.ToString(L, L.Get(2)))
	}
	r, err := w.resource(string(name))
	if err != nil {
		sandbox.Raise(L, err)
	}
	return r
}

// getResource is __index of world.resources: it pushes the value, or the record of a resource with several fields.
func (w *World) getResource(L *lua.LState) int {
	r := w.namedResource(L)
	if !r.single {
		L.Push(r.view)
		return 1
	}
	return r.push(L, 0, r.name)
}

// setResource is __newindex of world.resources.
func (w *World) setResource(L *lua.LState) int {
	r := w.namedResource(L)
	if !r.single {
		raise(L, "resource %q has fields: assign to world.resources.%s.NAME", r.name, r.name)
	}
	r.assign(L, 0, r.name)
	return 0
}

// push pushes the value of field i.
func (r *resource) push(L *lua.LState, i int, what string) int {
	t := r.row.Schema().Fields()[i].Type
	if t.Len() > 0 {
		L.Push(r.array(i))
		return 1
	}
	if s := r.world.surface; t == ecs.TableField {
		d := r.row.Get(i).Data()
		if s.state.WritesPath(L) {
			L.Push(r.live(i, d))
		} else {
			L.Push(s.reads(L, d))
		}
		return 1
	}
	v, err := r.world.field(r.row, i, t)
	if err != nil {
		sandbox.Raise(L, fmt.Errorf("get resource %s: %w", what, err))
	}
	L.Push(v)
	return 1
}

// assign writes value 3 of a metamethod into field i.
func (r *resource) assign(L *lua.LState, i int, what string) {
	v, err := r.world.surface.store(r.row.Schema(), i, L.Get(3))
	if err != nil {
		path, why := partOf(err)
		sandbox.Raise(L, fmt.Errorf("set resource %s%s: %w", what, path, why))
	}
	if err := r.row.Set(i, v); err != nil {
		panic("surface: a checked value did not fit: " + err.Error())
	}
}

// recordOf returns the record that is value 1 of a metamethod, and the index of the field that value 2 names. It
// raises an error if there is no such field.
func recordOf(L *lua.LState) (record, int) {
	ud, _ := L.Get(1).(*lua.LUserData)
	r, ok := ud.Value.(record)
	if !ok {
		raise(L, "resource expected, got %s", typeName(L, 1))
	}
	name, ok := L.Get(2).(lua.LString)
	if !ok {
		raise(L, "%s has named fields only, not [%s]", r.name, sandbox.ToString(L, L.Get(2)))
	}
	i := r.row.Schema().Index(string(name))
	if i < 0 {
		sandbox.Raise(L, noField(r.name, r.row.Schema(), string(name)))
	}
	return r, i
}

// recordIndex is __index of records: it pushes a field.
func recordIndex(L *lua.LState) int {
	r, i := recordOf(L)
	return r.push(L, i, r.name+"."+r.row.Schema().Fields()[i].Name)
}

// recordNewIndex is __newindex of records: it writes a field.
func recordNewIndex(L *lua.LState) int {
	r, i := recordOf(L)
	r.assign(L, i, r.name+"."+r.row.Schema().Fields()[i].Name)
	return 0
}

// recordString is __tostring of records.
func recordString(L *lua.LState) int {
	ud, _ := L.Get(1).(*lua.LUserData)
	if r, ok := ud.Value.(record); ok {
		s := r.world.surface
		return s.pushText(L, s.appendRow([]byte(r.name+" "), r.row))
	}
	raise(L, "resource expected, got %s", typeName(L, 1))
	return 0
}
