package luatest

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// A call of an assertion. A failed one raises a mismatch; failure.go turns it into a Failure.

// mismatch is a failed assertion. A report has the message, and a script that catches the error luassert's text.
type mismatch struct {
	message string
	diff    []string
	text    string
}

func (m *mismatch) Error() string { return m.text }

// check is one call of an assertion.
type check struct {
	*assertion
	L       *lua.LState
	suite   *suite
	chain   chain
	path    string // the chain as written
	negated bool
	own     int          // as assertion.own
	results []lua.LValue // what the assertion returns; nil: its arguments
	shown   []phrase     // the values of luassert's text
}

// A phrase is a value of luassert's text, which shows it with its type, or the text itself.
type phrase struct {
	value lua.LValue
	text  string
	path  []lua.LValue // the keys that lead to the first difference in a table, the outermost first
}

func said(values ...lua.LValue) []phrase {
	list := make([]phrase, len(values))
	for i, v := range values {
		list[i].value = v
	}
	return list
}

// assert calls an assertion. It returns what the assertion was given, as in luassert: local e = assert.is_not_nil(f()).
func (s *suite) assert(L *lua.LState, of chain, r reading) int {
	c := &check{L: L, suite: s, chain: of, path: of.path, assertion: r.found, negated: r.negated, own: r.found.own}
	if of.get("mod") == lua.LFalse {
		c.negated = !c.negated
	}
	given := L.GetTop()
	if given < c.least {
		sandbox.Raisef(L, "assert.%s takes %s", c.path, c.form)
	}
	c.run(c)
	if c.results == nil {
		L.SetTop(given)
		return given
	}
	for _, v := range c.results {
		L.Push(v)
	}
	return len(c.results)
}

// passes reports whether the assertion passes, if what it asserts holds or does not hold.
func (c *check) passes(holds bool) bool { return holds != c.negated }

// fail ends the test with a message, which the user's own message precedes.
func (c *check) fail(diff []string, format string, args ...any) {
	own := c.chain.get("failure_message")
	if c.own > 0 && c.L.Get(c.own) != lua.LNil {
		own = c.L.Get(c.own)
	}
	m := &mismatch{message: fmt.Sprintf(format, args...), diff: diff}
	key := c.say + ".positive"
	if c.negated {
		key = c.say + ".negative"
		if twin := opposite[c.say]; twin != "" {
			key = twin + ".positive"
		}
	}
	m.text = c.suite.say(c.L, key, c.shown)
	if own != lua.LNil {
		text := c.suite.ownText(c.L, own)
		m.message, m.text = text+": "+m.message, text+"\n"+m.text
	}
	sandbox.Raise(c.L, m)
}

// opposite has the assertions whose negation is said as another one.
var opposite = map[string]string{
	"assertion.called_at_least":  "assertion.called_less_than",
	"assertion.called_at_most":   "assertion.called_more_than",
	"assertion.called_more_than": "assertion.called_at_most",
	"assertion.called_less_than": "assertion.called_at_least",
}

// ownText returns the user's own message as text.
func (s *suite) ownText(L *lua.LState, own lua.LValue) string {
	if own.Type() == lua.LTString || L.GetMetaField(own, "__tostring") != lua.LNil {
		return sandbox.ToString(L, own)
	}
	return s.format(L, phrase{value: own})
}

// failOne is fail with a difference of one line, which becomes the message.
func (c *check) failOne(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	c.fail([]string{text}, "%s", text)
}
