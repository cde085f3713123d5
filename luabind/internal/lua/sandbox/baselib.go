package sandbox

import (
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// This file has the functions that Lua defines as globals: print, pcall, error, pairs, tostring and so on. They
// replace those of gopher-lua, which print addresses, do not count work, or lose the position of errors.

func (s *State) baseFunctions() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"assert":         s.luaAssert,
		"collectgarbage": collectGarbage,
		"error":          s.luaError,
		"getmetatable":   getMetatable,
		"load":           s.luaLoad,
		"loadstring":     s.luaLoadString,
		"next":           next,
		"pcall":          s.pcall,
		"rawequal":       rawEqual,
		"rawget":         rawGet,
		"rawset":         s.rawSet,
		"select":         selectValues,
		"setmetatable":   setMetatable,
		"tonumber":       toNumber,
		"tostring":       s.luaToString,
		"type":           luaType,
		"unpack":         s.unpack,
		"xpcall":         s.xpcall,
	}
}

// collectGarbage does nothing, whatever the option, and returns 0: Go decides when to collect, and the numbers that Lua would return
// differ from run to run.
func collectGarbage(L *lua.LState) int {
	L.Push(lua.LNumber(0))
	return 1
}

// ToString is Lua's tostring: __tostring if there is one, numbers by
// [NumberText], and no addresses: a table is "table", a function "function".
func ToString(L *lua.LState, v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return NumberText(float64(v))
	case lua.LBool, *lua.LNilType:
		return v.String()
	}
	if fn := L.GetMetaField(v, "__tostring"); fn != lua.LNil {
		L.Push(fn)
		L.Push(v)
		L.Call(1, 1)
		out := L.Get(-1)
		L.Pop(1)
		switch out := out.(type) {
		case lua.LString:
			return string(out)
		case lua.LNumber:
			return NumberText(float64(out))
		}
		L.RaiseError("__tostring must return a string, not a %s value", out.Type())
	}
	return v.Type().String()
}

func (s *State) luaToString(L *lua.LState) int {
	v := argAny(L, 1)
	if str, ok := v.(lua.LString); ok {
		L.Push(str)
		return 1
	}
	text := lua.LString(ToString(L, v))
	s.pushString(L, text)
	return 1
}

func (e *Env) printEntries() []entry {
	s, w := e.state, e.print
	return []entry{{"print", s.base.NewFunction(func(L *lua.LState) int {
		var line []byte
		for i := 1; i <= L.GetTop(); i++ {
			if i > 1 {
				line = append(line, '\t')
			}
			text := ToString(L, L.Get(i))
			s.limitSize(L, len(line)+len(text))
			s.charge(L, int64(len(text)>>6))
			line = append(line, text...)
		}
		s.checkSize(L, len(line))
		if _, err := w.Write(append(line, '\n')); err != nil {
			Raisef(L, "print: %w", err)
		}
		return 0
	})}}
}

func luaType(L *lua.LState) int {
	L.Push(lua.LString(argAny(L, 1).Type().String()))
	return 1
}

func next(L *lua.LState) int {
	t := argTable(L, 1)
	k, v := t.Next(L.Get(2))
	L.Push(k)
	if k == lua.LNil {
		return 1
	}
	L.Push(v)
	return 2
}

// pairsEntries returns the functions that start a loop over a table, and those that such a loop calls.
func (s *State) pairsEntries() (loops, steps []entry) {
	s.arrayStep = s.base.NewFunction(arrayStep)
	ipairs, step := s.ipairs()
	pairs, next := s.pairs()
	return []entry{{"ipairs", ipairs}, {"pairs", pairs}}, []entry{{"array", s.arrayStep}, {"ipairs", step}, {"pairs", next}}
}

func (s *State) pairs() (fn, step *lua.LFunction) {
	nextFn := interp.NewNext(s.base.Env, next)
	pairs := func(L *lua.LState) int {
		if walksArray(L, s.arrayStep) {
			return 3
		}
		t := L.Get(1)
		if t.Type() != lua.LTTable {
			typeError(L, 1, "table")
		}
		L.Push(nextFn)
		L.Push(t)
		L.Push(lua.LNil)
		return 3
	}
	return interp.NewPairs(s.base.Env, pairs, nextFn, interp.Nil), nextFn
}

