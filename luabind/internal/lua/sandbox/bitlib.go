package sandbox

import (
	"fmt"
	"math/bits"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// This file is the module bit, as LuaJIT has it: arguments are whole numbers modulo 2^32, results are signed.

// BitOne and BitTwo are the functions of bit that take one or two numbers, by name. Their arguments must be whole numbers: see [Whole].
var (
	BitOne = map[string]func(float64) float64{
		"bnot":  func(x float64) float64 { return float64(^Bits(x)) },
		"bswap": func(x float64) float64 { return float64(int32(bits.ReverseBytes32(uint32(Bits(x))))) },
		"tobit": func(x float64) float64 { return float64(Bits(x)) },
	}
	BitTwo = map[string]func(a, b float64) float64{
		"arshift": func(a, b float64) float64 { return float64(Bits(a) >> shift(b)) },
		"band":    func(a, b float64) float64 { return float64(Bits(a) & Bits(b)) },
		"bor":     func(a, b float64) float64 { return float64(Bits(a) | Bits(b)) },
		"bxor":    func(a, b float64) float64 { return float64(Bits(a) ^ Bits(b)) },
		"lshift":  func(a, b float64) float64 { return float64(Bits(a) << shift(b)) },
		"rol":     func(a, b float64) float64 { return float64(int32(bits.RotateLeft32(uint32(Bits(a)), int(shift(b))))) },
		"ror":     func(a, b float64) float64 { return float64(int32(bits.RotateLeft32(uint32(Bits(a)), -int(shift(b))))) },
		"rshift":  func(a, b float64) float64 { return float64(int32(uint32(Bits(a)) >> shift(b))) },
	}
)

// BitFolds are the functions of BitTwo that take any number of arguments, at least one.
var BitFolds = map[string]bool{"band": true, "bor": true, "bxor": true}

// mostBit is the largest number that bit takes.
const mostBit = 1 << 53

// Whole reports whether bit takes a number: it is whole, and within ±2^53.
func Whole(x float64) bool { return x >= -mostBit && x <= mostBit && x == float64(int64(x)) }

// Bits returns a whole number modulo 2^32.
func Bits(x float64) int32 { return int32(int64(x)) }

// shift returns by how many bits to shift.
func shift(x float64) uint { return uint(Bits(x) & 31) }

// argBits returns argument n. Strings are not converted.
func argBits(L *lua.LState, n int) float64 {
	v, ok := L.Get(n).(lua.LNumber)
	if !ok {
		typeError(L, n, "number")
	}
	if !Whole(float64(v)) {
		argError(L, n, fmt.Sprintf("a whole number within ±2^53 expected, got %s", NumberText(float64(v))))
	}
	return float64(v)
}

func bitFunctions() map[string]lua.LGFunction {
	out := map[string]lua.LGFunction{"tohex": bitToHex}
	for name, f := range BitOne {
		out[name] = func(L *lua.LState) int {
			L.Push(lua.LNumber(f(argBits(L, 1))))
			return 1
		}
	}
	for name, f := range BitTwo {
		out[name] = func(L *lua.LState) int {
			x := argBits(L, 1)
			switch {
			case !BitFolds[name]:
				x = f(x, argBits(L, 2))
			case L.GetTop() == 1:
				x = float64(Bits(x))
			default:
				for i := 2; i <= L.GetTop(); i++ {
					x = f(x, argBits(L, i))
				}
			}
			L.Push(lua.LNumber(x))
			return 1
		}
	}
	return out
}

// bitToHex is bit.tohex(x, n): the lowest n hexadecimal digits, 8 by default; a negative n asks for capital letters.
func bitToHex(L *lua.LState) int {
	x, n, format := uint32(Bits(argBits(L, 1))), 8.0, "%08x"
	if L.Get(2) != lua.LNil {
		if n = argBits(L, 2); n < 0 {
			n, format = -n, "%08X"
		}
	}
	text := fmt.Sprintf(format, x)
	L.Push(lua.LString(text[8-int(min(n, 8)):]))
	return 1
}

// bitNatives adds the native forms.
func bitNatives(out map[string]interp.Native) {
	whole := func(args []interp.Value) bool {
		for i := range args {
			if !args[i].IsNumber() || !Whole(args[i].Num) {
				return false
			}
		}
		return true
	}
	for name, f := range BitOne {
		out["bit."+name] = func(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
			if len(args) != 1 || !whole(args) {
				return interp.Value{}, false
			}
			return interp.Number(f(args[0].Num)), true
		}
	}
	for name, f := range BitTwo {
		out["bit."+name] = func(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
			if len(args) != 2 || !whole(args) {
				return interp.Value{}, false
			}
			return interp.Number(f(args[0].Num, args[1].Num)), true
		}
	}
}
