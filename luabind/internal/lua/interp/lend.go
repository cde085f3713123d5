package interp

import (
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// When a read of stored data may be frozen: where a script cannot tell the result from a table of its own. That is
// so if the code does not change the result, compare it, keep it, or pass it on, nor does any of that with a table
// that it reads from the result. For each read this file finds how many steps below its result the first such use
// is:
//
//	local n = #bag.items                  never
//	print(bag.items[1].kind)              2: what is passed on was read from bag.items in two steps
//	local first = bag.items[1] f(first)   1
//	local items = bag.items f(items)      0
//
// A value that was read in d steps is not a table if the data has at most d levels. So data may be frozen if it has
// at most as many levels as that number says.

// never is the depth for a read without such a use.
const never = 100

// mostLooks bounds the work for a function, in instructions that are looked at. The depth of further reads counts
// as 0.
const mostLooks = 300_000

// A lender finds the depths for the reads of one function.
type lender struct {
	t      *translator
	known  map[int]int // by the pc of a read
	looked int
}

// lend finds the depths for all reads of a function.
func (t *translator) lend() {
	if t.machine.Without.Has(without.Lend) {
		return
	}
	l := &lender{t: t, known: map[int]int{}}
	for i := range t.code.ins {
		switch in := &t.code.ins[i]; in.op {
		case opGetField, opGetTable, opGetTableK:
			clear(l.known) // what was found inside a cycle holds for the read that led there only
			t.code.sites[in.site].field.lends = uint8(min(l.read(int(in.pc)), never))
		}
	}
}

// read returns the depth for the result of the read at pc.
func (l *lender) read(pc int) int {
	if d, ok := l.known[pc]; ok {
		return d
	}
	l.known[pc] = never // of a loop that goes deeper with each turn
	d := l.value(pc+1, word(l.t.proto.Code[pc]).a())
	l.known[pc] = d
	return d
}

// value returns the depth for the value that a register holds before pc.
func (l *lender) value(pc, register int) int {
	if l.t.captured[register] {
		return 0
	}
	depth := never
	seen := make([]bool, len(l.t.proto.Code))
	open := []int{pc}
	for len(open) > 0 && depth > 0 {
		pc := open[len(open)-1]
		open = open[:len(open)-1]
		if pc >= len(l.t.proto.Code) || seen[pc] {
			continue
		}
		seen[pc] = true
		if l.looked++; l.looked > mostLooks {
			return 0
		}
		use, gone := l.use(pc, register)
		depth = min(depth, use)
		if !gone {
			open = append(open, l.after(pc)...)
		}
	}
	return depth
}

// use returns the depth for what the instruction at pc does with a register, and whether the register has another
// value afterwards.
func (l *lender) use(pc, register int) (depth int, gone bool) {
	w := word(l.t.proto.Code[pc])
	a, b, c := w.a(), w.b(), w.c()
	is := func(registers ...int) int {
		for _, r := range registers {
			if r == register {
				return 0
			}
		}
		return never
	}
	switch w.op() {
	case lua.OP_MOVE, lua.OP_MOVEN: // the other moves of MOVEN follow it
		switch {
		case b != register:
			return never, a == register
		case a == register:
			return never, false // a or b moves its value to where it is
		}
		return l.moved(pc, a), false
	case lua.OP_GETTABLE, lua.OP_GETTABLEKS:
		depth = is(c)
		if b == register {
			depth = min(depth, 1+l.read(pc))
		}
		return depth, a == register
	case lua.OP_LEN, lua.OP_NOT, lua.OP_LOADK, lua.OP_LOADBOOL, lua.OP_GETUPVAL, lua.OP_GETGLOBAL, lua.OP_NEWTABLE, lua.OP_CLOSURE:
		return never, a == register
	case lua.OP_TEST, lua.OP_JMP, lua.OP_NOP, lua.OP_CLOSE:
		return never, false
	case lua.OP_EQ:
		if isConstant(b) || isConstant(c) {
			return never, false
		}
		return is(b, c), false
	case lua.OP_LT, lua.OP_LE:
		return is(b, c), false
	case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
		return is(a, b, c), false
	case lua.OP_SETGLOBAL, lua.OP_SETUPVAL:
		return is(a), false
	case lua.OP_ADD, lua.OP_SUB, lua.OP_MUL, lua.OP_DIV, lua.OP_MOD, lua.OP_POW:
		return is(b, c), a == register
	case lua.OP_UNM:
		return is(b), a == register
	case lua.OP_LOADNIL:
		return never, a <= register && register <= b
	case lua.OP_CONCAT:
		if b <= register && register <= c {
			return 0, true
		}
		return never, a == register
	case lua.OP_SELF:
		return is(b), a == register || a+1 == register
	case lua.OP_CALL:
		switch {
		case register < a:
			return never, false
		case b > 0 && register > a+b-1:
			return never, true
		case register == a+1 && b == 2:
			return l.argument(pc), true
		}
		return 0, true
	case lua.OP_RETURN:
		if register < a || b > 0 && register > a+b-2 {
			return never, true
		}
		return 0, true
	case lua.OP_TFORLOOP:
		switch {
		case register < a:
			return never, false
		case register > a+2:
			return never, true
		}
		return 0, true
	case lua.OP_FORLOOP, lua.OP_FORPREP:
		switch {
		case register < a || register > a+3:
			return never, false
		case register == a+3:
			return never, true
		}
		return 0, true
	case lua.OP_TAILCALL, lua.OP_VARARG, lua.OP_SETLIST:
		if register < a {
			return never, false
		}
		return 0, true
	}
	return 0, true
}

// moved returns the depth for a copy of a register.
func (l *lender) moved(pc, to int) int {
	if d, ok := l.known[pc]; ok {
		return d
	}
	l.known[pc] = never
	d := l.value(pc+1, to)
	l.known[pc] = d
	return d
}

// argument returns the depth for the only argument of a call, assuming that the call is one of pairs, ipairs or #.
func (l *lender) argument(pc int) int {
	code := l.t.proto.Code
	a := word(code[pc]).a()
	switch name := l.callee(pc, a); {
	case name == lengthName:
		return never
	case name != "pairs" && name != "ipairs", word(code[pc]).c() != 4, pc+1 >= len(code):
		return 0
	}
	jump := word(code[pc+1])
	if jump.op() != lua.OP_JMP {
		return 0
	}
	at := pc + 2 + jump.sbx()
	if at < 0 || at+1 >= len(code) {
		return 0
	}
	loop := word(code[at])
	if loop.op() != lua.OP_TFORLOOP || loop.a() != a {
		return 0
	}
	if loop.c() < 2 {
		return never // there is no variable for the value
	}
	return 1 + l.value(at+2+word(code[at+1]).sbx(), a+4)
}

// lengthName is the name that the sandbox gives to the function for # in #t + 1.
const lengthName = "\x00len"

// callee returns the name of the function that was put into a register before pc; "" if it is not known.
func (l *lender) callee(pc, register int) string {
	p := l.t.proto
	for i := pc - 1; i >= 0; i-- {
		w := word(p.Code[i])
		if w.a() != register {
			continue
		}
		switch w.op() {
		case lua.OP_GETGLOBAL:
			if name, ok := p.Constants[w.bx()].(lua.LString); ok {
				return string(name)
			}
		case lua.OP_GETUPVAL:
			if w.b() < len(p.DbgUpvalues) {
				return p.DbgUpvalues[w.b()]
			}
		case lua.OP_JMP, lua.OP_CLOSE, lua.OP_TEST, lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_EQ, lua.OP_LT, lua.OP_LE, lua.OP_NOP:
			continue // its A is no register that it writes
		}
		return ""
	}
	return ""
}

// after returns the instructions that may follow the one at pc.
func (l *lender) after(pc int) []int {
	w := word(l.t.proto.Code[pc])
	switch w.op() {
	case lua.OP_JMP:
		return []int{pc + 1 + w.sbx()}
	case lua.OP_FORLOOP, lua.OP_FORPREP:
		return []int{pc + 1, pc + 1 + w.sbx()}
	case lua.OP_EQ, lua.OP_LT, lua.OP_LE, lua.OP_TEST, lua.OP_TFORLOOP:
		return []int{pc + 1, pc + 2}
	case lua.OP_LOADBOOL:
		if w.c() != 0 {
			return []int{pc + 2}
		}
	case lua.OP_SETLIST:
		if w.c() == 0 {
			return []int{pc + 2}
		}
	case lua.OP_CLOSURE:
		return []int{pc + 1 + int(l.t.proto.FunctionPrototypes[w.bx()].NumUpvalues)}
	}
	return []int{pc + 1}
}
