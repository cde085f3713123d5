package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// The native forms of global functions: see native.go.

func nativeGetMetatable(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
	if len(args) == 0 {
		return interp.Value{}, false
	}
	t, ok := args[0].Ref.(*lua.LTable)
	if !ok {
		return interp.Value{}, false
	}
	if meta, ok := t.Metatable.(*lua.LTable); ok && meta.RawGetString("__metatable") != lua.LNil {
		return interp.Value{}, false
	}
	return interp.Value{Ref: t.Metatable}, true
}

// nativeSetMetatable is setmetatable of a table that has no metatable yet.
func nativeSetMetatable(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
	if len(args) < 2 {
		return interp.Value{}, false
	}
	t, ok := args[0].Ref.(*lua.LTable)
	meta, also := args[1].Ref.(*lua.LTable)
	if !ok || !also || t.Metatable != lua.LNil {
		return interp.Value{}, false
	}
	t.Metatable = meta
	return args[0], true
}

func nativeRawGet(m *interp.Machine, args []interp.Value) (interp.Value, bool) {
	if len(args) < 2 {
		return interp.Value{}, false
	}
	t, ok := args[0].Ref.(*lua.LTable)
	if !ok {
		return interp.Value{}, false
	}
	return interp.Of(interp.Get(t, m.Box(&args[1]))), true
}

// nativeRawEqual is rawequal of tables and functions.
func nativeRawEqual(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
	if len(args) < 2 {
		return interp.Value{}, false
	}
	switch args[0].Ref.(type) {
	case *lua.LTable, *lua.LFunction:
		return interp.Bool(args[0].Ref == args[1].Ref), true
	}
	return interp.Value{}, false
}

// nativeToNumber is tonumber without a base.
func nativeToNumber(_ *interp.Machine, args []interp.Value) (interp.Value, bool) {
	if len(args) != 1 {
		return interp.Value{}, false
	}
	if args[0].IsNumber() {
		return args[0], true
	}
	if text, ok := args[0].Ref.(lua.LString); ok {
		if f, ok := syntax.ParseNumber(string(text)); ok {
			return interp.Number(f), true
		}
	}
	return interp.Nil, true
}

// manyAssert is assert of what is true.
func manyAssert(_ *lua.LState, args []interp.Value) ([]interp.Value, bool) {
	return args, len(args) > 0 && args[0].Truth()
}

// manyNext is next. The results are valid until the next call.
func (s *State) manyNext(_ *lua.LState, args []interp.Value) ([]interp.Value, bool) {
	if len(args) == 0 {
		return nil, false
	}
	t, ok := args[0].Ref.(*lua.LTable)
	if !ok {
		return nil, false
	}
	key := interp.Nil
	if len(args) > 1 {
		key = args[1]
	}
	k, v := t.Next(s.machine.Box(&key))
	s.many[0], s.many[1] = interp.Of(k), interp.Of(v)
	if k == lua.LNil {
		return s.many[:1], true
	}
	return s.many[:2], true
}

// manySelect is select of a number or of "#".
func (s *State) manySelect(_ *lua.LState, args []interp.Value) ([]interp.Value, bool) {
	if len(args) == 0 {
		return nil, false
	}
	if text, ok := args[0].Ref.(lua.LString); ok && text == "#" {
		s.many[0] = interp.Number(float64(len(args) - 1))
		return s.many[:1], true
	}
	if !args[0].IsNumber() {
		return nil, false
	}
	n := toInt(args[0].Num)
	if n < 0 {
		n += int64(len(args))
	}
	if n < 1 {
		return nil, false
	}
	return args[min(n, int64(len(args))):], true
}

// mostUnpacked is the number of items from which unpack is left to its first form.
const mostUnpacked = 250

// manyUnpack is unpack of a few items.
func (s *State) manyUnpack(_ *lua.LState, args []interp.Value) ([]interp.Value, bool) {
	t, n, ok := nativeList(args)
	if !ok {
		return nil, false
	}
	bounds := [2]int64{1, int64(n)}
	for i, v := range args[1:min(len(args), 3)] {
		if v.IsNumber() {
			bounds[i] = toInt(v.Num)
		} else if !v.IsNil() {
			return nil, false
		}
	}
	i, j := bounds[0], bounds[1]
	if i > j {
		return nil, true
	}
	if uint64(j)-uint64(i) >= mostUnpacked || !s.pays((j-i)>>2, 0) {
		return nil, false
	}
	out := s.many[:0]
	for n := range j - i + 1 { // j may be the largest number
		out = append(out, interp.Of(item(t, int(i+n))))
	}
	s.many = out[:cap(out)]
	return out, true
}

// pays charges instructions and bytes for a form with any number of results, which declines if it returns false.
func (s *State) pays(instructions, bytes int64) bool {
	if s.budget.allocations < bytes || !s.budget.covers(instructions) {
		return false
	}
	s.budget.allocations -= bytes
	return true
}
