package sandbox

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// This file finds out how the source calls a value in a register: local "hp", field "target", global "x". Error
// messages use it (text.go). It works backwards through the instructions of the compiled function, with the scopes
// that layout.go has derived from the syntax. It runs only when an error occurs.

// local is one local variable of a function, with its register. gopher-lua's own debug information ends the scope
// of the wrong variable, so layout.go derives the scopes from the syntax; only the first instruction is taken from
// gopher-lua.
type local struct {
	name    string
	reg     int
	startPc int // the first instruction that may use it
	last    int // the last line of its block
	until   int // the local after it that is the first to be declared when its block is over
}

// function is what error messages need to know about a compiled function.
type function struct {
	name   string // as it was defined; empty if it has no name
	main   bool
	line   int
	locals []local
	kids   []*function
}

// local returns the name of the variable in a register at pc, if there is one.
func (fn *function) local(p *lua.FunctionProto, pc, reg int) (string, bool) {
	l := fn.localAt(p, pc, reg)
	if l == nil || isHidden(l.name) {
		return "", false
	}
	return syntax.SourceName(l.name), true
}

// localAt returns the variable in a register at pc; nil if there is none.
func (fn *function) localAt(p *lua.FunctionProto, pc, reg int) *local {
	if fn == nil || pc < 0 || pc >= len(p.DbgSourcePositions) {
		return nil
	}
	line, best := p.DbgSourcePositions[pc], -1
	for i, l := range fn.locals {
		if over := l.until < len(fn.locals) && fn.locals[l.until].startPc <= pc; over {
			continue // a pass may put the same lines into a file twice
		}
		if l.reg == reg && l.startPc <= pc && line <= l.last && (best < 0 || l.startPc >= fn.locals[best].startPc) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return &fn.locals[best]
}

// isHidden reports whether a name was made by a repair, or by gopher-lua, as "(for …)" is: messages do not show
// it.
func isHidden(name string) bool { return name == "" || name[0] == 0 || name[0] == '(' }

// A naming says how the source calls a value. The zero naming means that there is no certain name.
type naming struct{ kind, name string }

// String returns `local "hp"`, `field "target"`, `global "x"`, `method "foo"` or `result of "get"`; "" for the
// zero naming.
func (n naming) String() string {
	if n.name == "" {
		return ""
	}
	return fmt.Sprintf("%s %q", n.kind, n.name)
}

// nameOf returns how the source calls the value in a register just before pc.
func (s *State) nameOf(p *lua.FunctionProto, pc, reg int) naming {
	kind, name := s.origin(p, pc, reg, 0)
	if name == "" || isHidden(name) {
		return naming{}
	}
	return naming{kind, syntax.CutName(name)}
}

// origin searches backwards from pc for the instruction that filled the register. It gives up at a jump or the
// target of one, because there may be several such instructions.
func (s *State) origin(p *lua.FunctionProto, pc, reg, depth int) (kind, name string) {
	if n, ok := s.infoOf(p).local(p, pc, reg); ok {
		return "local", n
	}
	if depth > 8 {
		return "", ""
	}
	from, kind, name := s.writer(p, pc, reg, depth)
	if name == "" || jumpsInto(p, from, pc) {
		return "", ""
	}
	return kind, name
}

// jumpsInto reports whether a jump skips the instruction at from but not the one at to.
func jumpsInto(p *lua.FunctionProto, from, to int) bool {
	for i, code := range p.Code {
		in := instruction(code)
		switch in.op() {
		case lua.OP_JMP, lua.OP_FORLOOP, lua.OP_FORPREP:
			if target := i + 1 + in.bx() - maxSbx; from < target && target <= to && (i < from || i > to) {
				return true
			}
		}
	}
	return false
}

// writer returns the last instruction before pc that fills the register, and what it fills it with.
func (s *State) writer(p *lua.FunctionProto, pc, reg, depth int) (from int, kind, name string) {
	for i := pc - 1; i >= 0; i-- {
		in := instruction(p.Code[i])
		if captures(p, i) {
			continue
		}
		a := in.a()
		switch in.op() {
		case lua.OP_JMP, lua.OP_TEST, lua.OP_EQ, lua.OP_LT, lua.OP_LE,
			lua.OP_FORLOOP, lua.OP_FORPREP, lua.OP_TFORLOOP, lua.OP_TESTSET:
			return i, "", ""
		case lua.OP_MOVE, lua.OP_MOVEN:
			if a == reg {
				kind, name = s.origin(p, i, in.b(), depth+1)
				return i, kind, name
			}
		case lua.OP_GETGLOBAL:
			if a == reg {
				return i, "global", constant(p, in.bx())
			}
		case lua.OP_GETUPVAL:
			if a == reg {
				if in.b() < len(p.DbgUpvalues) {
					return i, "local", syntax.SourceName(p.DbgUpvalues[in.b()])
				}
				return i, "", ""
			}
		case lua.OP_GETTABLE, lua.OP_GETTABLEKS:
			if a == reg && s.readsHolder(p, i, in.b()) {
				return i, "local", syntax.SourceName(s.keyName(p, i, in.c()))
			}
			if a == reg {
				return i, "field", s.keyName(p, i, in.c())
			}
		case lua.OP_SELF:
			if a == reg {
				return i, "method", s.keyName(p, i, in.c())
			}
			if a+1 == reg {
				kind, name = s.origin(p, i, in.b(), depth+1)
				return i, kind, name
			}
		case lua.OP_CALL:
			if a == reg {
				if _, n := s.origin(p, i, a, depth+1); !isHidden(n) {
					return i, "result of", n
				}
				return i, "", ""
			}
			if reg > a {
				return i, "", "" // a further result, or what the call left behind
			}
		case lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_SETLIST,
			lua.OP_CLOSE, lua.OP_RETURN, lua.OP_NOP:
		case lua.OP_LOADNIL:
			if a <= reg && reg <= in.b() {
				return i, "", ""
			}
		case lua.OP_VARARG:
			if reg >= a {
				return i, "", ""
			}
		default:
			if a == reg {
				return i, "", ""
			}
		}
	}
	return 0, "", ""
}

// readsHolder reports whether a register has a holder of spilled variables (spill.go) at pc.
func (s *State) readsHolder(p *lua.FunctionProto, pc, reg int) bool {
	if fn := s.infoOf(p); fn != nil {
		if l := fn.localAt(p, pc, reg); l != nil {
			return isHolder(l.name)
		}
	}
	if pc == 0 {
		return false
	}
	in := instruction(p.Code[pc-1])
	return in.op() == lua.OP_GETUPVAL && in.a() == reg && in.b() < len(p.DbgUpvalues) && isHolder(p.DbgUpvalues[in.b()])
}

// captures reports whether the word at pc is not an instruction, but one of the upvalues listed after an
// OP_CLOSURE.
func captures(p *lua.FunctionProto, pc int) bool {
	if op := instruction(p.Code[pc]).op(); op != lua.OP_MOVE && op != lua.OP_GETUPVAL {
		return false
	}
	for i := pc - 1; i >= 0 && i >= pc-256; i-- {
		in := instruction(p.Code[i])
		switch in.op() {
		case lua.OP_MOVE, lua.OP_GETUPVAL:
		case lua.OP_CLOSURE:
			n := in.bx()
			return n < len(p.FunctionPrototypes) && pc <= i+int(p.FunctionPrototypes[n].NumUpvalues)
		default:
			return false
		}
	}
	return false
}

// keyName returns the key of an index operation if it is a constant, "" otherwise.
func (s *State) keyName(p *lua.FunctionProto, pc, rk int) string {
	if rk&0x100 != 0 {
		return constant(p, rk&0xff)
	}
	if _, ok := s.infoOf(p).local(p, pc, rk); ok {
		return ""
	}
	for i := pc - 1; i >= 0 && i >= pc-2; i-- { // a constant beyond the 256th was loaded just before
		if in := instruction(p.Code[i]); in.op() == lua.OP_LOADK && in.a() == rk {
			return constant(p, in.bx())
		}
	}
	return ""
}

// constant returns a string constant of p, or a number constant as text.
func constant(p *lua.FunctionProto, i int) string {
	if i >= len(p.Constants) {
		return ""
	}
	switch v := p.Constants[i].(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return NumberText(float64(v))
	}
	return ""
}

// nameRK is nameOf for an operand that may be a constant; a constant has no name.
func (s *State) nameRK(p *lua.FunctionProto, pc, rk int) naming {
	if rk&0x100 != 0 {
		return naming{}
	}
	return s.nameOf(p, pc, rk)
}

// functionOf returns what the traceback says about the function of a frame: its kind, and the name in its
// definition or else the one that its caller used. The name is "" unless the kind is NamedFunction.
func (s *State) functionOf(f *callFrame) (kind FrameKind, name string) {
	fn := s.infoOf(f.Fn.Proto)
	switch {
	case fn != nil && fn.name != "":
		return NamedFunction, syntax.CutName(fn.name)
	case fn != nil && fn.main:
		return MainChunk, ""
	}
	if name := s.calledAs(f); name != "" {
		return NamedFunction, syntax.CutName(name)
	}
	return AnonymousFunction, ""
}

// calledAs returns the name by which the caller of f called it, "" if there is none.
func (s *State) calledAs(f *callFrame) string {
	up := f.Parent
	if up == nil || f.TailCall > 0 || up.Fn.Proto == launcher {
		return ""
	}
	in, pc, ok := up.instr()
	if !ok || in.op() != lua.OP_CALL && in.op() != lua.OP_TAILCALL {
		return ""
	}
	_, name := s.origin(up.Fn.Proto, pc, in.a(), 0)
	if isHidden(name) {
		return ""
	}
	return name
}

// calledAsMethod reports whether f was called as object:name().
func (s *State) calledAsMethod(f *callFrame) bool {
	if f.Parent == nil {
		return false
	}
	in, pc, ok := f.Parent.instr()
	if !ok || in.op() != lua.OP_CALL && in.op() != lua.OP_TAILCALL {
		return false
	}
	kind, _ := s.origin(f.Parent.Fn.Proto, pc, in.a(), 0)
	return kind == "method"
}

// registerValue returns a register of the frame in which L is.
func registerValue(L *lua.LState, reg int) lua.LValue {
	dbg, ok := L.GetStack(0)
	if !ok {
		return lua.LNil
	}
	name, v := L.GetLocal(dbg, reg+1)
	if name == "" || v == nil {
		return lua.LNil
	}
	return v
}

// withName adds a name in parentheses to a message.
func withName(text string, n naming) string {
	if n.name == "" {
		return text
	}
	return text + " (" + n.String() + ")"
}
