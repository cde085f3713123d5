package luatest

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Matchers: match.is_table(), match._ and so on stand for arguments in called_with, returned_with and on_call_with. The
// words are those of luassert, and chains are read as those of assert.

// A matcher is what is behind the table of a matcher.
type matcher struct {
	name    string
	negated bool
	args    []lua.LValue
	holds   func(L *lua.LState, v lua.LValue) bool
}

// addMatch makes the word match.
func (s *suite) addMatch() *lua.LTable {
	s.matchers = map[*lua.LTable]*matcher{}
	s.matcherMeta = s.state.NewTable()
	s.matcherMeta.RawSetString("__metatable", lua.LString("matcher"))
	s.matcherMeta.RawSetString("__call", s.state.NewFunction(func(L *lua.LState) int {
		m, _ := L.Get(1).(*lua.LTable)
		L.Push(lua.LBool(s.matchers[m].matches(L, L.Get(2))))
		return 1
	}))
	t := s.state.NewTable()
	t.RawSetString("_", s.newMatcher(&matcher{name: "_", holds: func(*lua.LState, lua.LValue) bool { return true }}))
	t.RawSetString("is_matcher", s.state.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LBool(s.matcherOf(L.Get(1)) != nil))
		return 1
	}))
	t.RawSetString("is_ref_matcher", s.state.NewFunction(func(L *lua.LState) int {
		m := s.matcherOf(L.Get(1))
		L.Push(lua.LBool(m != nil && m.name == "ref"))
		return 1
	}))
	t.Metatable = s.matchChain(nil, "match")
	return t
}

// matchChain makes the metatable of a chain that begins with match. path is the chain as it is written.
func (s *suite) matchChain(words []string, path string) *lua.LTable {
	mt := s.surf.Strict("match", nil)
	mt.RawSetString("__index", s.state.NewFunction(func(L *lua.LState) int {
		key, ok := L.Get(2).(lua.LString)
		if !ok {
			sandbox.Raisef(L, "match has no matcher %s", s.show(L.Get(2)))
		}
		next := s.state.NewTable()
		next.Metatable = s.matchChain(append(slices.Clone(words), strings.Split(strings.ToLower(string(key)), "_")...), path+"."+string(key))
		L.Push(next)
		return 1
	}))
	mt.RawSetString("__call", s.state.NewFunction(func(L *lua.LState) int {
		L.Remove(1)
		L.Push(s.makeMatcher(L, words, path))
		return 1
	}))
	return mt
}

// makeMatcher makes the matcher that a chain means, with the arguments on the stack.
func (s *suite) makeMatcher(L *lua.LState, words []string, path string) *lua.LTable {
	all := s.matcherKinds()
	own := s.own["matcher"]
	r := s.readChain(words, func(name string) bool {
		if mine, ok := own[name]; ok {
			return mine != nil
		}
		return all[name] != nil
	})
	m := &matcher{name: r.name, negated: r.negated, args: arguments(L, 1)}
	switch {
	case r.name == "" || !r.whole:
	case own[r.name] != nil:
		m.holds = s.ownMatcher(L, own[r.name])
		return s.newMatcher(m)
	default:
		m.holds = all[r.name](L, m.args, path)
		return s.newMatcher(m)
	}
	text := path + " is no matcher"
	if near, ok := suggest.Closest(words[len(words)-1], slices.Sorted(maps.Keys(all))); ok {
		text += "; did you mean match." + near + "?"
	}
	sandbox.Raisef(L, "%s", text)
	return nil
}

// ownMatcher calls a registered matcher with the arguments on the stack. It returns the function that tests values.
func (s *suite) ownMatcher(L *lua.LState, own *registered) func(*lua.LState, lua.LValue) bool {
	args := s.argumentList(L)
	L.Push(own.callback)
	L.Push(s.stateOf(chain{}))
	L.Push(args)
	L.Push(lua.LNumber(ownLevel))
	L.Call(3, 1)
	holds := L.Get(-1)
	L.Pop(1)
	if !callable(L, holds) {
		sandbox.Raisef(L, "the matcher %s returned a %s; it must return a function that tests a value", own.name, holds.Type())
	}
	return func(L *lua.LState, v lua.LValue) bool {
		L.Push(holds)
		L.Push(v)
		L.Call(1, 1)
		is := lua.LVAsBool(L.Get(-1))
		L.Pop(1)
		return is
	}
}

