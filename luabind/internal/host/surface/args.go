package surface

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Arguments of functions: every function of the surface gets its arguments through a call, which checks them and
// raises errors in Lua's wording. So all functions word the same mistake in the same way, and none reads the stack
// by itself.

// A call is one call of a function of the surface. Arguments are counted from 1 without the object, as Lua counts
// them in messages.
type call struct {
	*lua.LState
	w       *World   // of a method; nil in functions of the module
	surface *Surface // of the State
	host    Host     // of functions of the module; nil in methods
	name    string   // the name of the function in messages
	full    string   // with its object: "world:get"
	skip    int      // 1: the object is the first value on the stack
}

// bind makes the Lua function of a method. object is the name of the object in messages.
func (m method) bind(object string) lua.LGFunction {
	full := object + ":" + m.name
	return func(L *lua.LState) int {
		w := receiver(L.Get(1))
		if w == nil {
			raise(L, "calling '%s' on bad self (%s expected, got %s); write %s:%s(…)", m.name, object, typeName(L, 1), object, m.name)
		}
		if w.surface.loading > 0 {
			raise(L, "%s:%s while a file is being loaded: a file declares things and returns functions; only those get at a world", object, m.name)
		}
		c := call{LState: L, w: w, surface: w.surface, name: m.name, full: full, skip: 1}
		c.atMost(m.most)
		return m.run(c)
	}
}

// receiver returns the world that a world object or its command queue belongs to; nil for any other value.
func receiver(v lua.LValue) *World {
	ud, ok := v.(*lua.LUserData)
	if !ok {
		return nil
	}
	switch x := ud.Value.(type) {
	case *World:
		return x
	case *commandQueue:
		return x.world
	}
	return nil
}

// function makes the Lua function of a function of the module ecs.
func (m method) function(s *Surface, host Host) lua.LGFunction {
	return func(L *lua.LState) int {
		c := call{LState: L, surface: s, host: host, name: m.name}
		c.atMost(m.most)
		return m.run(c)
	}
}

// arg returns argument n; nil of Lua if it is missing.
func (c call) arg(n int) lua.LValue { return c.Get(n + c.skip) }

// args returns the number of arguments.
func (c call) args() int { return c.GetTop() - c.skip }

// atMost raises an error if there are more than n arguments, because an argument that is dropped silently is a
// mistake that nobody sees. nils at the end do not count.
func (c call) atMost(n int) { AtMost(c.LState, c.name, n, c.skip) }

// AtMost raises an error if a function of this name is called with more than n arguments, not counting skip values
// before them. nils at the end do not count, and neither do views: world:first returns the entity and its views,
// and in world:despawn(world:first("Marked")) only the entity is meant.
func AtMost(L *lua.LState, name string, n, skip int) {
	if L.GetTop()-skip <= n {
		return
	}
	for i := n + 1; i <= L.GetTop()-skip; i++ {
		if v := L.Get(i + skip); v != lua.LNil && !isView(v) {
			hint := "of a call that gives several values write (f()) for the first one"
			switch tag, text := v.(lua.LString); {
			case text && name == "spawn":
				hint = fmt.Sprintf("a tag goes into the table: spawn{ …, %q }", cut(string(tag)))
			case skip == 0 && isModule(L.Get(1)):
				hint = "call it with a dot, not with a colon"
			case v.Type() == lua.LTTable && name == "send" && n == 2:
				hint = "an event that waits is a command: world.commands:send(event, fields, { after = 3 })"
			}
			raise(L, "bad argument #%d to '%s' (it takes at most %d, and %s is one too many; %s)", i, name, n, shown(v), hint)
		}
	}
}

func isView(v lua.LValue) bool {
	ud, ok := v.(*lua.LUserData)
	if ok {
		_, ok = ud.Value.(*view)
	}
	return ok
}

// bad raises an error about argument n, in Lua's wording.
func (c call) bad(n int, format string, args ...any) {
	raise(c.LState, "bad argument #%d to '%s' (%s)", n, c.name, fmt.Sprintf(format, args...))
}

// expected raises the error that argument n should be something else. what names that; hints say what to write, if that
// is known.
func (c call) expected(n int, what string, hints ...string) {
	text := fmt.Sprintf("%s expected, got %s", what, typeName(c.LState, n+c.skip))
	for _, hint := range hints {
		if hint != "" {
			text += "; " + hint
		}
	}
	c.bad(n, "%s", text)
}

