package surface

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Conversion between Lua and storage, all of it. Nothing is coerced: a string is not a number, and a number is not
// a boolean. Tables are copied in both directions, and charged by entry.

// smallNumbers has the most common numbers as Lua values, so that they need no allocation.
var smallNumbers = func() (out [1024]lua.LValue) {
	for i := range out {
		out[i] = lua.LNumber(i)
	}
	return out
}()

func number(f float64) lua.LValue {
	if f >= 0 && f < float64(len(smallNumbers)) {
		if i := int(f); float64(i) == f && (i != 0 || 1/f > 0) { // -0 stays -0
			return smallNumbers[i]
		}
	}
	return lua.LNumber(f)
}

// mostBoxes is the largest number of entity numbers that are kept as Lua values, of 24 bytes each.
const mostBoxes = 1 << 20

// entity returns a handle as a Lua number. The values are kept by slot, so that walking the same entities every
// frame allocates nothing.
func (w *World) entity(e ecs.Entity) lua.LValue {
	i := int(e.Index())
	if i < len(w.boxes) {
		if v := w.boxes[i]; v == lua.LValue(lua.LNumber(e)) {
			return v
		}
	}
	return w.newBox(e, i)
}

// newBox makes the Lua value of a handle, and keeps it for the slot i, unless there are too many.
func (w *World) newBox(e ecs.Entity, i int) lua.LValue {
	v := lua.LValue(lua.LNumber(e))
	if e == ecs.None || i >= mostBoxes {
		return v
	}
	if i >= len(w.boxes) {
		w.boxes = append(w.boxes, make([]lua.LValue, i+1-len(w.boxes))...)
	}
	w.boxes[i] = v
	return v
}

// field returns field i of a row as a Lua value. A table is a new copy. The error is about an integer that a Lua
// number cannot hold exactly.
func (w *World) field(row ecs.Row, i int, t ecs.FieldType) (lua.LValue, error) {
	if t.Len() > 0 {
		return w.itemsOf(row, i)
	}
	switch t {
	case ecs.F64, ecs.F32, ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8:
		return number(row.Number(i)), nil
	case ecs.Bool:
		return lua.LBool(row.Number(i) != 0), nil
	case ecs.EntityField:
		return w.entity(row.Get(i).Entity()), nil
	case ecs.String:
		return lua.LString(row.Get(i).Str()), nil
	case ecs.TableField:
		return w.surface.table(row.Get(i).Data()), nil
	case ecs.I64, ecs.U64:
		v := row.Get(i)
		if f, ok := v.Exact(); ok {
			return number(f), nil
		}
		return nil, fmt.Errorf("a Lua number cannot hold %s exactly: it holds whole numbers up to 2^53 either way", v)
	}
	panic("surface: a field of type " + t.String())
}

// table returns plain data as a new Lua table, and charges for its entries.
func (s *Surface) table(d *ecs.Data) *lua.LTable {
	s.state.Budget().Charge(entryCost * int64(d.Total()))
	return s.uncharged(d)
}

// uncharged is table for data that has been charged for.
func (s *Surface) uncharged(d *ecs.Data) *lua.LTable {
	values, items, keys := ecs.Raw.Content(d)
	names := 0
	for names < len(keys) && keys[names].Kind() == ecs.StringValue {
		names++
	}
	if names < len(keys) { // other keys
		m := interp.NewTable(0, 0)
		t := m.Table()
		for k, v := range d.All() {
			interp.Set(t, s.Lua(k), s.inner(v))
		}
		return t
	}
	m := interp.NewTable(items, names)
	for _, v := range values[:items] {
		m.Append(s.inner(v))
	}
	for i := range keys {
		m.Set(s.name(keys[i].Str()), s.inner(values[items+i]))
	}
	return m.Table()
}

// inner returns a value inside data that has been charged for.
func (s *Surface) inner(v ecs.Value) lua.LValue {
	if v.Kind() == ecs.TableValue {
		return s.uncharged(v.Data())
	}
	return s.Lua(v)
}

// mostNames is the largest number of names of entries that are kept as Lua values.
const mostNames = 1024

// name returns a string as a Lua value. Names of entries are kept, because they are needed again and again.
func (s *Surface) name(text string) lua.LValue {
	v, ok := s.names[text]
	if !ok {
		v = lua.LString(text)
		if len(s.names) < mostNames && len(text) <= 64 {
			s.names[text] = v
		}
	}
	return v
}

