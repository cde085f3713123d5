package luatest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// This file compares two values deeply, for assert.same, and lists the differences by path.

// maxDifferences is how many differences are listed; the others are counted.
const maxDifferences = 20

// comparison finds the differences between two values.
type comparison struct {
	suite *suite
	L     *lua.LState
	lines []string
	more  int
	pairs [][2]*lua.LTable // being compared, outermost first: what leads back to itself is the same
	keys  []lua.LValue     // that lead to what is being compared
	first []lua.LValue     // that lead to the first difference
	outer bool             // __eq counts for the two values themselves, too
}

// differences compares two values deeply and returns one line per difference, nil if there is none. Tables are the
// same if they have the same keys with the same values, whatever their metatables; but what is within the two values and
// has a metatable with __eq in common is compared by that, and a key that a table does not have may be inherited. Views and
// events count as tables of their fields. nan is the same as nan.
func (s *suite) differences(L *lua.LState, want, got lua.LValue) []string {
	lines, _ := s.compared(L, want, got)
	return lines
}

// alike compares as differences does, but __eq counts for the two values themselves, too.
func (s *suite) alike(L *lua.LState, want, got lua.LValue) bool {
	c := &comparison{suite: s, L: L, outer: true}
	c.compare("", want, got)
	return c.lines == nil
}

// compared is differences with the keys that lead to the first one, the outermost first.
func (s *suite) compared(L *lua.LState, want, got lua.LValue) ([]string, []lua.LValue) {
	c := &comparison{suite: s, L: L}
	c.compare("", want, got)
	if c.more > 0 {
		c.lines = append(c.lines, fmt.Sprintf("… and %d more", c.more))
	}
	return c.lines, c.first
}

func (c *comparison) compare(path string, want, got lua.LValue) {
	if !c.suite.state.Budget().Charge(1) {
		sandbox.Raisef(c.L, "comparing")
	}
	want, got = c.plain(want), c.plain(got)
	x, isTable := want.(*lua.LTable)
	y, both := got.(*lua.LTable)
	switch {
	case isTable && both:
		c.tables(path, x, y)
	case !identical(c.L, want, got):
		expected, found := c.suite.show(want), c.suite.show(got)
		a, ok := want.(lua.LString)
		b, two := got.(lua.LString)
		if ok && two && (len(a) > showString || len(b) > showString || strings.ContainsRune(string(a+b), '\n')) {
			c.texts(path, string(a), string(b))
			return
		}
		if expected == found { // 1 and "1" look different; two functions do not
			found = "another one"
		}
		c.add(path, "expected %s, got %s", expected, found)
	}
}

// plain returns a view or event as a table, and any other value unchanged.
func (c *comparison) plain(v lua.LValue) lua.LValue {
	t, err := c.suite.surf.Plain(v)
	if err != nil {
		sandbox.Raise(c.L, err)
	}
	if t != nil {
		return t
	}
	return v
}

// identical is the == of Lua, except that nan is the same as nan.
func identical(L *lua.LState, a, b lua.LValue) bool {
	x, ok := a.(lua.LNumber)
	y, both := b.(lua.LNumber)
	if ok && both && math.IsNaN(float64(x)) && math.IsNaN(float64(y)) {
		return true
	}
	return L.Equal(a, b)
}

func (c *comparison) tables(path string, want, got *lua.LTable) {
	pair := [2]*lua.LTable{want, got}
	if want == got || slices.Contains(c.pairs, pair) {
		return
	}
	if equals(want, got) && (c.outer || len(c.pairs) > 0) {
		if !c.L.Equal(want, got) {
			c.add(path, "expected %s, got %s, which is not equal to it by __eq", c.suite.show(want), c.suite.show(got))
		}
		return
	}
	if len(c.pairs) == 200 {
		c.add(path, "tables nested more than 200 deep")
		return
	}
	c.pairs = append(c.pairs, pair)
	defer func() { c.pairs = c.pairs[:len(c.pairs)-1] }()
	keys := c.suite.sortedKeys(want)
	for _, k := range c.suite.sortedKeys(got) {
		if sandbox.Get(want, k) == lua.LNil {
			keys = append(keys, k)
		}
	}
	slices.SortStableFunc(keys, compareKeys)
	for _, k := range keys {
		at := path + c.suite.key(k, ".")
		x, y := c.member(want, k), c.member(got, k)
		c.keys = append(c.keys, k)
		switch {
		case y == lua.LNil:
			c.add(at, "missing, expected %s", c.suite.show(x))
		case x == lua.LNil:
			c.add(at, "not expected, got %s", c.suite.show(y))
		default:
			c.compare(at, x, y)
		}
		c.keys = c.keys[:len(c.keys)-1]
	}
}

// equals reports whether two tables have a metatable with __eq in common.
func equals(a, b *lua.LTable) bool {
	mt, ok := a.Metatable.(*lua.LTable)
	return ok && a.Metatable == b.Metatable && mt.RawGetString("__eq") != lua.LNil
}

// member returns the value of a table at a key, which may be inherited.
func (c *comparison) member(t *lua.LTable, k lua.LValue) lua.LValue {
	if v := sandbox.Get(t, k); v != lua.LNil || t.Metatable == lua.LNil {
		return v
	}
	return c.L.GetTable(t, k)
}

// texts compares long strings line by line.
func (c *comparison) texts(path, want, got string) {
	x, y := strings.Split(want, "\n"), strings.Split(got, "\n")
	if len(x) == 1 && len(y) == 1 {
		at := 0
		for at < min(len(want), len(got)) && want[at] == got[at] {
			at++
		}
		from := max(0, at-20)
		c.add(path, "differs from byte %d on: expected …%s, got …%s", at+1, quote(want[from:]), quote(got[from:]))
		return
	}
	for i := range max(len(x), len(y)) {
		at := strings.TrimSpace(fmt.Sprintf("%s line %d", path, i+1))
		switch {
		case i >= len(y):
			c.add(at, "missing, expected %s", quote(x[i]))
		case i >= len(x):
			c.add(at, "not expected, got %s", quote(y[i]))
		case x[i] != y[i]:
			c.add(at, "expected %s, got %s", quote(x[i]), quote(y[i]))
		}
	}
}

func (c *comparison) add(path, format string, args ...any) {
	if c.first == nil {
		c.first = slices.Clone(c.keys)
	}
	if len(c.lines) == maxDifferences {
		c.more++
		return
	}
	text := fmt.Sprintf(format, args...)
	if path = strings.TrimPrefix(path, "."); path != "" {
		text = cutText(path, showString) + ": " + text
	}
	c.lines = append(c.lines, text)
}
