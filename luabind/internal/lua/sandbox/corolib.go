package sandbox

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// The functions of coroutines. Package interp runs coroutines, and executes resume, yield and the functions of wrap without a call of
// what is here. Under impl: lua they are those of gopher-lua, which get the budget and the error hook here, and may not yield across Go code.
// A coroutine stays with the interpreter that it was made for.

func (s *State) coroutineFunctions() map[string]lua.LGFunction {
	// The original functions come from a temporary state.
	stock := lua.NewState(lua.Options{SkipOpenLibs: true})
	lua.OpenCoroutine(stock)
	lib := stock.Get(-1).(*lua.LTable)
	get := func(name string) lua.LGFunction { return lib.RawGetString(name).(*lua.LFunction).GFunction }
	c := &coroutineLib{State: s, stockCreate: get("create"), stockResume: get("resume")}
	c.prepare = s.base.NewFunction(func(L *lua.LState) int {
		if interp.CoroutineOf(L) == nil { // package interp has none of its own
			L.Panic = s.hook
			c.hooked = L
		}
		return 0
	})
	c.keep = s.base.NewFunction(func(L *lua.LState) int { return L.GetTop() })
	s.wrap, s.launch = c.wrapper, c.launcher
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
	first := c.launcher(fn)
	L.SetTop(0)
	if c.machine != nil && c.machine.Runs() {
		L.Push(c.newCoroutine(first))
		return 1
	}
	L.Push(first)
	options := L.Options
	L.Options.CallStackSize, L.Options.MinimizeStackMemory = deepCalls, true
	interp.WithoutContext(L, func() { c.stockCreate(L) })
	L.Options = options
	th := L.Get(-1).(*lua.LState)
	th.SetContext(b)
	return 1
}

// launcher makes the first function of a coroutine that runs fn.
func (c *coroutineLib) launcher(fn *lua.LFunction) *lua.LFunction {
	first := &lua.LFunction{Env: c.base.Env, Proto: launcher, Upvalues: make([]*lua.Upvalue, len(launcher.DbgUpvalues))}
	for i, name := range launcher.DbgUpvalues {
		part := fn
		switch name {
		case "prepare":
			part = c.prepare
		case "keep":
			part = c.keep
		}
		first.Upvalues[i] = closedUpvalue(part)
	}
	return first
}

// newCoroutine makes a coroutine of package interp.
func (s *State) newCoroutine(body *lua.LFunction) *lua.LState {
	s.hasCoroutines = true
	options := s.base.Options
	s.base.Options.CallStackSize, s.base.Options.RegistrySize = 1, 32
	th, _ := s.base.NewThread() // base has no context, so nothing is wrapped
	s.base.Options = options
	th.Panic = s.hook
	s.machine.NewCoroutine(th, &s.budget, body, deepCalls)
	return th
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
	if co := interp.CoroutineOf(th); co != nil {
		return c.stepOn(L, co)
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
	c.begin(th)
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

// stepOn is step for a coroutine of package interp.
func (c *coroutineLib) stepOn(L *lua.LState, co *interp.Coroutine) (n int, e *Error) {
	args := make([]lua.LValue, 0, 4)
	for i := 2; i <= L.GetTop(); i++ {
		args = append(args, L.Get(i))
	}
	around := c.machine.Mark()
	if !(&threads{c.State}).Resume(co) {
		Raise(L, ErrTooDeep)
	}
	defer func() {
		if r := recover(); r != nil {
			e = c.fromPanic(c.active[len(c.active)-1], r)
			c.thrown, c.rethrown = nil, nil
			(&threads{c.State}).Drop(co.Thread)
			c.machine.Unwind(around)
		}
	}()
	L.Push(lua.LTrue)
	return c.machine.ResumeFromGo(L, co, args) + 1, nil
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

// A wrapper is the function that coroutine.wrap returns for a coroutine of gopher-lua.
type wrapper struct {
	lua.LFunction
	thread *lua.LState
}

// wrapperMark is the only upvalue of a wrapper.
var wrapperMark = []*lua.Upvalue{{}}

// wrapper makes the function that resumes a coroutine. If th is nil, it is one of package interp, which is set later.
func (c *coroutineLib) wrapper(th *lua.LState) *lua.LFunction {
	var fn *lua.LFunction
	resume := func(L *lua.LState) int {
		th, _ := CoroutineOf(fn)
		if st := c.status(th); st != "suspended" {
			L.RaiseError("cannot resume %s coroutine", st)
		}
		L.Insert(th, 1)
		n, e := c.step(L, th)
		if e != nil {
			c.throw(e)
		}
		return n - 1 // without the true
	}
	if th == nil {
		fn = interp.NewWrapped(c.base.Env, resume, nil)
	} else if co := interp.CoroutineOf(th); co != nil {
		fn = interp.NewWrapped(c.base.Env, resume, co)
	} else {
		w := &wrapper{thread: th}
		w.LFunction = lua.LFunction{IsG: true, Env: c.base.Env, Upvalues: wrapperMark, GFunction: resume}
		fn = &w.LFunction
	}
	return fn
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
		if co := interp.WrappedOf(v); co != nil {
			return co.Thread, true
		}
	}
	return nil, false
}

// BodyOf returns the function that a coroutine runs; nil if it is not known.
func BodyOf(th *lua.LState) *lua.LFunction {
	var first *lua.LFunction
	if co := interp.CoroutineOf(th); co != nil && co.Body() != nil {
		first = co.Body()
	} else {
		f := topFrame(th)
		for f != nil && f.Parent != nil {
			f = f.Parent
		}
		if f == nil {
			return nil
		}
		first = f.Fn
	}
	if first.Proto != launcher {
		return nil
	}
	fn, _ := first.Upvalues[launched].Value().(*lua.LFunction)
	return fn
}

// launched is the upvalue of a launcher that holds the function of its coroutine.
var launched = slices.Index(launcher.DbgUpvalues, "fn")

// DeadCoroutine makes a coroutine that is over, or the function of coroutine.wrap for one.
func (s *State) DeadCoroutine(wrapped bool) lua.LValue {
	th, _ := s.base.NewThread() // base has no context, so nothing is wrapped
	th.Dead = true
	if wrapped {
		return s.wrap(th)
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
		L.RaiseError("%s", acrossGo)
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
	if co := interp.CoroutineOf(L); co != nil && !c.machine.Yields() {
		L.RaiseError("%s", acrossGo)
	}
	if n := c.callBytes(); n > 0 {
		c.allocate(L, n)
	}
	return -1
}

const acrossGo = "attempt to yield across pcall or a call from Go"
