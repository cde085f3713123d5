package surface

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// What each type of field takes: nothing is coerced, and ranges are kept.
func TestStore(t *testing.T) {
	s := newScene(t)
	list := s.state.NewTable()
	list.Append(lua.LNumber(3))
	nothing := s.state.NewFunction(func(*lua.LState) int { return 0 })
	const handle = 2<<32 | 5 // 5v2
	for _, c := range []struct {
		typ  ecs.FieldType
		in   lua.LValue
		want string // the value, or the error
	}{
		{ecs.F64, lua.LNumber(0.1), "0.1"},
		{ecs.F64, lua.LNumber(math.Inf(-1)), "-Inf"},
		{ecs.F64, lua.LString("1"), `number expected, got string "1"`},
		{ecs.F64, lua.LTrue, "number expected, got boolean true"},
		{ecs.F64, lua.LNil, "number expected, got nil"},
		{ecs.F64, list, "number expected, got table"},
		{ecs.F64, nothing, "number expected, got function"},
		{ecs.F64, s.bound.Value(), "number expected, got world"},
		{ecs.F32, lua.LNumber(0.1), "0.1"},
		{ecs.F32, lua.LString(""), `number expected, got string ""`},
		{ecs.I8, lua.LNumber(127), "127"},
		{ecs.I8, lua.LNumber(-128), "-128"},
		{ecs.I8, lua.LNumber(128), "128 does not fit i8 (-128 to 127)"},
		{ecs.I8, lua.LNumber(-129), "-129 does not fit i8 (-128 to 127)"},
		{ecs.I8, lua.LNumber(0.5), "0.5 is not a whole number, as i8 needs"},
		{ecs.I8, lua.LNumber(math.NaN()), "NaN is not a whole number, as i8 needs"},
		{ecs.U8, lua.LNumber(255), "255"},
		{ecs.U8, lua.LNumber(-1), "-1 does not fit u8 (0 to 255)"},
		{ecs.U8, lua.LNumber(256), "256 does not fit u8 (0 to 255)"},
		{ecs.I16, lua.LNumber(-32768), "-32768"},
		{ecs.I16, lua.LNumber(32768), "32768 does not fit i16 (-32768 to 32767)"},
		{ecs.U16, lua.LNumber(65535), "65535"},
		{ecs.U16, lua.LNumber(65536), "65536 does not fit u16 (0 to 65535)"},
		{ecs.I32, lua.LNumber(math.MinInt32), "-2.147483648e+09"},
		{ecs.I32, lua.LNumber(math.MaxInt32 + 1), "2147483648 does not fit i32 (-2147483648 to 2147483647)"},
		{ecs.U32, lua.LNumber(math.MaxUint32), "4.294967295e+09"},
		{ecs.U32, lua.LNumber(math.MaxUint32 + 1), "4294967296 does not fit u32 (0 to 4294967295)"},
		{ecs.U32, lua.LString("1"), `number expected, got string "1"`},
		{ecs.Bool, lua.LFalse, "false"},
		{ecs.Bool, lua.LTrue, "true"},
		{ecs.Bool, lua.LNumber(1), "boolean expected, got number 1"},
		{ecs.Bool, lua.LNil, "boolean expected, got nil"},
		{ecs.EntityField, lua.LNumber(handle), "5v2"},
		{ecs.EntityField, lua.LNumber(0), "none"},
		{ecs.EntityField, lua.LNil, "none"},
		{ecs.EntityField, lua.LNumber(1.5), "entity expected, got number 1.5"},
		{ecs.EntityField, lua.LNumber(-1), "entity expected, got number -1"},
		{ecs.EntityField, lua.LString("5v2"), `entity expected, got string "5v2"`},
		{ecs.String, lua.LString("a\x00b"), `"a\x00b"`},
		{ecs.String, lua.LNumber(5), "string expected, got number 5"},
		{ecs.String, lua.LNil, "string expected, got nil"},
		{ecs.String, lua.LFalse, "string expected, got boolean false"},
		{ecs.TableField, list, "{3}"},
		{ecs.TableField, lua.LNil, "table expected, got nil"},
		{ecs.TableField, lua.LString("{}"), `table expected, got string "{}"`},
	} {
		schema, err := ecs.NewSchema(ecs.Field{Name: "pad", Type: ecs.Bool}, ecs.Field{Name: "v", Type: c.typ})
		s.ok(err)
		v, err := s.surface.store(schema, 1, c.in)
		got := v.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s takes %v: got %s, want %s", c.typ, c.in, got, c.want)
		}
	}
}

