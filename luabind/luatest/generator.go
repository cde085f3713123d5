package luatest

import (
	"math"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The generators of t.property: t.int, t.number, t.bool, t.string, t.one_of, t.list, t.table and t.entity. Each is a
// value of its own in Lua, and makes a Lua value from choices (choices.go).

// A generator makes a value. It is simplest if all choices are 0.
type generator struct {
	make  func(c *choices) lua.LValue
	depth int // of the generators within it; 0 without any
}

// deepest is how deep generators may be nested.
const deepest = 32

// generators are the functions of module ecs.test that make generators.
func (s *suite) generators() map[string]lua.LGFunction {
	makers := map[string]struct {
		most int
		make func(L *lua.LState) generator
	}{
		"int":    {2, s.genInt},
		"number": {2, s.genNumber},
		"bool":   {0, s.genBool},
		"string": {1, s.genString},
		"one_of": {1, s.genOneOf},
		"list":   {2, s.genList},
		"table":  {1, s.genTable},
		"entity": {1, s.genTable},
	}
	words := map[string]lua.LGFunction{}
	for name, m := range makers {
		words[name] = func(L *lua.LState) int {
			if name == "list" && L.Get(1).Type() == lua.LTFunction {
				return s.list(L) // t.list(iterator), which is older
			}
			surface.AtMost(L, name, m.most, 0)
			g := m.make(L)
			L.Push(s.state.NewUserData(g, s.surf.Strict("generator", nil)))
			return 1
		}
	}
	return words
}

// generatorOf returns the generator that a value is; any other value is a generator of itself, and a table one of
// tables whose values are generators.
func (s *suite) generatorOf(L *lua.LState, v lua.LValue, depth int) generator {
	g := generator{make: func(*choices) lua.LValue { return v }}
	switch v := v.(type) {
	case *lua.LUserData:
		if known, ok := v.Value.(generator); ok {
			g = known
		}
	case *lua.LTable:
		if depth <= deepest { // it may contain itself
			g = s.tableGenerator(L, v, depth)
		}
	}
	if depth+g.depth > deepest {
		sandbox.Raisef(L, "generators nested more than %d deep", deepest)
	}
	return g
}

// bounds reads the two arguments of t.int and t.number.
func bounds(L *lua.LState, name string, low, high float64) (float64, float64) {
	for i, to := range []*float64{&low, &high} {
		switch v := L.Get(i + 1).(type) {
		case *lua.LNilType:
		case lua.LNumber:
			*to = float64(v)
		default:
			sandbox.Raisef(L, "bad argument #%d to '%s' (number expected, got %s)", i+1, name, surface.Kind(v))
		}
	}
	if !(low <= high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		sandbox.Raisef(L, "t.%s(min, max): there is no number from %s to %s", name, sandbox.NumberText(low), sandbox.NumberText(high))
	}
	return low, high
}

const wholeLimit = 1 << 53

func (s *suite) genInt(L *lua.LState) generator {
	low, high := bounds(L, "int", -1000, 1000)
	low, high = math.Ceil(low), math.Floor(high)
	if low > high || math.Abs(low) > wholeLimit || math.Abs(high) > wholeLimit {
		sandbox.Raisef(L, "t.int(min, max): there is no whole number of at most 2^53 in the range")
	}
	return generator{make: func(c *choices) lua.LValue { return lua.LNumber(whole(c, low, high)) }}
}

// whole chooses a whole number from low to high. The simplest is the one nearest to 0; positive numbers are simpler
// than negative ones.
func whole(c *choices, low, high float64) float64 {
	v := float64(c.below(uint64(high-low) + 1))
	switch {
	case low >= 0:
		return low + v
	case high <= 0:
		return high - v
	case v <= high:
		return v
	}
	return high - v // from -1 down
}

func (s *suite) genNumber(L *lua.LState) generator {
	low, high := bounds(L, "number", -1000, 1000)
	from, to := max(math.Ceil(low), -wholeLimit), min(math.Floor(high), wholeLimit)
	return generator{make: func(c *choices) lua.LValue {
		if from > to { // no whole number lies between them, or they are very large
			part := float64(c.below(1<<53)) / (1<<53 - 1)
			return lua.LNumber(min(high, max(low, low+float64((high-low)*part))))
		}
		v := whole(c, from, to)
		if bits := c.below(53); bits > 0 { // a fraction with so many binary digits
			part := float64(c.below(1<<bits)) / float64(uint64(1)<<bits)
			if v < 0 || v == 0 && low < 0 && c.below(2) == 1 {
				part = -part
			}
			v += part
		}
		return lua.LNumber(min(high, max(low, v)))
	}}
}

func (s *suite) genBool(*lua.LState) generator {
	return generator{make: func(c *choices) lua.LValue { return lua.LBool(c.below(2) == 1) }}
}

// letters are the characters of t.string, simple ones first, and some that programs forget.
var letters = func() []string {
	list := strings.Split("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ _-.,:;!?()[]{}<>+*/=%&|^~$#@`'\"\\", "")
	return append(list, "ä", "é", "→", "語", "🐀", "\n", "\t", "\x00", "\x7f", "\xff")
}()

func (s *suite) genString(L *lua.LState) generator {
	most := length(L, 1, "string", 20)
	return generator{make: func(c *choices) lua.LValue {
		var b strings.Builder
		for more(c, most, b.Len()) {
			letter := letters[c.below(uint64(len(letters)))]
			if b.Len()+len(letter) > most {
				break
			}
			b.WriteString(letter)
		}
		return lua.LString(b.String())
	}}
}

// length reads the argument max_length, which bounds a list or a string.
func length(L *lua.LState, n int, name string, otherwise int) int {
	switch v := L.Get(n).(type) {
	case *lua.LNilType:
		return otherwise
	case lua.LNumber:
		if f := float64(v); f >= 0 && f == math.Trunc(f) && f <= 10_000 {
			return int(f)
		}
	}
	sandbox.Raisef(L, "t.%s: the maximal length is a whole number from 0 to 10000, not %s", name, surface.Kind(L.Get(n)))
	return 0
}

// more chooses whether a list of n elements gets another one. Lists have about a third of the maximal length on
// average. Each element has a choice of its own for that, so that shrinking can remove it.
func more(c *choices, most, n int) bool {
	return n < most && c.below(uint64(most/3+2)) > 0
}

func (s *suite) genOneOf(L *lua.LState) generator {
	t, ok := L.Get(1).(*lua.LTable)
	if !ok || t.Len() == 0 {
		sandbox.Raisef(L, "t.one_of takes a list of values or generators, as in t.one_of{ 1, \"two\" }")
	}
	var all []generator
	depth := 0
	for i := 1; i <= t.Len(); i++ {
		all = append(all, s.generatorOf(L, t.RawGetInt(i), 1))
		depth = max(depth, all[i-1].depth+1)
	}
	return generator{func(c *choices) lua.LValue { return all[c.below(uint64(len(all)))].make(c) }, depth}
}

func (s *suite) genList(L *lua.LState) generator {
	switch L.Get(1).(type) {
	case *lua.LUserData, *lua.LTable:
	default:
		sandbox.Raisef(L, "bad argument #1 to 'list' (iterator expected, got %s)", surface.Kind(L.Get(1)))
	}
	one, most := s.generatorOf(L, L.Get(1), 1), length(L, 2, "list", 10)
	return generator{func(c *choices) lua.LValue {
		out := s.state.NewTable()
		for n := 0; more(c, most, n); n++ {
			out.RawSetInt(n+1, one.make(c))
		}
		return out
	}, one.depth + 1}
}

// genTable is t.table{ key = generator } and t.entity{ Health = { current = generator }, "tag" }.
func (s *suite) genTable(L *lua.LState) generator {
	t, ok := L.Get(1).(*lua.LTable)
	if !ok {
		sandbox.Raisef(L, "bad argument #1 (table of generators expected, got %s)", surface.Kind(L.Get(1)))
	}
	return s.tableGenerator(L, t, 0)
}

// tableGenerator makes tables with the keys of t, and values that the values of t generate.
func (s *suite) tableGenerator(L *lua.LState, t *lua.LTable, depth int) generator {
	keys := s.sortedKeys(t)
	all := make([]generator, len(keys))
	within := 0
	for i, k := range keys {
		all[i] = s.generatorOf(L, sandbox.Get(t, k), depth+1)
		within = max(within, all[i].depth+1)
	}
	return generator{func(c *choices) lua.LValue {
		s.state.Budget().Charge(int64(len(keys)))
		out := s.state.NewTable()
		for i, k := range keys {
			sandbox.Set(out, k, all[i].make(c))
		}
		return out
	}, within}
}
