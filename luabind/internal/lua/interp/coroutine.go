package interp

import (
	"context"

	lua "github.com/yuin/gopher-lua"
)

// Coroutines. Each has activations, registers and a thread of gopher-lua of its own; resume and yield change which of them the loop executes.

// A Context is what gopher-lua asks on the threads of a Machine.
type Context interface {
	context.Context
	Allocate(n int64) bool
	Stores(p *lua.FunctionProto) []bool
}

// A Coroutine is a stack of calls that can be left and gone on with. It is the context of its thread, which is its value in Lua.
type Coroutine struct {
	Context
	Thread *lua.LState

	// What the owner of the Machine keeps while it is suspended: its threads, outermost first.
	Threads []*lua.LState

	root      activation // stands below the outermost call
	act       *activation
	running   *lua.LState // the thread of act: Thread, or that of a protected call
	registers registers

	body    *lua.LFunction // nil once it runs
	resumer *Coroutine     // nil while it is suspended
	level   int            // of the loop that has resumed it: see Machine.loopFrom
	byGo    bool           // Go code has resumed it, with ResumeFromGo
	wrapped bool           // its function of coroutine.wrap has
}

// firstRegisters is the number of registers of a new coroutine.
const firstRegisters = 40

// NewCoroutine makes a coroutine that runs body on a new thread. Its context becomes one of c.
func (m *Machine) NewCoroutine(th *lua.LState, c Context, body *lua.LFunction, most int) *Coroutine {
	co := &Coroutine{Context: c, Thread: th, running: th, body: body}
	co.act = &co.root
	th.SetContext(co)
	ShortStack(th, most)
	m.Install(th)
	return co
}

// WithoutContext makes run make a thread of L. gopher-lua would wrap the context of L for it, which would hide the budget.
func WithoutContext(L *lua.LState, run func()) {
	th := threadOf(L)
	ctx := th.ctx
	th.ctx = nil
	run()
	th.ctx = ctx
}

// CoroutineOf returns the coroutine of a thread; nil if the thread is none of a Machine.
func CoroutineOf(th *lua.LState) *Coroutine {
	co, _ := threadOf(th).ctx.(*Coroutine)
	return co
}

// Body returns the function of a coroutine that has not begun, nil of others.
func (co *Coroutine) Body() *lua.LFunction { return co.body }

// SetBody gives its function to a coroutine that was made without.
func (co *Coroutine) SetBody(body *lua.LFunction) { co.body = body }

// Suspended reports whether a coroutine can be resumed.
func (co *Coroutine) Suspended() bool { return co.resumer == nil && !co.Thread.Dead }

// Runs reports whether Lua functions that are called now run on m, and not on gopher-lua's own interpreter.
func (m *Machine) Runs() bool { return !m.Off || m.co != &m.main }

// Yields reports whether the coroutine that runs can be left: no Go function stands between it and its resumer.
func (m *Machine) Yields() bool { return m.co != &m.main && m.co.level == m.level }

// leaveFor keeps what runs, and goes on with a coroutine.
func (m *Machine) leaveFor(to *Coroutine) {
	from := m.co
	from.act, from.running, from.registers = m.act, m.L, m.registers
	from.registers.spare = nil
	m.goTo(to)
}

// goTo goes on with a coroutine.
func (m *Machine) goTo(to *Coroutine) {
	spare := m.registers.spare
	m.co, m.act, m.L, m.registers = to, to.act, to.running, to.registers
	m.registers.spare = spare
	to.act, to.running, to.registers = nil, nil, registers{}
}

// resume goes on with a suspended coroutine. The owner must have agreed.
func (m *Machine) resume(co *Coroutine, args []Value, byGo, wrapped bool) (over bool) {
	co.resumer, co.level, co.byGo, co.wrapped = m.co, m.level, byGo, wrapped
	if byGo {
		co.level++
	}
	if co.body == nil {
		m.leaveFor(co)
		return m.deliver(m.act, nil, args)
	}
	fn := co.body
	co.body = nil
	co.registers.use(newSegment(max(firstRegisters, 2*len(args))))
	m.leaveFor(co)
	m.beginOn(co.Thread, fn, args, m.registers.segment.start(), endBody)
	return false
}

// yield leaves the coroutine that runs.
func (m *Machine) yield(args []Value) (ok, over bool) {
	if !m.Yields() || !m.owner.Yields() {
		return false, false
	}
	co := m.co
	m.owner.Suspend(co)
	r := co.resumer
	m.leaveFor(r)
	return true, m.handBack(co, args)
}

// handBack gives the values of a coroutine that was left, or has ended, to its resumer, which runs.
func (m *Machine) handBack(co *Coroutine, values []Value) (over bool) {
	co.resumer = nil
	switch {
	case co.byGo:
		m.given = append(m.given[:0], values...)
		return true
	case co.wrapped:
		return m.deliver(m.act, nil, values)
	}
	return m.deliver(m.act, &True, values)
}

// ended ends the coroutine that runs, with the results of its body.
func (m *Machine) ended(act *activation, values []Value) (over bool) {
	co := m.co
	threadOf(co.Thread).frames().sp, threadOf(co.Thread).currentFrame = 0, nil
	m.owner.Suspend(co)
	m.leaveFor(co.resumer)
	co.kill()
	return m.handBack(co, values)
}

// kill makes a coroutine dead, and lets go of what it held.
func (co *Coroutine) kill() {
	co.Thread.Dead = true
	co.act, co.body, co.Threads, co.registers = nil, nil, nil, registers{}
	co.root = activation{}
}

// failed kills the coroutine that runs, after an error in it, and goes on with its resumer.
func (m *Machine) failed() {
	co := m.co
	r := co.resumer
	m.goTo(r)
	co.kill()
	co.resumer = nil
}

// ResumeFromGo goes on with a suspended coroutine, until it yields or ends, for Go code that runs on L. It pushes the results, and returns their
// number. The owner must have agreed. An error is a panic; then the caller has to Unwind.
func (m *Machine) ResumeFromGo(L *lua.LState, co *Coroutine, args []lua.LValue) int {
	values := make([]Value, len(args))
	for i, v := range args {
		values[i] = Of(v)
	}
	m.reload()
	if !m.resume(co, values, true, false) {
		m.loopFrom(&co.root)
	}
	m.spend()
	n := len(m.given)
	for i := range m.given {
		L.Push(m.boxes.value(&m.given[i]))
	}
	clear(m.given)
	return n
}
