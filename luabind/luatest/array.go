package luatest

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// assert.array(list).has.no.holes(): no item of a list is nil.

// arrayKey is where the modifier array leaves its list in the state of a chain.
const arrayKey = "__array_state"

func arrayAssertions() []assertion {
	return []assertion{{"holes", 0, 0, "(length)", "assertion.array_holes", (*check).holes}}
}

// holes looks for the first item that is nil, up to a length, or to the largest key that is a whole number.
func (c *check) holes() {
	list := c.chain.get(arrayKey)
	if list == lua.LNil {
		sandbox.Raisef(c.L, "assert.%s needs a list: write assert.array(list).%s()", c.path, c.path)
	}
	t, isTable := list.(*lua.LTable)
	length := 0.0
	switch n := c.L.Get(1).(type) {
	case lua.LNumber:
		length = float64(n)
	case *lua.LNilType:
		if !isTable {
			sandbox.Raisef(c.L, "assert.%s: a %s needs a length: write assert.%s(10)", c.path, surface.Kind(list), c.path)
		}
		for _, k := range c.suite.sortedKeys(t) {
			if n, ok := k.(lua.LNumber); ok && float64(n) == math.Floor(float64(n)) {
				length = max(length, float64(n))
			}
		}
	default:
		sandbox.Raisef(c.L, "assert.%s takes a length, not %s", c.path, surface.Kind(n))
	}
	for i := 1.0; i <= length; i++ {
		if !c.suite.state.Budget().Charge(1) {
			sandbox.Raise(c.L, c.suite.state.Budget().Spent())
		}
		if c.L.GetTable(list, lua.LNumber(i)) != lua.LNil {
			continue
		}
		c.shown, c.results = said(lua.LNumber(i)), []lua.LValue{lua.LNumber(i)}
		if !c.passes(true) {
			c.fail(nil, "expected a list without holes, got nil at [%s]", exact(i))
		}
		return
	}
	c.results = []lua.LValue{lua.LNil}
	if !c.passes(false) {
		c.fail(nil, "expected a list with a hole, got one without")
	}
}
