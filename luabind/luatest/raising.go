package luatest

import (
	"errors"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The assertions that call a function and look at its error: error, errors, error_matches.

func raisingAssertions() []assertion {
	list := []assertion{
		{"error", 1, 3, "(function)", (*check).error},
		{"errors", 1, 3, "(function)", (*check).error},
	}
	for _, name := range []string{"error_matches", "error_match", "matches_error", "match_error"} {
		list = append(list, assertion{name, 2, 0, "(function, pattern)", (*check).errorMatches})
	}
	return list
}

// call runs argument 1 and returns the error with which it failed, nil if it did not fail. An error that a script
// cannot catch passes through.
func (c *check) call() *sandbox.Error {
	fn := c.L.Get(1)
	if fn.Type() != lua.LTFunction && c.L.GetMetaField(fn, "__call") == lua.LNil {
		sandbox.Raisef(c.L, "assert.%s takes a function that it calls, not %s: write assert.%s(function() … end)", c.path, surface.Kind(fn), c.path)
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
// the same as the error. It returns what was raised. Negated with one argument after the function, that is the
// message: the function must raise no error at all.
func (c *check) error() {
	want := c.L.Get(2)
	if c.negated && c.L.Get(3) == lua.LNil {
		c.own, want = 2, lua.LNil
	}
	se := c.call()
	if se == nil {
		switch {
		case c.passes(false):
		case want == lua.LNil:
			c.fail(nil, "expected an error, got none")
		default:
			c.fail(nil, "expected an error with %s, got none", c.suite.show(want))
		}
		return
	}
	if c.negated && want == lua.LNil {
		c.fail(nil, "expected no error, got %s", quote(se.Error()))
	}
	switch want := want.(type) {
	case *lua.LNilType:
	case lua.LString:
		text := c.textOf(se)
		if holds := strings.Contains(text, string(want)); !c.passes(holds) {
			c.failOne("expected an error %s %s, got %s", with(holds), quote(string(want)), quote(text))
		}
	case *lua.LTable:
		diff := c.suite.differences(c.L, want, se.Value)
		switch {
		case c.passes(diff == nil):
		case c.negated:
			c.fail(nil, "expected another error than %s", c.suite.show(se.Value))
		default:
			c.fail(diff, "another error than expected: %s", summary(diff))
		}
	default:
		sandbox.Raisef(c.L, "assert.%s: the second argument is a part of the error's text, not %s", c.path, surface.Kind(want))
	}
	c.results = []lua.LValue{se.Value}
}

func with(holds bool) string {
	if holds {
		return "without"
	}
	return "with"
}

// textOf returns the text of an error, without its position if the value has none.
func (c *check) textOf(se *sandbox.Error) string {
	if text, ok := se.Value.(lua.LString); ok {
		return string(text)
	}
	return se.Message
}

// errorMatches requires that the function raises an error whose text a Lua pattern matches. It returns the captures.
func (c *check) errorMatches() {
	c.own = c.options(3)
	pattern := c.suite.text(c.L, 2, c.path, "pattern")
	se := c.call()
	if se == nil {
		if !c.passes(false) {
			c.fail(nil, "expected an error that matches %s, got none", quote(pattern))
		}
		return
	}
	text := c.textOf(se)
	found, captures := c.search(text, pattern, 3)
	switch {
	case !c.passes(found) && c.negated:
		c.failOne("expected an error that does not match %s, got %s", quote(pattern), quote(text))
	case !c.passes(found):
		c.failOne("expected an error that matches %s, got %s", quote(pattern), quote(text))
	case found:
		c.results = captures
	}
}