func (s *suite) newMatcher(m *matcher) *lua.LTable {
	t := s.state.NewTable()
	t.Metatable = s.matcherMeta
	s.matchers[t] = m
	return t
}

// matcherOf returns the matcher that a value is, nil if it is none.
func (s *suite) matcherOf(v lua.LValue) *matcher {
	t, _ := v.(*lua.LTable)
	return s.matchers[t]
}

// matches reports whether a value is what the matcher stands for. A nil matcher matches nothing.
func (m *matcher) matches(L *lua.LState, v lua.LValue) bool {
	return m != nil && m.holds(L, v) != m.negated
}

// matchAll reports whether values are those that a test expects: one matcher or a value of the same content each.
// kept are copies of the values; refs are the values themselves.
func (s *suite) matchAll(L *lua.LState, want, kept, refs []lua.LValue) bool {
	if len(want) != len(kept) {
		return false
	}
	for i, w := range want {
		m := s.matcherOf(w)
		switch {
		case m == nil && !s.alike(L, w, kept[i]):
			return false
		case m != nil && m.name == "ref" && i < len(refs):
			if !m.matches(L, refs[i]) {
				return false
			}
		case m != nil && !m.matches(L, kept[i]):
			return false
		}
	}
	return true
}

// holdsFor makes the test of a matcher from its arguments. path is for messages.
type holdsFor func(L *lua.LState, args []lua.LValue, path string) func(*lua.LState, lua.LValue) bool

// matcherKinds are the matchers by name.
func (s *suite) matcherKinds() map[string]holdsFor {
	all := map[string]holdsFor{
		"true":   plainly(func(v lua.LValue) bool { return v == lua.LTrue }),
		"false":  plainly(func(v lua.LValue) bool { return v == lua.LFalse }),
		"truthy": plainly(lua.LVAsBool),
		"falsy":  plainly(func(v lua.LValue) bool { return !lua.LVAsBool(v) }),
		"same": s.compares(func(L *lua.LState, want, v lua.LValue) bool {
			return s.differences(L, want, v) == nil
		}),
		"near":   near,
		"unique": s.uniqueMatcher,
		"any_of": s.ofMatchers(func(n, all int) bool { return n > 0 }),
		"all_of": s.ofMatchers(func(n, all int) bool { return n == all }),
		"none_of": s.ofMatchers(func(n, all int) bool {
			return n == 0
		}),
	}
	for _, kind := range []lua.LValueType{lua.LTNil, lua.LTBool, lua.LTNumber, lua.LTString, lua.LTTable, lua.LTFunction, lua.LTUserData, lua.LTThread} {
		all[kind.String()] = plainly(func(v lua.LValue) bool { return v.Type() == kind })
	}
	for _, name := range []string{"equal", "equals"} {
		all[name] = s.compares(func(L *lua.LState, want, v lua.LValue) bool { return L.Equal(want, v) })
	}
	all["ref"] = func(L *lua.LState, args []lua.LValue, path string) func(*lua.LState, lua.LValue) bool {
		if len(args) == 0 || !isObject(args[0]) {
			sandbox.Raisef(L, "%s takes a table, a function or another object", path)
		}
		return func(_ *lua.LState, v lua.LValue) bool { return v == args[0] }
	}
	all["matches"], all["match"] = s.textMatcher, s.textMatcher
	return all
}

// plainly is a matcher without arguments.
func plainly(holds func(lua.LValue) bool) holdsFor {
	return func(*lua.LState, []lua.LValue, string) func(*lua.LState, lua.LValue) bool {
		return func(_ *lua.LState, v lua.LValue) bool { return holds(v) }
	}
}

