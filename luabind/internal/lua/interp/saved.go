package interp

import (
	"fmt"
	"hash/fnv"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Suspended coroutines as data: what package heap writes to a snapshot, and makes again from it.

// A SavedCall is a call of a suspended coroutine. It waits for the results of the next one, or for those of yield.
type SavedCall struct {
	Function  *lua.LFunction // nil: it stands for a function in Go that pcall has called
	Code      uint32         // a hash of the code of the function
	PC        int            // of the instruction that waits
	End       uint8          // what becomes of its results: an ending
	Count     int            // see endConcat
	Slots     int            // how many of Registers stand before the first one that a variable may have
	Handler   lua.LValue     // of xpcall; nil if there is none
	Registers []lua.LValue   // LNil for those that do not matter any more
	Boxes     []SavedBox
	Extra     []lua.LValue // the arguments behind its parameters
}

// A SavedBox is a captured variable of a call that still runs.
type SavedBox struct {
	Register int
	Variable *lua.Upvalue
}

// codeHash returns a hash of the instructions of a function.
func codeHash(p *lua.FunctionProto) uint32 {
	h := fnv.New32a()
	for _, w := range p.Code {
		_, _ = h.Write([]byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)})
	}
	return h.Sum32()
}

// A Saver makes data of coroutines. It remembers what it finds out about functions.
type Saver struct {
	m    *Machine
	live map[*lua.FunctionProto][]registerSet
}

// NewSaver makes a Saver.
func (m *Machine) NewSaver() *Saver {
	return &Saver{m, map[*lua.FunctionProto][]registerSet{}}
}

// Calls returns the calls of a suspended coroutine without the first, outermost first; none if it has not begun.
func (s *Saver) Calls(co *Coroutine) []SavedCall {
	var acts []*activation
	for act := co.act; act != &co.root; act = act.previous {
		acts = append(acts, act)
	}
	if len(acts) == 0 {
		return nil
	}
	out := make([]SavedCall, 0, len(acts)-1)
	for i := len(acts) - 2; i >= 0; i-- {
		var next *activation
		if i > 0 {
			next = acts[i-1]
		}
		out = append(out, s.call(acts[i], next))
	}
	return out
}

// call makes data of a call. next is the one that it waits for, nil if it has called yield.
func (s *Saver) call(act, next *activation) SavedCall {
	c := SavedCall{End: uint8(act.end), Handler: act.handler}
	if act.end == endConcat {
		c.Count = act.count
	}
	if act.code == afterGo {
		return c
	}
	fn := act.frame.Fn
	in := act.pending()
	c.Function, c.Code, c.PC = fn, codeHash(fn.Proto), int(in.pc)
	live := s.liveAt(act, next, in)
	c.Slots = act.code.below
	n := c.Slots + act.code.size
	c.Registers = make([]lua.LValue, n)
	for i := range c.Registers {
		if r := i - act.code.below; r < 0 || !live.has(r) || r < len(act.boxes) && act.boxes[r] != nil {
			c.Registers[i] = lua.LNil
			continue
		}
		c.Registers[i] = s.value(at(act.r, i-act.code.below))
	}
	act.code.slotsAt(c.PC, func(slot int) {
		if slot >= 0 {
			c.Registers[slot] = s.value(at(act.r, slot-act.code.below))
		} else {
			c.Registers[act.code.below-1-slot] = lua.LNil
		}
	})
	for r, box := range act.boxes {
		if box != nil {
			c.Boxes = append(c.Boxes, SavedBox{r, box})
		}
	}
	for i := range act.extra {
		c.Extra = append(c.Extra, s.value(&act.extra[i]))
	}
	return c
}

func (s *Saver) value(v *Value) lua.LValue { return s.m.boxes.value(v) }

// liveAt returns the registers that a call needs once its instruction is completed.
func (s *Saver) liveAt(act, next *activation, in *instruction) registerSet {
	p := act.frame.Fn.Proto
	live, known := s.live[p]
	if !known {
		live = liveness(p)
		s.live[p] = live
	}
	set := liveBehind(p, live, int(in.pc))
	w := word(p.Code[in.pc])
	switch w.op() {
	case lua.OP_SELF:
		set.add(w.a() + 1)
	case lua.OP_TFORLOOP:
		set.addFrom(w.a(), w.a()+2)
	}
	if next != nil && next.end == endConcat {
		set.addFrom(w.a(), w.a()+next.count)
	}
	return set
}

// A RestoreError says why calls cannot be made again. Damaged says that no program has written them.
type RestoreError struct {
	Reason  string
	Damaged bool
}

func (e *RestoreError) Error() string { return e.Reason }

