package sandbox

import (
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// This file is the module string except for patterns and format, and the operator .. of scripts. Functions that
// build strings check the length limit before they allocate.

func (s *State) stringFunctions() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"byte":    strByte,
		"char":    s.char,
		"find":    func(L *lua.LState) int { return s.find(L, true) },
		"format":  s.format,
		"gmatch":  s.gmatch,
		"gsub":    s.gsub,
		"len":     func(L *lua.LState) int { L.Push(lua.LNumber(len(argString(L, 1)))); return 1 },
		"lower":   func(L *lua.LState) int { return s.mapBytes(L, lowerByte) },
		"match":   func(L *lua.LState) int { return s.find(L, false) },
		"rep":     s.rep,
		"reverse": s.reverse,
		"sub":     s.sub,
		"upper":   func(L *lua.LState) int { return s.mapBytes(L, upperByte) },
	}
}

// openStrings gives strings their methods, in a metatable that scripts cannot reach, and the arithmetic of Lua
// 5.1. The VM asks the metatable before it reads a string by its own rules, by which "010" is eight. The methods are those in
// the table string of the environment of the function that asks, so that scripts of a mod see what they have added.
func (s *State) openStrings(methods []entry) {
	s.methods = s.base.CreateTable(0, len(methods))
	for _, m := range methods {
		s.methods.RawSetString(m.name, m.value)
	}
	index := s.base.NewFunction(func(L *lua.LState) int {
		t := s.methods
		if f := luaFrame(L); f != nil {
			if own := s.strings[s.homeOf(f.Fn)]; own != nil {
				t = own
			}
		}
		L.Push(L.GetTable(t, L.Get(2)))
		return 1
	})
	mt := s.base.CreateTable(0, 16)
	mt.RawSetString("__index", index)
	mt.RawSetString("__metatable", lua.LString("locked"))
	for event, op := range map[string]func(a, b float64) float64{
		"__add": func(a, b float64) float64 { return a + b },
		"__sub": func(a, b float64) float64 { return a - b },
		"__mul": func(a, b float64) float64 { return a * b },
		"__div": func(a, b float64) float64 { return a / b },
		"__mod": Modulo,
		"__pow": Power,
	} {
		mt.RawSetString(event, s.base.NewFunction(func(L *lua.LState) int { return s.stringArithmetic(L, event, op) }))
	}
	mt.RawSetString("__unm", s.base.NewFunction(func(L *lua.LState) int {
		f, ok := toFloat(L.Get(1))
		if !ok {
			L.RaiseError("attempt to perform arithmetic on a string value")
		}
		L.Push(lua.LNumber(-f))
		return 1
	}))
	s.base.SetMetatable(lua.LString(""), mt)
}

// Strings returns the table of the methods that strings have in an environment, and that of the methods that Lua gives them. The first one is
// nil if scripts cannot change it.
func (s *State) Strings(env *Env) (table, originals *lua.LTable) {
	return s.strings[env.Table], s.methods
}

// SetStrings makes the functions of a table the methods that strings have in code whose globals are env.
func (s *State) SetStrings(env, methods *lua.LTable) { s.strings[env] = methods }

// toFloat is Lua's conversion to a number.
func toFloat(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return syntax.ParseNumber(string(v))
	}
	return 0, false
}

func (s *State) stringArithmetic(L *lua.LState, event string, op func(a, b float64) float64) int {
	x, y := L.Get(1), L.Get(2)
	a, ok := toFloat(x)
	b, ok2 := toFloat(y)
	if ok && ok2 {
		L.Push(lua.LNumber(op(a, b) + 0)) // never -0, as that of numbers
		return 1
	}
	if y.Type() != lua.LTString { // "10" + object: the object's turn
		if fn := L.GetMetaField(y, event); fn.Type() == lua.LTFunction || interp.Callable(L, fn) {
			L.Push(fn)
			L.Push(x)
			L.Push(y)
			L.Call(2, 1)
			return 1
		}
	}
	bad := x
	if ok {
		bad = y
	}
	var name naming
	if f := topFrame(L).Parent; f != nil {
		in, pc, known := f.instr()
		left, right := in.b(), in.c()
		if in.op() == lua.OP_CALL { // of power
			left, right = in.a()+1, in.a()+2
		}
		if ok {
			left = right
		}
		if known && (in.op() >= lua.OP_ADD && in.op() <= lua.OP_POW || in.op() == lua.OP_CALL) {
			name = s.nameRK(f.Fn.Proto, pc, left)
		}
	}
	L.RaiseError("%s", s.mention("attempt to perform arithmetic on a %s", Mention{Value: bad}, name))
	return 0
}

// concat is a .. b .. c. Objects with __concat are joined from the right.
func (s *State) concat(L *lua.LState) int {
	n := L.GetTop()
	if n == 2 {
		if a, ok := L.Get(1).(lua.LString); ok {
			if b, ok := L.Get(2).(lua.LString); ok {
				s.checkSize(L, len(a)+len(b))
				text := a + b
				s.inherit(text, a)
				s.inherit(text, b)
				s.pushString(L, text)
				return 1
			}
		}
	}
	size := 0
	for i := 1; i <= n; i++ {
		switch v := L.Get(i).(type) {
		case lua.LString:
			size += len(v)
		case lua.LNumber:
			size += 4
		default:
			return s.concatObjects(L, n)
		}
	}
	s.checkSize(L, size)
	buf := s.buf[:0]
	for i := 1; i <= n; i++ {
		buf = appendValue(buf, L.Get(i))
	}
	text := lua.LString(buf)
	s.inheritFrom(L, text)
	s.pushString(L, text)
	s.keepBuffer(buf)
	return 1
}

