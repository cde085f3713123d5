package lint

import (
	"fmt"
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/yuin/gopher-lua/ast"
)

// Events that wait: the third argument of world.commands:send, and world.commands:cancel.

const waits = "write { after = 0.5 }, { frames = 10 } or { at = world.frame + 10 }, with key = \"name\" beside it or not"

// whenOf reports a key or a value that an event which waits does not have, and then returns false.
func (c *checker) whenOf(f *file, arg ast.Expr) bool {
	t := f.names.Constructor(arg)
	if t == nil {
		return true
	}
	wrong := func(line int, format string, values ...any) bool {
		c.add("E205", f, line, fmt.Sprintf(format, values...), waits)
		return false
	}
	when, perhaps := "", false
	for _, field := range t.Fields {
		key, named := field.Key.(*ast.StringExpr)
		if !named || !slices.Contains(api.WaitKeys, key.Value) {
			return wrong(arg.Line(), "an event waits for after, frames or at, and has a key")
		}
		v, line := c.value(f, field.Value), field.Value.Line()
		switch {
		case v.is(unknown, nothing): // then the key may be missing
			perhaps = true
		case key.Value == "key":
			if v.sort != str || v.text != nil && *v.text == "" {
				return wrong(line, "key is a text that is not empty, not %s", v.shown())
			}
		case v.sort != number:
			return wrong(line, "%s says when the event comes: it is a number, not %s", key.Value, v.shown())
		case when != "":
			return wrong(line, "both %s and %s say when the event comes; give one of them", when, key.Value)
		case v.number != nil && (*v.number < 0 || key.Value != "after" && (*v.number < 1 || *v.number != math.Trunc(*v.number))):
			if key.Value == "after" {
				return wrong(line, "after is %g; it is seconds, at least 0", *v.number)
			}
			return wrong(line, "%s is %g; it is a whole number, at least 1", key.Value, *v.number)
		default:
			when = key.Value
		}
	}
	if when == "" && !perhaps && arg == ast.Expr(t) {
		return wrong(arg.Line(), "it is not said when the event comes")
	}
	return true
}

// cancels reports a call of world.commands:cancel that names an event and no key, or gives a number a key.
func (c *checker) cancels(f *file, call *ast.FuncCallExpr) {
	if len(call.Args) == 0 || several(call.Args) {
		return
	}
	v, key := c.value(f, call.Args[0]), plain(nothing)
	if len(call.Args) > 1 {
		key = c.value(f, call.Args[1])
	}
	const form = `write world.commands:cancel(number), or world.commands:cancel("Event", "key")`
	switch {
	case v.sort == str && !key.is(unknown, str):
		c.add("E205", f, call.Line(), fmt.Sprintf("world.commands:cancel of an event needs the key of what waits, not %s", key.shown()), form)
	case v.sort == number && !key.is(unknown, nothing):
		c.add("E205", f, call.Line(), "world.commands:cancel of a number takes no key", form)
	}
}
