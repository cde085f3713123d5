package luatest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Spies: t.spy(fn) is a table that can be called like fn. It counts the calls, and keeps copies of what it was given
// and what it has returned. assert.spy(s).was.called(2) and its like check them.

// spy is what is behind the table of a spy. The table has the lists that a test can read: count, calls, returns.
type spy struct {
	fn    lua.LValue // nil of Lua: the spy does nothing
	table *lua.LTable
	lists []*lua.LTable // the calls and results that were recorded
	meta  *lua.LTable   // the metatable of the list of results of a stub; nil for other spies
}

func spyAssertions() []assertion {
	list := []assertion{
		{"called", 0, 2, "(number)", "assertion.called", func(c *check) { c.called("", func(n, m float64) bool { return n == m }) }},
		{"called_with", 0, 0, "(arguments…)", "assertion.called_with", func(c *check) { c.calledWith("calls", "a call with") }},
		{"returned_with", 0, 0, "(values…)", "assertion.returned_with", func(c *check) { c.calledWith("returns", "a call that returns") }},
	}
	for name, holds := range map[string]func(n, m float64) bool{
		"at_least":  func(n, m float64) bool { return n >= m },
		"at_most":   func(n, m float64) bool { return n <= m },
		"more_than": func(n, m float64) bool { return n > m },
		"less_than": func(n, m float64) bool { return n < m },
	} {
		words := strings.ReplaceAll(name, "_", " ") + " "
		list = append(list, assertion{"called_" + name, 1, 2, "(number)", "assertion.called_" + name, func(c *check) { c.called(words, holds) }})
	}
	return list
}

// newSpy is t.spy(fn), spy.new(fn) and spy(fn). Without a function the spy returns nothing.
func (s *suite) newSpy(L *lua.LState) int {
	surface.AtMost(L, "spy", 1, 0)
	fn := L.Get(1)
	if fn != lua.LNil && !callable(L, fn) {
		sandbox.Raisef(L, "bad argument #1 to 'spy' (function expected, got %s)", surface.Kind(fn))
	}
	L.Push(s.makeSpy(fn).table)
	return 1
}

// makeSpy makes a spy that calls a function; nil of Lua: it does nothing.
func (s *suite) makeSpy(fn lua.LValue) *spy {
	if s.spies == nil {
		s.spies, s.refs = map[*lua.LTable]*spy{}, map[*lua.LTable][]lua.LValue{}
		s.spyMeta = s.state.NewTable()
		s.spyMeta.RawSetString("__call", s.state.NewFunction(s.callSpy))
		s.spyMeta.RawSetString("__metatable", lua.LString("spy"))
		s.spyMeta.RawSetString("__index", s.functions(map[string]lua.LGFunction{"clear": s.clearSpy, "revert": s.revertSpy, "called": s.timesCalled}))
		s.callMeta = s.state.NewTable()
		s.callMeta.RawSetString("__index", s.state.NewFunction(s.callMember))
	}
	sp := &spy{fn: fn, table: s.state.NewTable()}
	sp.table.Metatable = s.spyMeta
	s.spies[sp.table] = sp
	s.reset(sp)
	return sp
}

// callMember gives a call the names vals and refs of luassert: the call itself, and its arguments, which are not copied.
func (s *suite) callMember(L *lua.LState) int {
	t, _ := L.Get(1).(*lua.LTable)
	switch L.Get(2) {
	case lua.LString("vals"):
		L.Push(t)
		return 1
	case lua.LString("refs"):
		refs := s.state.NewTable()
		for i, v := range s.refs[t] {
			refs.RawSetInt(i+1, v)
		}
		refs.RawSetString("n", lua.LNumber(len(s.refs[t])))
		L.Push(refs)
		return 1
	}
	return 0
}