// Lua returns any value as a Lua value. An entity becomes its number.
func (s *Surface) Lua(v ecs.Value) lua.LValue {
	switch v.Kind() {
	case ecs.NilValue:
		return lua.LNil
	case ecs.BoolValue:
		return lua.LBool(v.Bool())
	case ecs.StringValue:
		return lua.LString(v.Str())
	case ecs.TableValue:
		return s.table(v.Data())
	default:
		return number(v.Float())
	}
}

// Value returns a Lua value as plain data: nil, a boolean, a number, a string, or a table of these. Anything else
// is an error. The copy is charged by entry.
func (s *Surface) Value(v lua.LValue) (ecs.Value, error) {
	if t, ok := v.(*lua.LTable); ok {
		d, err := s.data(t)
		return ecs.TableOf(d), err
	}
	return scalar(v)
}

// scalar returns a Lua value as plain data that is not a table.
func scalar(v lua.LValue) (ecs.Value, error) {
	switch v := v.(type) {
	case *lua.LNilType:
		return ecs.Value{}, nil
	case lua.LBool:
		return ecs.Boolean(bool(v)), nil
	case lua.LNumber:
		return ecs.Number(float64(v)), nil
	case lua.LString:
		return ecs.Text(string(v)), nil
	}
	return ecs.Value{}, fmt.Errorf("a %s is not plain data (numbers, strings, booleans and tables of them)", kindOf(v))
}

// mostEntries is the largest number of entries of one value, including those of nested tables. A table that is
// reached twice counts twice, because it is copied twice.
const mostEntries = 1<<20 - 1

// entryCost is the number of instructions that are charged for each entry: making one takes as long as about ten
// instructions.
const entryCost = 8

// A partError is about a value inside a table that is to become plain data.
type partError struct {
	path string // of the value in the table: ".sword", "[2].count"; "" for the table itself
	err  error
}

func (e *partError) Error() string {
	if e.path == "" {
		return e.err.Error()
	}
	return strings.TrimPrefix(e.path, ".") + ": " + e.err.Error()
}

func (e *partError) Unwrap() error { return e.err }

// partOf splits the error about a value into the path inside the value, "" for the value itself, and the reason.
func partOf(err error) (path string, why error) {
	if e, ok := err.(*partError); ok {
		return e.path, e.err
	}
	return "", err
}

// A copying is a copy of plain data in progress.
type copying struct {
	budget *sandbox.Budget
	left   int // the number of entries that it may still have
}

// data copies a Lua table to plain data.
func (s *Surface) data(t *lua.LTable) (*ecs.Data, error) {
	c := copying{s.state.Budget(), mostEntries}
	return c.table(t, nil)
}

func tooManyEntries() error {
	return sandbox.Limitf("plain data of more than %d entries; a table that is in it several times counts as often", mostEntries)
}

