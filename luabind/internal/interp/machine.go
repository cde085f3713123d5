package interp

import (
	"math"
	"sync/atomic"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// A Machine runs the Lua functions of the threads it is installed on. It belongs to
// one goroutine at a time, as the threads do.
type Machine struct {
	spent       *int64 // instructions of the budget, and its limit
	limit       *int64
	stop        *atomic.Bool
	codes       map[*lua.FunctionProto]*code
	recent      [64]*code // by address of the function: see recentCode
	boxes       boxes
	activations []activation
	segment     []Value // where registers of new calls come from
	used        int     // of segment
	most        int     // that was used of segment since it was clear
	spare       []Value // the largest segment that was left, for the next call that needs one
	spareMost   int

	Off bool // leave calls that begin now to gopher-lua's own interpreter

	L       *lua.LState // the thread that runs
	strings lua.LValue  // the metatable of strings

	key       float64    // of numberKey
	numberKey lua.LValue // the number key, without an allocation for each lookup
}

// A Budget is what a Machine charges for instructions: one for each instruction of
// gopher-lua, so the count is that of gopher-lua's own interpreter.
type Budget interface {
	// Counters returns where the budget counts what was used, and where its limit is; a limit of 0 is none.
	Counters() (used, limit *int64)
	// Stop returns a flag that is set when a watchdog wants to end the turn. It is read at jumps back and at calls.
	Stop() *atomic.Bool
}

// activation is a call of a Lua function that runs here.
type activation struct {
	code  *code
	ip    *instruction // where it goes on after a call
	r     unsafe.Pointer
	frame *callFrame
	extra []Value        // the arguments behind its parameters, of a vararg function
	boxes []*lua.Upvalue // by register: captured variables; nil before the first function is made

	room int // how many registers it has: code.size, or more after grow

	segment []Value // to restore when the call is over
	used    int
}

// New makes a Machine.
func New(b Budget) *Machine {
	m := &Machine{stop: b.Stop(), codes: map[*lua.FunctionProto]*code{}}
	m.spent, m.limit = b.Counters()
	*(*iface)(unsafe.Pointer(&m.numberKey)) = iface{numberTab, unsafe.Pointer(&m.key)}
	return m
}

// Install makes a thread run its Lua functions on m. The thread must have a context.
// Coroutines of the thread run on gopher-lua's interpreter, since they can be left in the middle.
// It panics if gopher-lua keeps the calls of the thread in another way than checkLayout knows.
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
		frame := &frames.array[frames.sp-1]
		if frame.Fn.IsG || base == nil || m.Off {
			original(L, base)
			return
		}
		th.currentFrame = frame
		m.run(L, frame)
	}
}

// Box is v as gopher-lua has it.
func (m *Machine) Box(v *Value) lua.LValue { return m.boxes.value(v) }

// Mark is what a Machine runs at some moment, to come back to with Unwind after an error.
type Mark struct {
	activations int
	segment     []Value
	used        int
	thread      *lua.LState
}

// Mark returns what runs now.
func (m *Machine) Mark() Mark { return Mark{len(m.activations), m.segment, m.used, m.L} }

// Unwind forgets the calls that were begun since a Mark and that a panic has ended.
func (m *Machine) Unwind(k Mark) {
	clear(m.activations[k.activations:])
	m.activations = m.activations[:k.activations]
	if m.L = k.thread; k.used > 0 {
		m.segment = k.segment
	}
	m.used = k.used
	clear(m.segment[m.used:])
	m.most = m.used
	m.spare, m.spareMost = nil, 0
}

// codeOf is the translation of a function.
func (m *Machine) codeOf(p *lua.FunctionProto) *code {
	c := m.codes[p]
	if c == nil {
		c = translate(p)
		m.codes[p] = c
	}
	return c
}

// Forget drops what is known of a function that is used no longer.
func (m *Machine) Forget(p *lua.FunctionProto) {
	delete(m.codes, p)
	for _, c := range m.codes {
		for i := range c.sites {
			if c.sites[i].proto == p {
				c.sites[i].proto, c.sites[i].code = nil, nil
			}
		}
	}
	clear(m.activations[len(m.activations):cap(m.activations)])
	clear(m.recent[:])
}

// recentCode is codeOf for call sites that call several functions in turn: a table by
// address, which costs less than the map. What it returns does not depend on the address.
func (m *Machine) recentCode(p *lua.FunctionProto) *code {
	c := &m.recent[uintptr(unsafe.Pointer(p))/unsafe.Sizeof(*p)%uintptr(len(m.recent))]
	if *c == nil || (*c).proto != p {
		*c = m.codeOf(p)
	}
	return *c
}

const firstSegment = 2048

// release gives the registers of an activation back. The outermost one clears what was
// used, so that nothing is kept alive between turns.
func (m *Machine) release(act *activation) {
	if act.used > 0 {
		if len(act.segment) != len(m.segment) { // it had begun a new segment, which was larger
			if len(m.segment) > len(m.spare) {
				m.spare, m.spareMost = m.segment, m.most
			}
			m.segment, m.most = act.segment, len(act.segment)
		}
		m.used = act.used
		return
	}
	m.used = 0
	clear(m.segment[:m.most])
	clear(m.spare[:m.spareMost])
	m.most, m.spareMost = 0, 0
}

// reserve makes n registers. They are not cleared.
func (m *Machine) reserve(n int) unsafe.Pointer {
	if m.used+n > len(m.segment) {
		if len(m.spare) > len(m.segment) && len(m.spare) >= n {
			m.segment, m.most = m.spare, m.spareMost
			m.spare, m.spareMost = nil, 0
		} else {
			size := max(2*len(m.segment), n, firstSegment)
			m.segment = make([]Value, size+1)[:size] // a pointer behind the last register still points into it
			m.most = 0
		}
		m.used = 0
	}
	p := unsafe.Pointer(&m.segment[m.used])
	m.used += n
	m.most = max(m.most, m.used)
	return p
}

func reg(r unsafe.Pointer, offset int32) *Value { return (*Value)(unsafe.Add(r, offset)) }

func at(r unsafe.Pointer, register int) *Value {
	return (*Value)(unsafe.Add(r, register*int(valueSize)))
}

func registers(r unsafe.Pointer, from, n int) []Value {
	return unsafe.Slice(at(r, from), n)
}

// left returns how many instructions may still be used, and the bound that it was computed from.
func (m *Machine) left() (left, bound int64) {
	bound = *m.limit
	if bound == 0 {
		bound = math.MaxInt64
	}
	return bound - *m.spent, bound
}

// spend writes back what is left of a bound.
func (m *Machine) spend(left, bound int64) {
	*m.spent = bound - left
}
