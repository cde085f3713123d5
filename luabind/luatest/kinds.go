package luatest

import (
	"fmt"
	"strconv"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The assertions about one value: is_true, is_nil, truthy, is_table and so on, and returned_arguments.

func kindAssertions() []assertion {
	list := []assertion{
		{"true", 0, 2, "(value)", "assertion.same", (*check).isTrue},
		{"false", 0, 2, "(value)", "assertion.same", (*check).isFalse},
		{"nil", 0, 2, "(value)", "assertion.same", (*check).isNil},
		{"truthy", 1, 2, "(value)", "assertion.truthy", (*check).truthy},
		{"falsy", 1, 2, "(value)", "assertion.falsy", (*check).falsy},
		{"returned_arguments", 1, 0, "(number, values…)", "assertion.returned_arguments", (*check).returnedArguments},
	}
	for _, kind := range []lua.LValueType{lua.LTBool, lua.LTNumber, lua.LTString, lua.LTTable, lua.LTFunction, lua.LTUserData, lua.LTThread} {
		list = append(list, assertion{kind.String(), 0, 2, "(value)", "assertion.same", func(c *check) { c.isKind(kind) }})
	}
	return list
}

func (c *check) isTrue() {
	c.shown = said(c.L.Get(1), lua.LTrue)
	c.is(c.L.Get(1) == lua.LTrue, "true", "something other than true")
}

func (c *check) isFalse() {
	c.shown = said(c.L.Get(1), lua.LFalse)
	c.is(c.L.Get(1) == lua.LFalse, "false", "something other than false")
}

func (c *check) isNil() {
	c.shown = []phrase{{value: c.L.Get(1)}, {text: "type nil"}}
	c.is(c.L.Get(1) == lua.LNil, "nil", "a value")
}

func (c *check) truthy() {
	c.shown = said(c.L.Get(1))
	c.is(lua.LVAsBool(c.L.Get(1)), "anything but nil and false", "nil or false")
}

func (c *check) falsy() {
	c.shown = said(c.L.Get(1))
	c.is(!lua.LVAsBool(c.L.Get(1)), "nil or false", "anything but nil and false")
}

// is passes if ok. want says what is expected then, and not what is expected if the assertion is negated.
func (c *check) is(ok bool, want, not string) {
	if c.passes(ok) {
		return
	}
	if c.negated {
		want = not
	}
	c.failOne("expected %s, got %s", want, c.suite.show(c.L.Get(1)))
}

func (c *check) isKind(kind lua.LValueType) {
	v := c.L.Get(1)
	c.shown = []phrase{{value: v}, {text: "type " + kind.String()}}
	if c.passes(v.Type() == kind) {
		return
	}
	if c.negated {
		c.failOne("expected anything but a %s, got %s", kind, c.suite.show(v))
	}
	shown := c.suite.show(v)
	if t, _ := c.suite.surf.Plain(v); t != nil { // it is shown like a table, and is none
		shown = "a " + surface.Kind(v)
		if kind == lua.LTTable {
			shown += "; ecs.fields(view) is a table of its fields"
		}
	}
	c.failOne("expected a %s, got %s", kind, shown)
}

// returnedArguments counts the arguments after the first one: assert.returned_arguments(2, f()).
func (c *check) returnedArguments() {
	want, ok := c.L.Get(1).(lua.LNumber)
	if !ok {
		sandbox.Raisef(c.L, "assert.%s: the first argument is a number, as in assert.%s(2, f()), not %s", c.path, c.path, surface.Kind(c.L.Get(1)))
	}
	got := c.L.GetTop() - 1
	c.shown = []phrase{{text: exact(float64(want))}, {text: strconv.Itoa(got)}}
	if c.passes(float64(got) == float64(want)) {
		return
	}
	if c.negated {
		c.failOne("expected another number of values than %d", got)
	}
	c.failOne("expected %s, got %d", fmt.Sprintf("%s values", exact(float64(want))), got)
}
