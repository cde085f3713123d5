package interp

import (
	"sync/atomic"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// The Machine: the state of the interpreter, how it is installed on threads of gopher-lua, and what happens to it
// after an error.

// A Machine runs the Lua functions of the threads on which it is installed. It belongs to one goroutine at a time,
// as the threads do.
type Machine struct {
	spent *int64 // instructions of the budget, and its limit
	limit *int64
	stop  *atomic.Bool

	allocations *int64 // bytes that may still be allocated

	codes   map[*lua.FunctionProto]*code
	recent  [64]*code // by address of the function: see recentCode
	texts   map[string]lua.LValue
	layouts map[string]*Layout // by names; nil for names that can have none
	boxes   boxes

	// What runs. run has copies of some of it in variables: see run.go.
	L     *lua.LState // the thread that runs
	act   *activation // the newest call; &root if there is none
	root  activation  // stands below the outermost call
	left  int64       // the count that run keeps: see budget.go
	rest  int64       // instructions that may still be used
	owed  int64       // charged by an Object for the instruction that runs
	bound int64       // the limit that rest was computed from
	top   int         // end of the values in registers, after an instruction that gives any number of them

	result struct { // of a call that begin has begun
		value Value
		base  int // of its frame
		shape *Shape
		slots []Value
	}
	lends      bool // see Lends
	wantsShape bool // the call that begins may return a shape

	registers registers

	owner  Owner
	main   Coroutine  // stands for what runs outside of coroutines
	co     *Coroutine // what runs
	level  int        // of the loop that runs: see loopFrom
	caught caught
	given  []Value // what a coroutine has given to Go: see ResumeFromGo

	Paths func(*lua.FunctionProto) Paths // finds the Paths of a function; nil: no function has any

	Without without.Set // mechanisms that it does not use

	Off bool // leave calls that begin now to gopher-lua's own interpreter

	Strings map[*lua.LTable]*lua.LTable // by the environment of a function: the table of the methods that strings have in it

	key       float64    // of numberKey
	numberKey lua.LValue // the number key, without an allocation for each lookup
}

// A Budget is what a Machine charges for instructions: one for each instruction of gopher-lua, so that the count is
// the same as with gopher-lua's own interpreter.
type Budget interface {
	// Counters returns where the budget counts what was used, and where its limit is; a limit of 0 is none.
	Counters() (used, limit *int64)
	// Stop returns a flag that is set when a watchdog wants to end the turn. It is read at jumps back and at calls.
	Stop() *atomic.Bool
	// Allocations returns where the budget keeps how many bytes may still be allocated.
	Allocations() *int64
}

// An activation is a call of a Lua function that this interpreter executes. Activations form a list that grows with
// the depth of calls. They are used again, and never move.
type activation struct {
	code     *code
	ip       *instruction   // where it goes on
	r        unsafe.Pointer // its registers
	first    unsafe.Pointer // of a vararg function: where its arguments began; not defined for others
	k        unsafe.Pointer // the constants of code
	upvalues unsafe.Pointer // of its function
	total    int64          // code.counted
	frame    *callFrame
	boxes    []*lua.Upvalue // by register: captured variables; nil before the first function is made
	extra    []Value        // the arguments behind its parameters, of a vararg function
	end      ending         // what becomes of its results
	shapes   bool           // endDirect: Machine.result takes shapes, too
	count    int            // endConcat: see there
	outer    *lua.LState    // endProtected, endHandler: the thread of the caller
	handler  lua.LValue     // endProtected: of xpcall; nil for pcall
	segment  *segment       // the segment before it, if it began one

	previous, next *activation
}

// New makes a Machine.
func New(b Budget) *Machine {
	m := &Machine{stop: b.Stop(), codes: map[*lua.FunctionProto]*code{}, texts: map[string]lua.LValue{}}
	for _, e := range events {
		m.texts[e.name] = lua.LString(e.name)
	}
	m.act, m.co = &m.root, &m.main
	m.registers.use(newSegment(firstSegment))
	m.spent, m.limit = b.Counters()
	m.allocations = b.Allocations()
	*(*iface)(unsafe.Pointer(&m.numberKey)) = iface{numberTab, unsafe.Pointer(&m.key)}
	return m
}

// Install makes a thread run its Lua functions on m. The thread must have a context. Install panics if gopher-lua
// keeps the calls of the thread in a way that checkLayout does not know.
func (m *Machine) Install(L *lua.LState) {
	if err := checkThread(L); err != nil {
		panic(err)
	}
	th := threadOf(L)
	original := th.mainLoop
	th.mainLoop = func(L *lua.LState, base *callFrame) {
		th := threadOf(L)
		frames := th.frames()
		if frames.sp == 0 {
			return
		}
		m.spare(th)
		frame := &frames.array[frames.sp-1]
		if plain := m.Off && m.co == &m.main; plain || frame.Fn.IsG || base == nil {
			if plain && !frame.Fn.IsG {
				m.growFrames(th, th.Options.CallStackSize) // gopher-lua's own loop cannot
			}
			original(L, base)
			return
		}
		th.currentFrame = frame
		m.run(L, frame)
	}
}

// Box returns v as a value of gopher-lua.
func (m *Machine) Box(v *Value) lua.LValue { return m.boxes.value(v) }

// A Mark is what a Machine runs at some time. Unwind returns to it after an error.
type Mark struct {
	act       *activation
	registers *segment
	thread    *lua.LState
	co        *Coroutine
	level     int
}

// Mark returns a mark for what runs now.
func (m *Machine) Mark() Mark { return Mark{m.act, m.registers.segment, m.L, m.co, m.level} }

// Unwind forgets the calls that were begun since a Mark and that a panic has ended.
func (m *Machine) Unwind(k Mark) {
	for m.co != k.co {
		m.failed()
	}
	m.level = k.level
	for act := k.act.next; act != nil; act = act.next {
		act.forget()
	}
	m.act, m.L = k.act, k.thread
	m.registers.use(k.registers)
	if k.act == &m.root {
		m.registers.clear()
	}
}

// forget clears what an ended call refers to.
func (act *activation) forget() {
	act.frame, act.boxes, act.extra, act.segment, act.outer, act.handler = nil, nil, nil, nil, nil, nil
}

// codeOf returns the translation of a function, and translates it at the first call.
func (m *Machine) codeOf(p *lua.FunctionProto) *code {
	c := m.codes[p]
	if c == nil {
		c = m.translate(p, false)
		m.codes[p] = c
	}
	return c
}

// Forget drops the translation of a function that is no longer used.
func (m *Machine) Forget(p *lua.FunctionProto) {
	delete(m.codes, p)
	for _, c := range m.codes {
		c.forget(p)
		if c.other != nil {
			c.other.forget(p)
		}
	}
}

// ForgetAll drops the translations of the functions for which gone is true. No function may be running.
func (m *Machine) ForgetAll(gone func(p *lua.FunctionProto) bool) {
	for p, c := range m.codes {
		if gone(p) {
			delete(m.codes, p)
			continue
		}
		for _, of := range []*code{c, c.other} {
			for i := 0; of != nil && i < len(of.sites); i++ {
				if p := of.sites[i].proto; p != nil && gone(p) {
					of.sites[i].proto, of.sites[i].code = nil, nil
				}
			}
		}
	}
	m.Release()
}

// Release forgets what unused activations and tables of the machine still hold. No function may be running.
func (m *Machine) Release() {
	for act := m.act.next; act != nil; act = act.next {
		act.forget()
		act.code, act.ip, act.r, act.k, act.upvalues, act.first = nil, nil, nil, nil, nil, nil
	}
	clear(m.recent[:])
}

// forget makes the sites of c forget a function.
func (c *code) forget(p *lua.FunctionProto) {
	for i := range c.sites {
		if c.sites[i].proto == p {
			c.sites[i].proto, c.sites[i].code = nil, nil
		}
	}
}

// recentCode is codeOf for call sites that call several functions in turn. It uses a table by address, which is
// faster than the map. The result does not depend on the address.
func (m *Machine) recentCode(p *lua.FunctionProto) *code {
	c := &m.recent[uintptr(unsafe.Pointer(p))/unsafe.Sizeof(*p)%uintptr(len(m.recent))]
	if *c == nil || (*c).proto != p {
		*c = m.codeOf(p)
	}
	return *c
}
