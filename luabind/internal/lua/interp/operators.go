package interp

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// Operators that the loop (run.go) and execute.go share: they work on two values and need no call.

// remainder sets out to x % y. It returns false if one of them is not a number.
func remainder(out, x, y *Value) bool {
	if x.Ref != nil || y.Ref != nil {
		return false
	}
	out.SetNumber(modulo(x.Num, y.Num))
	return true
}

// modulo returns gopher-lua's %, with 0 instead of -0.
func modulo(x, y float64) float64 {
	if x >= 0 && y > 0 && x < 1<<53 && y < 1<<53 {
		if i, j := int64(x), int64(y); float64(i) == x && float64(j) == y {
			return float64(i % j)
		}
	}
	v := math.Mod(x, y)
	if y > 0 && v < 0 || y < 0 && v > 0 {
		v += y
	}
	return v + 0
}

// power sets out to gopher-lua's x ^ y. It returns false if one of them is not a number.
func power(out, x, y *Value) bool {
	if x.Ref != nil || y.Ref != nil {
		return false
	}
	out.SetNumber(math.Pow(x.Num, y.Num) + 0)
	return true
}

// leastNormal is the least square that is computed exactly as math.Pow computes it: below, that rounds twice.
const leastNormal = 0x1p-1022

// equals compares two values. ok is false if a metamethod decides.
func equals(x, y *Value) (equal, ok bool) {
	if x.Ref == nil || y.Ref == nil {
		return x.Ref == nil && y.Ref == nil && x.Num == y.Num, true
	}
	switch a := x.Ref.(type) {
	case lua.LString:
		b, same := y.Ref.(lua.LString)
		return same && a == b, true
	case *lua.LNilType:
		_, same := y.Ref.(*lua.LNilType)
		return same, true
	case lua.LBool:
		b, same := y.Ref.(lua.LBool)
		return same && a == b, true
	case *lua.LTable:
		b, same := y.Ref.(*lua.LTable)
		if !same || a == b {
			return same, true
		}
		return false, a.Metatable == lua.LNil || b.Metatable == lua.LNil
	case *lua.LFunction:
		b, same := y.Ref.(*lua.LFunction)
		return same && a == b, true
	case *lua.LUserData:
		b, same := y.Ref.(*lua.LUserData)
		if !same || a == b {
			return same, true
		}
		return false, false
	}
	return false, false
}

// length returns # of a string, or of a table without a metatable. ok is false for other values.
func length(x *Value) (float64, bool) {
	switch v := x.Ref.(type) {
	case lua.LString:
		return float64(len(v)), true
	case *lua.LTable:
		if v.Metatable == lua.LNil {
			return float64(Length(v)), true
		}
	case *lua.LUserData:
		if s, ok := v.Value.(Sized); ok {
			return s.Length()
		}
	}
	return 0, false
}
