package luatest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// This file has the assertions: assert itself and its words (equal, same, near, error, …). A failed assertion
// raises a mismatch; failure.go turns it into a Failure.

// mismatch is a failed assertion.
type mismatch struct {
	message string
	diff    []string
}

func (m *mismatch) Error() string { return m.message }

// mostArguments is the largest number of arguments of each word of assert. The last argument is the user's own
// message.
var mostArguments = map[string]int{
	"equal": 3, "not_equal": 3, "same": 3, "not_same": 3, "near": 4, "is_true": 2, "is_false": 2, "is_nil": 2, "is_not_nil": 2, "truthy": 2, "falsy": 2, "no_error": 2,
}

// asserts makes assert, which can be called like Lua's own and is a table of words.
func (s *suite) asserts(env *sandbox.Env) *lua.LTable {
	t := s.state.NewTable()
	words := map[string]func(check){
		"equal":      check.equal,
		"not_equal":  check.notEqual,
		"same":       check.same,
		"not_same":   check.notSame,
		"near":       check.near,
		"is_true":    check.isTrue,
		"is_false":   check.isFalse,
		"is_nil":     check.isNil,
		"is_not_nil": check.isNotNil,
		"truthy":     check.truthy,
		"falsy":      check.falsy,
		"no_error":   check.noError,
	}
	known := slices.Sorted(maps.Keys(words))
	for _, name := range known {
		t.RawSetString(name, s.state.NewFunction(func(L *lua.LState) int {
			surface.AtMost(L, name, mostArguments[name], 0)
			words[name](check{L, s, name})
			return 0
		}))
	}
	t.RawSetString("error", s.state.NewFunction(func(L *lua.LState) int {
		surface.AtMost(L, "error", 3, 0)
		return check{L, s, "error"}.error()
	}))
	find, _ := env.Table.RawGetString("string").(*lua.LTable).RawGetString("find").(*lua.LFunction)
	t.RawSetString("matches", s.state.NewFunction(func(L *lua.LState) int {
		surface.AtMost(L, "matches", 3, 0)
		return check{L, s, "matches"}.matches(find)
	}))
	for _, filler := range []string{"are", "is", "has"} { // assert.are.equal, as busted has it
		t.RawSetString(filler, t)
	}
	mt := s.surf.Strict("assert", append(known, "error", "matches"))
	plain, _ := env.Table.RawGetString("assert").(*lua.LFunction)
	mt.RawSetString("__call", s.state.NewFunction(func(L *lua.LState) int {
		L.Remove(1) // assert itself
		return plain.GFunction(L)
	}))
	t.Metatable = mt
	return t
}

// check is one call of an assertion.
type check struct {
	L     *lua.LState
	suite *suite
	name  string
}

// need raises an error if fewer than n arguments were given: assert.equal(x) is a mistake.
func (c check) need(n int, form string) {
	if c.L.GetTop() < n {
		sandbox.Raisef(c.L, "assert.%s takes %s", c.name, form)
	}
}

// fail ends the test. Argument n is the user's own message, if it was given.
func (c check) fail(n int, diff []string, format string, args ...any) {
	m := &mismatch{message: fmt.Sprintf(format, args...), diff: diff}
	if own := c.L.Get(n); own != lua.LNil {
		m.message = sandbox.ToString(c.L, own) + ": " + m.message
	}
	sandbox.Raise(c.L, m)
}

// failOne is fail with a difference of one line, which becomes the message.
func (c check) failOne(n int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	c.fail(n, []string{text}, "%s", text)
}

func (c check) equal() {
	c.need(2, "(expected, actual)")
	want, got := c.L.Get(1), c.L.Get(2)
	if c.L.Equal(want, got) {
		return
	}
	w, g := c.suite.show(want), c.suite.show(got)
	switch {
	case c.content(want) && c.content(got):
		diff := c.suite.differences(c.L, want, got)
		if diff == nil {
			c.fail(3, nil, "two tables with the same content %s, but not the same table; use assert.same", g)
		}
		c.fail(3, diff, "%s (assert.same compares the content of tables)", summary(diff))
	case isNaN(want) && isNaN(got):
		c.fail(3, nil, "expected nan, got nan, which is not equal to itself; use assert.same")
	case want.Type() == lua.LTString && got.Type() == lua.LTString:
		diff := c.suite.differences(c.L, want, got)
		c.fail(3, diff, "%s", summary(diff))
	case w == g:
		g = "another one"
	}
	c.failOne(3, "expected %s, got %s", w, g)
}

// content reports whether a value is a table, or a view or event, which are compared like tables.
func (c check) content(v lua.LValue) bool {
	t, _ := c.suite.surf.Plain(v)
	return t != nil || v.Type() == lua.LTTable
}

func isNaN(v lua.LValue) bool {
	n, ok := v.(lua.LNumber)
	return ok && math.IsNaN(float64(n))
}

func (c check) notEqual() {
	c.need(2, "(not expected, actual)")
	if c.L.Equal(c.L.Get(1), c.L.Get(2)) {
		c.fail(3, nil, "expected something other than %s", c.suite.show(c.L.Get(2)))
	}
}

func (c check) same() {
	c.need(2, "(expected, actual)")
	if diff := c.suite.differences(c.L, c.L.Get(1), c.L.Get(2)); diff != nil {
		c.fail(3, diff, "%s", summary(diff))
	}
}

