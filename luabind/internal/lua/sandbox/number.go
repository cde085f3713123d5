package sandbox

import (
	"math"
	"strconv"

	lua "github.com/yuin/gopher-lua"
)

// This file converts between numbers and texts, and between floats and integers, in the same way on every
// platform.

// NumberText formats f as Lua 5.1 does (%.14g): 0.1, 1e+15, 9.007199254741e+15, -0, and nan, inf, -inf on every
// platform. gopher-lua's own text has more digits, so every conversion of a number to a string for a script uses
// this function.
func NumberText(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e14 && (f != 0 || !math.Signbit(f)) {
		return strconv.FormatInt(int64(f), 10)
	}
	var buf [32]byte
	return string(AppendNumber(buf[:0], f))
}

// smallNumbers are numbers as values, made once, so that a list index needs no allocation.
var smallNumbers = func() (out [1024]lua.LValue) {
	for i := range out {
		out[i] = lua.LNumber(i)
	}
	return out
}()

// boxInt returns lua.LNumber(n) as a value.
func boxInt(n int) lua.LValue {
	if n >= 0 && n < len(smallNumbers) {
		return smallNumbers[n]
	}
	return lua.LNumber(n)
}

// AppendNumber appends [NumberText] to buf.
func AppendNumber(buf []byte, f float64) []byte {
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

// toInt truncates f as a C cast on amd64 does, but in the same way everywhere: a value out of range becomes the
// nearest end, and NaN becomes 0.
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
