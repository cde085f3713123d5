package syntax

import (
	"math"
	"strconv"
	"strings"
)

// Numbers as Lua 5.1 reads them, and classes of bytes. The scanner uses this for literals, and the sandbox for
// tonumber.

// ParseNumber reads a number as tonumber of Lua 5.1 does: decimal with an optional fraction and exponent, or
// hexadecimal after 0x, with white space around it. It returns false for any other text. gopher-lua also accepts
// 0b1, 1_000 and "inf", and reads 010 as octal; this function does not.
func ParseNumber(s string) (float64, bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	body := s
	if body != "" && (body[0] == '-' || body[0] == '+') {
		body = body[1:]
	}
	if len(body) > 2 && body[0] == '0' && (body[1] == 'x' || body[1] == 'X') {
		return parseHex(body[2:], s[0] == '-')
	}
	digits := 0
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '.', c == 'e', c == 'E', c == '+', c == '-':
		default: // ParseFloat would take inf, nan, 0x1p4 and underscores
			return 0, false
		}
	}
	if digits == 0 {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) { // a number that is too large is an infinity, as with strtod
		return 0, false
	}
	return f, true
}

// parseHex reads the digits of a hexadecimal number.
func parseHex(digits string, negative bool) (float64, bool) {
	f := 0.0
	for i := 0; i < len(digits); i++ {
		d, ok := DigitValue(digits[i])
		if !ok || d >= 16 {
			return 0, false
		}
		f = float64(f*16) + float64(d)
	}
	if negative {
		f = -f
	}
	return f, true
}

// DigitValue returns the value of a digit in bases up to 36; false for any other byte.
func DigitValue(c byte) (int, bool) {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0'), true
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 10, true
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10, true
	}
	return 0, false
}

// IsDigit reports whether a byte is a decimal digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsLetter reports whether a name may begin with a byte: an ASCII letter or _.
func IsLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
