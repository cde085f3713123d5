package interp

import lua "github.com/yuin/gopher-lua"

// Which registers of a function still matter at some place: those that code behind it may read before it writes them. The others hold
// values of loops and calls that are over. A suspended coroutine is saved without these.

// A registerSet is a set of registers.
type registerSet [4]uint64

func (s *registerSet) has(r int) bool { return r < 256 && s[r/64]&(1<<(r%64)) != 0 }

func (s *registerSet) add(rk int) {
	if !isConstant(rk) {
		s[rk/64] |= 1 << (rk % 64)
	}
}

func (s *registerSet) addFrom(first, last int) {
	for i := range s {
		s[i] |= wordBits(first-64*i, last-64*i)
	}
}

// without removes the registers from first to last.
func (s *registerSet) without(first, last int) {
	for i := range s {
		s[i] &^= wordBits(first-64*i, last-64*i)
	}
}

// wordBits returns a word whose bits from first to last are set, as far as it has them.
func wordBits(first, last int) uint64 {
	first, last = max(first, 0), min(last, 63)
	if first > last {
		return 0
	}
	return ^uint64(0) << first & (^uint64(0) >> (63 - last))
}

// join adds another set. It reports whether that changed s.
func (s *registerSet) join(o *registerSet) (changed bool) {
	for i := range s {
		if o[i]&^s[i] != 0 {
			s[i] |= o[i]
			changed = true
		}
	}
	return changed
}

// allRegisters is the number of the last register.
const allRegisters = 255

// liveness returns, by pc, the registers that are read from there on.
func liveness(p *lua.FunctionProto) []registerSet {
	live := make([]registerSet, len(p.Code)+3)
	begins := instructionsOf(p)
	for changed := true; changed; {
		changed = false
		for pc := len(p.Code) - 1; pc >= 0; pc-- {
			if !begins[pc] {
				continue
			}
			s := liveBehind(p, live, pc)
			reads(p, pc, &s)
			if live[pc].join(&s) {
				changed = true
			}
		}
	}
	return live
}

// mostAnalysed is the length of the largest function that writesFirst looks at.
const mostAnalysed = 1000

// writesFirst reports whether a function reads no register before it writes it, except for its parameters.
func writesFirst(p *lua.FunctionProto) bool {
	if len(p.Code) > mostAnalysed {
		return false
	}
	first := liveness(p)[0]
	first.without(0, int(p.NumParameters)-1)
	return first == registerSet{}
}

// instructionsOf reports, by pc, where instructions begin; the other words belong to the instruction before them.
func instructionsOf(p *lua.FunctionProto) []bool {
	begins := make([]bool, len(p.Code))
	for pc := 0; pc < len(p.Code); pc++ {
		begins[pc] = true
		switch w := word(p.Code[pc]); {
		case w.op() == lua.OP_CLOSURE:
			pc += int(p.FunctionPrototypes[w.bx()].NumUpvalues)
		case w.op() == lua.OP_SETLIST && w.c() == 0:
			pc++
		}
	}
	return begins
}

// liveBehind returns the registers that are read behind the instruction at pc, without those that it writes.
func liveBehind(p *lua.FunctionProto, live []registerSet, pc int) (s registerSet) {
	w := word(p.Code[pc])
	next := pc + 1
	switch w.op() {
	case lua.OP_RETURN, lua.OP_TAILCALL:
		return s
	case lua.OP_JMP, lua.OP_FORPREP:
		next = pc + 1 + w.sbx()
	case lua.OP_FORLOOP:
		s.join(&live[pc+1+w.sbx()])
	case lua.OP_TESTSET: // it writes where it does not skip the jump behind it
		s.join(&live[next])
		s.without(w.a(), w.a())
		next = pc + 2
	case lua.OP_EQ, lua.OP_LT, lua.OP_LE, lua.OP_TEST, lua.OP_TFORLOOP:
		s.join(&live[pc+2])
	case lua.OP_LOADBOOL:
		if w.c() != 0 {
			next = pc + 2
		}
	case lua.OP_SETLIST:
		if w.c() == 0 {
			next = pc + 2
		}
	case lua.OP_CLOSURE:
		next = pc + 1 + int(p.FunctionPrototypes[w.bx()].NumUpvalues)
	}
	if next >= 0 && next < len(live) {
		s.join(&live[next])
	}
	switch a := w.a(); w.op() {
	case lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_JMP, lua.OP_EQ, lua.OP_LT, lua.OP_LE, lua.OP_TEST,
		lua.OP_TESTSET, lua.OP_SETLIST, lua.OP_CLOSE, lua.OP_NOP, lua.OP_FORPREP:
	case lua.OP_LOADNIL:
		s.without(a, w.b())
	case lua.OP_SELF:
		s.without(a, a+1)
	case lua.OP_CALL, lua.OP_VARARG:
		if w.op() == lua.OP_VARARG && w.b() > 0 {
			s.without(a, a+w.b()-2)
		} else {
			s.without(a, allRegisters)
		}
	case lua.OP_TFORLOOP:
		s.without(a+3, allRegisters)
	case lua.OP_FORLOOP:
		s.without(a+3, a+3)
	default:
		s.without(a, a)
	}
	return s
}

// reads adds the registers that an instruction reads.
func reads(p *lua.FunctionProto, pc int, s *registerSet) {
	w := word(p.Code[pc])
	a, b, c := w.a(), w.b(), w.c()
	several := func(n int) { // n values from a on, or up to the last register
		if n < 0 {
			n = allRegisters
		}
		s.addFrom(a, a+n-1)
	}
	switch w.op() {
	case lua.OP_MOVE, lua.OP_MOVEN, lua.OP_NOT, lua.OP_TESTSET:
		s.add(b)
	case lua.OP_UNM, lua.OP_LEN:
		s.add(b)
	case lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_TEST:
		s.add(a)
	case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
		s.add(a)
		s.add(b)
		s.add(c)
	case lua.OP_GETTABLE, lua.OP_GETTABLEKS, lua.OP_SELF, lua.OP_EQ, lua.OP_LT, lua.OP_LE,
		lua.OP_ADD, lua.OP_SUB, lua.OP_MUL, lua.OP_DIV, lua.OP_MOD, lua.OP_POW:
		s.add(b)
		s.add(c)
	case lua.OP_CONCAT:
		s.addFrom(b, c)
	case lua.OP_CALL, lua.OP_TAILCALL:
		if b == 0 {
			several(-1)
		} else {
			several(b)
		}
	case lua.OP_RETURN:
		several(b - 1)
	case lua.OP_SETLIST:
		if b == 0 {
			several(-1)
		} else {
			several(b + 1)
		}
	case lua.OP_FORLOOP, lua.OP_TFORLOOP:
		several(3)
	case lua.OP_FORPREP:
		s.add(a)
		s.add(a + 1)
		s.add(a + 2)
	case lua.OP_CLOSURE:
		for i := range int(p.FunctionPrototypes[w.bx()].NumUpvalues) {
			if v := word(p.Code[pc+1+i]); v.op() == lua.OP_MOVE {
				s.add(v.b())
			}
		}
	}
}