// entityInstead says what to write for argument n, which should be an entity and is none; "" if that is not known.
func (c call) entityInstead(n int) string {
	switch v := c.arg(n).(type) {
	case lua.LString:
		if _, ok := c.arg(n + 1).(lua.LNumber); ok {
			return fmt.Sprintf("the entity stands before the name: write %s(e, %q%s)", c.full, cut(string(v)), c.afterName(n+1))
		}
	case *lua.LUserData:
		if x, ok := v.Value.(*view); ok {
			return fmt.Sprintf("a loop gives the entity first, then the views: for e, view in world:each(%q) do", x.component.name)
		}
	}
	return ""
}

// afterName returns what stands in a call behind the name that is argument n.
func (c call) afterName(n int) string {
	switch c.name {
	case "relate", "relates":
		return ", target"
	case "unrelate":
		if _, ok := c.arg(n + 1).(lua.LNumber); ok {
			return ", target"
		}
	case "set":
		return ", { … }"
	}
	return ""
}

// nameInstead says what to write for argument n, which should be a name and is none; "" if that is not known.
func (c call) nameInstead(n int) string {
	switch v := c.arg(n).(type) {
	case *lua.LTable:
		before, named := c.arg(n - 1).(lua.LString)
		switch c.name {
		case "set":
			return fmt.Sprintf("write %s(e, \"Name\", { … }), once for each component", c.full)
		case "add":
			if n > 2 && named {
				return fmt.Sprintf("write %sset(e, %q, { … }), which adds the component with these fields", strings.TrimSuffix(c.full, "add"), cut(string(before)))
			}
			return "write the names as arguments, or unpack(names)"
		case "has", "remove", "tag", "untag", "tagged":
			return "write the names as arguments, or unpack(names)"
		}
	case *lua.LUserData:
		if x, ok := v.Value.(*view); ok {
			return fmt.Sprintf("write its name, %q", x.component.name)
		}
	}
	return ""
}

// raise ends the call with an error that a script can catch.
func raise(L *lua.LState, format string, args ...any) { sandbox.Raisef(L, format, args...) }

// entity returns argument n as a handle. A number that is not a handle gives None, which is never alive.
func (c call) entity(n int) ecs.Entity {
	v, ok := c.arg(n).(lua.LNumber)
	if !ok {
		c.expected(n, "entity", c.entityInstead(n))
	}
	return entityOf(v)
}

// entityOf converts a number to a handle; None if it is not one.
func entityOf(v lua.LNumber) ecs.Entity {
	if e, ok := ecs.EntityFromNumber(float64(v)); ok {
		return e
	}
	return ecs.None // never alive
}

// text returns argument n, which must be a string; numbers are not converted.
func (c call) text(n int, what string) string {
	v, ok := c.arg(n).(lua.LString)
	if !ok {
		c.expected(n, what, c.nameInstead(n))
	}
	return string(v)
}

// number returns argument n, which must be a number.
func (c call) number(n int) float64 {
	v, ok := c.arg(n).(lua.LNumber)
	if !ok {
		c.expected(n, "number")
	}
	return float64(v)
}

// table returns argument n, which must be a table. hints are those of expected.
func (c call) table(n int, hints ...string) *lua.LTable {
	v, ok := c.arg(n).(*lua.LTable)
	if !ok {
		c.expected(n, "table", hints...)
	}
	return v
}

// items returns argument n, which must be a list: a table, or an array, of which it is a copy.
func (c call) items(n int) *lua.LTable {
	if t := c.surface.state.ArrayTable(c.LState, c.arg(n)); t != nil {
		return t
	}
	return c.table(n)
}

// fieldsTable returns argument n, which must be a table with fields of a schema.
func (c call) fieldsTable(n int, s *ecs.Schema) *lua.LTable {
	if t, ok := c.arg(n).(*lua.LTable); ok {
		return t
	}
	hint := ""
	if fields := s.Fields(); len(fields) > 0 {
		hint = fmt.Sprintf("write { %s = … }", fields[0].Name)
	}
	return c.table(n, hint)
}

// component returns the declared component that argument n names.
func (c call) component(n int) *component {
	name := c.text(n, "component name")
	k, err := c.w.component(c.full, name)
	if err != nil {
		sandbox.Raise(c.LState, err)
	}
	return k
}

// componentIDs returns the components that the arguments from n on name, at least one. The slice is valid until the
// next call.
func (c call) componentIDs(n int) []ecs.ComponentID {
	c.w.ids = c.w.ids[:0]
	for i := n; i == n || i <= c.args(); i++ {
		c.w.ids = append(c.w.ids, c.component(i).id)
	}
	return c.w.ids
}

