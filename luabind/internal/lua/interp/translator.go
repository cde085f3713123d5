package interp

import (
	lua "github.com/yuin/gopher-lua"
)

// The translator keeps what is known of a function while its instructions are translated (translate.go): where each one begins, which
// registers hold numbers, and which jumps are still open.

// A word is an encoded instruction of gopher-lua.
type word uint32

func (w word) op() int { return int(w >> 26) }

func (w word) a() int { return int(w>>18) & 0xff }

func (w word) b() int { return int(w & 0x1ff) }

func (w word) c() int { return int(w>>9) & 0x1ff }

func (w word) bx() int { return int(w & 0x3ffff) }

func (w word) sbx() int { return w.bx() - (1<<17 - 1) }

const constantBit = 0x100

// isConstant reports whether an operand of gopher-lua is a constant and not a register.
func isConstant(rk int) bool { return rk&constantBit != 0 }

// A translator makes the code of one function.
type translator struct {
	machine  *Machine
	proto    *lua.FunctionProto
	code     *code
	captured [256]bool
	targets  []bool // by pc
	jumps    []jump
	shaped   map[int]shapedStep // by pc
	fields   []fieldStep        // by pc
	pc       int

	constructs []bool // by pc: see ConstructorStores

	lastNames []lua.LValue // of the newest layout

	first bool // the next instruction to be emitted is the one that the budget counts

	jumpList   [][2]int // see findJumps
	jumpsTo    [][2]int // the same, sorted by target
	jumpsKnown bool
}

// A jump is an instruction that still needs the target of its jump.
type jump struct {
	at     int // index in code.ins
	target int // pc
	passed int // number of counted instructions that the jump executes: its own, and for a comparison the jump behind it
}

// translate makes the code of a function. careful says that it asks the budget before each instruction.
func (m *Machine) translate(p *lua.FunctionProto, careful bool) *code {
	t := &translator{machine: m, proto: p, code: &code{
		proto:     p,
		size:      max(int(p.NumUsedRegisters), 1), // use may find more
		params:    int(p.NumParameters),
		vararg:    p.IsVarArg&lua.VarArgIsVarArg != 0,
		needsArg:  p.IsVarArg&lua.VarArgNeedsArg != 0,
		isCareful: careful,
	}}
	t.code.ins, t.code.constants = make([]instruction, 0, len(p.Code)+len(p.Code)/8+4), make([]Value, 0, len(p.Constants))
	for _, k := range p.Constants {
		t.code.constants = append(t.code.constants, withHash(Of(m.shared(k))))
	}
	t.constructs = ConstructorStores(p)
	t.findCaptured()
	t.findTargets()
	t.findShapes()
	t.findFieldNames()
	t.code.start = make([]int32, len(p.Code)+1)
	for t.pc = 0; t.pc < len(p.Code); {
		t.code.start[t.pc] = int32(len(t.code.ins))
		t.begin()
		t.useOf(word(p.Code[t.pc]))
		if step, ok := t.shaped[t.pc]; ok {
			t.shapedInstruction(word(p.Code[t.pc]), step)
			t.pc++
			continue
		}
		if step := t.fields[t.pc]; step.is {
			t.fieldInstruction(word(p.Code[t.pc]), step)
			t.pc++
			continue
		}
		t.pc = t.instruction(word(p.Code[t.pc]))
	}
	t.code.start[len(p.Code)] = int32(len(t.code.ins))
	t.first = false
	t.emit(opNop, 0, 0, 0) // never executed: a pointer behind the last instruction still points into the code
	for _, j := range t.jumps {
		in := &t.code.ins[j.at]
		to := t.code.start[j.target]
		in.b = (to - int32(j.at)) * int32(instructionSize)
		in.add = t.code.ins[to].before - in.before - int32(j.passed)
	}
	if t.code.clears = t.code.size; writesFirst(p) {
		t.code.clears = t.code.params
	}
	if m.Paths != nil {
		t.code.mark(m.Paths(p))
	}
	return t.code
}

// shared returns a constant. Equal strings of all functions become one value, so that comparing addresses tells
// that they are equal.
func (m *Machine) shared(k lua.LValue) lua.LValue {
	text, ok := k.(lua.LString)
	if !ok {
		return k
	}
	v := m.texts[string(text)]
	if v == nil {
		v = k
		m.texts[string(text)] = v
	}
	return v
}

// begin begins an instruction of gopher-lua, which the budget counts.
func (t *translator) begin() {
	if t.code.isCareful {
		t.first = false
		t.emit(opCheck, 0, 0, 0)
	}
	t.first = true
}

