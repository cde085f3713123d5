package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
)

// Character classes of a pattern: %a, [a-z], and single characters. The matcher (match.go) asks here whether one byte matches.

// classEnd returns the index after the single character class that starts at pi.
func (m *matcher) classEnd(pi int) int {
	c := m.pat[pi]
	pi++
	switch c {
	case '%':
		if pi >= len(m.pat) {
			m.fail("malformed pattern: ends with \"%%\"")
		}
		return pi + 1
	case '[':
		if pi < len(m.pat) && m.pat[pi] == '^' {
			pi++
		}
		for first := true; first || pi >= len(m.pat) || m.pat[pi] != ']'; first = false {
			if pi >= len(m.pat) {
				m.fail("malformed pattern: missing \"]\"")
			}
			c := m.pat[pi]
			pi++
			if c == '%' && pi < len(m.pat) {
				pi++
			}
		}
		return pi + 1
	}
	return pi
}

func (m *matcher) single(c byte, pi, end int) bool {
	switch m.pat[pi] {
	case '.':
		return true
	case '%':
		return inClass(c, m.pat[pi+1])
	case '[':
		return m.inSet(c, pi, end-1)
	}
	return m.pat[pi] == c
}

// inSet reports whether c is in the set between pi, at its "[", and end, at its "]".
func (m *matcher) inSet(c byte, pi, end int) bool {
	want := true
	pi++
	if m.pat[pi] == '^' {
		want = false
		pi++
	}
	for ; pi < end; pi++ {
		switch {
		case m.pat[pi] == '%' && pi+1 < len(m.pat):
			pi++
			if inClass(c, m.pat[pi]) {
				return want
			}
		case pi+2 < end && m.pat[pi+1] == '-':
			if m.pat[pi] <= c && c <= m.pat[pi+2] {
				return want
			}
			pi += 2
		case m.pat[pi] == c:
			return want
		}
	}
	return !want
}

// inClass reports whether c is in a class such as %a or %D, in the C locale.
func inClass(c, class byte) bool {
	var in bool
	switch lowerByte(class) {
	case 'a':
		in = syntax.IsLetter(c) && c != '_'
	case 'c':
		in = c < 32 || c == 127
	case 'd':
		in = syntax.IsDigit(c)
	case 'l':
		in = c >= 'a' && c <= 'z'
	case 'p':
		in = c > 32 && c < 127 && (c == '_' || !syntax.IsLetter(c) && !syntax.IsDigit(c))
	case 's':
		in = c == ' ' || c >= '\t' && c <= '\r'
	case 'u':
		in = c >= 'A' && c <= 'Z'
	case 'w':
		in = syntax.IsDigit(c) || syntax.IsLetter(c) && c != '_'
	case 'x':
		in = syntax.IsDigit(c) || lowerByte(c) >= 'a' && lowerByte(c) <= 'f'
	case 'z':
		in = c == 0
	default:
		return class == c
	}
	if class >= 'A' && class <= 'Z' {
		return !in
	}
	return in
}
