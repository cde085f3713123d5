package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Functions that change what the loop executes: pcall, xpcall, and those of coroutines. A script calls them like any Go function; the loop
// does what they do without a call. Where it cannot, their Go form decides, as that of a Native.

// A Control is such a function.
type Control uint8

const (
	noControl Control = iota
	ProtectedCall
	HandledCall
	Resume
	Yield
	resumeWrapped
	Concat
	Operator // an operator whose metamethod is called if its Native declines
)

// NewControl makes a control function of fn. native may be nil.
func NewControl(env *lua.LTable, fn lua.LGFunction, native Native, kind Control) *lua.LFunction {
	if native == nil {
		native = declines
	}
	f := NewNative(env, fn, native)
	(*NativeFunction)(unsafe.Pointer(f)).control = kind
	return f
}

// NewOperator makes the function of an operator, with the name of its metamethods.
func NewOperator(env *lua.LTable, fn lua.LGFunction, native Native, metamethod string) *lua.LFunction {
	f := NewControl(env, fn, native, Operator)
	(*NativeFunction)(unsafe.Pointer(f)).event = eventNamed(metamethod)
	return f
}

// NewWrapped makes the function of coroutine.wrap for a coroutine.
func NewWrapped(env *lua.LTable, fn lua.LGFunction, co *Coroutine) *lua.LFunction {
	f := NewControl(env, fn, nil, resumeWrapped)
	(*NativeFunction)(unsafe.Pointer(f)).co = co
	return f
}

// SetWrapped gives such a function its coroutine.
func SetWrapped(fn *lua.LFunction, co *Coroutine) {
	(*NativeFunction)(unsafe.Pointer(fn)).co = co
}

// WrappedOf returns the coroutine of a function that NewWrapped has made; nil for others.
func WrappedOf(fn *lua.LFunction) *Coroutine {
	if !fn.IsG || !isMarked(fn, nativeMark) {
		return nil
	}
	return (*NativeFunction)(unsafe.Pointer(fn)).co
}

// control executes a call of a control function by the newest activation. ok is false if its Go form must decide. over says that the call
// that the loop began with is over.
func (m *Machine) control(f *NativeFunction, args []Value) (ok, over bool) {
	if m.stop.Load() {
		m.spend()
		m.exhausted(m.L)
		m.reload()
	}
	switch f.control {
	case ProtectedCall:
		if len(args) > 0 {
			return m.protect(args[0], args[1:], nil, endProtected)
		}
	case HandledCall:
		if len(args) > 1 {
			return m.protect(args[0], args[2:], m.boxes.value(&args[1]), endProtected)
		}
	case Resume:
		if len(args) == 0 {
			break
		}
		if th, is := args[0].Ref.(*lua.LState); is {
			if co := CoroutineOf(th); co != nil && co.Suspended() && m.owner.Resume(co) {
				return true, m.resume(co, args[1:], false, false)
			}
		}
	case resumeWrapped:
		if co := f.co; co.Suspended() && m.owner.Resume(co) {
			return true, m.resume(co, args, false, true)
		}
	case Yield:
		return m.yield(args)
	}
	return false, false
}

// callControl executes a call of a control function with nargs arguments behind register a.
func (m *Machine) callControl(act *activation, in *instruction, f *NativeFunction, nargs int) outcome {
	act.frame.Pc = int(in.pc) + 1
	args := window(act.r, int(in.a)+1, nargs)
	switch f.control {
	case Concat:
		switch over, ok := m.concat(act, nargs); {
		case over:
			return ended
		case ok:
			return done
		}
		return declined
	case Operator:
		if m.operator(act, f, args) {
			return done
		}
		return declined
	}
	switch ok, over := m.control(f, args); {
	case over:
		return ended
	case ok:
		return done
	}
	return declined
}

// An outcome is what became of an instruction that calls.
type outcome uint8

const (
	declined outcome = iota // gopher-lua has to execute it
	done
	ended // the call that the loop began with is over
)
