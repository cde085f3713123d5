package surface

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// The accesses that scripts make most, in a form for package interp ([interp.Object]): fields of views, events and
// resources, and properties of the world, without a call of a metamethod. Each method does what the metamethod of
// the value does where that cannot fail, and returns false in all other cases. Then the metamethod is called, and
// raises the error.

// find returns the index of a field, which the place in the script remembers.
func (c *component) find(f *interp.Field, key string) int {
	if !f.Is(unsafe.Pointer(c), key) {
		i := c.field(key)
		if i < 0 {
			return -1
		}
		f.Remember(unsafe.Pointer(c), key, i)
	}
	return f.Index
}

// GetField does what viewIndex does.
func (v *view) GetField(f *interp.Field, key string, out *interp.Value) bool {
	c := v.component
	i := c.find(f, key)
	if i < 0 {
		return false
	}
	row, err := v.ref.Row()
	if err != nil {
		return false
	}
	if t := c.fields[i].Type; t.Len() > 0 {
		*out = interp.Value{Ref: c.array(v.ref, i)}
		return true
	} else if t != ecs.TableField {
		return read1(row, i, t, out)
	}
	d := row.Get(i).Data()
	if f.Write {
		*out = interp.Value{Ref: c.world.surface.live(&viewOwner{c, v.ref}, i, d)}
		return true
	}
	*out = c.world.surface.readsField(f, d)
	return true
}

// read1 reads a field that is neither a table nor a 64-bit integer.
func read1(row ecs.Row, i int, t ecs.FieldType, out *interp.Value) bool {
	switch t {
	case ecs.F64, ecs.F32, ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8:
		out.SetNumber(row.Number(i))
	case ecs.Bool:
		if row.Number(i) != 0 {
			*out = interp.True
		} else {
			*out = interp.False
		}
	case ecs.EntityField:
		out.SetNumber(float64(row.Get(i).Entity()))
	case ecs.String:
		*out = interp.Value{Ref: lua.LString(row.Get(i).Str())}
	default:
		return false
	}
	return true
}

// SetField does what viewNewIndex does.
func (v *view) SetField(f *interp.Field, key string, x *interp.Value) bool {
	c := v.component
	i := c.find(f, key)
	if i < 0 {
		return false
	}
	if c.observed() {
		return false
	}
	t := c.fields[i].Type
	switch value := x.Ref.(type) {
	case nil:
		return t.Numeric() && v.ref.SetNumber(i, x.Num) == nil
	case lua.LBool:
		return t == ecs.Bool && v.ref.Set(i, ecs.Boolean(bool(value))) == nil
	case lua.LString:
		return t == ecs.String && v.ref.Set(i, ecs.Text(string(value))) == nil
	}
	return false
}

// GetField does what eventIndex does.
func (e *event) GetField(f *interp.Field, key string, out *interp.Value) bool {
	if !f.Is(unsafe.Pointer(e.kind), key) {
		i := e.kind.schema.Index(key)
		if i < 0 {
			return false
		}
		f.Remember(unsafe.Pointer(e.kind), key, i)
	}
	if e.isTable(f.Index) {
		if f.Write {
			*out = interp.Value{Ref: e.kind.world.surface.live(e, f.Index, e.data[f.Index])}
			return true
		}
		*out = e.kind.world.surface.readsField(f, e.data[f.Index])
		return true
	}
	v := &e.value[f.Index]
	if v.IsNumber() {
		out.SetNumber(v.Num)
		return true
	}
	if _, failed := v.Ref.(*lua.LUserData); failed {
		return false
	}
	*out = *v
	return true
}

// SetField returns false, because an event is read-only.
func (e *event) SetField(*interp.Field, string, *interp.Value) bool { return false }

// GetField returns a method of the world, or a property.
func (w *World) GetField(_ *interp.Field, key string, out *interp.Value) bool {
	if w.surface.loading > 0 {
		return w.method(key, out)
	}
	switch key {
	case "dt":
		out.SetNumber(w.ecs.DT())
	case "time":
		out.SetNumber(w.ecs.Time())
	case "frame":
		out.SetNumber(float64(w.ecs.Frame()))
	case "commands":
		*out = interp.Value{Ref: w.commands}
	case "states":
		*out = interp.Value{Ref: w.states}
	case "resources":
		*out = interp.Value{Ref: w.resources}
	case "layers":
		*out = interp.Value{Ref: w.layers}
	default:
		return w.method(key, out)
	}
	return true
}

