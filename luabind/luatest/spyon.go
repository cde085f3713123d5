package luatest

import (
	"maps"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The globals spy, stub and mock, as busted has them: spies that stand in a table in place of a function (spy.on,
// stub, mock). What they replace comes back after the test, or after the group whose setup has replaced it. spy.go
// has the spies themselves.

// A replacement is where a spy stands in place of another value.
type replacement struct {
	table    *lua.LTable
	key      lua.LValue
	value    lua.LValue // what was there; nil of Lua: nothing was, or it was inherited
	instead  *spy
	restored bool
}

// spyWords makes the words spy, stub and mock.
func (s *suite) spyWords() map[string]*lua.LTable {
	all := map[string]*lua.LTable{}
	for _, w := range []struct {
		name  string
		call  lua.LGFunction
		words map[string]lua.LGFunction
	}{
		{"mock", s.mock, map[string]lua.LGFunction{"new": s.mock, "clear": s.clearMock, "revert": s.revertMock}},
		{"spy", s.newSpy, map[string]lua.LGFunction{"new": s.newSpy, "on": s.spyOn, "is_spy": s.isSpy}},
		{"stub", s.stub, map[string]lua.LGFunction{"new": s.stub}},
	} {
		all[w.name] = s.wordTable(w.name, w.call, w.words)
	}
	return all
}

// wordTable makes a table of functions that can be called itself.
func (s *suite) wordTable(name string, call lua.LGFunction, words map[string]lua.LGFunction) *lua.LTable {
	t := s.state.NewTable()
	known := sortedNamesOf(words)
	for _, word := range known {
		t.RawSetString(word, s.state.NewFunction(words[word]))
	}
	t.Metatable = s.surf.Strict(name, known)
	t.Metatable.(*lua.LTable).RawSetString("__call", s.state.NewFunction(func(L *lua.LState) int {
		L.Remove(1)
		return call(L)
	}))
	return t
}

// spyOn is spy.on(table, "key"): it puts a spy in place of a function of a table.
func (s *suite) spyOn(L *lua.LState) int {
	surface.AtMost(L, "spy.on", 2, 0)
	t, key := s.place(L, "spy.on")
	L.Push(s.spyAt(L, t, key, nil).table)
	return 1
}

// place reads the arguments table and key of spy.on and stub.
func (s *suite) place(L *lua.LState, function string) (*lua.LTable, lua.LValue) {
	t, ok := L.Get(1).(*lua.LTable)
	switch {
	case !ok && surface.WorldOf(L.Get(1)) != nil:
		sandbox.Raisef(L, "%s takes a table and a key; the functions of a world cannot be replaced: check what is in the world, or t.events(world, name)", function)
	case !ok:
		sandbox.Raisef(L, "%s takes a table and a key, as in %s(table, \"key\"), not %s", function, function, surface.Kind(L.Get(1)))
	case L.Get(2) == lua.LNil:
		sandbox.Raisef(L, "%s takes a table and a key, as in %s(table, \"key\")", function, function)
	}
	return t, L.Get(2)
}

// spyAt puts a spy into a table. It calls instead, or what is there if that is nil.
func (s *suite) spyAt(L *lua.LState, t *lua.LTable, key, instead lua.LValue) *spy {
	was := L.GetTable(t, key)
	if was != lua.LNil && !callable(L, was) {
		sandbox.Raisef(L, "the value at %s is a %s; only functions, and what can be called like one, are replaced", s.show(key), surface.Kind(was))
	}
	if instead == nil {
		instead = was
	}
	sp := s.makeSpy(instead)
	s.replaced = append(s.replaced, &replacement{table: t, key: key, value: sandbox.Get(t, key), instead: sp})
	sandbox.Set(t, key, sp.table)
	return sp
}

// callable reports whether Lua can call a value.
func callable(L *lua.LState, v lua.LValue) bool {
	return v.Type() == lua.LTFunction || L.GetMetaField(v, "__call") != lua.LNil
}

// isSpy is spy.is_spy(value).
func (s *suite) isSpy(L *lua.LState) int {
	L.Push(lua.LBool(s.spyOf(L.Get(1)) != nil))
	return 1
}

// revertSpy is spy:revert(): what the spy stands in place of comes back. It returns that.
func (s *suite) revertSpy(L *lua.LState) int {
	sp := s.spyOf(L.Get(1))
	if sp == nil {
		sandbox.Raisef(L, "call revert with a colon: spy:revert()")
	}
	was := sp.fn
	for _, r := range s.replaced {
		if r.instead == sp {
			r.restore()
			was = r.value
		}
	}
	L.Push(was)
	return 1
}

// restore puts back what was replaced, once.
func (r *replacement) restore() {
	if !r.restored {
		r.restored = true
		sandbox.Set(r.table, r.key, r.value)
	}
}

// restoreTo puts back what was replaced after the first n, the last first.
func (s *suite) restoreTo(n int) {
	for len(s.replaced) > n {
		last := len(s.replaced) - 1
		s.replaced[last].restore()
		s.replaced = s.replaced[:last]
	}
}

// assertSnapshot is assert:snapshot(): an object whose revert puts back what is replaced from here on, and the formatters
// and parameters of now.
func (s *suite) assertSnapshot(L *lua.LState) int {
	n, formatters, parameters := len(s.replaced), s.formatters, maps.Clone(s.parameters)
	revert := s.state.NewFunction(func(*lua.LState) int {
		s.restoreTo(n)
		s.formatters, s.parameters = formatters, maps.Clone(parameters)
		return 0
	})
	t, mt := s.state.NewTable(), s.state.NewTable()
	t.RawSetString("revert", revert)
	mt.RawSetString("__call", revert)
	t.Metatable = mt
	L.Push(t)
	return 1
}

// mock is mock(table, stubs, fn): all functions in a table and in the tables below it become spies, or stubs that
// call fn. It returns the table.
func (s *suite) mock(L *lua.LState) int {
	surface.AtMost(L, "mock", 3, 0)
	switch v := L.Get(1).(type) {
	case *lua.LTable:
		if s.spyOf(v) == nil {
			s.mockTable(L, v, lua.LVAsBool(L.Get(2)), L.Get(3), map[*lua.LTable]bool{})
		}
	case *lua.LFunction:
		L.Push(s.makeSpy(v).table)
		return 1
	default:
		sandbox.Raisef(L, "mock takes a table of functions, not %s", surface.Kind(v))
	}
	L.SetTop(1)
	return 1
}

func (s *suite) mockTable(L *lua.LState, t *lua.LTable, stubs bool, fn lua.LValue, seen map[*lua.LTable]bool) {
	seen[t] = true
	for _, key := range s.sortedKeys(t) {
		switch v := sandbox.Get(t, key).(type) {
		case *lua.LTable:
			if !seen[v] && s.spyOf(v) == nil {
				s.mockTable(L, v, stubs, fn, seen)
			}
		case *lua.LFunction:
			switch {
			case !stubs:
				s.spyAt(L, t, key, nil)
			case fn == lua.LNil:
				s.stubAt(L, t, key, nil)
			default:
				s.stubAt(L, t, key, []lua.LValue{fn})
			}
		}
	}
}

func (s *suite) clearMock(L *lua.LState) int { return s.eachMock(L, "clear", s.reset) }

func (s *suite) revertMock(L *lua.LState) int {
	return s.eachMock(L, "revert", func(sp *spy) {
		for _, r := range s.replaced {
			if r.instead == sp {
				r.restore()
			}
		}
	})
}

// eachMock calls fn for the spies in a table and in the tables below it. It returns the table.
func (s *suite) eachMock(L *lua.LState, word string, fn func(*spy)) int {
	t, ok := L.Get(1).(*lua.LTable)
	if !ok {
		sandbox.Raisef(L, "mock.%s takes the table that mock was given, not %s", word, surface.Kind(L.Get(1)))
	}
	seen := map[*lua.LTable]bool{}
	var walk func(t *lua.LTable)
	walk = func(t *lua.LTable) {
		if sp := s.spyOf(t); sp != nil {
			fn(sp)
			return
		}
		seen[t] = true
		for _, key := range s.sortedKeys(t) {
			if v, ok := sandbox.Get(t, key).(*lua.LTable); ok && !seen[v] {
				walk(v)
			}
		}
	}
	walk(t)
	L.SetTop(1)
	return 1
}