// Restore makes the calls of a suspended coroutine that has not begun. newThread makes a thread for a protected call, which is the nth one of the coroutine.
func (m *Machine) Restore(co *Coroutine, calls []SavedCall, newThread func(nth int) *lua.LState) error {
	first := SavedCall{Function: co.body, End: uint8(endBody)}
	first.PC, first.Code = launchedAt(co.body.Proto), codeHash(co.body.Proto)
	c := m.codeOf(co.body.Proto)
	first.Registers = make([]lua.LValue, c.below+c.size)
	for i := range first.Registers {
		first.Registers[i] = lua.LNil
	}
	w := word(co.body.Proto.Code[first.PC])
	first.Registers[w.a()-1] = co.body.Upvalues[word(co.body.Proto.Code[launchedKeep(co.body.Proto)]).b()].Value()
	r := &restoring{m: m, co: co, calls: append([]SavedCall{first}, calls...), newThread: newThread}
	return r.run()
}

// launchedAt returns the pc of the call of a body by the first function of a coroutine: return keep(fn(...)).
func launchedAt(p *lua.FunctionProto) int {
	at := 0
	for pc, c := range p.Code {
		if word(c).op() == lua.OP_CALL {
			at = pc
		}
	}
	return at
}

// launchedKeep returns the pc of the instruction that loads keep.
func launchedKeep(p *lua.FunctionProto) int {
	a := word(p.Code[launchedAt(p)]).a() - 1
	for pc := launchedAt(p); ; pc-- {
		if w := word(p.Code[pc]); w.op() == lua.OP_GETUPVAL && w.a() == a {
			return pc
		}
	}
}

// A restoring makes calls again.
type restoring struct {
	m         *Machine
	co        *Coroutine
	calls     []SavedCall
	newThread func(nth int) *lua.LState

	codes   []*code
	threads []*lua.LState // by call
	most    int           // registers of all calls
}

func (r *restoring) run() error {
	L := r.co.Thread
	frames := map[*lua.LState]int{}
	for i := range r.calls {
		c := &r.calls[i]
		if err := r.check(i); err != nil {
			return err
		}
		if end := ending(c.End); end == endProtected || end == endHandler {
			if L = r.newThread(len(r.co.Threads)); L == nil {
				return damagedCall("too many protected calls")
			}
			r.co.Threads = append(r.co.Threads, L)
		}
		r.threads = append(r.threads, L)
		if c.Function != nil {
			frames[L]++
		}
		r.most += r.codes[i].below + r.codes[i].size
	}
	for L, n := range frames {
		th := threadOf(L)
		if n >= th.Options.CallStackSize {
			return damagedCall("too many calls within each other")
		}
		if stack := th.frames(); n+spareFrames > len(stack.array) {
			stack.array = make([]callFrame, min(th.Options.CallStackSize, n+firstFrames))
		}
	}
	r.co.registers.use(newSegment(r.most + firstRegisters))
	at := r.co.registers.segment.start()
	r.co.registers.fit(at, r.most)
	act := &r.co.root
	for i := range r.calls {
		next := &activation{previous: act}
		act.next = next
		if err := r.call(i, act, next, at); err != nil {
			return err
		}
		at = unsafe.Add(at, (r.codes[i].below+r.codes[i].size)*int(valueSize))
		act = next
	}
	r.co.act, r.co.running, r.co.body = act, r.threads[len(r.threads)-1], nil
	return nil
}

func damagedCall(format string, args ...any) error {
	return &RestoreError{fmt.Sprintf(format, args...), true}
}

// check compares a call with the code of its function, and with the call before it.
func (r *restoring) check(i int) error {
	c := &r.calls[i]
	if i > 0 {
		if err := r.checkEnd(i); err != nil {
			return err
		}
	}
	if c.Function == nil {
		if end := ending(c.End); end != endProtected && end != endHandler {
			return damagedCall("a call without a function")
		}
		r.codes = append(r.codes, afterGo)
		return nil
	}
	p := c.Function.Proto
	if codeHash(p) != c.Code {
		return &RestoreError{fmt.Sprintf("%s: the function of line %d is compiled in another way than when a coroutine in it was saved; it was saved by another version of ecsrun", p.SourceName, p.LineDefined), false}
	}
	code := r.m.codeOf(p)
	r.codes = append(r.codes, code)
	if c.PC < 0 || c.PC >= len(p.Code) || !instructionsOf(p)[c.PC] || !waits(code.waiting(c.PC), word(p.Code[c.PC])) {
		return damagedCall("a call waits at no call")
	}
	if len(c.Registers) != code.below+code.size {
		return damagedCall("a call with %d registers", len(c.Registers))
	}
	for _, b := range c.Boxes {
		if b.Register < 0 || b.Register >= code.size {
			return damagedCall("a variable in register %d", b.Register)
		}
	}
	if len(c.Extra) > mostVarargs || len(c.Extra) > 0 && !code.vararg {
		return damagedCall("a call with %d more arguments", len(c.Extra))
	}
	return nil
}

