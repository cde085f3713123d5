package sandbox

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

func mathFunctions() map[string]lua.LGFunction {
	one := func(f func(float64) float64) lua.LGFunction {
		return func(L *lua.LState) int {
			L.Push(lua.LNumber(f(argNumber(L, 1))))
			return 1
		}
	}
	two := func(f func(a, b float64) float64) lua.LGFunction {
		return func(L *lua.LState) int {
			L.Push(lua.LNumber(f(argNumber(L, 1), argNumber(L, 2))))
			return 1
		}
	}
	return map[string]lua.LGFunction{
		"abs":   one(math.Abs),
		"acos":  one(math.Acos),
		"asin":  one(math.Asin),
		"atan":  one(math.Atan),
		"atan2": two(math.Atan2),
		"ceil":  one(math.Ceil),
		"cos":   one(math.Cos),
		"cosh":  one(math.Cosh),
		"deg":   one(func(x float64) float64 { return x / (math.Pi / 180) }),
		"exp":   one(math.Exp),
		"floor": one(math.Floor),
		"fmod":  two(math.Mod),
		"frexp": mathFrexp,
		"ldexp": func(L *lua.LState) int {
			n := min(max(argInt(L, 2), -5000), 5000) // beyond, the result is 0 or infinite anyway
			L.Push(lua.LNumber(math.Ldexp(argNumber(L, 1), int(n))))
			return 1
		},
		"log":   one(math.Log),
		"log10": one(math.Log10),
		"max":   extreme(func(a, b float64) bool { return a > b }),
		"min":   extreme(func(a, b float64) bool { return a < b }),
		"mod":   two(math.Mod),
		"modf":  mathModf,
		"pow":   two(pow),
		"rad":   one(func(x float64) float64 { return x * (math.Pi / 180) }),
		"sin":   one(math.Sin),
		"sinh":  one(math.Sinh),
		"sqrt":  one(math.Sqrt),
		"tan":   one(math.Tan),
		"tanh":  one(math.Tanh),
	}
}

func mathConstants() []entry {
	return []entry{{"huge", lua.LNumber(math.Inf(1))}, {"pi", lua.LNumber(math.Pi)}}
}

func pow(a, b float64) float64 { return math.Pow(a, b) }

// modulo is the VM's %: the remainder with the sign of the divisor.
func modulo(a, b float64) float64 {
	v := math.Mod(a, b)
	if b > 0 && v < 0 || b < 0 && v > 0 {
		v += b
	}
	return v
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

// randomEntries are math.random and math.randomseed over an environment's own
// stream.
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
