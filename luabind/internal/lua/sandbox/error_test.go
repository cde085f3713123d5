package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// messages are failures and the first line people see.
var messages = []struct{ src, want string }{
	{"local hp\nprint(hp.x)", `test.lua:2: attempt to index a nil value (local "hp")`},
	{"local t = {}\nprint(t.target.x)", `test.lua:2: attempt to index a nil value (field "target")`},
	{"local t = {}\nt.target.x = 5", `test.lua:2: attempt to index a nil value (field "target")`},
	{"local t, i = {}, 5\nprint(t[i].x)", `test.lua:2: attempt to index a nil value (looking for "x")`},
	{"local w = {get = function() end}\nprint(w:get(1).x)", `test.lua:2: attempt to index a nil value (result of "get")`},
	{"local hp\nlocal function f()\n return hp.x end\nf()", `test.lua:3: attempt to index a nil value (local "hp")`},
	{"local a = {}\nlocal b = (a.x or a.y).z", `test.lua:2: attempt to index a nil value (looking for "z")`},
	{"local a = {}\nlocal b = a.x and a.x.y or a.z.y", `test.lua:2: attempt to index a nil value (field "z")`},
	{"do local old = 1 end\nlocal new\nnew.x = 1", `test.lua:3: attempt to index a nil value (local "new")`},
	{"for i = 1, 2 do local a = i end\nlocal function f() end\nf().x = 1", `test.lua:3: attempt to index a nil value (result of "f")`},
	{"local a, b = {}\na.x, b.y = 1, 2", `test.lua:2: attempt to index a nil value (local "b")`},
	{"local s = 'a'\ns.x = 1", `test.lua:2: attempt to index a string value (local "s")`},
	{"local x = 5\nreturn x.y", `test.lua:2: attempt to index a number value (local "x")`},
	{"local proxy = setmetatable({}, {__index = 5})\nreturn proxy.x", `test.lua:2: attempt to index a number value (looking for "x")`},

	{"local t = {}\nt:foo()", `test.lua:2: attempt to call a nil value (method "foo")`},
	{"local t = {}\nt.foo()", `test.lua:2: attempt to call a nil value (field "foo")`},
	{"local t = {}\nreturn t.foo()", `test.lua:2: attempt to call a nil value (field "foo")`},
	{"local f\nf()", `test.lua:2: attempt to call a nil value (local "f")`},
	{"('x'):bad()", `test.lua:1: attempt to call a nil value (method "bad"); Lua 5.1 has no string.bad`},
	{"for k, v in {} do end", `test.lua:1: attempt to loop over a table value; use pairs or ipairs`},
	{"for k, v in nil do end", `test.lua:1: attempt to loop over a nil value; for … in wants a function, as pairs and ipairs return`},

	{"local t = {}\nlocal y = t.x + 1", `test.lua:2: attempt to perform arithmetic on a nil value (field "x")`},
	{"local a, b = 1\nlocal c = a * b", `test.lua:2: attempt to perform arithmetic on a nil value (local "b")`},
	{"local s = 'abc'\nreturn s + 1", `test.lua:2: attempt to perform arithmetic on a string value (local "s")`},
	{"return 1 + {}", `test.lua:1: attempt to perform arithmetic on a table value`},
	{"local t = {}\nreturn -t.x", `test.lua:2: attempt to perform arithmetic on a nil value (field "x")`},
	{"local n\nreturn #n", `test.lua:2: attempt to get length of a nil value (local "n")`},
	{"local n\nreturn #n + 1", `test.lua:2: attempt to get length of a nil value (local "n")`},
	{"return 1 < nil", `test.lua:1: attempt to compare number with nil`},
	{"local t = {}\nreturn t.hp < 5", `test.lua:2: attempt to compare nil with number (field "hp")`},
	{"return {} < {}", `test.lua:1: attempt to compare two table values`},
	{"local name\nprint('hello ' .. name)", `test.lua:2: attempt to concatenate a nil value (local "name")`},
	{"local t = {}\nprint('a' .. t.x .. 'b')", `test.lua:2: attempt to concatenate a nil value (field "x")`},
	{"for i = 1, nil do end", `test.lua:1: the limit of a for loop must be a number, not a nil value`},
	{"local k\nlocal t = {}\nt[k] = 1", `test.lua:3: table index is nil (local "k")`},
	{"local t = {}\nt[0/0] = 1", `test.lua:2: table index is NaN`},

	{"print(foo)", `test.lua:1: undeclared global "foo"; no local of this name is visible here`},
	{"prnt(1)", `test.lua:1: undeclared global "prnt"; did you mean "print"?`},
	{"count = count + 1", `test.lua:1: undeclared global "count"; use local: local count = …; what lasts from frame to frame belongs in state`},
	{"count = 5", `test.lua:1: undeclared global "count"; use local: local count = …`},
	{"function update(world) end", `test.lua:1: undeclared global "update"; the schedule runs what the file returns: return function(world, dt) … end, or local M = {} function M.update(world, dt) … end return M`},
	{"function foo() end", `test.lua:1: undeclared global "foo"; use local: local foo = …`},
	{"_G.x = 1", `test.lua:1: undeclared global "x"; use local: local x = …`},
	{"return os.time()", `test.lua:1: undeclared global "os"; write world.time for the time; scripts do not reach the system`},

	{"table.insert(nil, 1)", `test.lua:1: bad argument #1 to 'insert' (table expected, got nil)`},
	{"('x'):rep({})", `test.lua:1: bad argument #1 to 'rep' (number expected, got table)`},
	{"string.rep()", `test.lua:1: bad argument #1 to 'rep' (string expected, got no value)`},
	{"local t = {rep = string.rep}\nt:rep()", `test.lua:2: bad self of 'rep' (string expected, got table); call it with a dot, not with a colon`},
	{"string.format('%d', 'x')", `test.lua:1: bad argument #2 to 'format' (number expected, got string)`},
	{"('x'):find('[a')", `test.lua:1: malformed pattern: missing "]"`},
	{"('x'):find('%')", `test.lua:1: malformed pattern: ends with "%"`},

	{"error('x')", `test.lua:1: x`},
	{"error('x', 0)", `test.lua:1: x`},
	{"local function f() error('x', 2) end\nf()", `test.lua:2: x`},
	{"error()", `test.lua:1: error(nil): no message was given`},
	{"error({})", `test.lua:1: error object (a table value)`},
	{"error({code = 5, msg = 'boo'})", `test.lua:1: error object {code = 5, msg = "boo"}`},
	{"error(42)", `test.lua:1: 42`},
	{"error(print)", `test.lua:1: error object (a function value)`},
	{"error(setmetatable({}, {__tostring = function() return 'custom' end}))", `test.lua:1: custom`},
	{"assert(false)", `test.lua:1: assertion failed!`},
	{"assert(nil, 'why')", `test.lua:1: why`},
	{"local ok, e = pcall(function()\n local q; q.z = 1 end)\nerror(e)", `test.lua:2: attempt to index a nil value (local "q")`},

	{"x = ", `test.lua:1:4: unexpected end of file after "="`},
	{"if true then\nlocal x = 1\n", `test.lua:2:12: unexpected end of file: an "end" is missing to close the "if" of line 1`},
	{"if x = 5 then end", `test.lua:1:6: unexpected "="; a comparison is "=="`},
	{"local x = 5 x += 1", `test.lua:1:15: Lua has no operator "+="; write x = x + …`},
	{"return !x", `test.lua:1:8: unexpected character "!"; Lua writes "not", and "~=" for unequal`},
	{"local s = 'abc", `test.lua:1:11: unfinished string`},
	{"\n  --[[ abc", `test.lua:2:3: unfinished comment`},
	{"local x = 3y", `test.lua:1:11: malformed number "3y"`},
	{"local s = '\\300'", `test.lua:1:13: escape sequence too large: \300, at most \255`},
	{"goto nowhere", `test.lua:1: no label "nowhere" to go to`},
	{"do goto l\n local y\n ::l::\n print(y) end", `test.lua:1: goto l at line 1 jumps into the scope of local "y"`},
	{"break", `test.lua:1: break outside a loop`},
	{"local function f() return ... end", `test.lua:1: "..." outside a function with "..." in its parameters`},
}

