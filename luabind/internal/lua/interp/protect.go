package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Protected calls (pcall and xpcall). The called function runs on a thread of gopher-lua of its own, as under gopher-lua's interpreter, so
// both have the same limits and the same tracebacks; but the loop goes on with it, and calls no Go function for it. An error is a panic.
// It is caught where the loop began (guard), which goes on with the caller of the protected call.

// An Owner makes threads for a Machine, and keeps the list of those that run.
type Owner interface {
	// Protect begins a protected call. It returns the thread of the call, which is empty; nil if calls are nested too deeply.
	Protect() *lua.LState
	// Unprotect ends the protected call on a thread that has succeeded.
	Unprotect(th *lua.LState)
	// Resume begins to run a coroutine. It returns false if they are nested too deeply.
	Resume(co *Coroutine) bool
	// Yields charges for the coroutine that runs, which yields. It returns false if that is not allowed.
	Yields() bool
	// Suspend ends that: the coroutine has yielded, or it is over.
	Suspend(co *Coroutine)
	// Drop forgets all threads that have begun to run since th, and th itself, after an error.
	Drop(th *lua.LState)
	// Catch makes the value of an error from what th panicked with. If no script may catch it, it returns what to panic with again.
	Catch(th *lua.LState, r any) (v lua.LValue, again any)
	// Caught charges for an error that was caught, by a function of th.
	Caught(th *lua.LState)
}

// SetOwner must be called before anything runs.
func (m *Machine) SetOwner(o Owner) { m.owner = o }

// HandlerFailed is the message of xpcall if its handler fails.
const HandlerFailed = lua.LString("error in error handling")

// afterGo is the code of an activation that stands for a Go function: what it gets are its results.
var afterGo = &code{ins: []instruction{{op: opTailCall}, {op: opNop}}}

// protect begins a protected call of fn. handler is that of xpcall, or nil.
func (m *Machine) protect(fn Value, args []Value, handler lua.LValue, end ending) (ok, over bool) {
	th := m.owner.Protect()
	if th == nil {
		return false, false
	}
	caller, outer := m.act, m.L
	r := unsafe.Pointer(at(caller.r, caller.code.size))
	if f, itself := callee(fn); f != nil && !f.IsG {
		switch {
		case !itself: // it is the __call of fn
			args = append([]Value{fn}, args...)
		case end == endProtected && len(args) > 0: // in registers, where they may stay
			r = unsafe.Pointer(unsafe.SliceData(args))
		}
		m.beginOn(th, f, args, r, end)
		m.act.outer, m.act.handler = outer, handler
		return true, false
	}
	act := m.next()
	*act = activation{previous: act.previous, next: act.next, end: end, outer: outer, handler: handler}
	act.use(afterGo)
	act.ip = &afterGo.ins[1]
	act.r = m.windowAt(act, r, 0)
	m.L = th
	if f, ok := fn.Ref.(*lua.LFunction); ok && isMarked(f, nativeMark) {
		if nf := (*NativeFunction)(unsafe.Pointer(f)); nf.control != noControl {
			if ok, over := m.control(nf, args); ok {
				return true, over
			}
		}
	}
	th.Push(m.boxes.value(&fn))
	for i := range args {
		th.Push(m.boxes.value(&args[i]))
	}
	m.spend()
	th.Call(len(args), lua.MultRet)
	m.reload()
	rg := threadOf(th).reg
	values := make([]Value, rg.top)
	for i := range values {
		values[i] = ofRegister(rg.array[i])
	}
	th.SetTop(0)
	return true, m.giveResults(act, values)
}

// callee returns the function that a call of a value calls: itself, or its __call; nil if there is none.
func callee(v Value) (fn *lua.LFunction, itself bool) {
	if fn, ok := v.Ref.(*lua.LFunction); ok {
		return fn, true
	}
	fn, _ = metamethod(v.Ref, eventCall).(*lua.LFunction)
	return fn, false
}

