package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// This file has the native forms of library functions that scripts often call in loops (see interp.Native): the
// interpreter calls them without gopher-lua's stack. A form either does what the function of that name does, or
// declines. It may not raise an error, so it declines wherever the function would raise one.

// A form is the native form of a function: with one result, with any number of them, or both. The first one is tried first.
type form struct {
	one  interp.Native
	many interp.Multi
}

// forms are native forms by module and name.
type forms map[string]form

// natives returns the native forms of library functions.
func (s *State) natives() forms {
	out := forms{}
	for name, f := range s.manyForms() {
		out[name] = form{many: f}
	}
	for name, f := range s.oneForms() {
		out[name] = form{one: f, many: out[name].many}
	}
	return out
}

// oneForms returns the forms with one result.
func (s *State) oneForms() map[string]interp.Native {
	out := map[string]interp.Native{
		"math.max": func(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
			return nativeExtreme(args, func(a, b float64) bool { return a > b })
		},
		"math.min": func(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
			return nativeExtreme(args, func(a, b float64) bool { return a < b })
		},
		"table.insert":  s.nativeInsert,
		"table.remove":  s.nativeRemove,
		"table.sort":    func(*interp.Machine, []interp.Value) (interp.Value, bool) { return interp.Value{}, false }, // see Changes
		"getmetatable":  nativeGetMetatable,
		"rawequal":      nativeRawEqual,
		"rawget":        nativeRawGet,
		"setmetatable":  nativeSetMetatable,
		"tonumber":      nativeToNumber,
		"tostring":      s.nativeToString,
		"type":          nativeType,
		"string.byte":   nativeByte,
		"string.char":   nativeChar,
		"string.format": s.nativeFormat,
		"string.len":    nativeStringLen,
		"string.sub":    s.nativeSub,
	}
	for name, f := range MathOne {
		out["math."+name] = func(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
			if len(args) == 0 || !args[0].IsNumber() {
				return interp.Value{}, false
			}
			return interp.Number(f(args[0].Num)), true
		}
	}
	for name, f := range MathTwo {
		out["math."+name] = func(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
			if len(args) < 2 || !args[0].IsNumber() || !args[1].IsNumber() {
				return interp.Value{}, false
			}
			return interp.Number(f(args[0].Num, args[1].Num)), true
		}
	}
	bitNatives(out)
	return out
}

func nativeExtreme(args []interp.Value, better func(a, b float64) bool) (interp.Value, bool) {
	if len(args) == 0 || !args[0].IsNumber() {
		return interp.Value{}, false
	}
	best := args[0].Num
	for i := 1; i < len(args); i++ {
		if !args[i].IsNumber() {
			return interp.Value{}, false
		}
		if v := args[i].Num; better(v, best) {
			best = v
		}
	}
	return interp.Number(best), true
}

// typeNames are the names of the Lua types as values, made once.
var typeNames = func() (out [lua.LTChannel + 1]interp.Value) {
	for t := range out {
		out[t] = interp.Of(lua.LString(lua.LValueType(t).String()))
	}
	return out
}()

func nativeType(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
	if len(args) == 0 {
		return interp.Value{}, false
	}
	if args[0].IsNumber() {
		return typeNames[lua.LTNumber], true
	}
	return typeNames[args[0].Ref.Type()], true
}

// catches reports whether a string of this turn may stand for a caught error, see rethrow.go.
func (s *State) catches() bool { return s.caught.next > 0 && s.caught.turn == s.budget.Turn() }

// nativeToString is tostring of a number, or of a string that does not stand for an error.
func (s *State) nativeToString(m *interp.Machine, args []interp.Value) (interp.Value, bool) {
	if len(args) != 1 || s.catches() {
		return interp.Value{}, false
	}
	if args[0].IsNumber() {
		text := lua.LString(NumberText(args[0].Num))
		return interp.Value{Ref: text}, m.Takes(interp.StringBytes + int64(len(text)))
	}
	_, ok := args[0].Ref.(lua.LString)
	return args[0], ok
}

