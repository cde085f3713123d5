package luatest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// assert, and the words behind it. As in luassert, a chain such as assert.are_not.equal or assert.has.no.errors is a
// list of words, separated by dots or underscores: first modifiers, then the name of an assertion. The assertions are
// in equality.go, kinds.go, raising.go and spy.go. A failed assertion raises a mismatch; failure.go turns it into a
// Failure.

// mismatch is a failed assertion.
type mismatch struct {
	message string
	diff    []string
}

func (m *mismatch) Error() string { return m.message }

// An assertion is what the last words of a chain mean.
type assertion struct {
	name  string
	least int    // number of arguments at least
	own   int    // which argument is the user's own message; 0: none is, and there may be any number of arguments
	form  string // the arguments as a message shows them
	run   func(*check)
}

// assertions are all assertions by name. Names of several words are joined by underscores.
var assertions = func() map[string]assertion {
	all := map[string]assertion{}
	for _, list := range [][]assertion{equalityAssertions(), kindAssertions(), raisingAssertions(), spyAssertions()} {
		for _, a := range list {
			all[a.name] = a
		}
	}
	return all
}()

// modifiers are the words before an assertion. The value is true for those that negate it.
var modifiers = map[string]bool{"is": false, "are": false, "was": false, "were": false, "has": false, "does": false, "not": true, "no": true}

// takers are the modifiers that are called: assert.message("after the fall").is_true(x), assert.spy(s).was.called().
var takers = []string{"message", "spy", "stub"}

// chain is the part of a chain that was read so far.
type chain struct {
	path    string     // as written, without assert
	partial string     // the first words of the name of an assertion, joined by underscores
	negated bool       // by an odd number of modifiers
	taker   string     // the modifier that is called next; "" if none is
	message lua.LValue // of the modifier message; nil without it
	subject lua.LValue // of the modifier spy; nil without it
}

// next reads one more key of a chain. The assertion is nil if the name is not complete. ok is false if no chain begins
// like that.
func (c chain) next(key string) (to chain, found *assertion, ok bool) {
	to = c
	if to.path != "" {
		to.path += "."
	}
	to.path += key
	words := strings.Split(strings.ToLower(key), "_")
	if c.partial != "" {
		words = append(strings.Split(c.partial, "_"), words...)
	}
	to.partial = ""
	for len(words) > 0 && to.taker == "" {
		rest := strings.Join(words, "_")
		if a, is := assertions[rest]; is {
			to.partial = rest
			return to, &a, true
		}
		negates, is := modifiers[words[0]]
		switch {
		case is:
			to.negated = to.negated != negates
		case slices.Contains(takers, words[0]):
			to.taker = words[0]
		case goesOn(rest):
			to.partial = rest
			return to, nil, true
		default:
			return to, nil, false
		}
		words = words[1:]
	}
	return to, nil, len(words) == 0
}

// goesOn reports whether the name of an assertion begins with these words and has more.
func goesOn(words string) bool {
	for name := range assertions {
		if strings.HasPrefix(name, words+"_") {
			return true
		}
	}
	return false
}

// asserts makes assert, which can be called like Lua's own.
func (s *suite) asserts(env *sandbox.Env) *lua.LTable {
	s.find, _ = env.Table.RawGetString("string").(*lua.LTable).RawGetString("find").(*lua.LFunction)
	t := s.state.NewTable()
	plain, _ := env.Table.RawGetString("assert").(*lua.LFunction)
	s.link(t, chain{}, func(L *lua.LState) int {
		L.Remove(1) // assert itself
		return plain.GFunction(L)
	})
	t.RawSetString("snapshot", s.state.NewFunction(s.assertSnapshot))
	return t
}

// link makes t the value of a chain: its keys are what follows, and call is what happens when it is called.
func (s *suite) link(t *lua.LTable, c chain, call lua.LGFunction) {
	mt := s.surf.Strict("assert", nil)
	mt.RawSetString("__index", s.state.NewFunction(func(L *lua.LState) int {
		key, ok := L.Get(2).(lua.LString)
		if !ok {
			s.unknownWord(L, c, sandbox.ToString(L, L.Get(2)))
		}
		v := s.follow(L, c, string(key))
		if c.message == nil && c.subject == nil {
			t.RawSetString(string(key), v) // it is the same every time
		}
		L.Push(v)
		return 1
	}))
	mt.RawSetString("__call", s.state.NewFunction(call))
	t.Metatable = mt
}

// follow returns the value of a chain after one more key: the function of an assertion, or a table for what can go on.
func (s *suite) follow(L *lua.LState, c chain, key string) lua.LValue {
	if c.taker != "" {
		sandbox.Raisef(L, "assert.%s is called first: write assert.%s(…).%s", c.path, c.path, key)
	}
	to, found, ok := c.next(key)
	if !ok {
		s.unknownWord(L, c, key)
	}
	if found != nil {
		fn := func(L *lua.LState) int { return s.assert(L, to, found) }
		if !goesOn(found.name) {
			return s.state.NewFunction(fn)
		}
		t := s.state.NewTable()
		s.link(t, to, func(L *lua.LState) int {
			L.Remove(1)
			return fn(L)
		})
		return t
	}
	t := s.state.NewTable()
	s.link(t, to, func(L *lua.LState) int {
		L.Remove(1)
		if to.taker == "" {
			sandbox.Raisef(L, "assert.%s is no assertion; it goes on, as in assert.%s.%s", to.path, to.path, to.example())
		}
		L.Push(s.take(L, to))
		return 1
	})
	return t
}