// compares is a matcher that compares with its argument.
func (s *suite) compares(same func(L *lua.LState, want, v lua.LValue) bool) holdsFor {
	return func(L *lua.LState, args []lua.LValue, path string) func(*lua.LState, lua.LValue) bool {
		if len(args) == 0 {
			sandbox.Raisef(L, "%s takes a value to compare with", path)
		}
		return func(L *lua.LState, v lua.LValue) bool { return same(L, args[0], v) }
	}
}

// isObject reports whether a value is one that has an identity.
func isObject(v lua.LValue) bool {
	switch v.Type() {
	case lua.LTTable, lua.LTFunction, lua.LTUserData, lua.LTThread:
		return true
	}
	return false
}

func near(L *lua.LState, args []lua.LValue, path string) func(*lua.LState, lua.LValue) bool {
	var n [2]float64
	for i := range n {
		ok := len(args) > i
		if ok {
			n[i], ok = toNumber(args[i])
		}
		if !ok {
			sandbox.Raisef(L, "%s takes two numbers: (expected, tolerance)", path)
		}
	}
	return func(_ *lua.LState, v lua.LValue) bool {
		got, ok := toNumber(v)
		return ok && math.Abs(got-n[0]) <= n[1]
	}
}

// textMatcher is match.matches(pattern, init, plain), for strings and numbers.
func (s *suite) textMatcher(L *lua.LState, args []lua.LValue, path string) func(*lua.LState, lua.LValue) bool {
	if len(args) == 0 || args[0].Type() != lua.LTString {
		sandbox.Raisef(L, "%s takes a Lua pattern", path)
	}
	if len(args) > 1 && args[1] != lua.LNil {
		if _, ok := toNumber(args[1]); !ok {
			sandbox.Raisef(L, "%s takes a Lua pattern, the start, and whether the pattern is plain text", path)
		}
	}
	return func(L *lua.LState, v lua.LValue) bool {
		text, ok := s.textual(L, v)
		if !ok {
			return false
		}
		L.Push(s.find)
		L.Push(lua.LString(text))
		for _, a := range args {
			L.Push(a)
		}
		L.Call(1+len(args), 1)
		found := L.Get(-1) != lua.LNil
		L.Pop(1)
		return found
	}
}

// uniqueMatcher is match.unique(deep), for tables.
func (s *suite) uniqueMatcher(_ *lua.LState, args []lua.LValue, _ string) func(*lua.LState, lua.LValue) bool {
	deep := len(args) > 0 && lua.LVAsBool(args[0])
	return func(L *lua.LState, v lua.LValue) bool {
		t, ok := v.(*lua.LTable)
		if !ok {
			return false
		}
		keys := s.sortedKeys(t)
		for i, a := range keys {
			for _, b := range keys[:i] {
				if x, y := sandbox.Get(t, a), sandbox.Get(t, b); L.Equal(x, y) || deep && s.differences(L, x, y) == nil {
					return false
				}
			}
		}
		return true
	}
}

// ofMatchers is a matcher that asks others: enough decides, from the number of those that match.
func (s *suite) ofMatchers(enough func(n, all int) bool) holdsFor {
	return func(L *lua.LState, args []lua.LValue, path string) func(*lua.LState, lua.LValue) bool {
		if len(args) == 0 {
			sandbox.Raisef(L, "%s takes matchers, such as match.is_number()", path)
		}
		for _, a := range args {
			if s.matcherOf(a) == nil {
				sandbox.Raisef(L, "%s takes matchers, such as match.is_number(), not %s", path, surface.Kind(a))
			}
		}
		return func(L *lua.LState, v lua.LValue) bool {
			n := 0
			for _, a := range args {
				if s.matcherOf(a).matches(L, v) {
					n++
				}
			}
			return enough(n, len(args))
		}
	}
}

// showMatcher shows a matcher as it is written.
func (s *suite) showMatcher(m *matcher) string {
	if m.name == "_" {
		return "match._"
	}
	prefix := "match."
	if m.negated {
		prefix = "match.is_not_"
	}
	shown := make([]string, len(m.args))
	for i, a := range m.args {
		shown[i] = s.show(a)
	}
	return prefix + m.name + "(" + strings.Join(shown, ", ") + ")"
}
