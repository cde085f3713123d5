package surface

import (
	"errors"
	"fmt"
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Arrays: bag.slots, and resources whose type is one. Their Lua values read and write storage, like views.

// An array is an array in storage as a Lua value: of a component of an entity, or of a resource.
type array struct {
	lua.LUserData
	surface   *Surface
	component *component // nil for a resource
	ref       ecs.Ref
	resource  *resource
	field     int
}

// array returns the Lua value of an array of a component. The one that was asked for last is used again.
func (c *component) array(ref ecs.Ref, i int) *lua.LUserData {
	if a := c.lastArray; a != nil && a.field == i && a.ref == ref {
		return &a.LUserData
	}
	c.lastArray = c.world.surface.newArray(array{component: c, ref: ref, field: i})
	return &c.lastArray.LUserData
}

// array returns the Lua value of an array of a resource.
func (r *resource) array(i int) *lua.LUserData {
	for _, a := range r.arrays {
		if a.field == i {
			return &a.LUserData
		}
	}
	a := r.surface().newArray(array{resource: r, field: i})
	r.arrays = append(r.arrays, a)
	return &a.LUserData
}

func (s *Surface) newArray(a array) *array {
	a.surface = s
	a.LUserData = lua.LUserData{Metatable: s.arrays}
	a.Value = &a
	return &a
}

// row returns where the array is. The error is that of a read.
func (a *array) row() (ecs.Row, error) {
	if a.component == nil {
		return a.resource.row, nil
	}
	return a.ref.Row()
}

func (a *array) schemaField() *ecs.Field {
	if a.component == nil {
		return &a.resource.row.Schema().Fields()[a.field]
	}
	return &a.component.fields[a.field]
}

// name returns how messages name the array.
func (a *array) name() string {
	if a.component == nil {
		return a.resource.fieldName(a.field)
	}
	return a.component.name + "." + a.schemaField().Name
}

// world returns the world of the array.
func (a *array) world() *World {
	if a.component == nil {
		return a.resource.world
	}
	return a.component.world
}

// wrong returns an error of an operation on the array, or on what follows its name.
func (a *array) wrong(op, path string, err error) error {
	if a.component == nil {
		return fmt.Errorf("%s resource %s%s: %w", op, a.name(), path, err)
	}
	return &ecs.OpError{Op: op, Entity: a.ref.Entity(), Component: a.name() + path, Err: cause(err)}
}

// key returns the number of the item that a key names. The error says which keys there are.
func (a *array) key(k lua.LValue) (int, error) {
	n, ok := k.(lua.LNumber)
	t := a.schemaField().Type
	if f := float64(n); ok && f >= 1 && f <= float64(t.Len()) && f == math.Trunc(f) {
		return int(f), nil
	}
	text := shown(k)
	if ok {
		text = sandbox.NumberText(float64(n))
	}
	return 0, fmt.Errorf("[%s] is outside of %s, whose keys are 1 to %d", text, t, t.Len())
}

// get returns an item.
func (a *array) get(k lua.LValue) (lua.LValue, error) {
	row, err := a.row()
	if err != nil {
		return nil, err
	}
	i, err := a.key(k)
	if err != nil {
		return nil, a.wrong("get", "", err)
	}
	v := row.Item(a.field, i)
	if v.Kind() == ecs.EntityValue {
		return a.world().entity(v.Entity()), nil
	}
	if _, exact := v.Exact(); !exact {
		return nil, a.wrong("get", fmt.Sprintf("[%d]", i), fmt.Errorf("a Lua number cannot hold %s exactly: it holds whole numbers up to 2^53 either way", v))
	}
	return a.surface.Lua(v), nil
}

// set writes an item.
func (a *array) set(k, value lua.LValue) error {
	if a.surface.readOnly {
		return errReadOnly
	}
	if _, err := a.row(); err != nil {
		return a.wrong("set", "", err)
	}
	i, err := a.key(k)
	if err != nil {
		return a.wrong("set", "", err)
	}
	v, err := itemValue(a.schemaField().Type.Elem(), value)
	if err != nil {
		return a.wrong("set", fmt.Sprintf("[%d]", i), err)
	}
	if a.component == nil {
		if err := a.resource.row.SetItem(a.field, i, v); err != nil {
			return a.wrong("set", fmt.Sprintf("[%d]", i), err)
		}
		return nil
	}
	return a.complete(a.ref.SetItem(a.field, i, v))
}

// complete says more about an error of a write to a component.
func (a *array) complete(err error) error {
	if errors.Is(err, ecs.ErrInherited) {
		return a.component.inherited(a.ref.Entity(), a.field)
	}
	return err
}

// itemValue returns a Lua value as an item of a type. A number may still be outside of its range.
func itemValue(t ecs.FieldType, v lua.LValue) (ecs.Value, error) {
	switch v := v.(type) {
	case lua.LNumber:
		if t == ecs.EntityField {
			if e, ok := ecs.EntityFromNumber(float64(v)); ok {
				return ecs.EntityOf(e), nil
			}
		} else if t.Numeric() {
			return ecs.Number(float64(v)), nil
		}
	case lua.LBool:
		if t == ecs.Bool {
			return ecs.Boolean(bool(v)), nil
		}
	case *lua.LNilType:
		if t == ecs.EntityField {
			return ecs.EntityOf(ecs.None), nil
		}
	}
	return ecs.Value{}, fmt.Errorf("%s expected, got %s", Expects(t), shown(v))
}

// list returns a Lua table, or an array, as the value of an array of type t. What the table lacks is what a fresh row has.
func (s *Surface) list(t ecs.FieldType, v lua.LValue) (ecs.Value, error) {
	if ud, ok := v.(*lua.LUserData); ok {
		if a, ok := ud.Value.(*array); ok {
			row, err := a.row()
			if err != nil {
				return ecs.Value{}, cause(err)
			}
			if !s.state.Budget().Charge(int64(a.schemaField().Type.Len())) {
				return ecs.Value{}, s.state.Budget().Spent()
			}
			return row.Get(a.field), nil
		}
	}
	from, ok := v.(*lua.LTable)
	if !ok {
		return ecs.Value{}, fmt.Errorf("list expected, got %s", shown(v))
	}
	var entries []ecs.DataEntry
	for k, x := from.Next(lua.LNil); k != lua.LNil; k, x = from.Next(k) {
		if !s.state.Budget().Charge(entryCost) {
			return ecs.Value{}, s.state.Budget().Spent()
		}
		n, ok := k.(lua.LNumber)
		if f := float64(n); !ok || f != math.Trunc(f) || f < 1 || f > float64(t.Len()) {
			text := sandbox.NumberText(f)
			if !ok {
				text = shown(k)
			}
			return ecs.Value{}, fmt.Errorf("[%s] is outside of %s, whose keys are 1 to %d", text, t, t.Len())
		}
		item, err := itemValue(t.Elem(), x)
		if err != nil {
			return ecs.Value{}, &partError{path: pathTo(ecs.Number(float64(n))), err: err}
		}
		entries = append(entries, ecs.DataEntry{Key: ecs.Number(float64(n)), Value: item})
	}
	d, err := ecs.NewData(entries)
	return ecs.TableOf(d), err
}

// itemsOf returns the array that is field i of a row as a new Lua table.
func (w *World) itemsOf(row ecs.Row, i int) (lua.LValue, error) {
	n := row.Schema().Fields()[i].Type.Len()
	w.surface.state.Budget().Charge(entryCost * int64(n))
	m := interp.NewTable(n, 0)
	for k := range n {
		v := row.Item(i, k+1)
		if _, exact := v.Exact(); !exact {
			return nil, fmt.Errorf("a Lua number cannot hold %s exactly: it holds whole numbers up to 2^53 either way", v)
		}
		m.Append(w.surface.Lua(v))
	}
	return m.Table(), nil
}

// Items implements [sandbox.Array].
func (a *array) Items(L *lua.LState) int {
	if _, err := a.row(); err != nil {
		sandbox.Raise(L, err)
	}
	return a.schemaField().Type.Len()
}

// Item implements [sandbox.Array].
func (a *array) Item(L *lua.LState, i int) lua.LValue {
	v, err := a.get(lua.LNumber(i))
	if err != nil {
		sandbox.Raise(L, err)
	}
	return v
}

// Put implements [sandbox.Array]: one change.
func (a *array) Put(L *lua.LState, t *lua.LTable) {
	v, err := a.surface.list(a.schemaField().Type, t)
	switch {
	case err != nil:
		path, why := partOf(err)
		err = a.wrong("set", path, why)
	case a.surface.readOnly:
		err = errReadOnly
	case a.component == nil:
		err = a.resource.row.Set(a.field, v)
	default:
		err = a.complete(a.ref.Set(a.field, v))
	}
	if err != nil {
		sandbox.Raise(L, err)
	}
}

// Length implements [interp.Sized].
func (a *array) Length() (float64, bool) {
	_, err := a.row()
	return float64(a.schemaField().Type.Len()), err == nil
}

// GetField returns false: an array has no names.
func (a *array) GetField(*interp.Field, string, *interp.Value) bool { return false }

// SetField returns false: an array has no names.
func (a *array) SetField(*interp.Field, string, *interp.Value) bool { return false }

// GetKey does what arrayIndex does.
func (a *array) GetKey(_ *interp.Field, key, out *interp.Value) bool {
	i := int(key.Num)
	if !key.IsNumber() || float64(i) != key.Num || i < 1 {
		return false
	}
	row, err := a.row()
	if err != nil {
		return false
	}
	v := row.Item(a.field, i)
	switch v.Kind() {
	case ecs.NumberValue, ecs.EntityValue:
		out.SetNumber(v.Float())
		return true
	case ecs.BoolValue:
		*out = interp.False
		if v.Bool() {
			*out = interp.True
		}
		return true
	}
	return false
}

// SetKey does what arrayNewIndex does.
func (a *array) SetKey(key, v *interp.Value) bool {
	i := int(key.Num)
	if !key.IsNumber() || float64(i) != key.Num || a.surface.readOnly || a.component != nil && a.component.observed() {
		return false
	}
	var x ecs.Value
	switch value := v.Ref.(type) {
	case nil:
		if !a.schemaField().Type.Elem().Numeric() {
			return false
		}
		x = ecs.Number(v.Num)
	case lua.LBool:
		x = ecs.Boolean(bool(value))
	default:
		return false
	}
	if a.component == nil {
		return a.resource.row.SetItem(a.field, i, x) == nil
	}
	return a.ref.SetItem(a.field, i, x) == nil
}

// arrayAt returns the array that is value 1 of a metamethod.
func arrayAt(L *lua.LState) *array {
	if ud, ok := L.Get(1).(*lua.LUserData); ok {
		if a, ok := ud.Value.(*array); ok {
			return a
		}
	}
	raise(L, "array expected, got %s", typeName(L, 1))
	return nil
}

// arrayIndex is __index of arrays.
func arrayIndex(L *lua.LState) int {
	v, err := arrayAt(L).get(L.Get(2))
	if err != nil {
		sandbox.Raise(L, err)
	}
	L.Push(v)
	return 1
}

// arrayNewIndex is __newindex of arrays.
func arrayNewIndex(L *lua.LState) int {
	if err := arrayAt(L).set(L.Get(2), L.Get(3)); err != nil {
		sandbox.Raise(L, err)
	}
	return 0
}

// arrayLength is __len of arrays.
func arrayLength(L *lua.LState) int {
	L.Push(lua.LNumber(arrayAt(L).Items(L)))
	return 1
}

// arrayEqual is __eq: two values of the same array are equal.
func arrayEqual(L *lua.LState) int {
	x, _ := L.Get(1).(*lua.LUserData)
	y, _ := L.Get(2).(*lua.LUserData)
	a, aOK := x.Value.(*array)
	b, bOK := y.Value.(*array)
	L.Push(lua.LBool(aOK && bOK && a.component == b.component && a.resource == b.resource && a.ref == b.ref && a.field == b.field))
	return 1
}

// arrayString is __tostring of arrays.
func arrayString(L *lua.LState) int {
	a := arrayAt(L)
	text := []byte(a.name() + " ")
	if row, err := a.row(); err == nil {
		text = a.surface.appendText(text, row.Get(a.field))
	} else {
		text = append(append(append(text, '('), cause(err).Error()...), ')')
	}
	return a.surface.pushText(L, text)
}

// arrayObject makes the metatable of arrays.
func (s *Surface) arrayObject() *lua.LTable {
	mt := s.metatable("array", arrayIndex, arrayNewIndex, arrayString)
	mt.RawSetString("__len", s.state.NewFunction(arrayLength))
	mt.RawSetString("__eq", s.state.NewFunction(arrayEqual))
	return mt
}
