package luatest

import (
	"fmt"
	"math"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// The assertions that compare values: equal, same, near, unique, matches.

func equalityAssertions() []assertion {
	return []assertion{
		{"equal", 2, 3, "(expected, actual)", "assertion.equals", (*check).equal},
		{"equals", 2, 3, "(expected, actual)", "assertion.equals", (*check).equal},
		{"same", 2, 3, "(expected, actual)", "assertion.same", (*check).same},
		{"near", 3, 4, "(expected, actual, tolerance)", "assertion.near", (*check).near},
		{"unique", 1, 3, "(list)", "assertion.unique", (*check).unique},
		{"matches", 2, 0, "(pattern, text)", "assertion.matches", (*check).matches},
		{"match", 2, 0, "(pattern, text)", "assertion.matches", (*check).matches},
	}
}

func (c *check) equal() {
	want, got := c.L.Get(1), c.L.Get(2)
	c.shown = said(got, want)
	if c.passes(c.L.Equal(want, got)) {
		return
	}
	if c.negated {
		c.other()
	}
	w, g := c.suite.show(want), c.suite.show(got)
	switch {
	case c.content(want) && c.content(got):
		diff := c.suite.differences(c.L, want, got)
		if diff == nil {
			c.fail(nil, "two tables with the same content %s, but not the same table; use assert.same", g)
		}
		c.fail(diff, "%s (assert.same compares the content of tables)", summary(diff))
	case isNaN(want) && isNaN(got):
		c.fail(nil, "expected nan, got nan, which is not equal to itself; use assert.same")
	case want.Type() == lua.LTString && got.Type() == lua.LTString:
		diff := c.suite.differences(c.L, want, got)
		c.fail(diff, "%s", summary(diff))
	case w == g:
		g = "another one"
	}
	c.failOne("expected %s, got %s", w, g)
}

// other fails a comparison that is negated, because argument 2 is what it must not be.
func (c *check) other() {
	c.fail(nil, "expected something other than %s", c.suite.show(c.L.Get(2)))
}

// content reports whether a value is a table, or a view or event, which are compared like tables.
func (c *check) content(v lua.LValue) bool {
	t, _ := c.suite.surf.Plain(v)
	return t != nil || v.Type() == lua.LTTable
}

// toNumber converts a number, or a string that is one, as the function tonumber does.
func toNumber(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return syntax.ParseNumber(string(v))
	}
	return 0, false
}

// textual returns the text of a value that has one: a string, a number, or a table with __tostring.
func (s *suite) textual(L *lua.LState, v lua.LValue) (string, bool) {
	if v.Type() == lua.LTString || v.Type() == lua.LTNumber || L.GetMetaField(v, "__tostring") != lua.LNil {
		return sandbox.ToString(L, v), true
	}
	return "", false
}

func isNaN(v lua.LValue) bool {
	n, ok := v.(lua.LNumber)
	return ok && math.IsNaN(float64(n))
}

func (c *check) same() {
	diff, at := c.suite.compared(c.L, c.L.Get(1), c.L.Get(2))
	c.shown = []phrase{{value: c.L.Get(2), path: at}, {value: c.L.Get(1), path: at}}
	if c.passes(diff == nil) {
		return
	}
	if c.negated {
		c.other()
	}
	c.fail(diff, "%s", summary(diff))
}

// summary returns the differences in one line.
func summary(diff []string) string {
	if len(diff) == 1 {
		return diff[0]
	}
	return fmt.Sprintf("%s, and %d more", diff[0], len(diff)-1)
}

func (c *check) near() {
	var n [3]float64
	for i, what := range []string{"expected", "actual", "tolerance"} {
		v, ok := toNumber(c.L.Get(i + 1))
		if !ok {
			if i == 1 {
				c.shown = said(c.L.Get(2), c.L.Get(1), c.L.Get(3))
				c.fail(nil, "expected a number near %s, got %s", c.suite.show(c.L.Get(1)), c.suite.show(c.L.Get(2)))
			}
			sandbox.Raisef(c.L, "assert.%s: %s must be a number, got %s", c.path, what, surface.Kind(c.L.Get(i+1)))
		}
		n[i] = v
	}
	want, got, tolerance := n[0], n[1], n[2]
	c.shown = []phrase{{value: c.L.Get(2)}, {value: c.L.Get(1)}, {text: exact(tolerance)}}
	off := math.Abs(want - got)
	if c.passes(want == got || off <= tolerance) {
		return
	}
	if c.negated {
		c.fail(nil, "expected a number that is not within %s of %s, got %s", exact(tolerance), exact(want), exact(got))
	}
	c.failOne("expected %s ± %s, got %s (off by %s)", exact(want), exact(tolerance), exact(got), sandbox.NumberText(off))
}

