package luatest

import (
	"errors"
	"regexp"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The assertions that call a function and look at its error: error, errors, error_matches.

func raisingAssertions() []assertion {
	list := []assertion{
		{"error", 1, 3, "(function)", "assertion.error", (*check).error},
		{"errors", 1, 3, "(function)", "assertion.error", (*check).error},
	}
	for _, name := range []string{"error_matches", "error_match", "matches_error", "match_error"} {
		list = append(list, assertion{name, 2, 0, "(function, pattern)", "assertion.error", (*check).errorMatches})
	}
	return list
}

// call runs argument 1 and returns the error with which it failed, nil if it did not fail, and what it has returned. An
// error that a script cannot catch passes through.
func (c *check) call() (*sandbox.Error, []lua.LValue) {
	fn := c.L.Get(1)
	if !callable(c.L, fn) {
		sandbox.Raisef(c.L, "assert.%s takes a function that it calls, not %s: write assert.%s(function() … end)", c.path, surface.Kind(fn), c.path)
	}
	results, err := c.suite.state.CallResults(fn, 1)
	if err == nil {
		return nil, results
	}
	bug, pending := (*sandbox.PanicError)(nil), (*pendingError)(nil)
	if c.suite.state.Budget().Spent() != nil || errors.As(err, &bug) || errors.As(err, &pending) {
		sandbox.Raise(c.L, err)
	}
	var se *sandbox.Error
	if !errors.As(err, &se) {
		panic("luatest: a call failed with " + err.Error()) // State.Call gives nothing else
	}
	return se, nil
}

// caught returns what a function has raised, without the position in front of a text.
func caught(se *sandbox.Error) lua.LValue {
	if text, ok := se.Value.(lua.LString); ok {
		return lua.LString(position.ReplaceAllString(string(text), ""))
	}
	return se.Value
}

// position is what error puts in front of a text.
var position = regexp.MustCompile(`^(?s:.*?):[0-9]+: `)

// error requires that the function raises an error. If a text is given, the error must contain it; anything else must be
// the same as the error. It returns what was raised, then its other arguments. Negated with a text and no message, the text is the
// message: the function must raise no error at all.
func (c *check) error() {
	want := c.L.Get(2)
	if c.negated && want.Type() == lua.LTString && c.L.Get(3) == lua.LNil {
		c.own, want = 2, lua.LNil
	}
	se, results := c.call()
	c.shown = []phrase{{text: "(no error)"}, {text: "(error)"}}
	if want != lua.LNil {
		c.shown[1] = phrase{value: want}
	}
	if se == nil {
		switch {
		case c.passes(false):
			c.results = append(results, arguments(c.L, 2)...)
		case want == lua.LNil:
			c.fail(nil, "expected an error, got none")
		default:
			c.fail(nil, "expected an error with %s, got none", c.suite.show(want))
		}
		return
	}
	got := caught(se)
	c.shown[0] = phrase{value: got}
	c.results = append([]lua.LValue{got}, arguments(c.L, 2)...)
	if want == lua.LNil {
		if c.negated {
			c.fail(nil, "expected no error, got %s", quote(se.Error()))
		}
		return
	}
	text, isText := c.suite.textual(c.L, se.Value)
	if part, ok := c.suite.textual(c.L, want); ok && isText && want.Type() != lua.LTTable {
		if se.Value.Type() == lua.LTTable {
			c.results[0] = lua.LString(text)
		}
		if holds := strings.Contains(text, part); !c.passes(holds) {
			c.failOne("expected an error %s %s, got %s", with(holds), quote(part), quote(text))
		}
		return
	}
	diff := c.suite.differences(c.L, want, se.Value)
	switch {
	case c.passes(diff == nil):
	case c.negated:
		c.fail(nil, "expected another error than %s", c.suite.show(se.Value))
	default:
		c.fail(diff, "another error than expected: %s", summary(diff))
	}
}

func with(holds bool) string {
	if holds {
		return "without"
	}
	return "with"
}

// errorMatches requires that the function raises an error whose text a Lua pattern matches. It returns the captures.
func (c *check) errorMatches() {
	var start int
	c.own, start = c.options(3)
	if c.L.Get(2) == lua.LNil { // an error without a value
		se, _ := c.call()
		c.shown = []phrase{{text: "(no error)"}, {value: lua.LNil}}
		if se != nil {
			c.shown[0] = phrase{value: caught(se)}
		}
		c.results = []lua.LValue{}
		if holds := se != nil && se.Value == lua.LNil; !c.passes(holds) {
			c.failOne("expected an error %s the value nil", with(holds))
		}
		return
	}
	pattern := c.suite.text(c.L, 2, c.path, "pattern")
	se, results := c.call()
	c.shown = []phrase{{text: "(no error)"}, {value: lua.LString(pattern)}}
	if se == nil {
		c.results = append(results, arguments(c.L, 2)...)
		if !c.passes(false) {
			c.fail(nil, "expected an error that matches %s, got none", quote(pattern))
		}
		return
	}
	got := caught(se)
	c.shown[0] = phrase{value: got}
	c.results = append([]lua.LValue{got}, arguments(c.L, 2)...)
	text, ok := c.suite.textual(c.L, got)
	if got.Type() == lua.LTBool {
		text, ok = got.String(), true
	}
	c.checkStart(start)
	found, captures := false, []lua.LValue(nil)
	if ok {
		found, captures = c.search(text, pattern, start)
	} else {
		text = se.Message
	}
	switch {
	case !c.passes(found) && c.negated:
		c.failOne("expected an error that does not match %s, got %s", quote(pattern), quote(text))
	case !c.passes(found):
		c.failOne("expected an error that matches %s, got %s", quote(pattern), quote(text))
	case found:
		c.results = captures
	}
}