func TestMessages(t *testing.T) {
	for _, tt := range messages {
		t.Run(tt.src, func(t *testing.T) {
			_, err := newWorld(t).run(tt.src)
			if err == nil || err.Error() != tt.want {
				t.Errorf("%q\ngives %v\n want %s", tt.src, err, tt.want)
			}
		})
	}
}

// A pcall gives scripts the same text.
func TestMessagesInPcall(t *testing.T) {
	got := newWorld(t).must("local hp\nprint(pcall(function() return hp.x end))")
	if want := `false	test.lua:2: attempt to index a nil value (local "hp")`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func failure(t *testing.T, err error) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *Error", err)
	}
	return e
}

func TestExcerptAndStack(t *testing.T) {
	_, err := newWorld(t).run(`local M = {}
function M.inner(hp)
	return hp.x + 1
end
local co = coroutine.wrap(function() M.inner() end)
local function update() co() end
local ok, e = pcall(error)
update()`)
	e := failure(t, err)
	if got, want := e.Excerpt(), "    3 | \treturn hp.x + 1"; got != want {
		t.Errorf("excerpt %q, want %q", got, want)
	}
	want := []Frame{
		{"inner", NamedFunction, Pos{"test.lua", 3}},
		{"", AnonymousFunction, Pos{"test.lua", 5}},
		{"update", NamedFunction, Pos{"test.lua", 6}},
		{"", MainChunk, Pos{"test.lua", 8}},
	}
	if !slices.Equal(e.Stack, want) {
		t.Errorf("stack %v, want %v", e.Stack, want)
	}
	if e.Pos != (Pos{"test.lua", 3}) || e.Message != `attempt to index a nil value (local "hp")` {
		t.Errorf("position %v, message %q", e.Pos, e.Message)
	}
}

