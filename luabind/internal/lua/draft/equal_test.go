package draft

import (
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/ecsrun/ecsrun/ecs"
)

// Values are equal if they are the same, and of two views and two tables with a function that compares them this is not known otherwise.
func TestEqualValues(t *testing.T) {
	t.Parallel()
	var pool Pool
	value := func(v ecs.Value) Ref { return Ref{Value: &v} }
	newTable := func(meta lua.LValue) *lua.LTable { return &lua.LTable{Metatable: meta} }
	compares := newTable(lua.LNil)
	compares.RawSetString("__eq", &lua.LFunction{})
	view, f, plain, own, object := &lua.LUserData{}, &lua.LFunction{}, newTable(lua.LNil), pool.Table(nil), newTable(compares)
	stored, _ := ecs.NewData([]ecs.DataEntry{{Key: ecs.Number(1), Value: ecs.Number(2)}})
	values := []struct {
		name string
		kind int  // values of two kinds are never equal
		open bool // whether it equals another one of its kind is not known
		of   func() Ref
	}{
		{"nil", 0, false, func() Ref { return value(ecs.Value{}) }},
		{"1", 1, false, func() Ref { return value(ecs.Number(1)) }},
		{"2", 1, false, func() Ref { return value(ecs.Number(2)) }},
		{"true", 2, false, func() Ref { return value(ecs.Boolean(true)) }},
		{"false", 2, false, func() Ref { return value(ecs.Boolean(false)) }},
		{"a string", 3, false, func() Ref { return value(ecs.Text("a")) }},
		{"the string 1", 3, false, func() Ref { return value(ecs.Text("1")) }},
		{"a view", 4, true, func() Ref { return OtherValue(view) }},
		{"another view", 4, true, func() Ref { return OtherValue(&lua.LUserData{}) }},
		{"a function", 5, false, func() Ref { return OtherValue(f) }},
		{"another function", 5, false, func() Ref { return OtherValue(&lua.LFunction{}) }},
		{"a table of the script", 6, false, func() Ref { return LuaTable(plain) }},
		{"another table of the script", 6, false, func() Ref { return LuaTable(newTable(lua.LNil)) }},
		{"an object that compares", 6, true, func() Ref { return LuaTable(object) }},
		{"another object that compares", 6, true, func() Ref { return LuaTable(newTable(compares)) }},
		{"a table of a row", 7, false, func() Ref { return Ref{Value: &Nil, Table: own} }},
		{"another table of a row", 7, false, func() Ref { return Ref{Value: &Nil, Table: pool.Table(nil)} }},
		{"a stored table", 7, true, func() Ref { return value(ecs.TableOf(stored)) }},
	}
	for _, a := range values {
		for _, b := range values {
			same := a.name == b.name && !strings.HasPrefix(a.name, "another") // of those each call makes another one
			unknown := a.open || b.open
			wantEqual, wantKnown := same, same && a.name != "a stored table" || a.kind != b.kind || !unknown
			if got, known := Equal(a.of(), b.of()); known != wantKnown || known && got != wantEqual {
				t.Errorf("%s == %s: %v, known %v; want %v, %v", a.name, b.name, got, known, wantEqual, wantKnown)
			}
		}
	}
}
