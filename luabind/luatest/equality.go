package luatest

import (
	"fmt"
	"math"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The assertions that compare values: equal, same, near, unique, matches.

func equalityAssertions() []assertion {
	return []assertion{
		{"equal", 2, 3, "(expected, actual)", (*check).equal},
		{"equals", 2, 3, "(expected, actual)", (*check).equal},
		{"same", 2, 3, "(expected, actual)", (*check).same},
		{"near", 3, 4, "(expected, actual, tolerance)", (*check).near},
		{"unique", 1, 3, "(list)", (*check).unique},
		{"matches", 2, 0, "(pattern, text)", (*check).matches},
		{"match", 2, 0, "(pattern, text)", (*check).matches},
	}
}

func (c *check) equal() {
	want, got := c.L.Get(1), c.L.Get(2)
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

func isNaN(v lua.LValue) bool {
	n, ok := v.(lua.LNumber)
	return ok && math.IsNaN(float64(n))
}

func (c *check) same() {
	diff := c.suite.differences(c.L, c.L.Get(1), c.L.Get(2))
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
		v, ok := c.L.Get(i + 1).(lua.LNumber)
		if !ok {
			if i == 1 {
				c.fail(nil, "expected a number near %s, got %s", c.suite.show(c.L.Get(1)), c.suite.show(c.L.Get(2)))
			}
			sandbox.Raisef(c.L, "assert.%s: %s must be a number, got %s", c.path, what, surface.Kind(c.L.Get(i+1)))
		}
		n[i] = float64(v)
	}
	want, got, tolerance := n[0], n[1], n[2]
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
	if !isBool && c.L.Get(2) != lua.LNil {
		c.own = 2 // a message, and no word about content
	}
	keys := c.suite.sortedKeys(list)
	for i, k := range keys {
		for _, before := range keys[:i] {
			if !c.suite.state.Budget().Charge(1) {
				sandbox.Raise(c.L, c.suite.state.Budget().Spent())
			}
			x, y := list.RawGet(before), list.RawGet(k)
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
	c.own = c.options(3)
	pattern := c.suite.text(c.L, 1, c.path, "pattern")
	text, ok := c.L.Get(2).(lua.LString)
	if n, isNumber := c.L.Get(2).(lua.LNumber); isNumber {
		text, ok = lua.LString(sandbox.NumberText(float64(n))), true
	}
	if !ok {
		if c.passes(false) {
			return
		}
		c.fail(nil, "expected a text that matches %s, got %s", quote(pattern), c.suite.show(c.L.Get(2)))
	}
	found, captures := c.search(string(text), pattern, 3)
	switch {
	case !c.passes(found) && c.negated:
		c.failOne("expected a text that does not match %s, got %s", quote(pattern), c.suite.show(c.L.Get(2)))
	case !c.passes(found):
		c.failOne("expected a text that matches %s, got %s", quote(pattern), c.suite.show(c.L.Get(2)))
	case found:
		c.results = captures
	}
}

// options returns which argument is the message of a search: the first one from n on that is neither a number nor a
// boolean. It raises an error if there are more behind it.
func (c *check) options(n int) int {
	for i := n; i <= n+2; i++ {
		switch c.L.Get(i).(type) {
		case lua.LNumber, lua.LBool, *lua.LNilType:
		default:
			surface.AtMost(c.L, c.path, i, 0)
			return i
		}
	}
	surface.AtMost(c.L, c.path, n+1, 0)
	return n + 2
}

// search looks for a pattern. Argument n may be where to begin, and the one after it whether the pattern is plain
// text. It returns the captures, or the whole match if there are none.
func (c *check) search(text, pattern string, n int) (found bool, captures []lua.LValue) {
	init, plain := lua.LValue(lua.LNumber(1)), lua.LValue(lua.LFalse)
	if v, ok := c.L.Get(n).(lua.LNumber); ok {
		init = v
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
		return false, nil
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