// beginOn begins a call on another, empty thread. Its registers are at r or behind.
func (m *Machine) beginOn(L *lua.LState, fn *lua.LFunction, args []Value, r unsafe.Pointer, end ending) {
	c := m.recentCode(fn.Proto)
	m.L = L
	th := threadOf(L)
	if need := 1 + max(len(args), c.size); c.vararg || need > cap(th.reg.array) {
		m.ensure(L, need+1+len(args)+2*c.params)
		th.reg.top = 0
	}
	frames := th.frames()
	frame := &frames.array[0]
	frame.Idx, frame.Fn, frame.Parent, frame.Pc = 0, fn, nil, 0
	frame.Base, frame.LocalBase, frame.ReturnBase = 0, 1, 0
	frame.NArgs, frame.NRet, frame.TailCall = len(args), lua.MultRet, 0
	frames.sp, th.currentFrame = 1, frame

	act := m.next()
	act.frame, act.end, act.shapes = frame, end, false
	act.use(c)
	act.of(fn)
	if !c.vararg && c.below == 0 && m.registers.fit(r, c.size) {
		act.r = r
		locals := window(r, 0, c.size)
		for i := copy(locals, args); i < len(locals); i++ {
			locals[i] = Nil
		}
		return
	}
	from := m.windowAt(act, r, len(args))
	copy(window(from, 0, len(args)), args)
	r = from
	m.arguments(act, (*Value)(r), len(args))
}

// unprotected ends a protected call with the results of its function, or of its handler.
func (m *Machine) unprotected(act *activation, values []Value) (over bool) {
	if act.segment != nil {
		values = append([]Value(nil), values...)
	}
	first := &True
	if act.end == endHandler {
		if first = &False; len(values) == 0 {
			values = []Value{Nil}
		}
		values = values[:1]
	}
	L := m.L
	threadOf(L).frames().sp, threadOf(L).currentFrame = 0, nil
	m.L = act.outer
	m.release(act)
	m.owner.Unprotect(L)
	return m.deliver(m.act, first, values)
}

// loop executes the newest call until it returns.
func (m *Machine) loop() { m.loopFrom(m.act) }

// loopFrom executes the newest call until the one that base stands for is over: a call that Go has begun, or a coroutine that Go has
// resumed. Loops are within each other where a Go function calls Lua; level counts them.
func (m *Machine) loopFrom(base *activation) {
	m.level++
	level := m.level
	for !m.attempt(base, level) {
	}
	m.level = level - 1
}

// attempt is loopFrom, but returns false after an error that was caught.
func (m *Machine) attempt(base *activation, level int) (done bool) {
	defer m.guard(base, level, &done)
	if m.caught.is {
		c := m.caught
		m.caught = caught{}
		value := []Value{c.value}
		if c.handler == nil {
			if m.deliver(m.act, &False, value) {
				return true
			}
		} else if _, over := m.protect(Of(c.handler), value, nil, endHandler); over {
			return true
		}
	}
	m.interpret()
	return true
}

// A caught is an error that guard has caught, and that the newest activation has to get.
type caught struct {
	is      bool
	value   Value
	handler lua.LValue // of xpcall, which gets it first; nil for none
}

// guard catches an error in a loop, if there is a protected call, or a coroutine that the loop has resumed, and goes on behind it.
func (m *Machine) guard(base *activation, level int, done *bool) {
	if *done {
		return
	}
	act, co := m.catcher(base, level)
	if act == nil && co == nil {
		return
	}
	r := recover()
	if r == nil { // the goroutine ends
		return
	}
	v, again := m.owner.Catch(m.L, r)
	if again != nil {
		panic(again)
	}
	m.level = level
	var handler lua.LValue
	if act == nil {
		for m.co != co {
			m.failed()
		}
		m.owner.Drop(co.Thread)
		m.failed()
	} else {
		m.owner.Drop(m.forgetFrom(act))
		handler = act.handler
		act.forget()
		if act.end == endProtected {
			m.owner.Caught(m.L)
		} else {
			v = HandlerFailed
		}
	}
	m.reload()
	m.caught = caught{true, Of(v), handler}
}

// catcher finds what catches an error in the loop that began with base: a protected call or a coroutine.
func (m *Machine) catcher(base *activation, level int) (*activation, *Coroutine) {
	act, co := m.act, m.co
	for act != nil && act != base {
		switch {
		case act.end == endProtected, act.end == endHandler:
			return act, nil
		case act != &co.root:
			act = act.previous
		case !co.byGo && !co.wrapped && co.level == level:
			return nil, co
		default:
			co = co.resumer
			act = co.act
		}
	}
	return nil, nil
}

// forgetFrom ends the calls down to act, after an error, and returns the thread of act.
func (m *Machine) forgetFrom(act *activation) *lua.LState {
	co := m.co
	for a := m.act; a != act; {
		if a == &co.root {
			co = co.resumer
			a = co.act
			continue
		}
		a = a.previous
	}
	for m.co != co {
		m.failed()
	}
	th := m.L
	for a := m.act; ; a = a.previous {
		if a.segment != nil {
			m.registers.endOf(a)
		}
		if a.outer != nil { // it is the first one on its thread
			th, m.L = m.L, a.outer
		}
		if a == act {
			break
		}
		a.forget()
	}
	m.act = act.previous
	return th
}
