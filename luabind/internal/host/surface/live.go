package surface

import (
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Writing into stored tables: bag.items.sword = 1 changes storage, although bag.items is normally a copy. Package
// sandbox finds such statements in the source (interp.Path); their reads give live tables, which store what is
// assigned to them.

// A live is a Lua value that stands for a table in storage while one statement writes to it: the bag.items of
// bag.items.sword = 1, the bag.items[2] of bag.items[2].count = 3, the bag.items of table.insert(bag.items, x). An
// assignment to it reads what is stored at that time, changes it and stores it, with one stamp. It is only in
// registers that no variable has (see interp.Path), so scripts never hold one.
type live struct {
	lua.LUserData
	owner  owner
	field  int       // index of the field of the owner
	parent *live     // the table that contains this one; nil if this is the value of the field
	key    ecs.Value // its key in parent
	data   *ecs.Data // the data when the statement read it
}

// An owner has fields of type table: a component of an entity, a resource, or an event, which lets nothing be changed.
type owner interface {
	surface() *Surface
	// stored returns the value of a field. The error is complete.
	stored(field int) (*ecs.Data, error)
	// replace stores another value. The error is complete.
	replace(field int, d *ecs.Data) error
	// refuse makes the error for what cannot be stored. path follows the name of the field: .sword, [2].count.
	refuse(field int, path string, err error) error
}

// live makes the live table of a field.
func (s *Surface) live(o owner, field int, d *ecs.Data) *lua.LUserData {
	return s.newLive(live{owner: o, field: field, data: d})
}

// newLive makes the Lua value of a live table.
func (s *Surface) newLive(l live) *lua.LUserData {
	l.LUserData = lua.LUserData{Metatable: s.lives}
	l.Value = &l
	return &l.LUserData
}

// within makes the live table of a table in l.
func (l *live) within(key ecs.Value, d *ecs.Data) *lua.LUserData {
	return l.owner.surface().newLive(live{owner: l.owner, field: l.field, parent: l, key: key, data: d})
}

// liveOf returns the live table that is value 1 of a metamethod.
func liveOf(L *lua.LState) *live {
	if ud, ok := L.Get(1).(*lua.LUserData); ok {
		if l, ok := ud.Value.(*live); ok {
			return l
		}
	}
	raise(L, "table expected, got %s", typeName(L, 1))
	return nil
}

// path returns where l is in its field, as a source could write it.
func (l *live) path() string {
	if l.parent == nil {
		return ""
	}
	return l.parent.path() + pathTo(l.key)
}

// pathTo returns the last step of a path: .sword or [2].
func pathTo(key ecs.Value) string {
	if key.Kind() == ecs.StringValue {
		return "." + cut(key.Str())
	}
	return "[" + cut(key.String()) + "]"
}

// liveIndex is __index: it reads a part on the way to a write.
func liveIndex(L *lua.LState) int {
	l := liveOf(L)
	L.Push(l.get(L.Get(2)))
	return 1
}

// get returns the value at a key of the data that the statement has read. A nested table is live, too.
func (l *live) get(k lua.LValue) lua.LValue {
	key, err := scalar(k)
	if err != nil {
		return lua.LNil
	}
	v := l.data.Get(key)
	if v.Kind() == ecs.TableValue {
		return l.within(key, v.Data())
	}
	return l.owner.surface().Lua(v)
}

// liveNewIndex is __newindex: it stores the table with the new value.
func liveNewIndex(L *lua.LState) int {
	l := liveOf(L)
	if err := l.assign(L.Get(2), L.Get(3)); err != nil {
		sandbox.Raise(L, err)
	}
	return 0
}

// liveString is __tostring, for error texts that show an argument.
func liveString(L *lua.LState) int {
	L.Push(lua.LString("table"))
	return 1
}

// assign stores the table with another value at a key.
func (l *live) assign(k, value lua.LValue) error {
	var key ecs.Value
	err := fmt.Errorf("a %s cannot be a key of plain data", kindOf(k))
	switch k.(type) {
	case lua.LNumber, lua.LString, lua.LBool:
		key, err = scalar(k)
	}
	if err != nil {
		return l.owner.refuse(l.field, l.path(), err)
	}
	if _, err := l.owner.stored(l.field); err != nil {
		return err
	}
	v, err := l.owner.surface().Value(value)
	if err != nil {
		path, why := partOf(err)
		return l.owner.refuse(l.field, l.path()+pathTo(key)+path, why)
	}
	if l.inPlace(key, v) {
		return nil
	}
	return l.change(pathTo(key), func(d *ecs.Data) (*ecs.Data, error) { return l.with(d, key, v) })
}

// now returns what is stored now. It may differ from data, because the statement has evaluated other expressions
// since.
func (l *live) now() (*ecs.Data, error) {
	if l.parent == nil {
		return l.owner.stored(l.field)
	}
	outer, err := l.parent.now()
	if err != nil {
		return nil, err
	}
	v := outer.Get(l.key)
	if v.Kind() != ecs.TableValue {
		return nil, l.owner.refuse(l.field, l.path(), errGone)
	}
	return v.Data(), nil
}

var errGone = errors.New("the table that the statement began with is not stored any more")

// change stores what the function change makes of the table. It charges for the entries of the tables on the way,
// which are copied. An error names the path to l, followed by last.
func (l *live) change(last string, change func(*ecs.Data) (*ecs.Data, error)) error {
	stored, err := l.owner.stored(l.field)
	if err != nil {
		return err
	}
	d, err := l.rebuild(stored, change)
	if err == nil && d.Total() > mostEntries {
		err = tooManyEntries()
	}
	if err != nil {
		return l.owner.refuse(l.field, l.path()+last, err)
	}
	return l.owner.replace(l.field, d)
}

// rebuild returns the value of the field, stored, with the change at the place of l.
func (l *live) rebuild(stored *ecs.Data, change func(*ecs.Data) (*ecs.Data, error)) (*ecs.Data, error) {
	if l.parent == nil {
		return l.charged(stored, change)
	}
	return l.parent.rebuild(stored, func(d *ecs.Data) (*ecs.Data, error) {
		v := d.Get(l.key)
		if v.Kind() != ecs.TableValue {
			return nil, errGone
		}
		inner, err := l.charged(v.Data(), change)
		if err != nil {
			return nil, err
		}
		return l.parent.with(d, l.key, ecs.TableOf(inner))
	})
}

// charged calls change and charges for the copy that it makes. If the budget does not suffice, the turn ends at the
// next instruction.
func (l *live) charged(d *ecs.Data, change func(*ecs.Data) (*ecs.Data, error)) (*ecs.Data, error) {
	l.owner.surface().state.Budget().Charge(entryCost * int64(d.Len()+1))
	return change(d)
}

// GetField does what liveIndex does.
func (l *live) GetField(_ *interp.Field, key string, out *interp.Value) bool {
	*out = interp.Of(l.get(lua.LString(key)))
	return true
}

// SetField does what liveNewIndex does for a value that is not a table.
func (l *live) SetField(_ *interp.Field, key string, v *interp.Value) bool {
	return l.set(ecs.Text(key), v)
}

// GetKey does what liveIndex does.
func (l *live) GetKey(_ *interp.Field, key, out *interp.Value) bool {
	k := key.Ref
	if key.IsNumber() {
		k = lua.LNumber(key.Num)
	}
	*out = interp.Of(l.get(k))
	return true
}

// SetKey does what liveNewIndex does for a number as the key and a value that is not a table.
func (l *live) SetKey(key, v *interp.Value) bool {
	return key.IsNumber() && key.Num == key.Num && l.set(ecs.Number(key.Num), v)
}

// set is assign for cases in which only the budget can make it fail.
func (l *live) set(key ecs.Value, v *interp.Value) bool {
	switch o := l.owner.(type) {
	case *viewOwner:
		if o.component.observed() {
			return false
		}
	case *event:
		return false
	}
	var x ecs.Value
	switch value := v.Ref.(type) {
	case nil:
		x = ecs.Number(v.Num)
	case lua.LString:
		x = ecs.Text(string(value))
	case lua.LBool:
		x = ecs.Boolean(bool(value))
	default:
		return false
	}
	if l.inPlace(key, x) {
		return true
	}
	b := l.owner.surface().state.Budget()
	before := b.Used()
	err := l.change("", func(d *ecs.Data) (*ecs.Data, error) { return l.with(d, key, x) })
	if err != nil {
		b.Refund(b.Used() - before) // the metamethod does it again, and raises the error
	}
	return err == nil
}

// Copy returns a copy for functions of the library table: see sandbox.Stored.
func (l *live) Copy(L *lua.LState) *lua.LTable {
	d, err := l.now()
	if err != nil {
		sandbox.Raise(L, err)
	}
	return l.owner.surface().table(d)
}

// list returns what is stored now, and its number of items. ok is false if the Lua table would have other items, or
// if there is no room for one more.
func (l *live) list(L *lua.LState) (d *ecs.Data, n int, ok bool) {
	d, err := l.now()
	if err != nil {
		sandbox.Raise(L, err)
	}
	n = d.Items()
	if n < d.Len() {
		if key, _ := d.At(n); key.Kind() == ecs.NumberValue {
			return d, n, false
		}
	}
	return d, n, n < mostEntries
}

// Append is table.insert(list, v).
func (l *live) Append(L *lua.LState, v lua.LValue) bool {
	_, n, ok := l.list(L)
	if !ok {
		return false
	}
	if err := l.assign(lua.LNumber(n+1), v); err != nil {
		sandbox.Raise(L, err)
	}
	return true
}

// RemoveLast is table.remove(list).
func (l *live) RemoveLast(L *lua.LState) (lua.LValue, bool) {
	d, n, ok := l.list(L)
	if !ok || n == 0 {
		return nil, false
	}
	_, v := d.At(n - 1)
	last := l.owner.surface().Lua(v)
	if err := l.assign(lua.LNumber(n), lua.LNil); err != nil {
		sandbox.Raise(L, err)
	}
	return last, true
}

// Store stores a copy that a function of the library table has changed.
func (l *live) Store(L *lua.LState, t *lua.LTable) {
	d, err := l.owner.surface().data(t)
	if err != nil {
		path, why := partOf(err)
		sandbox.Raise(L, l.owner.refuse(l.field, l.path()+path, why))
	}
	if err := l.change("", func(*ecs.Data) (*ecs.Data, error) { return d, nil }); err != nil {
		sandbox.Raise(L, err)
	}
}

// A viewOwner is a component of an entity, as an owner.
type viewOwner struct {
	component *component
	ref       ecs.Ref
}

func (o *viewOwner) surface() *Surface { return o.component.world.surface }

func (o *viewOwner) stored(i int) (*ecs.Data, error) {
	row, err := o.ref.Row()
	if err != nil {
		return nil, &ecs.OpError{Op: "set", Entity: o.ref.Entity(), Component: o.component.name, Err: cause(err)}
	}
	return row.Get(i).Data(), nil
}

func (o *viewOwner) replace(i int, d *ecs.Data) error {
	if o.surface().readOnly {
		return errReadOnly
	}
	err := o.ref.Set(i, ecs.TableOf(d))
	if errors.Is(err, ecs.ErrInherited) {
		return o.component.inherited(o.ref.Entity(), i)
	}
	return err
}

func (o *viewOwner) refuse(i int, path string, err error) error {
	return &ecs.OpError{Op: "set", Entity: o.ref.Entity(), Component: o.component.name + "." + o.component.fields[i].Name + path, Err: err}
}

func (e *event) surface() *Surface { return e.kind.world.surface }

// stored returns the error for what a script wants to change in an event.
func (e *event) stored(i int) (*ecs.Data, error) {
	name := e.kind.schema.Fields()[i].Name
	return nil, fmt.Errorf("an event is read-only: %s.%s cannot be changed; change a copy, local %s = EVENT.%s", e.kind.name, name, name, name)
}

// replace is not called, because stored returns an error.
func (e *event) replace(i int, _ *ecs.Data) error {
	_, err := e.stored(i)
	return err
}

func (e *event) refuse(_ int, _ string, err error) error { return err }

func (r *resource) surface() *Surface { return r.world.surface }

func (r *resource) stored(i int) (*ecs.Data, error) { return r.row.Get(i).Data(), nil }

func (r *resource) replace(i int, d *ecs.Data) error {
	if r.surface().readOnly {
		return errReadOnly
	}
	return r.row.Set(i, ecs.TableOf(d))
}

func (r *resource) refuse(i int, path string, err error) error {
	return fmt.Errorf("set resource %s%s: %w", r.fieldName(i), path, err)
}

// fieldName returns the name of the resource in messages, with the field if it has several.
func (r *resource) fieldName(i int) string {
	if r.single {
		return r.name
	}
	return r.name + "." + r.row.Schema().Fields()[i].Name
}