// keepBuffer keeps a scratch buffer for the next time, unless it is large.
func (s *State) keepBuffer(buf []byte) {
	if cap(buf) <= 64<<10 {
		s.buf = buf
	}
}

func appendValue(buf []byte, v lua.LValue) []byte {
	switch v := v.(type) {
	case lua.LString:
		return append(buf, v...)
	case lua.LNumber:
		return AppendNumber(buf, float64(v))
	}
	return buf
}

// concatObjects joins pairwise from the right, as Lua does when a value is
// neither string nor number.
func (s *State) concatObjects(L *lua.LState, n int) int {
	acc := L.Get(n)
	for i := n - 1; i >= 1; i-- {
		left := L.Get(i)
		if lua.LVCanConvToString(left) && lua.LVCanConvToString(acc) {
			buf := appendValue(appendValue(nil, left), acc)
			s.checkSize(L, len(buf))
			s.allocate(L, interp.StringBytes+int64(len(buf)))
			acc = lua.LString(buf)
			continue
		}
		fn := L.GetMetaField(left, "__concat")
		if fn == lua.LNil {
			fn = L.GetMetaField(acc, "__concat")
		}
		if fn == lua.LNil {
			s.badConcat(L, i, left, acc)
		}
		L.Push(fn)
		L.Push(left)
		L.Push(acc)
		L.Call(2, 1)
		acc = L.Get(-1)
		L.Pop(1)
	}
	L.Push(acc)
	return 1
}

// badConcat raises an error that names the operand which is not a string. That operand is still in the register
// into which the caller has put it.
func (s *State) badConcat(L *lua.LState, i int, left, acc lua.LValue) {
	bad, arg := left, i
	if lua.LVCanConvToString(left) {
		bad, arg = acc, i+1
	}
	var name naming
	if f := topFrame(L).Parent; f != nil && arg <= L.GetTop() && L.Get(arg) == bad {
		if in, pc, ok := f.instr(); ok && in.op() == lua.OP_CALL {
			name = s.nameOf(f.Fn.Proto, pc, in.a()+arg)
		}
	}
	L.RaiseError("%s", s.mention("attempt to concatenate a %s", Mention{Value: bad}, name))
}

// strRange converts Lua's i and j (from 1, inclusive, possibly negative) to the bounds of a slice.
func strRange(i, j int64, n int) (from, to int) {
	size := int64(n)
	if i < 0 {
		i = max(size+i+1, 1)
	} else if i == 0 {
		i = 1
	}
	if j < 0 {
		j = size + j + 1
	} else if j > size {
		j = size
	}
	if i > j {
		return 0, 0
	}
	return int(i - 1), int(j)
}

func (s *State) sub(L *lua.LState) int {
	str := argString(L, 1)
	from, to := strRange(argInt(L, 2), optInt(L, 3, -1), len(str))
	s.pushString(L, lua.LString(str[from:to]))
	return 1
}

func strByte(L *lua.LState) int {
	str := argString(L, 1)
	i := optInt(L, 2, 1)
	from, to := strRange(i, optInt(L, 3, i), len(str))
	if to-from > maxUnpack {
		passed(L, "string slice too long: at most %d bytes", maxUnpack)
	}
	for k := from; k < to; k++ {
		L.Push(lua.LNumber(str[k]))
	}
	return to - from
}

func (s *State) char(L *lua.LState) int {
	buf := make([]byte, L.GetTop())
	for i := range buf {
		c := argInt(L, i+1)
		if c < 0 || c > 255 {
			argError(L, i+1, "a byte, from 0 to 255, expected, got "+NumberText(float64(c)))
		}
		buf[i] = byte(c)
	}
	s.pushString(L, lua.LString(buf))
	return 1
}

func (s *State) rep(L *lua.LState) int {
	str, n := argString(L, 1), argInt(L, 2)
	if n <= 0 || str == "" {
		L.Push(lua.LString(""))
		return 1
	}
	if n > int64(s.maxString) {
		n = int64(s.maxString) + 1 // too long, and its product fits an int
	}
	s.checkSize(L, len(str)*int(n))
	s.pushString(L, lua.LString(strings.Repeat(str, int(n))))
	return 1
}

func (s *State) reverse(L *lua.LState) int {
	str := argString(L, 1)
	s.checkSize(L, len(str))
	buf := make([]byte, len(str))
	for i := range buf {
		buf[i] = str[len(str)-1-i]
	}
	s.pushString(L, lua.LString(buf))
	return 1
}

// mapBytes changes ASCII letters only, as in the C locale. gopher-lua's own upper and lower know Unicode and
// change lengths.
func (s *State) mapBytes(L *lua.LState, f func(byte) byte) int {
	str := argString(L, 1)
	s.checkSize(L, len(str))
	buf := []byte(str)
	for i, c := range buf {
		buf[i] = f(c)
	}
	s.pushString(L, lua.LString(buf))
	return 1
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func upperByte(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}
