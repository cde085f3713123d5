package sandbox

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/ecsrun/ecsrun/ecs/portable"
)

// This file is the module math. Its random functions use the stream of the environment's system, never a global
// generator.

// MathOne and MathTwo are the functions of math that take one or two numbers and return a number. Everything that
// computes what a script would compute calls these. Functions that IEEE 754 does not define exactly come from
// package portable, with the same bits on every processor.
var (
	MathOne = map[string]func(float64) float64{
		"abs": math.Abs, "acos": portable.Acos, "asin": portable.Asin, "atan": portable.Atan, "ceil": math.Ceil, "cos": portable.Cos, "cosh": portable.Cosh,
		"deg": func(x float64) float64 { return x / (math.Pi / 180) },
		"exp": portable.Exp, "floor": math.Floor, "log": portable.Log, "log10": portable.Log10,
		"rad": func(x float64) float64 { return x * (math.Pi / 180) },
		"sin": portable.Sin, "sinh": portable.Sinh, "sqrt": math.Sqrt, "tan": portable.Tan, "tanh": portable.Tanh,
	}
	MathTwo = map[string]func(a, b float64) float64{"atan2": portable.Atan2, "fmod": portable.Fmod, "mod": portable.Fmod, "pow": portable.Pow}
)

func mathFunctions() map[string]lua.LGFunction {
	out := map[string]lua.LGFunction{
		"frexp": mathFrexp,
		"ldexp": func(L *lua.LState) int {
			n := min(max(argInt(L, 2), -5000), 5000) // beyond, the result is 0 or infinite anyway
			L.Push(lua.LNumber(math.Ldexp(argNumber(L, 1), int(n))))
			return 1
		},
		"max":  extreme(func(a, b float64) bool { return a > b }),
		"min":  extreme(func(a, b float64) bool { return a < b }),
		"modf": mathModf,
	}
	for name, f := range MathOne {
		out[name] = func(L *lua.LState) int {
			L.Push(lua.LNumber(f(argNumber(L, 1))))
			return 1
		}
	}
	for name, f := range MathTwo {
		out[name] = func(L *lua.LState) int {
			L.Push(lua.LNumber(f(argNumber(L, 1), argNumber(L, 2))))
			return 1
		}
	}
	return out
}

func mathConstants() []entry {
	return []entry{{"huge", lua.LNumber(math.Inf(1))}, {"pi", lua.LNumber(math.Pi)}}
}

// Modulo is the operator % of the VM: the remainder with the sign of the divisor.
func Modulo(a, b float64) float64 {
	return portable.Mod(a, b)
}

func mathFrexp(L *lua.LState) int {
	f, e := math.Frexp(argNumber(L, 1))
	L.Push(lua.LNumber(f))
	L.Push(lua.LNumber(e))
	return 2
}

func mathModf(L *lua.LState) int {
	x := argNumber(L, 1)
	whole, part := math.Modf(x)
	if math.IsInf(x, 0) {
		whole, part = x, 0
	}
	L.Push(lua.LNumber(whole))
	L.Push(lua.LNumber(part))
	return 2
}

func extreme(better func(a, b float64) bool) lua.LGFunction {
	return func(L *lua.LState) int {
		best := argNumber(L, 1)
		for i := 2; i <= L.GetTop(); i++ {
			if v := argNumber(L, i); better(v, best) {
				best = v
			}
		}
		L.Push(lua.LNumber(best))
		return 1
	}
}

// randomEntries returns math.random and math.randomseed for the stream of an environment.
func (s *State) randomEntries(r Random) []entry {
	stream := func(L *lua.LState) Random {
		if r == nil {
			L.RaiseError("there is no random stream here")
		}
		return r
	}
	return []entry{
		{"random", s.base.NewFunction(func(L *lua.LState) int {
			src, lo, hi := stream(L), int64(1), int64(0)
			switch L.GetTop() {
			case 0:
				L.Push(lua.LNumber(src.Float64()))
				return 1
			case 1:
				hi = argInt(L, 1)
			case 2:
				lo, hi = argInt(L, 1), argInt(L, 2)
			default:
				L.RaiseError("wrong number of arguments to %q", "random")
			}
			if lo > hi {
				argError(L, L.GetTop(), "interval is empty")
			}
			L.Push(lua.LNumber(src.Int(lo, hi)))
			return 1
		})},
		{"randomseed", s.base.NewFunction(func(L *lua.LState) int {
			stream(L).Seed(argNumber(L, 1))
			return 0
		})},
	}
}