// timesCalled is spy:called(n): whether the spy was called so often, or at all, and how often it was.
func (s *suite) timesCalled(L *lua.LState) int {
	sp := s.spyOf(L.Get(1))
	if sp == nil {
		sandbox.Raisef(L, "call called with a colon: spy:called()")
	}
	count, _ := sp.table.RawGetString("count").(lua.LNumber)
	n, ok := L.Get(2).(lua.LNumber)
	L.Push(lua.LBool(ok && n == count || !ok && count > 0))
	L.Push(count)
	return 2
}

// reset forgets the calls of a spy.
func (s *suite) reset(sp *spy) {
	sp.table.RawSetString("count", lua.LNumber(0))
	sp.table.RawSetString("calls", s.state.NewTable())
	returns := s.state.NewTable()
	if sp.meta != nil {
		returns.Metatable = sp.meta
	}
	sp.table.RawSetString("returns", returns)
	sp.table.RawSetString("returnvals", returns)
	for _, call := range sp.lists {
		delete(s.refs, call)
	}
	sp.lists = nil
}

func (s *suite) clearSpy(L *lua.LState) int {
	sp := s.spyOf(L.Get(1))
	if sp == nil {
		sandbox.Raisef(L, "call clear with a colon: spy:clear()")
	}
	s.reset(sp)
	L.SetTop(1)
	return 1
}

// spyOf returns the spy that a value is, nil if it is none.
func (s *suite) spyOf(v lua.LValue) *spy {
	t, _ := v.(*lua.LTable)
	return s.spies[t]
}

// callSpy is a call of a spy. What a function that fails returns is not kept.
func (s *suite) callSpy(L *lua.LState) int {
	sp := s.spyOf(L.Get(1))
	L.Remove(1)
	s.record(L, sp, "calls", 1)
	count, _ := sp.table.RawGetString("count").(lua.LNumber)
	sp.table.RawSetString("count", count+1)
	if sp.fn == lua.LNil {
		s.record(L, sp, "returns", L.GetTop()+1)
		return 0
	}
	L.Insert(sp.fn, 1)
	L.Call(L.GetTop()-1, lua.MultRet)
	s.record(L, sp, "returns", 1)
	return L.GetTop()
}

// record appends the values of the stack, from the one at index from on, to a list of a spy. Tables are copied,
// because they may change later; views and events become tables of their fields.
func (s *suite) record(L *lua.LState, sp *spy, list string, from int) {
	calls, ok := sp.table.RawGetString(list).(*lua.LTable)
	if !ok {
		return // the test has put something else there
	}
	call := s.state.NewTable()
	for i := from; i <= L.GetTop(); i++ {
		call.RawSetInt(i-from+1, s.deepCopy(L, L.Get(i), map[*lua.LTable]*lua.LTable{}))
	}
	call.RawSetString("n", lua.LNumber(max(0, L.GetTop()-from+1)))
	call.Metatable = s.callMeta
	s.refs[call] = arguments(L, from)
	sp.lists = append(sp.lists, call)
	calls.Append(call)
}

// deepCopy copies a table with all tables in it, once each. Other values are returned as they are.
func (s *suite) deepCopy(L *lua.LState, v lua.LValue, seen map[*lua.LTable]*lua.LTable) lua.LValue {
	if plain, err := s.surf.Plain(v); plain != nil || err != nil {
		if err != nil {
			sandbox.Raise(L, err)
		}
		return plain
	}
	t, ok := v.(*lua.LTable)
	if !ok || s.spyOf(v) != nil || s.matcherOf(v) != nil {
		return v
	}
	if copied := seen[t]; copied != nil {
		return copied
	}
	if len(seen) > 200_000 {
		sandbox.Raise(L, sandbox.Limitf("a spy was given a table of more than 200,000 tables"))
	}
	out := s.state.NewTable()
	seen[t] = out
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		if !s.state.Budget().Charge(2) {
			sandbox.Raise(L, s.state.Budget().Spent())
		}
		sandbox.Set(out, k, s.deepCopy(L, v, seen))
	}
	out.Metatable = t.Metatable
	return out
}