// unique requires that no two values of a table are equal. If the second argument is true, content is compared.
func (c *check) unique() {
	list, ok := c.L.Get(1).(*lua.LTable)
	if !ok {
		sandbox.Raisef(c.L, "assert.%s takes a list, not %s", c.path, surface.Kind(c.L.Get(1)))
	}
	deep, isBool := c.L.Get(2).(lua.LBool)
	if !isBool && !(c.L.Get(2) == lua.LNil && c.L.GetTop() > 2) {
		c.own = 2 // a message, and perhaps a word about content after it
		deep, _ = c.L.Get(3).(lua.LBool)
	}
	c.shown = said(list)
	keys := c.suite.sortedKeys(list)
	for i, k := range keys {
		for _, before := range keys[:i] {
			if !c.suite.state.Budget().Charge(1) {
				sandbox.Raise(c.L, c.suite.state.Budget().Spent())
			}
			x, y := sandbox.Get(list, before), sandbox.Get(list, k)
			if !c.L.Equal(x, y) && !(bool(deep) && c.suite.differences(c.L, x, y) == nil) {
				continue
			}
			if c.passes(false) {
				return
			}
			c.failOne("%s and %s are the same: %s", c.suite.key(before, ""), c.suite.key(k, ""), c.suite.show(y))
		}
	}
	if !c.passes(true) {
		c.fail(nil, "expected two equal values, got %s", c.suite.show(list))
	}
}

// matches searches for a Lua pattern and returns the captures. As in luassert, the start and whether the pattern is
// plain text may follow, and then the message.
func (c *check) matches() {
	var start int
	c.own, start = c.options(3)
	pattern := c.suite.text(c.L, 1, c.path, "pattern")
	c.shown = said(c.L.Get(2), c.L.Get(1))
	text, ok := c.suite.textual(c.L, c.L.Get(2))
	if !ok {
		if c.passes(false) {
			return
		}
		c.fail(nil, "expected a text that matches %s, got %s", quote(pattern), c.suite.show(c.L.Get(2)))
	}
	c.checkStart(start)
	found, captures := c.search(text, pattern, start)
	c.results = captures
	switch {
	case !c.passes(found) && c.negated:
		c.failOne("expected a text that does not match %s, got %s", quote(pattern), c.suite.show(c.L.Get(2)))
	case !c.passes(found):
		c.failOne("expected a text that matches %s, got %s", quote(pattern), c.suite.show(c.L.Get(2)))
	}
}

// options returns which argument is the message of a search, and which the start: the message is the first one from n on
// that is neither a number nor a boolean, and the others follow each other.
func (c *check) options(n int) (own, start int) {
	for i := n; i <= c.L.GetTop(); i++ {
		switch v := c.L.Get(i).(type) {
		case lua.LBool, *lua.LNilType:
		default:
			if _, ok := toNumber(v); ok {
				continue
			}
			if i == n {
				return i, n + 1
			}
			return i, n
		}
	}
	return n + 2, n
}

// checkStart raises an error if argument n, where a search begins, is no number.
func (c *check) checkStart(n int) {
	switch c.L.Get(n).(type) {
	case lua.LBool, *lua.LNilType:
		return
	}
	if _, ok := toNumber(c.L.Get(n)); !ok {
		sandbox.Raisef(c.L, "assert.%s: the search begins at a number, not %s", c.path, surface.Kind(c.L.Get(n)))
	}
}

// search looks for a pattern. Argument n may be where to begin, and the one after it whether the pattern is plain
// text. It returns the captures, or the whole match if there are none.
func (c *check) search(text, pattern string, n int) (found bool, captures []lua.LValue) {
	init, plain := lua.LValue(lua.LNumber(1)), lua.LValue(lua.LFalse)
	if v, ok := toNumber(c.L.Get(n)); ok {
		init = lua.LNumber(v)
	}
	if v, ok := c.L.Get(n + 1).(lua.LBool); ok {
		plain = v
	} else if v, ok := c.L.Get(n).(lua.LBool); ok {
		plain = v
	}
	top := c.L.GetTop()
	c.L.Push(c.suite.find)
	c.L.Push(lua.LString(text))
	c.L.Push(lua.LString(pattern))
	c.L.Push(init)
	c.L.Push(plain)
	c.L.Call(4, lua.MultRet)
	defer c.L.SetTop(top)
	from, ok := c.L.Get(top + 1).(lua.LNumber)
	if !ok {
		return false, []lua.LValue{}
	}
	for i := top + 3; i <= c.L.GetTop(); i++ {
		captures = append(captures, c.L.Get(i))
	}
	if captures == nil {
		to, _ := c.L.Get(top + 2).(lua.LNumber)
		captures = []lua.LValue{lua.LString(strings.Clone(text[int(from)-1 : int(to)]))}
	}
	return true, captures
}