// checkEnd compares how a call ends with the instruction of the one before.
func (r *restoring) checkEnd(i int) error {
	c, caller := &r.calls[i], &r.calls[i-1]
	if caller.Function == nil {
		switch ending(c.End) {
		case endProtected, endHandler:
			return nil
		}
		return damagedCall("a function in Go has called a function of a script")
	}
	in := r.codes[i-1].waiting(caller.PC)
	switch ending(c.End) {
	case endProtected, endHandler, endInstruction:
		return nil
	case endNegated:
		if word(caller.Function.Proto.Code[caller.PC]).op() == lua.OP_LE {
			return nil
		}
	case endCall:
		if in.op == opCall || in.op == opCallShape || in.op == opTForCall {
			return nil
		}
	case endConcat:
		if in.op != opCall && in.op != opCallShape || c.Count < 1 || int(in.a)+c.Count >= r.codes[i-1].size {
			break
		}
		fn, ok := caller.Registers[r.codes[i-1].below+int(in.a)].(*lua.LFunction)
		if ok && fn.IsG && isMarked(fn, nativeMark) && (*NativeFunction)(unsafe.Pointer(fn)).control == Concat {
			return nil
		}
	}
	return damagedCall("a call that ends in no way")
}

// waiting returns the instruction that was made of that at pc, without the steps around it.
func (c *code) waiting(pc int) *instruction {
	in := c.at(pc)
	for in.step || in.op == opCheck {
		in = (*instruction)(unsafe.Add(unsafe.Pointer(in), instructionSize))
	}
	return in
}

// waits reports whether an instruction may wait for the results of a call.
func waits(in *instruction, w word) bool {
	switch in.op {
	case opCall, opCallShape, opTForCall, opTailCall:
		return true
	}
	switch w.op() {
	case lua.OP_GETGLOBAL, lua.OP_GETTABLE, lua.OP_GETTABLEKS, lua.OP_SELF, lua.OP_SETGLOBAL, lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_UNM, lua.OP_LEN,
		lua.OP_ADD, lua.OP_SUB, lua.OP_MUL, lua.OP_DIV, lua.OP_MOD, lua.OP_POW, lua.OP_EQ, lua.OP_LT, lua.OP_LE:
		return true
	}
	return false
}

// call makes call i, whose caller is the activation before it.
func (r *restoring) call(i int, caller, act *activation, registers unsafe.Pointer) error {
	c, code, L := &r.calls[i], r.codes[i], r.threads[i]
	act.end, act.count, act.handler = ending(c.End), c.Count, c.Handler
	if act.end == endProtected || act.end == endHandler {
		act.outer = r.threads[i-1]
	}
	act.use(code)
	if c.Function == nil {
		act.ip, act.r = &afterGo.ins[1], registers
		return nil
	}
	act.of(c.Function)
	in := code.waiting(c.PC)
	act.ip = (*instruction)(unsafe.Add(unsafe.Pointer(in), instructionSize))
	act.first = registers
	act.r = unsafe.Add(registers, code.below*int(valueSize))
	for k, v := range c.Registers {
		*at(registers, k) = ofRegister(v)
	}
	for _, b := range c.Boxes {
		if act.boxes == nil {
			act.boxes = make([]*lua.Upvalue, code.size)
		}
		act.boxes[b.Register] = b.Variable
	}
	for _, v := range c.Extra {
		act.extra = append(act.extra, ofRegister(v))
	}
	th := threadOf(L)
	frames := th.frames()
	frame := &frames.array[frames.sp]
	*frame = callFrame{Idx: frames.sp, Fn: c.Function, Pc: c.PC + 1, NRet: lua.MultRet, NArgs: code.params + len(c.Extra)}
	if frames.sp > 0 {
		frame.Parent = caller.frame
		frame.Base = caller.frame.LocalBase + caller.code.size
		if act.end == endCall {
			in := caller.pending()
			to, want := int(in.a), int(in.c)-1
			if in.op == opTForCall {
				to, want = int(in.a)+3, int(in.b)
			}
			frame.Base, frame.NRet = caller.frame.LocalBase+to, want
		}
	}
	frame.ReturnBase, frame.LocalBase = frame.Base, frame.Base+1
	if code.vararg {
		frame.LocalBase += frame.NArgs
	}
	frames.sp++
	th.currentFrame = frame
	act.frame = frame
	top := frame.LocalBase + code.size
	if top > L.Options.RegistryMaxSize {
		return damagedCall("too many registers")
	}
	r.m.ensure(L, top)
	th.reg.top = top
	for k := range top {
		if th.reg.array[k] == nil {
			th.reg.array[k] = lua.LNil
		}
	}
	return nil
}
