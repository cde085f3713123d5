package interp

import (
	"math"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Counting instructions. The budget counts each instruction of gopher-lua, and ends the turn before the first one
// beyond it. The loop does not count each instruction: between two jumps, the number of executed instructions
// follows from their places in the function. The loop keeps
//
//	left = rest + before - counted
//
// where rest is the number of instructions that may still be used, before is the number of counted instructions
// before the next one in its function, and counted is the number of all counted instructions of the function. Going
// to the next instruction does not change left; a jump adds a constant to it (instruction.add). As long as left is
// not negative, the budget suffices up to the end of the function, if no jump goes back. So left is only tested
// behind jumps back, calls and returns. If it is negative there, careful code goes on, which tests before each
// instruction.

// reload reads the budget. It is needed after anything that may have used or changed it.
func (m *Machine) reload() {
	m.bound = *m.limit
	if m.bound == 0 {
		m.bound = math.MaxInt64
	}
	m.rest = m.bound - *m.spent
}

// spend writes to the budget what run has used.
func (m *Machine) spend() { *m.spent = m.bound - m.rest }

// owe moves what an Object has charged since before to owed: run keeps its own count, and takes it from there.
func (m *Machine) owe(before int64) {
	if *m.spent != before {
		m.owed += *m.spent - before
		*m.spent = before
	}
}

// restAt sets rest from left, which run has counted down, if ip is the next instruction of act.
func (m *Machine) restAt(act *activation, ip *instruction, left int64) {
	act.ip = ip
	m.rest = left + act.total - int64(ip.before)
}

// jumpedBack is called after a jump back to act.ip, by the instruction at pc, if the budget may not suffice, or if
// a watchdog wants to end the turn.
func (m *Machine) jumpedBack(act *activation, pc int32) {
	if m.stop.Load() {
		act.frame.Pc = int(pc) + 1
		m.spend()
		m.exhausted(m.L)
		m.reload()
	}
	if enough := m.rest >= act.total; enough == act.code.isCareful {
		m.change(act)
	}
}

// change makes a call continue with careful code, or with ordinary code again.
func (m *Machine) change(act *activation) {
	from := act.code
	to := from.other
	if to == nil {
		to = m.translate(from.proto, true)
		from.other, to.other = to, from
	}
	i := int32((uintptr(unsafe.Pointer(act.ip)) - uintptr(unsafe.Pointer(&from.ins[0]))) / instructionSize)
	pc := act.ip.pc
	step := i - from.start[pc] // in careful code an opCheck stands before it
	switch {
	case step == 0:
	case to.isCareful:
		step++
	default:
		step--
	}
	act.use(to)
	act.ip = &to.ins[to.start[pc]+step]
}

// check executes opCheck: it ends the turn if the budget does not suffice for one more instruction.
func (m *Machine) check(act *activation, in *instruction) {
	for m.rest < 1 {
		act.frame.Pc = int(in.pc) + 1
		m.spend()
		m.exhausted(m.L)
		m.reload()
	}
}

// exhausted ends the turn, as gopher-lua does before the first instruction beyond the budget.
func (m *Machine) exhausted(L *lua.LState) {
	th := threadOf(L)
	select {
	case <-th.ctx.Done():
		L.RaiseError("%s", th.ctx.Err().Error())
	default:
		*m.spent-- // Done has counted the instruction, which is only executed now
	}
}