func TestNameFunction(t *testing.T) {
	w := newWorld(t)
	out, err := w.s.CallResults(w.load("return function() error('x') end"), 1)
	if err != nil {
		t.Fatal(err)
	}
	w.s.NameFunction(out[0].(*lua.LFunction), "update")
	if got := failure(t, w.s.Call(out[0])).Stack; !slices.Equal(got, []Frame{{"update", NamedFunction, Pos{"test.lua", 1}}}) {
		t.Error(got)
	}
}

var errDead = errors.New("entity is dead")

type wrapped struct{ entity string }

func (w *wrapped) Error() string { return w.entity + " is dead" }

// A Go error comes out of Lua as itself, whatever it went through.
func TestErrorIdentity(t *testing.T) {
	for _, src := range []string{
		`raise()`,
		`return raise()`,
		`local ok, e = pcall(raise) error(e)`,
		`local ok, e = pcall(raise) error(e, 0)`,
		`local ok, e = pcall(raise) error("while moving: " .. e)`,
		`local ok, e = pcall(raise) error(e .. " while moving")`,
		`local ok, e = pcall(raise) error(1 .. ": " .. e .. " while moving", 0)`,
		`local ok, e = pcall(raise) error(("while moving %d: %s"):format(1, e))`,
		`local ok, e = pcall(raise) error(table.concat({ "while moving", e, 1 }, ": "))`,
		`local ok, e = pcall(raise) local t = { why = tostring(e) } error(t.why)`,
		`local ok, e = pcall(raise) for i = 1, 7 do pcall(error, i) end error(e)`,
		`local ok, e = pcall(pcall, raise) error(select(2, pcall(raise)))`,
		`coroutine.wrap(raise)()`,
		`coroutine.wrap(function() raise() end)()`,
		`local ok, e = coroutine.resume(coroutine.create(raise)) error(e)`,
		`assert(pcall(raise))`,
		`table.sort({1, 2}, raise)`,
		`("x"):gsub("x", raise)`,
		`return setmetatable({}, {__index = raise}).x`,
		`local ok, e = xpcall(raise, function(m) return m end) error(e)`,
	} {
		w := newWorld(t)
		w.env.Set("raise", w.s.NewFunction(func(L *lua.LState) int {
			Raise(L, fmt.Errorf("despawn: %w", errors.Join(errDead, &wrapped{"17v2"})))
			return 0
		}))
		_, err := w.run(src)
		var as *wrapped
		if !errors.Is(err, errDead) || !errors.As(err, &as) || as.entity != "17v2" {
			t.Errorf("%s: %v lost its cause", src, err)
		}
	}
}

