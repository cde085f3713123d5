package sandbox

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// This file matches Lua patterns, with the algorithm of Lua 5.1 (lstrlib.c). gopher-lua's own package pm is not
// used: it recurses without bound, copies quadratically, and counts as one instruction of the budget however long
// it backtracks.

const (
	maxMatchDepth = 200
	maxCaptures   = 32
	maxPattern    = 512     // bytes
	maxSubject    = 4 << 20 // bytes
	stepsPerCost  = 4       // matcher steps per instruction charged
)

const (
	captureOpen     = -1
	capturePosition = -2
)

type matcher struct {
	s     *State
	L     *lua.LState
	src   string
	pat   string
	level int // captures so far
	depth int
	steps int64
	caps  [maxCaptures]struct{ start, size int }
}

func (s *State) newMatcher(L *lua.LState, src, pat string) *matcher {
	if len(pat) > maxPattern {
		passed(L, "pattern too long: %d bytes, at most %d", len(pat), maxPattern)
	}
	if len(src) > maxSubject {
		passed(L, "string too long to search: %s bytes, at most %s", syntax.Grouped(int64(len(src))), syntax.Grouped(maxSubject))
	}
	return &matcher{s: s, L: L, src: src, pat: pat}
}

// fail raises an error. A matcher without a thread declines.
func (m *matcher) fail(format string, args ...any) {
	if m.L == nil {
		panic(declined{})
	}
	m.L.RaiseError("%s", fmt.Sprintf(format, args...))
}

// beyond raises an error about a limit. A matcher without a thread declines.
func (m *matcher) beyond(format string, args ...any) {
	if m.L == nil {
		panic(declined{})
	}
	passed(m.L, format, args...)
}

// charge charges the budget. A matcher without a thread declines where it would match for long.
func (m *matcher) charge(n int64) {
	if m.L != nil {
		m.s.charge(m.L, n)
	} else if m.steps >= mostPlainSteps {
		panic(declined{})
	}
}

// step counts one step of the matcher. It charges for them every 1024 steps.
func (m *matcher) step() {
	if m.steps++; m.steps&1023 == 0 {
		m.charge(1024 / stepsPerCost)
	}
}

// settle charges for the steps since the last charge.
func (m *matcher) settle() {
	m.charge(m.steps & 1023 / stepsPerCost)
	m.steps = 0
}

// start begins a match at another position.
func (m *matcher) start(si int) int {
	m.level, m.depth = 0, 0
	return m.match(si, 0)
}

// match matches the pattern from pi on with the subject from si on. It returns the end of the match, or -1.
func (m *matcher) match(si, pi int) int {
	if m.depth++; m.depth > maxMatchDepth {
		m.beyond("pattern too complex")
	}
	end := m.rest(si, pi)
	m.depth--
	return end
}

func (m *matcher) rest(si, pi int) int {
	for {
		m.step()
		if pi >= len(m.pat) {
			return si
		}
		switch m.pat[pi] {
		case '(':
			if pi+1 < len(m.pat) && m.pat[pi+1] == ')' {
				return m.openCapture(si, pi+2, capturePosition)
			}
			return m.openCapture(si, pi+1, captureOpen)
		case ')':
			return m.closeCapture(si, pi+1)
		case '$':
			if pi+1 == len(m.pat) {
				if si == len(m.src) {
					return si
				}
				return -1
			}
		case '%':
			if pi+1 < len(m.pat) {
				switch c := m.pat[pi+1]; {
				case c == 'b':
					if si = m.balance(si, pi+2); si < 0 {
						return -1
					}
					pi += 4
					continue
				case c == 'f':
					pi += 2
					if pi >= len(m.pat) || m.pat[pi] != '[' {
						m.fail(`missing "[" after "%%f" in pattern`)
					}
					end := m.classEnd(pi)
					var before, here byte
					if si > 0 {
						before = m.src[si-1]
					}
					if si < len(m.src) {
						here = m.src[si]
					}
					if m.inSet(before, pi, end-1) || !m.inSet(here, pi, end-1) {
						return -1
					}
					pi = end
					continue
				case syntax.IsDigit(c):
					if si = m.backReference(si, c); si < 0 {
						return -1
					}
					pi += 2
					continue
				}
			}
		}
		end := m.classEnd(pi)
		fits := si < len(m.src) && m.single(m.src[si], pi, end)
		var suffix byte
		if end < len(m.pat) {
			suffix = m.pat[end]
		}
		switch suffix {
		case '?':
			if fits {
				if r := m.match(si+1, end+1); r >= 0 {
					return r
				}
			}
			pi = end + 1
		case '*':
			return m.longest(si, pi, end)
		case '+':
			if !fits {
				return -1
			}
			return m.longest(si+1, pi, end)
		case '-':
			return m.shortest(si, pi, end)
		default:
			if !fits {
				return -1
			}
			si++
			pi = end
		}
	}
}