// table copies a table. path has the tables around it, to find cycles.
func (c *copying) table(t *lua.LTable, path []*lua.LTable) (*ecs.Data, error) {
	for _, outer := range path {
		if outer == t {
			return nil, &partError{err: errors.New("the table contains itself; plain data has no cycles")}
		}
	}
	if len(path) >= ecs.MaxDataDepth {
		return nil, sandbox.Limitf("plain data nests deeper than %d tables", ecs.MaxDataDepth)
	}
	path = append(path, t)
	entries := make([]ecs.DataEntry, 0, min(t.Len(), c.left))
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		if c.left--; c.left < 0 {
			return nil, tooManyEntries()
		}
		if !c.budget.Charge(entryCost) {
			return nil, c.budget.Spent()
		}
		var entry ecs.DataEntry
		var err error
		switch k.(type) {
		case lua.LNumber, lua.LString, lua.LBool:
			entry.Key, err = scalar(k)
		default:
			return nil, &partError{err: fmt.Errorf("a %s cannot be a key of plain data", kindOf(k))}
		}
		if sub, ok := v.(*lua.LTable); ok {
			var d *ecs.Data
			d, err = c.table(sub, path)
			entry.Value = ecs.TableOf(d)
		} else if err == nil {
			if entry.Value, err = scalar(v); err != nil {
				err = &partError{err: err}
			}
		}
		if part, ok := err.(*partError); ok { // limits are about the whole table
			part.path = pathTo(entry.Key) + part.path
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return ecs.NewData(entries)
}

// store returns a Lua value as the value of field i of a schema. The error says why it does not fit, and shows the
// value.
func (s *Surface) store(schema *ecs.Schema, i int, v lua.LValue) (ecs.Value, error) {
	f := &schema.Fields()[i]
	var out ecs.Value
	if f.Type.Len() > 0 {
		v, err := s.list(f.Type, v)
		if err == nil {
			err = schema.Check(ecs.FieldValue{Index: i, Value: v})
		}
		return v, err
	}
	switch v := v.(type) {
	case lua.LNumber:
		switch {
		case f.Type == ecs.F64 || f.Type == ecs.F32:
			return ecs.Number(float64(v)), nil
		case f.Type == ecs.EntityField:
			if e, ok := ecs.EntityFromNumber(float64(v)); ok {
				return ecs.EntityOf(e), nil
			}
		case f.Type.Numeric():
			out = ecs.Number(float64(v))
			return out, schema.Check(ecs.FieldValue{Index: i, Value: out})
		}
	case lua.LBool:
		if f.Type == ecs.Bool {
			return ecs.Boolean(bool(v)), nil
		}
	case lua.LString:
		if f.Type == ecs.String {
			return ecs.Text(string(v)), nil
		}
	case *lua.LTable:
		if f.Type == ecs.TableField {
			d, err := s.data(v)
			return ecs.TableOf(d), err
		}
	case *lua.LNilType:
		if f.Type == ecs.EntityField {
			return ecs.EntityOf(ecs.None), nil
		}
	}
	return out, fmt.Errorf("%s expected, got %s", Expects(f.Type), shown(v))
}

// Expects returns what a field of a type takes, for messages.
func Expects(t ecs.FieldType) string {
	switch t {
	case ecs.Bool:
		return "boolean"
	case ecs.EntityField, ecs.String, ecs.TableField:
		return t.String()
	}
	return "number"
}

// shown returns a value for a message: string "abc", number 5, nil.
func shown(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return fmt.Sprintf("string %q", cut(string(v)))
	case lua.LNumber:
		return "number " + sandbox.NumberText(float64(v))
	case lua.LBool:
		return fmt.Sprintf("boolean %v", bool(v))
	}
	return kindOf(v)
}

// values appends to buf the fields that a table gives values to. op, e and owner are for errors: set Position.x on
// 17v2: number expected, got string "a".
func (s *Surface) values(buf []ecs.FieldValue, t *lua.LTable, schema *ecs.Schema, op string, e ecs.Entity, owner string) ([]ecs.FieldValue, error) {
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		name, ok := k.(lua.LString)
		if !ok {
			return buf, &ecs.OpError{Op: op, Entity: e, Component: owner, Err: fmt.Errorf("a field needs a name, not %s", shown(k))}
		}
		i := schema.Index(string(name))
		if i < 0 {
			return buf, noField(owner, schema, string(name))
		}
		value, err := s.store(schema, i, v)
		if err != nil {
			path, why := partOf(err)
			return buf, &ecs.OpError{Op: op, Entity: e, Component: owner + "." + string(name) + path, Err: why}
		}
		buf = append(buf, ecs.FieldValue{Index: i, Value: value})
	}
	return buf, nil
}

// appendText appends a value as tostring of a view or event shows it. If out becomes longer than a string may be,
// it appends only the beginning.
func (s *Surface) appendText(out []byte, v ecs.Value) []byte {
	if v.Kind() == ecs.NumberValue {
		return append(out, sandbox.NumberText(v.Float())...)
	}
	return v.AppendText(out, s.state.MaxString())
}

// appendRow appends a row as {x = 1, y = 2}, with the limit of appendText.
func (s *Surface) appendRow(out []byte, row ecs.Row) []byte {
	out = append(out, '{')
	for i, f := range row.Schema().Fields() {
		if len(out) > s.state.MaxString() {
			return out
		}
		if i > 0 {
			out = append(out, ", "...)
		}
		out = s.appendText(append(append(out, f.Name...), " = "...), row.Get(i))
	}
	return append(out, '}')
}

// pushText pushes a text that contains what scripts have stored. A text that is too long for a string is an error.
func (s *Surface) pushText(L *lua.LState, text []byte) int {
	s.state.CheckString(L, len(text))
	L.Push(lua.LString(text))
	return 1
}
