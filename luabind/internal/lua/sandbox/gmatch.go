package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// A gmatcher finds the matches of string.gmatch, one after the other.
type gmatcher struct {
	s        *State
	src, pat string
	at       int // where it looks next
}

// call is the function that gmatch returns.
func (g *gmatcher) call(L *lua.LState) int {
	m := g.s.newMatcher(L, g.src, g.pat)
	si, end := g.next(m)
	m.settle()
	g.pass(si, end)
	if end < 0 {
		L.Push(lua.LNil)
		return 1
	}
	return m.pushCaptures(si, end, true)
}

// next returns where the next match begins and ends; end is -1 if there is none.
func (g *gmatcher) next(m *matcher) (si, end int) {
	for si = g.at; si <= len(g.src); si++ {
		if end = m.start(si); end >= 0 {
			return si, end
		}
	}
	return si, -1
}

// pass goes on behind a match. Behind an empty one, that is behind the next byte.
func (g *gmatcher) pass(si, end int) {
	switch {
	case end < 0:
		g.at = len(g.src) + 1
	case end == si:
		g.at = end + 1
	default:
		g.at = end
	}
}

// step is call for a loop on package interp.
func (g *gmatcher) step(machine *interp.Machine, out []interp.Value) bool {
	m := &g.s.plain.match
	return m.tries(g.src, g.pat, func() bool {
		si, end := g.next(m)
		n, bytes := 1, int64(0)
		if end < 0 {
			out[0] = interp.Nil
		} else {
			n = max(m.level, 1)
			for i := range n {
				v := m.capture(i, si, end)
				if text, ok := v.(lua.LString); ok {
					bytes += interp.StringBytes + int64(len(text))
				}
				if i < len(out) {
					out[i] = interp.Of(v)
				}
			}
		}
		if !machine.Pays(m.steps/stepsPerCost, bytes) {
			return false
		}
		for i := n; i < len(out); i++ {
			out[i] = interp.Nil
		}
		g.pass(si, end)
		return true
	})
}

// tries calls fn for a match without a thread. It declines where the matcher would raise an error or take long.
func (m *matcher) tries(src, pat string, fn func() bool) (ok bool) {
	if len(pat) > maxPattern || len(src) > maxSubject {
		return false
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case declined:
			ok = false
		default:
			panic(r)
		}
	}()
	m.src, m.pat, m.steps = src, pat, 0
	return fn()
}

// gmatch returns a function that finds one match for each call.
func (s *State) gmatch(L *lua.LState) int {
	g := &gmatcher{s: s, src: argString(L, 1), pat: argString(L, 2)}
	s.newMatcher(L, g.src, g.pat) // an impossible one fails here
	L.Push(interp.NewStep(s.base.Env, g.call, g.step))
	return 1
}
