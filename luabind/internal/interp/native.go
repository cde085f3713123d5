package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// A Go function that scripts call gets its arguments through gopher-lua's stack, which
// costs about 40 ns. A NativeFunction has a second form that takes them from registers.
// gopher-lua itself uses the first form, so scripts and coroutines see no difference.

// Native is the second form: one result ([None]: none), or false where the first form must decide:
// for errors, for arguments that it does not take. It may neither fail nor call Lua.
type Native func(m *Machine, args []Value) (Value, bool)

// Lends reports to a Native that only a field of its result is read, at once: the result
// may be a value that is used again.
func (m *Machine) Lends() bool { return m.lends }

// None is the result of a form that gives no result.
var None = Value{Ref: &lua.LUserData{}}

// nativeMark and iteratorMark are the only upvalue of functions that are a NativeFunction
// or an IteratorFunction. Nothing reads the upvalues of these Go functions.
var nativeMark, iteratorMark = []*lua.Upvalue{{}}, []*lua.Upvalue{{}}

func isMarked(fn *lua.LFunction, mark []*lua.Upvalue) bool {
	return len(fn.Upvalues) == 1 && fn.Upvalues[0] == mark[0]
}

// A NativeFunction is a Go function with a native form.
type NativeFunction struct {
	lua.LFunction
	native Native
	shaped Shaped
	next   func(m *Machine, s *site, args, out []Value) bool // of next and of ipairs

	changes bool     // see Changes
	length  bool     // see TakesLength
	opens   *opening // of pairs and ipairs
}

// NewNative makes a Lua function of fn that has a native form, too.
func NewNative(env *lua.LTable, fn lua.LGFunction, native Native) *lua.LFunction {
	f := &NativeFunction{native: native}
	f.LFunction = lua.LFunction{IsG: true, Env: env, GFunction: fn, Upvalues: nativeMark}
	return &f.LFunction
}

// NewNext makes the function next of fn: its native form is for loops over pairs.
func NewNext(env *lua.LTable, fn lua.LGFunction) *lua.LFunction {
	f := NewNative(env, fn, declines)
	(*NativeFunction)(unsafe.Pointer(f)).next = nextPair
	return f
}

// NewListStep makes the function of fn that loops over ipairs call.
func NewListStep(env *lua.LTable, fn lua.LGFunction) *lua.LFunction {
	f := NewNative(env, fn, declines)
	(*NativeFunction)(unsafe.Pointer(f)).next = nextItem
	return f
}

func declines(*Machine, []Value) (Value, bool) { return Value{}, false }

// nextItem is a turn of a loop over ipairs.
func nextItem(_ *Machine, _ *site, args, out []Value) bool {
	if f, ok := args[0].Ref.(*frozen); ok && args[1].Ref == nil {
		return f.nextItem(&args[1], out)
	}
	t, ok := args[0].Ref.(*lua.LTable)
	if !ok || args[1].Ref != nil {
		return false
	}
	array := tableOf(t).array
	i := int(args[1].Num)
	if i < 0 || float64(i) != args[1].Num {
		return false
	}
	if i >= len(array) || array[i] == lua.LNil {
		fill(out, Nil, Nil)
		return true
	}
	fill(out, Number(float64(i+1)), Of(array[i]))
	return true
}

// nextPair is a turn of a loop over pairs, in the order of gopher-lua's Next.
func nextPair(_ *Machine, s *site, args, out []Value) bool {
	if f, ok := args[0].Ref.(*frozen); ok {
		return f.nextPair(s, &args[1], out)
	}
	t, ok := args[0].Ref.(*lua.LTable)
	if !ok {
		return false
	}
	tb := tableOf(t)
	key := &args[1]
	index := 0 // in the array, or behind it in keys
	switch {
	case key.IsNil():
	case key.Ref == nil:
		index = int(key.Num)
		if index < 1 || index > len(tb.array) || float64(index) != key.Num {
			index = 0
		}
	}
	if key.IsNil() || index > 0 {
		for ; index < len(tb.array); index++ {
			if v := tb.array[index]; v != lua.LNil {
				fill(out, Number(float64(index+1)), Of(v))
				return true
			}
		}
		index = 0
	} else {
		if s.table != t || s.index >= len(tb.keys) {
			return false
		}
		last := Of(tb.keys[s.index])
		if same, ok := equals(&last, key); !ok || !same {
			return false
		}
		index = s.index + 1
	}
	for ; index < len(tb.keys); index++ {
		k := tb.keys[index]
		var v lua.LValue
		if name, ok := k.(lua.LString); ok {
			v = tb.strdict[string(name)]
		} else {
			v = tb.dict[k]
		}
		if v != nil && v != lua.LNil {
			s.table, s.index = t, index
			fill(out, Of(k), Of(v))
			return true
		}
	}
	s.table = nil
	fill(out, Nil, Nil)
	return true
}

// fill gives a loop its first two variables, and nil to the others.
func fill(out []Value, a, b Value) {
	for i := range out {
		switch i {
		case 0:
			out[i] = a
		case 1:
			out[i] = b
		default:
			out[i] = Nil
		}
	}
}

// An Iterator gives the values of a loop. Step fills out, with nil first at the end. Bit i
// of reuse is set if the loop neither keeps nor replaces what Step puts into out[i], so that
// Step may use it again in a later turn if it finds it there. At the first turn out holds
// anything. Errors are raised on L.
type Iterator interface {
	Step(L *lua.LState, out []Value, reuse uint64)
}

// An IteratorFunction is the generator of a loop that has a native form.
type IteratorFunction struct {
	lua.LFunction
	Iterator Iterator
}

// Init makes f a generator: fn is its form for gopher-lua.
func (f *IteratorFunction) Init(env *lua.LTable, fn lua.LGFunction, it Iterator) {
	f.LFunction = lua.LFunction{IsG: true, Env: env, GFunction: fn, Upvalues: iteratorMark}
	f.Iterator = it
}

// IteratorOf returns the iterator of a generator that Init has made; nil for any other function.
func IteratorOf(fn *lua.LFunction) Iterator {
	if !isMarked(fn, iteratorMark) {
		return nil
	}
	return (*IteratorFunction)(unsafe.Pointer(fn)).Iterator
}

func pointer(v *Value) unsafe.Pointer { return unsafe.Pointer(v) }

func asLua(t *table) *lua.LTable { return (*lua.LTable)(unsafe.Pointer(t)) }