// A field gives what it was given; integers of 64 bits give what a Lua number holds exactly.
func TestFieldsOfAllTypes(t *testing.T) {
	for _, c := range []struct{ field, value, want string }{
		{"f64", "0.1", "0.1"},
		{"f32", "0.1", "0.10000000149012"},
		{"i32", "-2^31", "-2147483648"},
		{"u32", "2^32 - 1", "4294967295"},
		{"i16", "-2^15", "-32768"},
		{"u16", "2^16 - 1", "65535"},
		{"i8", "-128", "-128"},
		{"u8", "255", "255"},
		{"flag", "true", "true"},
		{"who", "world:spawn{}", "4294967297"},
		{"who", "ecs.none", "0"},
		{"who", "nil", "0"},
		{"name", "('x'):rep(3)", "xxx"},
	} {
		fails(t, fmt.Sprintf(`local v = world:get(world:spawn{ Kinds = {} }, "Kinds") v.%[1]s = %[2]s
			check.eq(tostring(v.%[1]s), %[3]q)
			check.eq(tostring(ecs.fields(v).%[1]s), %[3]q)
			local e = world:spawn{ Kinds = { %[1]s = v.%[1]s } }
			check.eq(world:get(e, "Kinds").%[1]s, v.%[1]s)
			check.eq(world:set(e, "Kinds", { %[1]s = v.%[1]s }), true)
			check.eq(type(v.%[1]s), type(%[2]s == nil and 0 or %[2]s))`, c.field, c.value, c.want), "")
	}
	fails(t, `local v = world:get(world:spawn{ Kinds = {} }, "Kinds")
		v.items = { 1, 2, { deep = true }, name = "n", [2.5] = false, [true] = 7 }
		check.eq(v.items, { 1, 2, { deep = true }, name = "n", [2.5] = false, [true] = 7 })
		v.items[1] = 9
		check.eq(v.items[1], 9)
		local items = v.items
		items[1] = 8
		check.eq(v.items[1], 9)
		check.eq(v.items == v.items, false) -- a copy each time`, "")
	fails(t, `local v = world:get(world:spawn{ Wide = { i64 = -2^53, u64 = 2^53 } }, "Wide")
		check.eq(v.i64, -2^53) check.eq(v.u64, 2^53)`, "")
	const tooLarge = "a Lua number cannot hold 9007199254740993 exactly: it holds whole numbers up to 2^53 either way"
	for body, want := range map[string]string{
		`return world:first("Wide")`:                                                       "",
		`local _, w = world:first("Wide") return w.i64`:                                    "get Wide.i64 on 0v1: " + tooLarge,
		`local _, w = world:first("Wide") return ecs.fields(w)`:                            "get Wide.i64 on 0v1: " + tooLarge,
		`local _, w = world:first("Wide") check.eq(w.u64, 3)`:                              "",
		`local _, w = world:first("Wide") w.u64 = -1`:                                      "set Wide.u64 on 0v1: -1 does not fit u64 (0 to 9007199254740992)",
		`local _, w = world:first("Wide") w.i64 = "1"`:                                     `set Wide.i64 on 0v1: number expected, got string "1"`,
		`world:spawn{ Wide = { i64 = 0.5 } }`:                                              "spawn Wide.i64: 0.5 is not a whole number, as i64 needs",
		`local _, w = world:first("Wide") check.eq(tostring(w):sub(1, 11), "Wide of 0v1")`: "",
	} {
		s := newScene(t)
		id, _ := s.world.LookupComponent("Wide")
		e, err := s.world.Spawn()
		s.ok(err)
		_, err = s.world.Set(e, id, ecs.FieldValue{Index: 0, Value: ecs.Int(1<<53 + 1)}, ecs.FieldValue{Index: 1, Value: ecs.Number(3)})
		s.ok(err)
		if err := s.run(body); message(err) != want && (want != "" || err != nil) {
			t.Errorf("%s\ngot  %v\nwant %s", body, message(err), want)
		}
	}
}