func (m *matcher) longest(si, pi, end int) int {
	n := 0
	for si+n < len(m.src) && m.single(m.src[si+n], pi, end) {
		m.step()
		n++
	}
	for ; n >= 0; n-- {
		if r := m.match(si+n, end+1); r >= 0 {
			return r
		}
	}
	return -1
}

func (m *matcher) shortest(si, pi, end int) int {
	for {
		if r := m.match(si, end+1); r >= 0 {
			return r
		}
		if si >= len(m.src) || !m.single(m.src[si], pi, end) {
			return -1
		}
		si++
	}
}

func (m *matcher) openCapture(si, pi, what int) int {
	if m.level >= maxCaptures {
		m.beyond("too many captures in pattern: at most %d", maxCaptures)
	}
	m.caps[m.level].start, m.caps[m.level].size = si, what
	m.level++
	r := m.match(si, pi)
	if r < 0 {
		m.level--
	}
	return r
}

func (m *matcher) closeCapture(si, pi int) int {
	l := -1
	for i := m.level - 1; i >= 0; i-- {
		if m.caps[i].size == captureOpen {
			l = i
			break
		}
	}
	if l < 0 {
		m.fail("invalid pattern capture: \")\" without \"(\"")
	}
	m.caps[l].size = si - m.caps[l].start
	r := m.match(si, pi)
	if r < 0 {
		m.caps[l].size = captureOpen
	}
	return r
}

func (m *matcher) backReference(si int, c byte) int {
	l := int(c) - '1'
	if l < 0 || l >= m.level || m.caps[l].size == captureOpen {
		m.fail("invalid capture index %%%c in pattern", c)
	}
	text := ""
	if m.caps[l].size > 0 { // a position capture has no text
		text = m.src[m.caps[l].start : m.caps[l].start+m.caps[l].size]
	}
	for range len(text) / 16 {
		m.step()
	}
	if strings.HasPrefix(m.src[si:], text) {
		return si + len(text)
	}
	return -1
}

func (m *matcher) balance(si, pi int) int {
	if pi+1 >= len(m.pat) {
		m.fail("unbalanced pattern: %%b needs two characters")
	}
	if si >= len(m.src) || m.src[si] != m.pat[pi] {
		return -1
	}
	open, closing, n := m.pat[pi], m.pat[pi+1], 1
	for i := si + 1; i < len(m.src); i++ {
		m.step()
		switch c := m.src[i]; {
		case c == closing:
			if n--; n == 0 {
				return i + 1
			}
		case c == open:
			n++
		}
	}
	return -1
}

// capture returns the i-th capture. If there is none and i is 0, it returns the whole match from si to end.
func (m *matcher) capture(i, si, end int) lua.LValue {
	if i >= m.level {
		if i != 0 {
			m.fail("invalid capture index %%%d", i+1)
		}
		return lua.LString(m.src[si:end])
	}
	c := m.caps[i]
	switch c.size {
	case captureOpen:
		m.fail("unfinished capture: \"(\" without \")\"")
	case capturePosition:
		return lua.LNumber(c.start + 1)
	}
	return lua.LString(m.src[c.start : c.start+c.size])
}

// pushCaptures pushes all captures, or the whole match.
func (m *matcher) pushCaptures(si, end int, whole bool) int {
	n := m.level
	if n == 0 && whole {
		n = 1
	}
	for i := range n {
		v := m.capture(i, si, end)
		if text, ok := v.(lua.LString); ok {
			m.s.allocate(m.L, interp.StringBytes+int64(len(text)))
		}
		m.L.Push(v)
	}
	return n
}