// spied returns the spy that a chain is about.
func (c *check) spied() *spy {
	if c.chain.get("payload") == lua.LNil {
		sandbox.Raisef(c.L, "assert.%s needs a spy: write assert.spy(s).%s(…)", c.path, c.path)
	}
	return c.suite.spyOf(c.chain.get("payload"))
}

// called compares the number of calls with the first argument. Without one, there must be a call, or none if the
// assertion is negated.
func (c *check) called(words string, holds func(n, m float64) bool) {
	sp := c.spied()
	count, _ := sp.table.RawGetString("count").(lua.LNumber)
	n := float64(count)
	c.shown = []phrase{{text: ">0"}, {text: exact(n)}}
	if c.L.Get(1) == lua.LNil {
		if c.negated {
			c.negated, c.shown[0].text = false, "0"
			if n == 0 {
				return
			}
			c.failOne("expected no call, got %s", calls(n))
		}
		if n > 0 {
			return
		}
		c.failOne("expected a call, got none")
	}
	m, ok := c.L.Get(1).(lua.LNumber)
	if !ok {
		sandbox.Raisef(c.L, "assert.%s takes a number of calls, not %s", c.path, surface.Kind(c.L.Get(1)))
	}
	c.shown[0].text = exact(float64(m))
	if c.passes(holds(n, float64(m))) {
		return
	}
	if c.negated {
		words = "not " + words
	}
	c.failOne("expected %s%s, got %s", words, calls(float64(m)), calls(n))
}

func calls(n float64) string {
	if n == 1 {
		return "1 call"
	}
	return exact(n) + " calls"
}

// calledWith looks for a call with the same arguments, or one that has returned the same values.
func (c *check) calledWith(list, what string) {
	sp := c.spied()
	given := arguments(c.L, 1)
	all, _ := sp.table.RawGetString(list).(*lua.LTable)
	if all == nil {
		all = c.suite.state.NewTable()
	}
	found := false
	var shown []string
	var last *lua.LTable // the call that matches, or the last one
	for i := all.Len(); i > 0 && !found; i-- {
		one, _ := all.RawGetInt(i).(*lua.LTable)
		if one == nil {
			continue
		}
		n, _ := one.RawGetString("n").(lua.LNumber)
		var values, refs []lua.LValue
		for k := range int(n) {
			values = append(values, sandbox.Get(one, lua.LNumber(k+1)))
		}
		refs = c.suite.refs[one]
		found = c.suite.matchAll(c.L, given, values, refs)
		if found || last == nil {
			last = c.suite.listOf(values)
		}
		shown = append(shown, c.list(values))
	}
	if c.passes(found) {
		return
	}
	slices.Reverse(shown)
	c.shown = []phrase{{value: lua.LNil}, {value: c.suite.listOf(given)}}
	if last != nil {
		c.shown[0].value = last
	}
	if c.negated {
		c.failOne("expected no %s %s, got one", strings.TrimPrefix(what, "a "), c.list(given))
	}
	if len(shown) == 0 {
		c.failOne("expected %s %s, got no call", what, c.list(given))
	}
	if len(shown) > 5 {
		shown = append(shown[:5], fmt.Sprintf("… %d more", len(shown)-5))
	}
	c.failOne("expected %s %s, got %s", what, c.list(given), strings.Join(shown, ", "))
}

// listOf makes a list of arguments.
func (s *suite) listOf(values []lua.LValue) *lua.LTable {
	t := s.state.NewTable()
	for i, v := range values {
		t.RawSetInt(i+1, v)
	}
	t.RawSetString("n", lua.LNumber(len(values)))
	if s.argumentMeta == nil {
		s.argumentMeta = s.state.NewTable()
	}
	t.Metatable = s.argumentMeta
	return t
}

// list shows values as the arguments of a call.
func (c *check) list(values []lua.LValue) string {
	var shown []string
	for _, v := range values {
		shown = append(shown, c.suite.show(v))
	}
	return "(" + strings.Join(shown, ", ") + ")"
}