// tagID returns the declared tag that argument n names.
func (c call) tagID(n int) ecs.TagID {
	id, err := c.w.tag(c.full, c.text(n, "tag name"))
	if err != nil {
		sandbox.Raise(c.LState, err)
	}
	return id
}

// event returns the declared event that argument n names.
func (c call) event(n int) *eventType {
	k, err := c.w.event(c.full, c.text(n, "event name"))
	if err != nil {
		sandbox.Raise(c.LState, err)
	}
	return k
}

// check raises an error of the world.
func (c call) check(err error) {
	if err != nil {
		if key := LimitKey(err); key != "" {
			err = fmt.Errorf("%w%s", err, key)
		}
		sandbox.Raise(c.LState, err)
	}
}

// limitKeys are the limits of a world, with their keys in the config.
var limitKeys = []struct {
	is  error
	key string
}{{ecs.ErrEntities, " (limits.entities)"}, {ecs.ErrBytes, " (limits.world)"}, {ecs.ErrEvents, " (limits.events)"}, {ecs.ErrTags, " (limits.tags)"}}

// LimitKey returns what the message of an error says after its text: the key of the limit that was reached, " (limits.tags)"; "" for other errors.
func LimitKey(err error) string {
	for _, limit := range limitKeys {
		if errors.Is(err, limit.is) {
			return limit.key
		}
	}
	return ""
}

// structural raises an error if a query loop is running. instead names the command to use.
func (c call) structural(instead string) {
	if !c.w.ecs.Locked() {
		return
	}
	c.w.closeLeft()
	if c.w.ecs.Locked() {
		sandbox.Raise(c.LState, lockedError{c.name, instead, c.w.ecs.Observing()})
	}
}

// A lockedError is a structural call inside a query loop or an observer. It is an ecs.ErrLocked.
type lockedError struct {
	name, instead string
	observing     bool
}

func (e lockedError) Error() string {
	where, fix := Locked(e.name, e.instead, e.observing)
	return where + "; " + fix
}

// Locked returns what is said of a structural call inside a query loop, or with observing in an observer: what is wrong, and what to do.
func Locked(name, instead string, observing bool) (wrong, fix string) {
	where := "inside a query loop"
	if observing {
		where = "in an observer"
	}
	return fmt.Sprintf("world:%s %s", name, where), "use world.commands:" + instead
}

func (e lockedError) Unwrap() error { return ecs.ErrLocked }

// charge charges the budget for work that one call does for many entities.
func (c call) charge(n int) {
	if b := c.surface.state.Budget(); !b.Charge(int64(n)) {
		sandbox.Raise(c.LState, b.Spent())
	}
}

// worked charges the work of the world since its counter had the value before, beyond the work of an ordinary call.
func (c call) worked(before uint64) { c.charge(int(ecs.Raw.Work(c.w.ecs) - before)) }

// typeName returns what a value on the stack is, for messages.
func typeName(L *lua.LState, index int) string {
	if index > L.GetTop() {
		return "no value"
	}
	return kindOf(L.Get(index))
}

// kindOf returns what a value is, for messages: "view of Position", "event", or its Lua type.
func kindOf(v lua.LValue) string {
	if ud, ok := v.(*lua.LUserData); ok {
		switch x := ud.Value.(type) {
		case *view:
			return "view of " + x.component.name
		case *event:
			return "event"
		case *query:
			return "query"
		case *World:
			return "world"
		case *layer:
			return "layer"
		case *layerTable:
			return "world.layers"
		case *stateTable:
			return "world.states"
		case *resourceTable:
			return "world.resources"
		case *commandQueue:
			return "world.commands"
		}
	}
	return v.Type().String()
}

// raiseLacking raises an error about a name that an object does not have: see Object.lacks.
func raiseLacking(L *lua.LState, w *ecs.World, o Object, key lua.LValue, known []string) {
	name, ok := key.(lua.LString)
	if !ok {
		instead := ""
		if o == LayerObject {
			instead = "; a cell is layer:get(x, y)"
		}
		raise(L, "%s has named things only, not [%s]%s", string(o), sandbox.ToString(L, key), instead)
	}
	sandbox.Raise(L, o.lacks(w, string(name), known))
}

// meant returns the end of a message about an unknown name, such as `; did you mean "x"?`; "" if no name is
// similar.
func meant(name string, known []string) string {
	if near, ok := suggest.Closest(name, known); ok {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// cut shortens a name for a message.
func cut(name string) string {
	if len(name) > 60 {
		return name[:57] + "..."
	}
	return name
}

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}
