package luatest

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Stubs: stub(table, "key", results…) puts a spy into a table that does not call what was there. A test says what it
// returns or calls instead, also for certain arguments: s.returns(1), s.on_call_with(2).invokes(fn).

// A stubbing is what a stub does.
type stubbing struct {
	values []lua.LValue // what it returns
	fn     lua.LValue   // what it calls; nil: it returns the values
	cases  []stubCase   // for certain arguments; the first that matches counts
}

// A stubCase is what a stub does for certain arguments.
type stubCase struct {
	args []lua.LValue // copied
	does stubbing
}

// stub is stub(table, "key", …): the stub returns the values, or calls the only one if that is a function. Without
// arguments it makes a stub that stands nowhere.
func (s *suite) stub(L *lua.LState) int {
	if L.GetTop() == 0 {
		L.Push(s.stubAt(L, s.state.NewTable(), lua.LString(""), nil).table)
		return 1
	}
	t, key := s.place(L, "stub")
	L.Push(s.stubAt(L, t, key, arguments(L, 3)).table)
	return 1
}

// arguments returns the arguments of a call, from one on.
func arguments(L *lua.LState, from int) []lua.LValue {
	var list []lua.LValue
	for i := from; i <= L.GetTop(); i++ {
		list = append(list, L.Get(i))
	}
	return list
}

// stubAt puts a stub into a table.
func (s *suite) stubAt(L *lua.LState, t *lua.LTable, key lua.LValue, results []lua.LValue) *spy {
	does := &stubbing{values: results}
	if len(results) == 1 && callable(L, results[0]) {
		does = &stubbing{fn: results[0]}
	}
	sp := s.spyAt(L, t, key, s.state.NewFunction(func(L *lua.LState) int { return s.callStub(L, does) }))
	words := s.stubWords(sp, does)
	sp.meta = s.state.NewTable() // of spy.returns, a list that can be called
	sp.meta.RawSetString("__call", s.state.NewFunction(func(L *lua.LState) int {
		L.Remove(1)
		return words["returns"](L)
	}))
	s.reset(sp)
	sp.table.RawSetString("invokes", s.state.NewFunction(words["invokes"]))
	sp.table.RawSetString("by_default", s.functions(words))
	sp.table.RawSetString("on_call_with", s.state.NewFunction(func(L *lua.LState) int {
		refuseColon(L, sp, "on_call_with")
		var one stubCase
		for _, v := range arguments(L, 1) {
			one.args = append(one.args, s.deepCopy(L, v, map[*lua.LTable]*lua.LTable{}))
		}
		L.Push(s.functions(s.stubWords(sp, &one.does, func() { does.cases = append(does.cases, one) })))
		return 1
	}))
	return sp
}

// stubWords are the functions that say what a stub does. then is called when one was called. They return the stub.
func (s *suite) stubWords(sp *spy, does *stubbing, then ...func()) map[string]lua.LGFunction {
	done := func(L *lua.LState) int {
		for _, fn := range then {
			fn()
		}
		L.Push(sp.table)
		return 1
	}
	return map[string]lua.LGFunction{
		"returns": func(L *lua.LState) int {
			refuseColon(L, sp, "returns")
			does.fn, does.values = nil, arguments(L, 1)
			return done(L)
		},
		"invokes": func(L *lua.LState) int {
			refuseColon(L, sp, "invokes")
			if !callable(L, L.Get(1)) {
				sandbox.Raisef(L, "invokes takes a function, not %s", L.Get(1).Type())
			}
			does.fn = L.Get(1)
			return done(L)
		},
	}
}

// refuseColon raises an error if a function of a stub is called as a method.
func refuseColon(L *lua.LState, sp *spy, word string) {
	if L.Get(1) == lua.LValue(sp.table) {
		sandbox.Raisef(L, "call %s with a dot: stub.%s(…)", word, word)
	}
}

func (s *suite) functions(words map[string]lua.LGFunction) *lua.LTable {
	t := s.state.NewTable()
	for _, name := range sortedNamesOf(words) {
		t.RawSetString(name, s.state.NewFunction(words[name]))
	}
	return t
}

// callStub does what a stub does for the arguments on the stack.
func (s *suite) callStub(L *lua.LState, does *stubbing) int {
	given := arguments(L, 1)
	for i := range does.cases {
		if s.matchAll(L, does.cases[i].args, given, given) {
			does = &does.cases[i].does
			break
		}
	}
	if does.fn == nil {
		for _, v := range does.values {
			L.Push(v)
		}
		return len(does.values)
	}
	L.Insert(does.fn, 1)
	L.Call(len(given), lua.MultRet)
	return L.GetTop()
}
