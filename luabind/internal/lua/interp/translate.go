package interp

import (
	"fmt"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// The translation of each instruction of gopher-lua.

// instruction translates the instruction at t.pc and returns the pc of the next one.
func (t *translator) instruction(w word) int {
	pc := t.pc
	a, b, c := w.a(), w.b(), w.c()
	ra := offset(a)
	switch w.op() {
	case lua.OP_MOVE:
		t.move(a, b)
	case lua.OP_MOVEN:
		pc = t.moves(a, b, c)
	case lua.OP_LOADK:
		t.emit(opLoadK, ra, offset(w.bx()), 0)
		t.wrote(a)
	case lua.OP_LOADBOOL:
		if c == 0 {
			t.emit(opLoadBool, ra, b, 0)
			t.wrote(a)
			break
		}
		if t.captured[a] {
			t.emit(opLoadBool, ra, b, 0)
			t.wrote(a)
			t.emit(opJmp, 0, 0, 0)
		} else {
			t.emit(opLoadBoolSkip, ra, 0, b)
		}
		t.jumpTo(pc + 2)
	case lua.OP_LOADNIL:
		t.emit(opLoadNil, ra, offset(b), 0)
		for r := a; r <= b; r++ {
			t.wrote(r)
		}
	case lua.OP_GETUPVAL:
		t.emit(opGetUpval, ra, b*int(unsafe.Sizeof(uintptr(0))), 0)
		t.wrote(a)
	case lua.OP_SETUPVAL:
		t.read(a)
		t.emit(opSetUpval, ra, b*int(unsafe.Sizeof(uintptr(0))), 0)
	case lua.OP_GETGLOBAL:
		t.withSite(t.emit(opGetGlobal, ra, offset(w.bx()), 0))
		t.wrote(a)
	case lua.OP_SETGLOBAL:
		t.read(a)
		t.slow()
	case lua.OP_GETTABLE, lua.OP_GETTABLEKS:
		t.read(b, c)
		switch {
		case isConstant(b):
			t.slow()
		case !isConstant(c):
			t.withSite(t.emit(opGetTable, ra, offset(b), offset(c)))
		case t.isString(c):
			t.withSite(t.emit(opGetField, ra, offset(b), rk(c)))
		default:
			t.withSite(t.emit(opGetTableK, ra, offset(b), rk(c)))
		}
		t.wrote(a)
	case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
		t.read(a, b, c)
		if name, ok := t.nameAt(pc); ok {
			b = name
		}
		switch {
		case isConstant(b) && t.isString(b) && isConstant(c):
			t.stores(t.emit(opSetFieldK, ra, rk(b), rk(c)))
		case isConstant(b) && t.isString(b):
			t.stores(t.emit(opSetField, ra, rk(b), rk(c)))
		case isConstant(b) && isConstant(c):
			t.stores(t.emit(opSetTableAtK, ra, rk(b), rk(c)))
		case isConstant(b):
			t.stores(t.emit(opSetTableAt, ra, rk(b), offset(c)))
		case isConstant(c):
			t.stores(t.emit(opSetTableK, ra, offset(b), rk(c)))
		default:
			t.stores(t.emit(opSetTable, ra, offset(b), offset(c)))
		}
	case lua.OP_NEWTABLE:
		t.emit(opNewTable, ra, b, c)
		t.wrote(a)
	case lua.OP_SELF:
		t.read(b)
		if isConstant(b) || !isConstant(c) || !t.isString(c) {
			t.slow()
		} else {
			t.withSite(t.emit(opSelf, ra, offset(b), rk(c)))
		}
		t.wrote(a)
		t.wrote(a + 1)
	case lua.OP_ADD, lua.OP_SUB, lua.OP_MUL, lua.OP_DIV, lua.OP_MOD, lua.OP_POW:
		t.read(b, c)
		t.binary(opAdd+opcode(w.op()-lua.OP_ADD)*3, ra, b, c)
		t.wrote(a)
	case lua.OP_CONCAT:
		t.readFrom(0)
		t.slow()
		t.wrote(a)
	case lua.OP_UNM, lua.OP_NOT, lua.OP_LEN:
		t.read(b)
		switch {
		case isConstant(b):
			t.slow()
		case w.op() == lua.OP_UNM:
			t.emit(opUnm, ra, offset(b), 0)
		case w.op() == lua.OP_NOT:
			t.emit(opNot, ra, offset(b), 0)
		default:
			t.emit(opLen, ra, offset(b), 0)
		}
		t.wrote(a)
	case lua.OP_JMP:
		t.emit(opJmp, 0, 0, 0)
		t.jumpTo(pc + 1 + w.sbx())
	case lua.OP_EQ, lua.OP_LT, lua.OP_LE:
		t.read(b, c)
		t.compare(w.op(), a, b, c)
	case lua.OP_TEST:
		t.read(a)
		t.branch(t.emit(opTest, ra, 0, 0), c == 0, true)
	case lua.OP_TESTSET:
		t.read(b)
		// The register is written where the jump is not skipped.
		t.branch(t.emit(opTestSet, ra, 0, offset(b)), c == 0, !t.captured[a])
		t.wrote(a)
	case lua.OP_CALL:
		t.readFrom(a)
		in := t.emit(opCall, a, b, c)
		in.flag = t.readsField(pc+1, a)
		t.withSite(in)
		t.wroteFrom(a)
	case lua.OP_TAILCALL:
		t.readFrom(a)
		t.withSite(t.emit(opTailCall, a, b, 0))
	case lua.OP_RETURN:
		t.readFrom(a)
		if b == 0 && pc > 0 { // of "return (f())" gopher-lua returns what is below the top, which a call of one result sets
			if call := word(t.proto.Code[pc-1]); call.op() == lua.OP_CALL && call.c() != 0 {
				b = call.c()
			}
		}
		t.emit(opReturn, a, b, 0)
	case lua.OP_FORLOOP:
		op := opForLoop
		if t.captured[a+3] {
			op = opForLoopBox
		}
		t.emit(op, ra, 0, a)
		t.jumpTo(pc + 1 + w.sbx())
	case lua.OP_FORPREP:
		t.read(a, a+2)
		t.emit(opForPrep, ra, 0, 0)
		t.jumpTo(pc + 1 + w.sbx())
	case lua.OP_TFORLOOP:
		t.withSite(t.emit(opTForCall, a, c, 0))
		t.wroteFrom(a + 3)
		pc++
		t.emit(opTForTest, offset(a), 0, 0)
		t.jumpTo(pc + 1 + word(t.proto.Code[pc]).sbx())
		t.code.start[pc] = int32(len(t.code.ins))
	case lua.OP_SETLIST:
		t.readFrom(a)
		n := c
		if c == 0 {
			pc++
			n = int(t.proto.Code[pc])
			t.code.start[pc] = int32(len(t.code.ins))
		}
		t.emit(opSetList, a, b, (n-1)*lua.FieldsPerFlush)
	case lua.OP_CLOSE:
		t.emit(opClose, a, 0, 0)
	case lua.OP_CLOSURE:
		t.emit(opClosure, ra, w.bx(), pc+1)
		t.wrote(a)
		for range int(t.proto.FunctionPrototypes[w.bx()].NumUpvalues) {
			pc++
			t.code.start[pc] = int32(len(t.code.ins))
		}
	case lua.OP_VARARG:
		t.emit(opVararg, a, b, 0)
		t.wroteFrom(a)
	case lua.OP_NOP:
		t.emit(opNop, 0, 0, 0)
	default:
		panic(fmt.Sprintf("interp: unknown instruction %d", w.op()))
	}
	return pc + 1
}

// useOf makes room for the registers that an instruction names.
func (t *translator) useOf(w word) {
	a, b, c := w.a(), w.b(), w.c()
	switch w.op() {
	case lua.OP_LOADK, lua.OP_GETGLOBAL, lua.OP_SETGLOBAL, lua.OP_GETUPVAL, lua.OP_SETUPVAL, lua.OP_LOADBOOL,
		lua.OP_NEWTABLE, lua.OP_CLOSURE, lua.OP_TEST, lua.OP_CLOSE:
		t.use(a)
	case lua.OP_TAILCALL:
		t.use(a + max(b-1, 0))
	case lua.OP_RETURN, lua.OP_VARARG:
		t.use(a + max(b-2, 0))
	case lua.OP_SETLIST:
		t.use(a + b)
	case lua.OP_FORLOOP, lua.OP_FORPREP:
		t.use(a + 3)
	case lua.OP_TFORLOOP:
		t.use(a+5, a+2+c)
	case lua.OP_SELF:
		t.use(a+1, b, c)
	case lua.OP_EQ, lua.OP_LT, lua.OP_LE:
		t.use(b, c)
	case lua.OP_JMP, lua.OP_NOP:
	case lua.OP_CALL: // gopher-lua has counted those of its results; others have put its arguments there
	case lua.OP_MOVEN:
		t.use(a, b)
		for i := range c {
			m := word(t.proto.Code[t.pc+1+i])
			t.use(m.a(), m.b())
		}
	case lua.OP_MOVE, lua.OP_LOADNIL, lua.OP_NOT, lua.OP_UNM, lua.OP_LEN, lua.OP_TESTSET:
		t.use(a, b)
	default:
		t.use(a, b, c)
	}
}

// moves translates a MOVEN as one instruction. A MOVEN also executes the n moves behind it. gopher-lua's optimizer
// makes it of consecutive moves, even if a jump leads to one of them; then that one and those behind it are
// instructions of their own, too.
func (t *translator) moves(a, b, n int) (last int) {
	t.move(a, b)
	from, last := t.pc+1, t.pc+n
	target := false
	for pc := from; pc <= last; pc++ {
		w := word(t.proto.Code[pc])
		t.move(w.a(), w.b())
		target = target || t.targets[pc]
	}
	if !target {
		return last
	}
	t.emit(opJmp, 0, 0, 0)
	t.jumpTo(last + 1)
	for t.pc = from; t.pc <= last; t.pc++ {
		t.code.start[t.pc] = int32(len(t.code.ins))
		t.begin()
		w := word(t.proto.Code[t.pc])
		t.move(w.a(), w.b())
	}
	t.pc = from - 1
	return last
}

// readsField reports whether the instruction at pc replaces the value in a register by a field of it, so that
// nothing else sees that value.
func (t *translator) readsField(pc, register int) bool {
	w := word(t.proto.Code[pc])
	return w.op() == lua.OP_GETTABLEKS && w.a() == register && w.b() == register && !t.targets[pc] && !t.captured[register]
}

// findTargets finds the instructions to which jumps lead.
func (t *translator) findTargets() {
	t.targets = make([]bool, len(t.proto.Code)+2)
	for pc, c := range t.proto.Code { // data words may look like jumps and add targets, which is harmless
		switch w := word(c); w.op() {
		case lua.OP_JMP, lua.OP_FORLOOP, lua.OP_FORPREP:
			if target := pc + 1 + w.sbx(); target >= 0 && target < len(t.targets) {
				t.targets[target] = true
			}
		case lua.OP_EQ, lua.OP_LT, lua.OP_LE, lua.OP_TEST, lua.OP_TESTSET, lua.OP_LOADBOOL:
			t.targets[pc+2] = true
		}
	}
}

// move emits a copy of register b to register a.
func (t *translator) move(a, b int) {
	t.read(b)
	t.emit(opMove, offset(a), offset(b), 0)
	t.wrote(a)
}

// slow leaves an instruction to gopher-lua. The instruction must not jump, call a Lua function in this frame, or
// make a function.
func (t *translator) slow() { t.emit(opSlow, 0, 0, 0) }

// isString reports whether an operand that is a constant is a string.
func (t *translator) isString(rk int) bool {
	_, ok := t.proto.Constants[rk&^constantBit].(lua.LString)
	return ok
}

// isNumber reports whether an operand is a register, or a constant that is a number.
func (t *translator) isNumber(rk int) bool {
	if !isConstant(rk) {
		return true
	}
	_, ok := t.proto.Constants[rk&^constantBit].(lua.LNumber)
	return ok
}

// binary emits arithmetic. op is the form for two registers; the forms for a
// constant on the right and on the left follow it.
func (t *translator) binary(op opcode, ra, b, c int) {
	switch {
	case isConstant(b) && isConstant(c), !t.isNumber(b), !t.isNumber(c):
		t.slow()
	case isConstant(c):
		t.emit(op+1, ra, offset(b), rk(c))
	case isConstant(b):
		t.emit(op+2, ra, rk(b), offset(c))
	default:
		t.emit(op, ra, offset(b), offset(c))
	}
}

// compare emits a comparison of the operands a and c.
func (t *translator) compare(op, a, b, c int) {
	var in *instruction
	switch {
	case op == lua.OP_EQ && isConstant(b) && isConstant(c):
		t.slow()
		return
	case op == lua.OP_EQ && isConstant(b):
		in = t.emit(opEqK, rk(c), 0, rk(b))
	case op == lua.OP_EQ && isConstant(c):
		in = t.emit(opEqK, rk(b), 0, rk(c))
	case op == lua.OP_EQ:
		in = t.emit(opEq, offset(b), 0, offset(c))
	case isConstant(b) && isConstant(c), !t.isNumber(b), !t.isNumber(c):
		t.slow()
		return
	default:
		form := opLt
		if op == lua.OP_LE {
			form = opLe
		}
		switch {
		case isConstant(c):
			form++
		case isConstant(b):
			form += 2
		}
		in = t.emit(form, rk(b), 0, rk(c))
	}
	t.branch(in, a != 0, true)
}