// The numbers that are kept are the numbers.
func TestNumbers(t *testing.T) {
	for _, f := range []float64{0, math.Copysign(0, -1), 1, 1022, 1023, 1024, 1025, -1, 0.5, 1e300, math.Inf(1), math.NaN()} {
		got := float64(number(f).(lua.LNumber))
		if math.Float64bits(got) != math.Float64bits(f) {
			t.Errorf("%v became %v", f, got)
		}
		if Number(f).String() != number(f).String() {
			t.Errorf("Number gives %v for %v", Number(f), f)
		}
	}
	s := newScene(t)
	for _, e := range []ecs.Entity{ecs.None, 1 << 32, 1<<32 | 7, 2<<32 | 7, 1<<32 | (mostBoxes - 1), 1<<32 | mostBoxes, 1<<32 | (mostBoxes + 5)} {
		for range 2 {
			if got := s.bound.entity(e); got != lua.LNumber(e) {
				t.Errorf("%s became %v", e, got)
			}
		}
	}
	if n := len(s.bound.boxes); n != mostBoxes {
		t.Errorf("%d entity numbers are kept, at most %d are to be", n, mostBoxes)
	}
	e := ecs.Entity(1<<32 | 7)
	if n := testing.AllocsPerRun(10, func() { s.bound.entity(e) }); n > 1 {
		t.Errorf("a known handle allocates %v times", n)
	}
}

// Plain data is numbers, strings, booleans and tables of them.
func TestPlainData(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{"nil", "nil"},
		{"true", "true"},
		{"1.5", "1.5"},
		{"'a'", `"a"`},
		{"{}", "{}"},
		{"{ 1, 'b', false, { x = 1 } }", `{1, "b", false, {x = 1}}`},
		{"{ [1.5] = 1, [true] = 2 }", "{[1.5] = 1, [true] = 2}"},
		{"print", "a function is not plain data (numbers, strings, booleans and tables of them)"},
		{"{ print }", "[1]: a function is not plain data (numbers, strings, booleans and tables of them)"},
		{"{ a = { b = coroutine.create(print) } }", "a.b: a thread is not plain data (numbers, strings, booleans and tables of them)"},
		{"{ [{}] = 1 }", "a table cannot be a key of plain data"},
		{"{ [print] = 1 }", "a function cannot be a key of plain data"},
		{"(function() local t = {} t.t = t return t end)()", "t: the table contains itself; plain data has no cycles"},
		{"(function() local t = {} t.t = { { t } } return t end)()", "t[1][1]: the table contains itself; plain data has no cycles"},
		{"(function() local a = { 1 } return { a, a } end)()", "{{1}, {1}}"},
		{fmt.Sprintf("(function() local t = {} for i = 2, %d do t = { t } end return t end)()", ecs.MaxDataDepth), strings.Repeat("{", ecs.MaxDataDepth) + strings.Repeat("}", ecs.MaxDataDepth)},
		{fmt.Sprintf("(function() local t = {} for i = 1, %d do t = { t } end return t end)()", ecs.MaxDataDepth), fmt.Sprintf("plain data nests deeper than %d tables", ecs.MaxDataDepth)},
	} {
		s := newScene(t)
		v, err := s.surface.Value(s.results("a.lua", "return "+c.expr)[0])
		got := v.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.expr, got, c.want)
		}
		if err == nil {
			if back, err := s.surface.Value(s.surface.Lua(v)); err != nil || !back.Equal(v) {
				t.Errorf("%s: there and back it is %s, %v", c.expr, back, err)
			}
		}
	}
}

