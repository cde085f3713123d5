package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Native forms of Go functions. A Go function that scripts call gets its arguments through gopher-lua's stack,
// which costs about 40 ns. A NativeFunction has a second form that gets them from registers. gopher-lua itself uses
// the first form, so scripts and coroutines see no difference.

// A Native is the second form of a Go function. It returns one result ([None] for none), or false if the first form
// must decide: for errors, and for arguments that it does not handle. It must neither fail nor call Lua.
type Native func(m *Machine, args []Value) (Value, bool)

// Lends reports to a Native that the caller only reads a field of its result, at once. Then the result may be a
// value that the Native uses again.
func (m *Machine) Lends() bool { return m.lends }

// None is the result of a Native that returns nothing.
var None = Value{Ref: &lua.LUserData{}}

// nativeMark and iteratorMark are the only upvalues of functions that are a NativeFunction or an IteratorFunction.
// Nothing reads the upvalues of these Go functions.
var nativeMark, iteratorMark = []*lua.Upvalue{{}}, []*lua.Upvalue{{}}

// isMarked reports whether a function has one of the marks above.
func isMarked(fn *lua.LFunction, mark []*lua.Upvalue) bool {
	return len(fn.Upvalues) == 1 && fn.Upvalues[0] == mark[0]
}

// A NativeFunction is a Go function with a native form.
type NativeFunction struct {
	lua.LFunction
	native Native
	shaped Shaped
	multi  Multi
	next   func(m *Machine, s *site, args, out []Value) bool // of functions that loops call

	control Control
	event   *event     // Operator: the metamethod
	co      *Coroutine // of a function that NewWrapped has made

	changes bool     // see Changes
	opens   *opening // of pairs and ipairs
}

// NewNative makes a Lua function of fn that has a native form, too.
func NewNative(env *lua.LTable, fn lua.LGFunction, native Native) *lua.LFunction {
	f := &NativeFunction{native: native}
	f.LFunction = lua.LFunction{IsG: true, Env: env, GFunction: fn, Upvalues: nativeMark}
	return &f.LFunction
}

// NewNext makes the function next from fn. Its native form is for loops over pairs.
func NewNext(env *lua.LTable, fn lua.LGFunction) *lua.LFunction {
	f := NewNative(env, fn, declines)
	(*NativeFunction)(unsafe.Pointer(f)).next = nextPair
	return f
}

// NewListStep makes the function that loops over ipairs call, from fn.
func NewListStep(env *lua.LTable, fn lua.LGFunction) *lua.LFunction {
	f := NewNative(env, fn, declines)
	(*NativeFunction)(unsafe.Pointer(f)).next = nextItem
	return f
}

// A Multi is a second form of a Go function with any number of results, which are valid until the next call. ok is
// false if the first form must decide. It may charge the budget, and must not call Lua on L.
type Multi func(L *lua.LState, args []Value) (results []Value, ok bool)

// NewMulti makes a Lua function of fn that has a form with any number of results. native is tried before it; nil: there is none.
func NewMulti(env *lua.LTable, fn lua.LGFunction, native Native, multi Multi) *lua.LFunction {
	if native == nil {
		native = declines
	}
	f := NewNative(env, fn, native)
	(*NativeFunction)(unsafe.Pointer(f)).multi = multi
	return f
}

// NewStep makes a Lua function of fn, which takes no arguments, for a loop to call. step sets the variables of the loop, or returns false if fn
// must decide.
func NewStep(env *lua.LTable, fn lua.LGFunction, step func(m *Machine, out []Value) bool) *lua.LFunction {
	f := NewNative(env, fn, declines)
	(*NativeFunction)(unsafe.Pointer(f)).next = func(m *Machine, _ *site, _, out []Value) bool { return step(m, out) }
	return f
}

// callMulti makes the call of a Multi with nargs arguments that wants that many results, -1 for all.
func (m *Machine) callMulti(act *activation, f *NativeFunction, in *instruction, nargs, want int) bool {
	if m.stop.Load() {
		return false
	}
	a := int(in.a)
	act.frame.Pc = int(in.pc) + 1
	m.spend()
	results, ok := f.multi(m.L, window(act.r, a+1, nargs))
	m.reload()
	if !ok {
		return false
	}
	if want < 0 {
		want = len(results)
		m.room(act, a+want)
	}
	m.top = a + want
	to := window(act.r, a, want)
	for i := copy(to, results); i < want; i++ {
		to[i] = Nil
	}
	return true
}

// declines is a Native that always leaves the decision to the first form.
func declines(*Machine, []Value) (Value, bool) { return Value{}, false }

// nextItem gives the variables of a loop over ipairs their next values.
func nextItem(_ *Machine, _ *site, args, out []Value) bool {
	t, ok := args[0].Ref.(*lua.LTable)
	if !ok || args[1].Ref != nil {
		return false
	}
	array := tableOf(t).array
	i := int(args[1].Num)
	if i < 0 || float64(i) != args[1].Num || i >= lua.MaxArrayIndex-1 {
		return false
	}
	if i >= len(array) || isNil(&array[i]) {
		fill(out, Nil, Nil)
		return true
	}
	fill(out, Number(float64(i+1)), Of(array[i]))
	return true
}

// nextPair gives the variables of a loop over pairs their next values, in the order of gopher-lua's Next.
func nextPair(_ *Machine, s *site, args, out []Value) bool {
	t, ok := args[0].Ref.(*lua.LTable)
	if !ok {
		return false
	}
	tb := tableOf(t)
	key := &args[1]
	index := 0 // index in the array, or behind its end in keys
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
			if v := &tb.array[index]; !isNil(v) {
				fill(out, Number(float64(index+1)), Of(*v))
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
		if v != nil && !isNil(&v) {
			s.table, s.index = t, index
			fill(out, Of(k), Of(v))
			return true
		}
	}
	s.table = nil
	fill(out, Nil, Nil)
	return true
}

// fill sets the first two variables of a loop, and the others to nil.
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

// An Iterator gives the values of a loop. Step sets out; out[0] is nil at the end. Errors are raised on L.
type Iterator interface {
	Step(L *lua.LState, out []Value)
}

// An IteratorFunction is the generator of a loop, with a native form.
type IteratorFunction struct {
	lua.LFunction
	Iterator Iterator
}

// Init makes f a generator. fn is its form for gopher-lua.
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