func (s *State) ipairs() (fn, step *lua.LFunction) {
	step = interp.NewListStep(s.base.Env, func(L *lua.LState) int {
		t, ok := L.Get(1).(*lua.LTable)
		if !ok {
			typeError(L, 1, "table")
		}
		i := int(argInt(L, 2)) + 1
		v := item(t, i)
		if v == lua.LNil {
			L.Push(lua.LNil)
			return 1
		}
		L.Push(boxInt(i))
		L.Push(v)
		return 2
	})
	ipairs := func(L *lua.LState) int {
		if walksArray(L, s.arrayStep) {
			return 3
		}
		t := L.Get(1)
		if t.Type() != lua.LTTable {
			typeError(L, 1, "table")
		}
		L.Push(step)
		L.Push(t)
		L.Push(smallNumbers[0])
		return 3
	}
	return interp.NewPairs(s.base.Env, ipairs, step, interp.Number(0)), step
}

func rawEqual(L *lua.LState) int {
	L.Push(lua.LBool(L.RawEqual(argAny(L, 1), argAny(L, 2))))
	return 1
}

func rawGet(L *lua.LState) int {
	L.Push(interp.Get(argTable(L, 1), argAny(L, 2)))
	return 1
}

func (s *State) rawSet(L *lua.LState) int {
	t, key, v := argTable(L, 1), argAny(L, 2), argAny(L, 3)
	refuseFrozen(L, t)
	s.allocate(L, interp.GrowthBytes(t, key, v))
	if n, ok := key.(lua.LNumber); ok && n == n {
		interp.Set(t, key, v)
	} else {
		L.RawSet(t, key, v)
	}
	L.SetTop(1)
	return 1
}

func selectValues(L *lua.LState) int {
	top := int64(L.GetTop())
	if s, ok := L.Get(1).(lua.LString); ok && s == "#" {
		L.Push(lua.LNumber(top - 1))
		return 1
	}
	n := argInt(L, 1)
	switch {
	case n < 0:
		n += top
	case n > top:
		n = top
	}
	if n < 1 {
		argError(L, 1, "index out of range")
	}
	return int(top - n)
}

// getMetatable returns the metatable of a table. For a string it says that the metatable is locked.
func getMetatable(L *lua.LState) int {
	switch v := argAny(L, 1).(type) {
	case *lua.LTable:
		L.Push(L.GetMetatable(v))
	case lua.LString:
		L.Push(lua.LString("locked"))
	default:
		L.Push(lua.LNil)
	}
	return 1
}

func setMetatable(L *lua.LState) int {
	t := argTable(L, 1)
	mt := L.Get(2)
	if mt.Type() != lua.LTTable && (mt != lua.LNil || L.GetTop() < 2) {
		typeError(L, 2, "nil or table")
	}
	if old, ok := t.Metatable.(*lua.LTable); ok && old.RawGetString("__metatable") != lua.LNil {
		L.RaiseError("cannot change a protected metatable")
	}
	t.Metatable = mt
	L.SetTop(1)
	return 1
}

func toNumber(L *lua.LState) int {
	base := optInt(L, 2, 10)
	if base == 10 {
		switch v := argAny(L, 1).(type) {
		case lua.LNumber:
			L.Push(v)
			return 1
		case lua.LString:
			if f, ok := syntax.ParseNumber(string(v)); ok {
				L.Push(lua.LNumber(f))
				return 1
			}
		}
		L.Push(lua.LNil)
		return 1
	}
	text := strings.ToLower(strings.Trim(argString(L, 1), " \t\n\v\f\r"))
	if base < 2 || base > 36 {
		argError(L, 2, "base out of range")
	}
	negative := strings.HasPrefix(text, "-")
	if negative || strings.HasPrefix(text, "+") {
		text = text[1:]
	}
	if base == 16 {
		text = strings.TrimPrefix(text, "0x")
	}
	f, ok := 0.0, text != ""
	for i := 0; i < len(text) && ok; i++ {
		d, digit := syntax.DigitValue(text[i])
		ok = digit && int64(d) < base
		f = float64(f*float64(base)) + float64(d) // rounded twice on every processor
	}
	if !ok {
		L.Push(lua.LNil)
		return 1
	}
	if negative {
		f = -f
	}
	L.Push(lua.LNumber(f))
	return 1
}

func (s *State) unpack(L *lua.LState) int {
	t := s.argItems(L, 1)
	i := optInt(L, 2, 1)
	j := optInt(L, 3, -1)
	if L.Get(3) == lua.LNil {
		j = int64(interp.Length(t))
	}
	if i > j {
		return 0
	}
	if uint64(j)-uint64(i) >= maxUnpack {
		passed(L, "too many results to unpack: at most %d", maxUnpack)
	}
	s.charge(L, (j-i)>>2)
	for n := range j - i + 1 { // j may be the largest number
		L.Push(interp.Get(t, lua.LNumber(i+n)))
	}
	return int(j - i + 1)
}