// Copies are charged by entry, in both directions.
func TestCopiesAreCharged(t *testing.T) {
	s := newScene(t)
	list := s.state.NewTable()
	for i := range 100 {
		list.RawSetInt(i+1, lua.LNumber(i))
	}
	used := func(fn func()) int64 {
		s.state.Budget().Reset(1_000_000)
		fn()
		return s.state.Budget().Used()
	}
	var v ecs.Value
	if n := used(func() { v, _ = s.surface.Value(list) }); n != 100*entryCost {
		t.Errorf("a copy into the world costs %d", n)
	}
	if n := used(func() { s.surface.Lua(v) }); n != 100*entryCost {
		t.Errorf("a copy out of the world costs %d", n)
	}
	s.state.Budget().Reset(99 * entryCost)
	if _, err := s.surface.Value(list); err == nil {
		t.Error("a copy is made that the budget does not allow")
	}
	for _, c := range []struct {
		entries int
		fits    bool
	}{{mostEntries, true}, {mostEntries + 1, false}} {
		s.state.Budget().Reset(1 << 40)
		list := s.state.NewTable()
		for i := range c.entries {
			list.RawSetInt(i+1, lua.LTrue)
		}
		if _, err := s.surface.Value(list); (err == nil) != c.fits {
			t.Errorf("%d entries: %v", c.entries, err)
		}
	}
}

// Values in messages.
func TestShown(t *testing.T) {
	s := newScene(t)
	long := strings.Repeat("x", 61)
	for want, v := range map[string]lua.LValue{
		`string "a"`:                               lua.LString("a"),
		`string "` + long[:57] + `..."`:            lua.LString(long),
		`string "` + strings.Repeat("x", 60) + `"`: lua.LString(long[:60]),
		"number 0.1":                               lua.LNumber(0.1),
		"boolean false":                            lua.LFalse,
		"nil":                                      lua.LNil,
		"table":                                    s.state.NewTable(),
		"world":                                    s.bound.Value(),
		"world.commands":                           s.bound.Commands(),
		"userdata":                                 s.bound.Resources().(*lua.LUserData).Metatable.(*lua.LTable).RawGetString("nothing"),
	} {
		if want == "userdata" {
			v = s.state.NewUserData(3, nil)
		}
		if got := shown(v); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for source, want := range map[string]string{
		`local e = world:spawn{ Position = {} } kept = world:get(e, "Position")`: "view of Position",
		`world:send("Hit") for ev in world:peek("Hit") do kept = ev end`:         "event",
		`kept = ecs.query{ "Position" }`:                                         "query",
	} {
		s := newScene(t)
		var kept lua.LValue
		s.env.Set("keep", s.state.NewFunction(func(L *lua.LState) int { kept = L.Get(1); return 0 }))
		s.ok(s.run("local kept " + source + " keep(kept)"))
		if got := Kind(kept); got != want {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
}

// A text that would be longer than a string may be is an error of the limit, not a text of any length.
func TestTextsAreLimited(t *testing.T) {
	s := newScene(t)
	s.state = sandbox.New(sandbox.Options{MaxString: 200})
	s.surface = New(s.state)
	s.bound = s.surface.Bind(s.world, s)
	kinds, _ := s.world.LookupComponent("Kinds")
	e, err := s.world.Spawn(kinds)
	s.ok(err)
	for n, fits := range map[int]bool{10: true, 400: false} {
		s.ok(s.world.Ref(e, kinds).Set(10, ecs.Text(strings.Repeat("x", n))))
		row, err := s.world.Ref(e, kinds).Row()
		s.ok(err)
		if text := s.surface.appendRow(nil, row); (len(text) <= 200) != fits || len(text) > 500 || !strings.HasPrefix(string(text), "{f64 = 0, f32 = 0, i32 = 0") {
			t.Errorf("%d bytes: %s", n, text)
		}
	}
}
