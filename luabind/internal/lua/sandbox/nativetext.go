package sandbox

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// The native forms of functions of module string: see native.go. Those that are not written here are the forms for compiled loops (plain.go).

// letters are the strings of one byte.
var letters = func() (out [256]lua.LValue) {
	for i := range out {
		out[i] = lua.LString([]byte{byte(i)})
	}
	return out
}()

// textArg returns the string in the first argument.
func textArg(args []interp.Value) (string, bool) {
	if len(args) == 0 {
		return "", false
	}
	text, ok := args[0].Ref.(lua.LString)
	return string(text), ok
}

// intArg returns an argument as an integer; otherwise, if it is nil or missing.
func intArg(args []interp.Value, i int, otherwise int64) (int64, bool) {
	if i >= len(args) || args[i].IsNil() {
		return otherwise, true
	}
	return toInt(args[i].Num), args[i].IsNumber()
}

func nativeStringLen(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
	text, ok := textArg(args)
	return interp.Number(float64(len(text))), ok
}

// nativeByte is string.byte of one byte.
func nativeByte(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
	text, ok := textArg(args)
	i, isInt := intArg(args, 1, 1)
	if !ok || !isInt || len(args) > 2 {
		return interp.Value{}, false
	}
	from, to := strRange(i, i, len(text))
	if from == to {
		return interp.None, true
	}
	return interp.Number(float64(text[from])), true
}

// nativeChar is string.char of one byte.
func nativeChar(m *interp.Machine, args []interp.Value) (interp.Value, bool) {
	if len(args) != 1 || !args[0].IsNumber() {
		return interp.Value{}, false
	}
	b := toInt(args[0].Num)
	if b < 0 || b > 255 || !m.Takes(interp.StringBytes+1) {
		return interp.Value{}, false
	}
	return interp.Value{Ref: letters[b]}, true
}

func (s *State) nativeSub(m *interp.Machine, args []interp.Value) (interp.Value, bool) {
	text, ok := textArg(args)
	if !ok || len(args) < 2 || !args[1].IsNumber() {
		return interp.Value{}, false
	}
	j, isInt := intArg(args, 2, -1)
	if !isInt {
		return interp.Value{}, false
	}
	from, to := strRange(toInt(args[1].Num), j, len(text))
	if !m.Takes(interp.StringBytes + int64(to-from)) {
		return interp.Value{}, false
	}
	if to-from == 1 && !s.catches() {
		return interp.Value{Ref: letters[text[from]]}, true
	}
	return interp.Value{Ref: lua.LString(text[from:to])}, true
}

// manyForms returns the forms with any number of results.
func (s *State) manyForms() map[string]interp.Multi {
	out := map[string]interp.Multi{
		"assert": manyAssert,
		"next":   s.manyNext,
		"select": s.manySelect,
		"unpack": s.manyUnpack,
	}
	for _, name := range []string{"byte", "char", "find", "gsub", "lower", "match", "rep", "reverse", "upper"} {
		out["string."+name] = s.manyPlain(PlainFunctions["string."+name].Run)
	}
	return out
}

// manyPlain is the form that a function has for compiled loops.
func (s *State) manyPlain(run PlainFunction) interp.Multi {
	return func(_ *lua.LState, args []interp.Value) ([]interp.Value, bool) {
		c := &s.plain
		c.Args, c.Results, c.Bytes, c.Cost = c.Args[:0], c.Results[:0], 0, 0
		for i := range args {
			switch v := args[i].Ref.(type) {
			case nil:
				c.Args = append(c.Args, ecs.Number(args[i].Num))
			case lua.LString:
				c.Args = append(c.Args, ecs.Text(string(v)))
			case lua.LBool:
				c.Args = append(c.Args, ecs.Boolean(bool(v)))
			case *lua.LNilType:
				c.Args = append(c.Args, ecs.Value{})
			default:
				return nil, false
			}
		}
		if !run(c) || !s.pays(c.Cost, c.Bytes) {
			return nil, false
		}
		out := s.many[:0]
		for _, v := range c.Results {
			switch v.Kind() {
			case ecs.NumberValue:
				out = append(out, interp.Number(v.Float()))
			case ecs.StringValue:
				out = append(out, interp.Value{Ref: lua.LString(v.Str())})
			default:
				out = append(out, interp.Nil)
			}
		}
		s.many = out[:cap(out)]
		return out, true
	}
}
