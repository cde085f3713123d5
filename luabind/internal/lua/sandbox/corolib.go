package sandbox

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// Coroutines are those of gopher-lua. This file wraps them: it gives each the budget and the error hook, refuses a
// yield across Go code, and keeps the frames of a failed coroutine for the traceback.

func (s *State) coroutineFunctions() map[string]lua.LGFunction {
	// The original functions come from a temporary state.
	stock := lua.NewState(lua.Options{SkipOpenLibs: true})
	lua.OpenCoroutine(stock)
	lib := stock.Get(-1).(*lua.LTable)
	get := func(name string) lua.LGFunction { return lib.RawGetString(name).(*lua.LFunction).GFunction }
	c := &coroutineLib{State: s, stockCreate: get("create"), stockResume: get("resume")}
	c.prepare = s.base.NewFunction(func(L *lua.LState) int {
		L.Panic = s.hook
		c.hooked = L
		return 0
	})
	c.keep = s.base.NewFunction(func(L *lua.LState) int { return L.GetTop() })
	s.wrapDead = c.wrapper
	return map[string]lua.LGFunction{
		"create":  func(L *lua.LState) int { return c.create(L, argFunction(L, 1)) },
		"resume":  c.resume,
		"running": c.running,
		"status":  c.luaStatus,
		"wrap":    c.wrap,
		"yield":   c.yield,
	}
}

type coroutineLib struct {
	*State
	stockCreate, stockResume lua.LGFunction
	prepare, keep            *lua.LFunction
	hooked                   *lua.LState // the coroutine that step runs, once it has our hook in this step
}

// launcher is the first function of every coroutine. gopher-lua sets a panic hook of its own when a coroutine
// starts; the launcher replaces it by ours. It stays below the coroutine's function, because gopher-lua takes a
// coroutine without frames for one that has not started, and return coroutine.yield() would leave it without
// frames.
var launcher = func() *lua.FunctionProto {
	file, err := syntax.Parse("[coroutine]", "local prepare, keep, fn; return function(...) prepare() return keep(fn(...)) end")
	if err != nil {
		panic(err)
	}
	p, err := lua.Compile(file.Stmts, "[coroutine]")
	if err != nil {
		panic(err)
	}
	return p.FunctionPrototypes[0]
}()

func (c *coroutineLib) create(L *lua.LState, fn *lua.LFunction) int {
	b := &c.budget
	if b.coroutines++; b.coroutines > maxCoroutines {
		passed(L, "more than %s coroutines in one turn; reuse them", syntax.Grouped(maxCoroutines))
	}
	c.allocate(L, interp.CoroutineBytes)
	c.charge(L, 100) // a coroutine has 20 KB of registers and frames
	first := &lua.LFunction{Env: c.base.Env, Proto: launcher, Upvalues: make([]*lua.Upvalue, 3)}
	parts := map[string]*lua.LFunction{"prepare": c.prepare, "keep": c.keep, "fn": fn}
	for i, name := range launcher.DbgUpvalues {
		first.Upvalues[i] = closedUpvalue(parts[name])
	}
	// L must have no context here: NewThread would wrap it, which would hide the budget.
	L.SetTop(0)
	L.Push(first)
	L.RemoveContext()
	c.stockCreate(L)
	L.SetContext(b)
	th := L.Get(-1).(*lua.LState)
	th.SetContext(b)
	return 1
}

func argThread(L *lua.LState, n int) *lua.LState {
	th, ok := L.Get(n).(*lua.LState)
	if !ok {
		typeError(L, n, "coroutine")
	}
	return th
}

func (s *State) status(th *lua.LState) string {
	i := slices.Index(s.coroutines, th)
	switch {
	case th.Dead:
		return "dead"
	case i < 0:
		return "suspended"
	case i == len(s.coroutines)-1:
		return "running"
	}
	return "normal"
}

func (c *coroutineLib) luaStatus(L *lua.LState) int {
	L.Push(lua.LString(c.status(argThread(L, 1))))
	return 1
}

func (c *coroutineLib) running(L *lua.LState) int {
	if n := len(c.coroutines); n > 0 {
		L.Push(c.coroutines[n-1])
	} else {
		L.Push(lua.LNil)
	}
	return 1
}

func (c *coroutineLib) resume(L *lua.LState) int {
	th := argThread(L, 1)
	if st := c.status(th); st != "suspended" {
		L.Push(lua.LFalse)
		L.Push(lua.LString("cannot resume " + st + " coroutine"))
		return 2
	}
	n, e := c.step(L, th)
	if e != nil {
		c.keepOrPass(e)
		L.Push(lua.LFalse)
		L.Push(e.Value)
		return 2
	}
	return n
}