func (c check) notSame() {
	c.need(2, "(not expected, actual)")
	if c.suite.differences(c.L, c.L.Get(1), c.L.Get(2)) == nil {
		c.fail(3, nil, "expected something other than %s", c.suite.show(c.L.Get(2)))
	}
}

// summary returns the differences in one line.
func summary(diff []string) string {
	if len(diff) == 1 {
		return diff[0]
	}
	return fmt.Sprintf("%s, and %d more", diff[0], len(diff)-1)
}

func (c check) near() {
	c.need(3, "(expected, actual, tolerance)")
	var n [3]float64
	for i, what := range []string{"expected", "actual", "tolerance"} {
		v, ok := c.L.Get(i + 1).(lua.LNumber)
		if !ok {
			if i == 1 {
				c.fail(4, nil, "expected a number near %s, got %s", c.suite.show(c.L.Get(1)), c.suite.show(c.L.Get(2)))
			}
			sandbox.Raisef(c.L, "assert.near: %s must be a number, got %s", what, surface.Kind(c.L.Get(i+1)))
		}
		n[i] = float64(v)
	}
	want, got, tolerance := n[0], n[1], n[2]
	if want == got || math.Abs(want-got) <= tolerance {
		return
	}
	c.failOne(4, "expected %s ± %s, got %s (off by %s)", exact(want), exact(tolerance), exact(got), sandbox.NumberText(math.Abs(want-got)))
}

func (c check) isTrue()   { c.is("(value)", c.L.Get(1) == lua.LTrue, "true") }
func (c check) isFalse()  { c.is("(value)", c.L.Get(1) == lua.LFalse, "false") }
func (c check) isNil()    { c.is("(value)", c.L.Get(1) == lua.LNil, "nil") }
func (c check) isNotNil() { c.is("(value)", c.L.Get(1) != lua.LNil, "a value") }
func (c check) truthy()   { c.is("(value)", lua.LVAsBool(c.L.Get(1)), "anything but nil and false") }
func (c check) falsy()    { c.is("(value)", !lua.LVAsBool(c.L.Get(1)), "nil or false") }

func (c check) is(form string, ok bool, want string) {
	c.need(1, form)
	if !ok {
		c.failOne(2, "expected %s, got %s", want, c.suite.show(c.L.Get(1)))
	}
}

// call runs argument 1 and returns the error with which it failed, nil if it did not fail. An error that a script
// cannot catch passes through.
func (c check) call() *sandbox.Error {
	c.need(1, "(function)")
	fn := c.L.Get(1)
	if fn.Type() != lua.LTFunction {
		sandbox.Raisef(c.L, "assert.%s takes a function that it calls, not %s: write assert.%s(function() … end)", c.name, surface.Kind(fn), c.name)
	}
	err := c.suite.state.Call(fn)
	if err == nil {
		return nil
	}
	bug, pending := (*sandbox.PanicError)(nil), (*pendingError)(nil)
	if c.suite.state.Budget().Spent() != nil || errors.As(err, &bug) || errors.As(err, &pending) {
		sandbox.Raise(c.L, err)
	}
	var se *sandbox.Error
	if !errors.As(err, &se) {
		panic("luatest: a call failed with " + err.Error()) // State.Call gives nothing else
	}
	return se
}

// error requires that the function raises an error. If a text is given, the error must contain it; a table must be
// the same as the error. It returns what was raised.
func (c check) error() int {
	se := c.call()
	want := c.L.Get(2)
	if se == nil {
		if want == lua.LNil {
			c.fail(3, nil, "expected an error, got none")
		}
		c.fail(3, nil, "expected an error with %s, got none", c.suite.show(want))
	}
	switch want := want.(type) {
	case *lua.LNilType:
	case lua.LString:
		text, ok := se.Value.(lua.LString)
		if !ok {
			text = lua.LString(se.Message)
		}
		if !strings.Contains(string(text), string(want)) {
			c.failOne(3, "expected an error with %s, got %s", quote(string(want)), quote(string(text)))
		}
	case *lua.LTable:
		if diff := c.suite.differences(c.L, want, se.Value); diff != nil {
			c.fail(3, diff, "another error than expected: %s", summary(diff))
		}
	default:
		sandbox.Raisef(c.L, "assert.error: the second argument is a part of the error's text, not %s", surface.Kind(want))
	}
	c.L.Push(se.Value)
	return 1
}

func (c check) noError() {
	if se := c.call(); se != nil {
		c.fail(2, nil, "expected no error, got %s", quote(se.Error()))
	}
}

// matches searches for a Lua pattern and returns the captures.
func (c check) matches(find *lua.LFunction) int {
	c.need(2, "(pattern, text)")
	pattern := c.suite.text(c.L, 1, "matches", "pattern")
	text, ok := c.L.Get(2).(lua.LString)
	if !ok {
		c.fail(3, nil, "expected a text that matches %s, got %s", quote(pattern), c.suite.show(c.L.Get(2)))
	}
	top := c.L.GetTop()
	c.L.Push(find)
	c.L.Push(text)
	c.L.Push(lua.LString(pattern))
	c.L.Call(2, lua.MultRet)
	if c.L.Get(top+1) == lua.LNil {
		c.failOne(3, "expected a text that matches %s, got %s", quote(pattern), quote(string(text)))
	}
	return c.L.GetTop() - top - 2 // without the two positions
}