// nativeInsert is table.insert(t, v) and table.insert(t, pos, v).
func (s *State) nativeInsert(m *interp.Machine, args []interp.Value) (interp.Value, bool) {
	t, n, ok := nativeList(args)
	if !ok || n >= maxList || interp.Frozen(t) {
		return interp.Value{}, false
	}
	switch len(args) {
	case 2:
		if v := &args[1]; !v.IsNil() {
			if !m.SetItem(t, n+1, v) {
				return interp.Value{}, false
			}
		}
		return interp.None, true
	case 3:
		if !args[1].IsNumber() {
			return interp.Value{}, false
		}
		pos := toInt(args[1].Num)
		if pos < 1 || pos > int64(n) || int64(n)-pos >= 32 { // what is charged for, or refused
			return interp.Value{}, false
		}
		if !m.Takes(interp.GrowthBytes(t, lua.LNumber(n+1), m.Box(&args[2]))) {
			return interp.Value{}, false
		}
		interp.Insert(t, int(pos), m.Box(&args[2]))
		return interp.None, true
	}
	return interp.Value{}, false
}

// nativeRemove is table.remove(t) and table.remove(t, pos) near the end.
func (s *State) nativeRemove(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
	t, n, ok := nativeList(args)
	if !ok || n == 0 || interp.Frozen(t) {
		return interp.Value{}, false
	}
	pos := int64(n)
	if len(args) > 1 {
		if !args[1].IsNumber() {
			return interp.Value{}, false
		}
		pos = toInt(args[1].Num)
	}
	if pos < 1 || pos > int64(n) || int64(n)-pos >= 32 {
		return interp.Value{}, false
	}
	return interp.Of(remove(t, int(pos), n)), true
}

// nativeList returns the table in the first argument and its length.
func nativeList(args []interp.Value) (*lua.LTable, int, bool) {
	if len(args) == 0 {
		return nil, 0, false
	}
	t, ok := args[0].Ref.(*lua.LTable)
	if !ok {
		return nil, 0, false
	}
	return t, interp.Length(t), true
}

// nativeConcat is a .. b .. c of strings and numbers.
func (s *State) nativeConcat(m *interp.Machine, args []interp.Value) (interp.Value, bool) {
	size := 0
	for i := range args {
		switch v := args[i].Ref.(type) {
		case nil:
			size += 4 // what concat counts
		case lua.LString:
			size += len(v)
		default:
			return interp.Value{}, false
		}
	}
	if size >= 256 || size > s.maxString { // checkSize charges, or refuses
		return interp.Value{}, false
	}
	buf := s.buf[:0]
	for i := range args {
		if v, ok := args[i].Ref.(lua.LString); ok {
			buf = append(buf, v...)
		} else {
			buf = AppendNumber(buf, args[i].Num)
		}
	}
	if !m.Takes(interp.StringBytes + int64(len(buf))) {
		return interp.Value{}, false
	}
	text := lua.LString(buf)
	for i := 0; i < len(args) && s.caught.next > 0; i++ {
		if part, ok := args[i].Ref.(lua.LString); ok {
			s.inherit(text, part)
		}
	}
	s.keepBuffer(buf)
	return interp.Of(text), true
}

// nativeLen is the # of #t + 1.
func (s *State) nativeLen(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
	t, n, ok := nativeList(args)
	if !ok || t.Metatable != lua.LNil || n >= maxList {
		return interp.Value{}, false
	}
	return interp.Number(float64(n)), true
}

// nativePower is a ^ b of numbers.
func nativePower(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
	if len(args) != 2 || !args[0].IsNumber() || !args[1].IsNumber() {
		return interp.Value{}, false
	}
	return interp.Number(Power(args[0].Num, args[1].Num) + 0), true
}