func TestHostErrorInPcallIsText(t *testing.T) {
	w := newWorld(t)
	w.env.Set("raise", w.s.NewFunction(func(L *lua.LState) int {
		Raisef(L, "despawn: %w", errDead)
		return 0
	}))
	got := w.must("local ok, e = pcall(function()\nraise() end) print(type(e), e)")
	if want := "string\ttest.lua:2: despawn: entity is dead"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A caught error must not lend its cause or its position to another one, even if that says the same.
func TestCauseIsNotMixedUp(t *testing.T) {
	for _, src := range []string{
		`pcall(raise) error("something else")`,
		`local ok, e = pcall(raise) error(e:sub(1, -2) .. e:sub(-1), 0)`,
		`pcall(raise) error("entity is dead", 0)`,
		"\n\npcall(function() raise() end) error('test.lua:3: entity is dead', 0)",
		`local ok, e = pcall(raise) local ok, of = pcall(error, "x") error(of)`,
		`local ok, e = pcall(raise) nextTurn() error(e)`,
		`local ok, e = pcall(raise) for i = 1, 8 do pcall(error, i) end error(e)`,
	} {
		w := newWorld(t)
		w.env.Set("raise", w.s.NewFunction(func(L *lua.LState) int { Raise(L, errDead); return 0 }))
		w.env.Set("nextTurn", w.s.NewFunction(func(*lua.LState) int { w.s.Budget().Reset(100_000); return 0 }))
		_, err := w.run(src)
		if err == nil || errors.Is(err, errDead) {
			t.Errorf("%s: %v has the cause of a caught error", src, err)
		}
	}
}

// What pcall returned is thrown again at the place where it was first thrown; what is made of it, or only says the same, where it is thrown.
func TestWhereARethrownErrorIs(t *testing.T) {
	for src, want := range map[string]string{
		"local ok, e = pcall(function()\nerror('x') end)\nerror(e)":                          "test.lua:2: x",
		"local ok, e = pcall(function()\nerror('x') end)\nerror(e, 0)":                       "test.lua:2: x",
		"local ok, e = pcall(function()\nerror('x', 0) end)\nerror(e)":                       "test.lua:2: x",
		"local ok, e = pcall(function()\nlocal t\nt.x = 1 end)\nassert(ok, e)":               `test.lua:3: attempt to index a nil value (local "t")`,
		"local ok, e = pcall(function()\nerror('x') end)\npcall(error, 'y')\nerror(e)":       "test.lua:2: x",
		"local ok, e = pcall(function()\nerror('x') end)\nok, e = pcall(error, e)\nerror(e)": "test.lua:2: x",
		"local ok, e = pcall(function()\nerror('x') end)\nerror('while moving: ' .. e)":      "test.lua:3: while moving: test.lua:2: x",
		"\n\nerror('test.lua:1: x', 0)":                                                      "test.lua:3: test.lua:1: x",
		"\n\nerror('test.lua:1: x')":                                                         "test.lua:3: test.lua:1: x",
	} {
		_, err := newWorld(t).run(src)
		if err == nil || err.Error() != want {
			t.Errorf("%q\ngives %v\n want %s", src, err, want)
		}
	}
}

// A bug in a bound function is no script error: pcall does not hide it, and it
// keeps its Go stack.
func TestGoPanic(t *testing.T) {
	for _, src := range []string{
		`bug()`, `pcall(bug)`, `local ok = pcall(pcall, bug) print("on")`, `xpcall(bug, print)`,
		`table.sort({1, 2}, bug)`, `coroutine.wrap(bug)()`, `coroutine.resume(coroutine.create(bug)) print("on")`,
	} {
		w := newWorld(t)
		w.env.Set("bug", w.s.NewFunction(func(*lua.LState) int {
			var p *Pos
			return p.Line
		}))
		out, err := w.run(src)
		var p *PanicError
		if !errors.As(err, &p) || !strings.Contains(err.Error(), "nil pointer") || out != "" {
			t.Errorf("%s: %v, printed %q", src, err, out)
			continue
		}
		if !strings.Contains(src, "coroutine") && !strings.Contains(p.Stack, "TestGoPanic") {
			t.Errorf("%s: no Go stack", src)
		}
		w.s.Budget().Reset(100_000)
		if got := w.must(benign); got != "3 6 X 1.50 true" {
			t.Errorf("%s: afterwards %q", src, got)
		}
	}
}