func (w *World) method(name string, out *interp.Value) bool {
	fn := w.methods.RawGetString(name)
	if fn == lua.LNil {
		return false
	}
	*out = interp.Value{Ref: fn}
	return true
}

// SetField returns false, because the world has no fields that can be set.
func (w *World) SetField(*interp.Field, string, *interp.Value) bool { return false }

// A resourceTable is the object world.resources.
type resourceTable struct{ world *World }

// find returns the resource of a name, which the place in the script remembers.
func (t *resourceTable) find(f *interp.Field, key string) *resource {
	if t.world.surface.loading > 0 {
		return nil
	}
	if f.Is(unsafe.Pointer(t), key) {
		return t.world.usedResources[f.Index]
	}
	r := t.world.byResource[key]
	if r != nil {
		f.Remember(unsafe.Pointer(t), key, r.index)
	}
	return r
}

// GetField does what getResource does.
func (t *resourceTable) GetField(f *interp.Field, key string, out *interp.Value) bool {
	r := t.find(f, key)
	if r == nil {
		return false
	}
	if !r.single {
		*out = interp.Value{Ref: r.view}
		return true
	}
	return r.read(0, f, out)
}

// read reads field i, but no 64-bit integer.
func (r *resource) read(i int, f *interp.Field, out *interp.Value) bool {
	t := r.row.Schema().Fields()[i].Type
	if t.Len() > 0 {
		*out = interp.Value{Ref: r.array(i)}
		return true
	}
	if t != ecs.TableField {
		return read1(r.row, i, t, out)
	}
	d := r.row.Get(i).Data()
	if f.Write {
		*out = interp.Value{Ref: r.live(i, d)}
	} else {
		*out = r.surface().readsField(f, d)
	}
	return true
}

// SetField does what setResource does.
func (t *resourceTable) SetField(f *interp.Field, key string, x *interp.Value) bool {
	r := t.find(f, key)
	return r != nil && r.single && r.set(0, x)
}

// GetField does what recordIndex does.
func (r record) GetField(f *interp.Field, key string, out *interp.Value) bool {
	i := r.find(f, key)
	return i >= 0 && r.read(i, f, out)
}

// SetField does what recordNewIndex does.
func (r record) SetField(f *interp.Field, key string, x *interp.Value) bool {
	i := r.find(f, key)
	return i >= 0 && r.set(i, x)
}

// find returns the index of a field of the resource, which the place in the script remembers.
func (r *resource) find(f *interp.Field, key string) int {
	if !f.Is(unsafe.Pointer(r), key) {
		i := r.row.Schema().Index(key)
		if i < 0 {
			return -1
		}
		f.Remember(unsafe.Pointer(r), key, i)
	}
	return f.Index
}

// set writes a number or a boolean to a field of its type. It returns false if the value does not fit.
func (r *resource) set(i int, x *interp.Value) bool {
	t := r.row.Schema().Fields()[i].Type
	switch value := x.Ref.(type) {
	case nil:
		return t.Numeric() && r.row.Set(i, ecs.Number(x.Num)) == nil
	case lua.LBool:
		return t == ecs.Bool && r.row.Set(i, ecs.Boolean(bool(value))) == nil
	}
	return false
}

// Step gives a loop over world:each its next values: the entity, and a view of each component.
func (l *eachLoop) Step(L *lua.LState, out []interp.Value) {
	if !l.advance(L) {
		for i := range out {
			out[i] = interp.Nil
		}
		return
	}
	for i := range out {
		switch {
		case i == 0:
			out[0].SetNumber(float64(l.cursor.Entity()))
		case i <= len(l.plan.terms):
			out[i] = interp.Of(l.world.term(&l.cursor, i-1, l.plan.terms[i-1]))
		default:
			out[i] = interp.Nil
		}
	}
}
