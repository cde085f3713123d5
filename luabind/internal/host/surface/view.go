package surface

import (
	"errors"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Views: the values that world:get and world:each give for a component. The accesses here are the metamethods;
// direct.go has the forms for package interp.

// A view is a component of an entity as a Lua value. It reads and writes storage directly. It follows its entity
// from table to table, and its use is an error while the entity lacks the component, and once the entity is dead.
type view struct {
	lua.LUserData
	ref       ecs.Ref
	component *component
}

// viewsPerSlab is the number of views that are allocated at once. It is small, because a view that a script keeps
// also keeps the memory of its neighbours.
const viewsPerSlab = 16

// view makes a new view.
func (w *World) view(ref ecs.Ref, c *component) *lua.LUserData {
	if len(w.slab) == 0 {
		w.slab = make([]view, viewsPerSlab)
	}
	v := &w.slab[0]
	w.slab = w.slab[1:]
	v.ref, v.component = ref, c
	v.LUserData = lua.LUserData{Value: v, Metatable: w.surface.views}
	return &v.LUserData
}

// viewOf returns the view that is value 1 of a metamethod.
func viewOf(L *lua.LState) *view {
	if ud, ok := L.Get(1).(*lua.LUserData); ok {
		if v, ok := ud.Value.(*view); ok {
			return v
		}
	}
	raise(L, "view expected, got %s", typeName(L, 1))
	return nil
}

// index returns the index of the field that a key names.
func (v *view) index(L *lua.LState, key lua.LValue) int {
	name, ok := key.(lua.LString)
	if !ok {
		raise(L, "%s has named fields only, not [%s]", v.component.name, sandbox.ToString(L, key))
	}
	i := v.component.field(string(name))
	if i < 0 {
		sandbox.Raise(L, noField(v.component.name, v.component.schema, string(name)))
	}
	return i
}

// viewIndex is __index of views: it pushes a field of the component in storage.
func viewIndex(L *lua.LState) int {
	v := viewOf(L)
	i := v.index(L, L.Get(2))
	row, err := v.ref.Row()
	if err != nil {
		sandbox.Raise(L, err)
	}
	f := &v.component.fields[i]
	if f.Type.Len() > 0 {
		L.Push(v.component.array(v.ref, i))
		return 1
	}
	if s := v.component.world.surface; f.Type == ecs.TableField {
		d := row.Get(i).Data()
		if s.state.WritesPath(L) {
			L.Push(s.live(&viewOwner{v.component, v.ref}, i, d))
		} else {
			L.Push(s.reads(L, d))
		}
		return 1
	}
	x, err := v.component.world.field(row, i, f.Type)
	if err != nil {
		sandbox.Raise(L, &ecs.OpError{Op: "get", Entity: v.ref.Entity(), Component: v.component.name + "." + f.Name, Err: err})
	}
	L.Push(x)
	return 1
}

// viewNewIndex is __newindex of views: it writes a field of the component in storage.
func viewNewIndex(L *lua.LState) int {
	v := viewOf(L)
	v.component.assign(L, v.ref, v.index(L, L.Get(2)), L.Get(3))
	return 0
}

// assign writes a value to field i of a component of an entity, and stamps it.
func (c *component) assign(L *lua.LState, ref ecs.Ref, i int, value lua.LValue) {
	f := &c.fields[i]
	if x, ok := value.(lua.LNumber); ok && f.Type.Numeric() {
		if err := ref.SetNumber(i, float64(x)); err != nil {
			if errors.Is(err, ecs.ErrInherited) {
				c.raiseInherited(L, ref.Entity(), i)
			}
			sandbox.Raise(L, err)
		}
		return
	}
	if _, err := ref.Row(); err != nil {
		sandbox.Raise(L, &ecs.OpError{Op: "set", Entity: ref.Entity(), Component: c.name, Err: cause(err)})
	}
	x, err := c.world.surface.store(c.schema, i, value)
	if err != nil {
		path, why := partOf(err)
		sandbox.Raise(L, &ecs.OpError{Op: "set", Entity: ref.Entity(), Component: c.name + "." + f.Name + path, Err: why})
	}
	if err := ref.Set(i, x); err != nil {
		if errors.Is(err, ecs.ErrInherited) {
			c.raiseInherited(L, ref.Entity(), i)
		}
		sandbox.Raise(L, err)
	}
}

// cause returns what an error of storage says without the operation.
func cause(err error) error {
	if op, ok := err.(*ecs.OpError); ok {
		return op.Err
	}
	return err
}

// viewString is __tostring of views. It shows the fields, or why they cannot be read.
func viewString(L *lua.LState) int {
	v := viewOf(L)
	text := []byte(v.component.name + " of " + v.ref.Entity().String() + " ")
	s := v.component.world.surface
	if row, err := v.ref.Row(); err == nil {
		text = s.appendRow(text, row)
	} else {
		text = append(append(append(text, '('), cause(err).Error()...), ')')
	}
	return s.pushText(L, text)
}

// viewEqual is __eq: two views of the same component of the same entity are equal.
func viewEqual(L *lua.LState) int {
	a, aOK := L.Get(1).(*lua.LUserData)
	b, bOK := L.Get(2).(*lua.LUserData)
	equal := false
	if aOK && bOK {
		x, xOK := a.Value.(*view)
		y, yOK := b.Value.(*view)
		equal = xOK && yOK && x.component == y.component && x.ref.Entity() == y.ref.Entity()
	}
	L.Push(lua.LBool(equal))
	return 1
}

// fields is ecs.fields: a table with the fields of a view or an event.
func fields(c call) int {
	out, err := c.surface.Plain(c.arg(1))
	c.check(err)
	if out == nil {
		c.expected(1, "view or event")
	}
	c.Push(out)
	return 1
}

// get is world:get(e, name): a view, or nil if the entity does not have the component, neither itself nor
// inherited. A nil is remembered, so that an error about it can say what the entity lacked.
func get(c call) int {
	e := c.entity(1)
	k := c.data(2, "world:related")
	if !c.w.ecs.Has(e, k.id) {
		c.surface.absences.note(absence{sandbox.CallSite(c.LState), c.w.ecs, e, k.name})
		c.Push(lua.LNil)
		return 1
	}
	c.Push(c.w.view(c.w.ecs.Ref(e, k.id), k))
	return 1
}

// ViewOf returns the entity and the component of a value that is a view; ok is false for any other value.
func ViewOf(v lua.LValue) (e ecs.Entity, id ecs.ComponentID, ok bool) {
	ud, isUserData := v.(*lua.LUserData)
	if !isUserData {
		return 0, 0, false
	}
	x, isView := ud.Value.(*view)
	if !isView {
		return 0, 0, false
	}
	return x.ref.Entity(), x.component.id, true
}

// View returns a new view of a component of an entity. The component must not be a relation.
func (w *World) View(e ecs.Entity, id ecs.ComponentID) lua.LValue {
	return w.view(w.ecs.Ref(e, id), w.componentOf(id))
}

// ViewOf is the function of that name for a view of this world that is no relation.
func (w *World) ViewOf(v lua.LValue) (e ecs.Entity, id ecs.ComponentID, ok bool) {
	e, id, ok = ViewOf(v)
	if !ok {
		return e, id, false
	}
	c := v.(*lua.LUserData).Value.(*view).component
	return e, id, c.world == w && !c.relation
}