// step runs th, the first argument, with the arguments after it, until it yields or ends. On success the last n
// values of L are a true and the results. A coroutine that fails returns its error.
func (c *coroutineLib) step(L, th *lua.LState) (n int, e *Error) {
	if len(c.coroutines) >= maxResume {
		passed(L, "coroutines resume each other more than %d deep", maxResume)
	}
	f := topFrame(th)
	starting := f == nil // gopher-lua enters the first frame when it resumes
	if !starting {
		if in, _, ok := f.instr(); ok && in.op() == lua.OP_CALL && in.c() > 0 {
			// gopher-lua hands over what it gets, and leaves registers empty that
			// local a, b = coroutine.yield() reads.
			for L.GetTop()-1 < in.c()-1 {
				L.Push(lua.LNil)
			}
			L.SetTop(in.c())
		}
	}
	current := c.base.G.CurrentThread
	c.coroutines = append(c.coroutines, th)
	c.active = append(c.active, th)
	c.last = nil
	around := c.hooked // of the coroutine that resumes this one
	c.hooked = nil
	n = c.stockResume(L)
	hooked := c.hooked == th
	c.hooked = around
	c.active = c.active[:len(c.active)-1]
	c.coroutines = c.coroutines[:len(c.coroutines)-1]
	c.base.G.CurrentThread = current
	if n == 0 || lua.LVAsBool(L.Get(-n)) {
		return n, nil
	}
	value := L.Get(-1)
	if e := c.last; e != nil && sameValue(e.Value, value) {
		return 0, e
	}
	if err := c.budget.Spent(); err != nil && starting && !hooked {
		return 0, c.spentError(L, err) // in the launcher, before the hook was set
	}
	return 0, c.lostPanic(th, value)
}

func sameValue(a, b lua.LValue) bool {
	if x, ok := a.(lua.LString); ok {
		y, ok := b.(lua.LString)
		return ok && x == y
	}
	return a == b
}

// lostPanic makes the error for a Go panic in a coroutine. It did not come through the hook, and gopher-lua keeps
// only its text.
func (c *coroutineLib) lostPanic(th *lua.LState, value lua.LValue) *Error {
	text := ToString(th, value)
	switch { // gopher-lua keeps nothing else of the panic
	case text == "lua callstack overflow":
		return c.overflowError(th, overflowText)
	case strings.Contains(text, "index out of range [-1]"): // see fromPanic
		return c.overflowError(th, valuesText)
	}
	e := c.panicError(th, text, "")
	return e
}

// wrap returns a function that resumes the coroutine. An error continues in the caller.
func (c *coroutineLib) wrap(L *lua.LState) int {
	fn := argFunction(L, 1)
	c.create(L, fn)
	th := L.Get(-1).(*lua.LState)
	L.SetTop(0)
	L.Push(c.wrapper(th))
	return 1
}

// A wrapper is the function that coroutine.wrap returns.
type wrapper struct {
	lua.LFunction
	thread *lua.LState
}

// wrapperMark is the only upvalue of a wrapper.
var wrapperMark = []*lua.Upvalue{{}}

// wrapper makes the function that resumes a coroutine.
func (c *coroutineLib) wrapper(th *lua.LState) *lua.LFunction {
	w := &wrapper{thread: th}
	w.LFunction = lua.LFunction{IsG: true, Env: c.base.Env, Upvalues: wrapperMark, GFunction: func(L *lua.LState) int {
		if st := c.status(th); st != "suspended" {
			L.RaiseError("cannot resume %s coroutine", st)
		}
		L.Insert(th, 1)
		n, e := c.step(L, th)
		if e != nil {
			c.throw(e)
		}
		return n - 1 // without the true
	}}
	return &w.LFunction
}

// CoroutineOf returns the coroutine that a value is, or that it resumes: wrapped is true for a function of coroutine.wrap.
// th is nil for other values.
func CoroutineOf(v lua.LValue) (th *lua.LState, wrapped bool) {
	switch v := v.(type) {
	case *lua.LState:
		return v, false
	case *lua.LFunction:
		if v.IsG && len(v.Upvalues) == 1 && v.Upvalues[0] == wrapperMark[0] {
			return (*wrapper)(unsafe.Pointer(v)).thread, true
		}
	}
	return nil, false
}

// BodyOf returns the function that a coroutine runs; nil if it is not known.
func BodyOf(th *lua.LState) *lua.LFunction {
	f := topFrame(th)
	for f != nil && f.Parent != nil {
		f = f.Parent
	}
	if f == nil || f.Fn.Proto != launcher {
		return nil
	}
	for i, name := range launcher.DbgUpvalues {
		if name == "fn" {
			fn, _ := f.Fn.Upvalues[i].Value().(*lua.LFunction)
			return fn
		}
	}
	return nil
}

// DeadCoroutine makes a coroutine that is over, or the function of coroutine.wrap for one.
func (s *State) DeadCoroutine(wrapped bool) lua.LValue {
	th, _ := s.base.NewThread() // base has no context, so nothing is wrapped
	th.Dead = true
	if wrapped {
		return s.wrapDead(th)
	}
	return th
}

// yield refuses to cross anything but plain Lua calls: gopher-lua would leave the Go code in between with a broken
// stack.
func (c *coroutineLib) yield(L *lua.LState) int {
	n := len(c.coroutines)
	if n == 0 {
		L.RaiseError("attempt to yield outside a coroutine")
	}
	if c.coroutines[n-1] != L {
		L.RaiseError("attempt to yield across pcall or a call from Go")
	}
	for f := topFrame(L); f.Parent != nil; f = f.Parent {
		if f.Parent.Fn.IsG {
			L.RaiseError("attempt to yield across a library function (table.sort, string.gsub, …)")
		}
		in, _, ok := f.Parent.instr()
		if !ok || in.op() != lua.OP_CALL && in.op() != lua.OP_TAILCALL {
			L.RaiseError("attempt to yield across a metamethod or an iterator")
		}
	}
	return -1
}
