package sandbox

import (
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// NumberText writes f as Lua 5.1 does (%.14g): 0.1, 1e+15, 9.007199254741e+15,
// -0, and nan, inf, -inf on every platform. gopher-lua's own text has more
// digits; whoever turns a number into a string for a script comes here.
func NumberText(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e14 && (f != 0 || !math.Signbit(f)) {
		return strconv.FormatInt(int64(f), 10)
	}
	var buf [32]byte
	return string(appendNumber(buf[:0], f))
}

// smallNumbers are boxed once: a list index needs no allocation.
var smallNumbers = func() (out [1024]lua.LValue) {
	for i := range out {
		out[i] = lua.LNumber(i)
	}
	return out
}()

// boxInt is lua.LNumber(n) as a value.
func boxInt(n int) lua.LValue {
	if n >= 0 && n < len(smallNumbers) {
		return smallNumbers[n]
	}
	return lua.LNumber(n)
}

func appendNumber(buf []byte, f float64) []byte {
	switch {
	case f == math.Trunc(f) && math.Abs(f) < 1e14 && (f != 0 || !math.Signbit(f)):
		return strconv.AppendInt(buf, int64(f), 10)
	case math.IsNaN(f):
		return append(buf, "nan"...)
	case math.IsInf(f, 1):
		return append(buf, "inf"...)
	case math.IsInf(f, -1):
		return append(buf, "-inf"...)
	}
	return strconv.AppendFloat(buf, f, 'g', 14, 64)
}

// ParseNumber reads a number as Lua 5.1's tonumber does: decimal with an
// optional fraction and exponent, or hexadecimal after 0x, with space around.
// gopher-lua also takes 0b1, 1_000, "inf" and reads 010 as octal; this does not.
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
	if err != nil && !math.IsInf(f, 0) { // too large is infinity, as strtod has it
		return 0, false
	}
	return f, true
}

func parseHex(digits string, negative bool) (float64, bool) {
	f := 0.0
	for i := 0; i < len(digits); i++ {
		d, ok := digitValue(digits[i])
		if !ok || d >= 16 {
			return 0, false
		}
		f = f*16 + float64(d)
	}
	if negative {
		f = -f
	}
	return f, true
}

func digitValue(c byte) (int, bool) {
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

// toInt truncates f as a C cast does on amd64, but the same everywhere: out of
// range goes to the nearest end, NaN to 0.
func toInt(f float64) int64 {
	switch {
	case math.IsNaN(f):
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}