// findCaptured finds the registers that functions made here capture.
func (t *translator) findCaptured() {
	code := t.proto.Code
	for pc := 0; pc < len(code); pc++ {
		w := word(code[pc])
		switch w.op() {
		case lua.OP_MOVEN:
			pc += w.c()
		case lua.OP_SETLIST:
			if w.c() == 0 {
				pc++
			}
		case lua.OP_CLOSURE:
			for range int(t.proto.FunctionPrototypes[w.bx()].NumUpvalues) {
				pc++
				if c := word(code[pc]); c.op() == lua.OP_MOVE {
					t.use(c.b())
					t.captured[c.b()] = true
					t.code.captures = true
				}
			}
		}
	}
}

// use makes room for registers that an instruction names. gopher-lua's NumUsedRegisters may be too small, because
// gopher-lua's registers grow when needed.
func (t *translator) use(registers ...int) {
	for _, r := range registers {
		if !isConstant(r) {
			t.code.size = max(t.code.size, r+1)
		}
	}
}

// emit appends an instruction. The first one that is made of an instruction of gopher-lua is counted; the others
// are steps.
func (t *translator) emit(op opcode, a, b, c int) *instruction {
	t.code.ins = append(t.code.ins, instruction{
		op: op, step: !t.first, a: int32(a), b: int32(b), c: int32(c), site: -1, before: int32(t.code.counted), pc: int32(t.pc),
	})
	if t.first {
		t.code.counted++
	}
	t.first = false
	return &t.code.ins[len(t.code.ins)-1]
}

// withSite gives an instruction a site of its own.
func (t *translator) withSite(in *instruction) {
	in.site = int32(len(t.code.sites))
	t.code.sites = append(t.code.sites, site{})
}

// stores is withSite for an assignment to a table. Its flag says that it stores an entry of a constructor.
func (t *translator) stores(in *instruction) {
	in.flag = t.constructs[t.pc]
	t.withSite(in)
}

// jumpTo makes the newest instruction jump to a pc.
func (t *translator) jumpTo(target int) {
	at := len(t.code.ins) - 1
	passed := 1
	if t.code.ins[at].step {
		passed = 0
	}
	t.jumps = append(t.jumps, jump{at, target, passed})
}

// branch completes a comparison or test. In gopher-lua it skips the jump behind it. Here it goes to the target of
// that jump if its result is flag, otherwise behind the jump. If direct is not set, and in careful code, the jump
// stays an instruction.
func (t *translator) branch(in *instruction, flag, direct bool) {
	jmp := word(t.proto.Code[t.pc+1]) // or OP_NOP, which gopher-lua makes of a jump to the next instruction
	in.flag = flag
	behind := 2 // instructions up to the one behind the jump
	if !direct {
		behind++ // opStoreBox
	}
	if t.code.isCareful {
		behind++ // opCheck
	}
	in.site = int32(behind) * int32(instructionSize)
	if direct && jmp.op() == lua.OP_JMP && !t.code.isCareful {
		t.jumps = append(t.jumps, jump{len(t.code.ins) - 1, t.pc + 2 + jmp.sbx(), 2})
		return
	}
	in.b = int32(instructionSize)
}

// offset returns the offset of a register in bytes.
func offset(register int) int { return register * int(valueSize) }

// rk returns the offset of an operand that is a register or a constant.
func rk(x int) int {
	if isConstant(x) {
		return offset(x &^ constantBit)
	}
	return offset(x)
}

// read emits what makes captured registers current, before an instruction that reads them.
func (t *translator) read(registers ...int) {
	for _, r := range registers {
		if !isConstant(r) && t.captured[r] {
			first := t.first
			t.first = false
			t.emit(opLoadBox, offset(r), r, 0)
			t.first = first
		}
	}
}

// wrote emits what passes the value of a register on to the functions that have captured it, behind an instruction
// that writes it.
func (t *translator) wrote(register int) {
	if t.captured[register] {
		t.emit(opStoreBox, offset(register), register, 0)
	}
}

func (t *translator) readFrom(register int) {
	if t.capturesFrom(register) {
		first := t.first
		t.first = false
		t.emit(opLoadBoxes, register, 0, 0)
		t.first = first
	}
}

func (t *translator) wroteFrom(register int) {
	if t.capturesFrom(register) {
		t.emit(opStoreBoxes, register, 0, 0)
	}
}

// capturesFrom reports whether some register from one on is captured.
func (t *translator) capturesFrom(register int) bool {
	for r := register; r < len(t.captured); r++ {
		if t.captured[r] {
			return true
		}
	}
	return false
}