// take calls a modifier that takes an argument, and returns the chain that goes on behind it.
func (s *suite) take(L *lua.LState, c chain) lua.LValue {
	v := L.Get(1)
	if c.taker == "message" {
		surface.AtMost(L, c.path, 1, 0)
		c.message = v
	} else {
		if s.spyOf(v) == nil {
			sandbox.Raisef(L, "assert.%s takes a spy, as t.spy(fn) and spy.on(table, key) make one, not %s", c.path, surface.Kind(v))
		}
		c.subject = v
	}
	c.path, c.taker = c.path+"(…)", ""
	t := s.state.NewTable()
	s.link(t, c, func(L *lua.LState) int {
		sandbox.Raisef(L, "assert.%s is no assertion; it goes on, as in assert.%s.%s", c.path, c.path, c.example())
		return 0
	})
	return t
}

// example returns a name with which a chain can go on.
func (c chain) example() string {
	switch {
	case c.subject != nil:
		return "was.called()"
	case c.partial == "":
		return "equal(1, x)"
	}
	for _, name := range sortedNames {
		if rest, ok := strings.CutPrefix(name, c.partial+"_"); ok {
			return rest + "(…)"
		}
	}
	return "…"
}

// sortedNames are the names of all assertions, with the modifiers that they are often written with, for suggestions.
var sortedNames = func() []string {
	list := []string{"is_true", "is_false", "is_nil", "is_not_nil", "not_equal", "not_same", "no_error", "is_not", "are_not", "has_no", "was_called", "was_called_with", "message", "spy"}
	for word := range modifiers {
		list = append(list, word)
	}
	for name, a := range assertions {
		list = append(list, name)
		if a.own == 2 && !strings.Contains(name, "_") {
			list = append(list, "is_"+name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}()

// elsewhere says, for functions of luassert that do not exist here, what to write.
var elsewhere = map[string]string{
	"register":         "an assertion of your own is a Lua function that calls assert or error",
	"unregister":       "an assertion of your own is a Lua function that calls assert or error",
	"add_formatter":    "messages show every value as code",
	"remove_formatter": "messages show every value as code",
	"set_parameter":    "messages show tables as far as there is room",
	"get_parameter":    "messages show tables as far as there is room",
	"format":           "messages show every value as code",
	"add_spy":          "spies are made by spy.on, spy.new, stub and mock",
}

// unknownWord raises the error for a key with which no chain goes on.
func (s *suite) unknownWord(L *lua.LState, c chain, key string) {
	at := "assert"
	if c.path != "" {
		at += "." + c.path
	}
	text := fmt.Sprintf("%s has no function %s", at, quote(key))
	if ours, ok := elsewhere[key]; ok && c.path == "" {
		sandbox.Raisef(L, "%s; %s", text, ours)
	}
	if near, ok := suggest.Closest(key, sortedNames); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	sandbox.Raisef(L, "%s", text)
}

// check is one call of an assertion.
type check struct {
	L       *lua.LState
	suite   *suite
	path    string // the chain as written
	form    string // as assertion.form
	negated bool
	message lua.LValue // of the modifier message; nil without it
	own     int        // as assertion.own
	subject lua.LValue
	results []lua.LValue // what the assertion returns; nil: its arguments
}

// assert calls an assertion. It returns what the assertion was given, as in luassert: local e = assert.is_not_nil(f()).
func (s *suite) assert(L *lua.LState, of chain, a *assertion) int {
	c := &check{L: L, suite: s, path: of.path, form: a.form, negated: of.negated, message: of.message, own: a.own, subject: of.subject}
	if a.own > 0 {
		surface.AtMost(L, of.path, a.own, 0)
	}
	c.need(a.least)
	given := L.GetTop()
	a.run(c)
	if c.results == nil {
		L.SetTop(given)
		return given
	}
	for _, v := range c.results {
		L.Push(v)
	}
	return len(c.results)
}

// need raises an error if fewer than n arguments were given: assert.equal(x) is a mistake.
func (c *check) need(n int) {
	if c.L.GetTop() < n {
		sandbox.Raisef(c.L, "assert.%s takes %s", c.path, c.form)
	}
}

// passes reports whether the assertion passes, if what it asserts holds or does not hold.
func (c *check) passes(holds bool) bool { return holds != c.negated }

// fail ends the test with a message, which the user's own message precedes.
func (c *check) fail(diff []string, format string, args ...any) {
	m := &mismatch{message: fmt.Sprintf(format, args...), diff: diff}
	own := c.message
	if own == nil && c.own > 0 && c.L.Get(c.own) != lua.LNil {
		own = c.L.Get(c.own)
	}
	if own != nil {
		m.message = sandbox.ToString(c.L, own) + ": " + m.message
	}
	sandbox.Raise(c.L, m)
}

// failOne is fail with a difference of one line, which becomes the message.
func (c *check) failOne(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	c.fail([]string{text}, "%s", text)
}
