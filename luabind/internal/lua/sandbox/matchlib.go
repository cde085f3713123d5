package sandbox

import (
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// This file has the functions of module string that use patterns, on top of the matcher in match.go.

const specials = "^$*+?.([%-"

// find is string.find and, without positions, string.match.
func (s *State) find(L *lua.LState, positions bool) int {
	src, pat := argString(L, 1), argString(L, 2)
	init := optInt(L, 3, 1)
	if init < 0 {
		init = max(int64(len(src))+init+1, 1)
	}
	from := int(min(max(init-1, 0), int64(len(src)))) // 5.1: beyond the end is the end
	if positions && (lua.LVAsBool(L.Get(4)) || !strings.ContainsAny(pat, specials)) {
		s.charge(L, int64(len(src)-from)>>6)
		i := strings.Index(src[from:], pat)
		if i < 0 {
			L.Push(lua.LNil)
			return 1
		}
		L.Push(lua.LNumber(from + i + 1))
		L.Push(lua.LNumber(from + i + len(pat)))
		return 2
	}
	pat, anchored := strings.CutPrefix(pat, "^")
	m := s.newMatcher(L, src, pat)
	for si := from; ; si++ {
		if end := m.start(si); end >= 0 {
			m.settle()
			if !positions {
				return m.pushCaptures(si, end, true)
			}
			L.Push(lua.LNumber(si + 1))
			L.Push(lua.LNumber(end))
			return 2 + m.pushCaptures(si, end, false)
		}
		if anchored || si >= len(src) {
			m.settle()
			L.Push(lua.LNil)
			return 1
		}
	}
}

// gsub builds the result from left to right, in one pass.
func (s *State) gsub(L *lua.LState) int {
	src, pat := argString(L, 1), argString(L, 2)
	repl := L.Get(3)
	switch repl.(type) {
	case lua.LString, *lua.LTable, *lua.LFunction:
	case lua.LNumber:
		repl = lua.LString(argString(L, 3))
	default:
		typeError(L, 3, "string, function or table")
	}
	most := optInt(L, 4, int64(len(src))+1)
	pat, anchored := strings.CutPrefix(pat, "^")
	m := s.newMatcher(L, src, pat)
	var out []byte
	si, n := 0, int64(0)
	for n < most {
		end := m.start(si)
		if end >= 0 {
			n++
			out = m.replace(out, repl, si, end)
			s.limitSize(L, len(out))
		}
		if end > si {
			si = end
		} else if si < len(src) {
			out = append(out, src[si])
			si++
		} else {
			break
		}
		if anchored {
			break
		}
	}
	s.limitSize(L, len(out)+len(src)-si)
	out = append(out, src[si:]...)
	m.settle()
	s.checkSize(L, len(out))
	s.pushString(L, lua.LString(out))
	L.Push(lua.LNumber(n))
	return 2
}

// replace appends the replacement of the match from si to end.
func (m *matcher) replace(out []byte, repl lua.LValue, si, end int) []byte {
	var v lua.LValue
	switch r := repl.(type) {
	case lua.LString:
		return m.template(out, string(r), si, end)
	case *lua.LTable:
		v = m.L.GetTable(r, m.capture(0, si, end))
	default:
		m.L.Push(r)
		m.L.Call(m.pushCaptures(si, end, true), 1)
		v = m.L.Get(-1)
		m.L.Pop(1)
	}
	switch {
	case !lua.LVAsBool(v):
		return m.join(out, lua.LString(m.src[si:end]))
	case !lua.LVCanConvToString(v):
		m.fail("invalid replacement value (a %s)", v.Type())
	}
	return m.join(out, v)
}

// template appends a replacement string: %0 is the match, %1 to %9 are captures; a % before anything else is
// dropped.
func (m *matcher) template(out []byte, r string, si, end int) []byte {
	m.charge(int64(len(r) >> 4))
	for i := 0; i < len(r); i++ {
		if r[i] != '%' || i+1 == len(r) {
			out = append(out, r[i])
			continue
		}
		i++
		switch c := r[i]; {
		case c == '0':
			out = m.join(out, lua.LString(m.src[si:end]))
		case syntax.IsDigit(c):
			out = m.join(out, m.capture(int(c-'1'), si, end))
		default:
			out = append(out, c)
		}
	}
	return out
}

// join appends a string or number, which is charged, after a look at what that
// makes of the result.
func (m *matcher) join(out []byte, v lua.LValue) []byte {
	if text, ok := v.(lua.LString); ok {
		if m.L != nil {
			m.s.limitSize(m.L, len(out)+len(text))
		}
		m.charge(int64(len(text) >> 6))
	}
	return appendValue(out, v)
}
