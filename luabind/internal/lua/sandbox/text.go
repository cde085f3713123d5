package sandbox

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// This file replaces the error texts of gopher-lua's VM by texts that name the variable, field or argument that
// was wrong. raise.go calls reword while the failing frame still exists; names.go and the Host supply the names.

const (
	overflowText = "stack overflow: too many calls within each other; does a function call itself without end?"
	valuesText   = "too many values at once: arguments, varargs or unpack"
)

// reword replaces gopher-lua's error texts by texts that name what was nil. L is where the error happened. A text
// that it does not know is returned unchanged.
func (s *State) reword(L *lua.LState, text string) string {
	switch text {
	case "stack overflow":
		return overflowText
	case "registry overflow":
		return valuesText
	case "too many recursions in gettable", "too many recursions in settable":
		return "__index or __newindex goes through more than 100 tables; does it lead back to itself?"
	}
	f := topFrame(L)
	if f == nil {
		if text == "attempt to call a non-function object" {
			return fmt.Sprintf("attempt to call a %s value", L.Get(1).Type())
		}
		return text
	}
	if rest, ok := strings.CutPrefix(text, "bad argument #"); ok {
		return s.badArgument(L, f, text, rest)
	}
	in, pc, ok := f.instr()
	if rest, cut := strings.CutPrefix(text, "attempt to index a non-table object("); cut {
		typ, key, _ := strings.Cut(rest, ") with key '")
		key = strings.TrimSuffix(key, "'")
		var name naming
		if ok {
			var reg int
			if name, reg = s.indexed(L, f.Fn.Proto, in, pc, typ); reg >= 0 {
				use := Indexed
				if in.op() == lua.OP_SELF {
					use = MethodCall
				}
				m := Mention{Value: registerValue(L, reg), Use: use, Name: name.name, Key: key}
				if m.Value == lua.LNil {
					if text := s.unprobed(f.Fn.Proto, pc, reg, "attempt to index a nil value"); text != "" {
						return text
					}
					if why := s.absent(f.Fn.Proto, pc, reg); why != "" {
						return withName("attempt to index a nil value", name) + "; " + why
					}
				}
				if s.described(m) {
					return s.mention("attempt to index a %s", m, name)
				}
			}
		}
		msg := fmt.Sprintf("attempt to index a %s value", typ)
		if name.name == "" && key != "" && !strings.HasPrefix(key, "table: 0x") && !strings.HasPrefix(key, "function: 0x") &&
			!strings.HasPrefix(key, "userdata: 0x") && !strings.HasPrefix(key, "thread: 0x") {
			return fmt.Sprintf("%s (looking for %q)", msg, syntax.CutName(key))
		}
		return withName(msg, name)
	}
	if !ok {
		return text
	}
	p := f.Fn.Proto
	switch {
	case text == "attempt to call a non-function object":
		return s.notCallable(L, p, in, pc)
	case strings.HasPrefix(text, "cannot perform "):
		return s.badArithmetic(L, p, in, pc, text)
	case text == "__unm undefined":
		return s.mention("attempt to perform arithmetic on a %s", Mention{Value: registerValue(L, in.b())}, s.nameRK(p, pc, in.b()))
	case text == "__len undefined":
		return s.mention("attempt to get length of a %s", Mention{Value: registerValue(L, in.b())}, s.nameRK(p, pc, in.b()))
	case strings.HasPrefix(text, "attempt to compare "):
		return s.badComparison(L, p, in, pc, text)
	case strings.HasPrefix(text, "for statement "):
		return badFor(L, in, text)
	case text == "table index is nil" || text == "table index is NaN":
		if in.op() == lua.OP_SETTABLE {
			return withName(text, s.nameRK(p, pc, in.b()))
		}
	}
	return text
}

// indexed names the object of an index operation, if it is the one that failed
// and not something behind its metatable. The register is -1 when it is not known.
func (s *State) indexed(L *lua.LState, p *lua.FunctionProto, in instruction, pc int, typ string) (name naming, reg int) {
	reg = in.b()
	switch in.op() {
	case lua.OP_GETTABLE, lua.OP_GETTABLEKS, lua.OP_SELF:
	case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
		reg = in.a()
	default:
		return naming{}, -1
	}
	if registerValue(L, reg).Type().String() != typ {
		return naming{}, -1
	}
	return s.nameOf(p, pc, reg), reg
}

func (s *State) notCallable(L *lua.LState, p *lua.FunctionProto, in instruction, pc int) string {
	v := registerValue(L, in.a())
	if in.op() == lua.OP_TFORLOOP {
		if v.Type() == lua.LTTable {
			return "attempt to loop over a table value; use pairs or ipairs"
		}
		if m := (Mention{Value: v, Use: LoopedOver}); s.described(m) {
			return s.mention("attempt to loop over a %s", m, naming{})
		}
		return fmt.Sprintf("attempt to loop over a %s value; for … in wants a function, as pairs and ipairs return", v.Type())
	}
	if v == lua.LNil {
		if text := s.unprobed(p, pc, in.a(), "attempt to call a nil value"); text != "" {
			return text
		}
		if hint := s.missing(L, p, pc, in.a()); hint != "" {
			return withName("attempt to call a nil value", s.nameOf(p, pc, in.a())) + "; " + hint
		}
	}
	return s.mention("attempt to call a %s", Mention{Value: v, Use: Called}, s.nameOf(p, pc, in.a()))
}

// operand returns the value of an operand, which is a register or a constant.
func operand(L *lua.LState, p *lua.FunctionProto, rk int) lua.LValue {
	if rk&0x100 != 0 {
		if i := rk & 0xff; i < len(p.Constants) {
			return p.Constants[i]
		}
		return lua.LNil
	}
	return registerValue(L, rk)
}

func (s *State) badArithmetic(L *lua.LState, p *lua.FunctionProto, in instruction, pc int, text string) string {
	switch in.op() {
	case lua.OP_ADD, lua.OP_SUB, lua.OP_MUL, lua.OP_DIV, lua.OP_MOD, lua.OP_POW:
	default:
		return text
	}
	rk := in.b()
	if isNumeric(operand(L, p, rk)) {
		rk = in.c()
	}
	v := operand(L, p, rk)
	message := s.mention("attempt to perform arithmetic on a %s", Mention{Value: v}, s.nameRK(p, pc, rk))
	if v == lua.LNil && rk&0x100 == 0 {
		if hint := s.missing(L, p, pc, rk); hint != "" {
			return message + "; " + hint
		}
	}
	return message
}

func isNumeric(v lua.LValue) bool {
	switch v := v.(type) {
	case lua.LNumber:
		return true
	case lua.LString:
		_, ok := syntax.ParseNumber(string(v))
		return ok
	}
	return false
}

func (s *State) badComparison(L *lua.LState, p *lua.FunctionProto, in instruction, pc int, text string) string {
	x, y, _ := strings.Cut(strings.TrimPrefix(text, "attempt to compare "), " with ")
	op := in.op()
	if op == lua.OP_LT || op == lua.OP_LE {
		for i, rk := range []int{in.b(), in.c()} {
			if m := (Mention{Value: operand(L, p, rk)}); s.described(m) {
				other := [2]string{y, x}[i]
				return s.mention("attempt to compare a %s with a "+other, m, s.nameRK(p, pc, rk))
			}
		}
	}
	if x == y {
		return fmt.Sprintf("attempt to compare two %s values", x)
	}
	if op != lua.OP_LT && op != lua.OP_LE {
		return text
	}
	for _, rk := range []int{in.b(), in.c()} {
		if operand(L, p, rk) == lua.LNil {
			return withName(text, s.nameRK(p, pc, rk))
		}
	}
	return text
}

func badFor(L *lua.LState, in instruction, text string) string {
	for i, word := range []string{"init", "limit", "step"} {
		if strings.HasPrefix(text, "for statement "+word) {
			said := []string{"start", "limit", "step"}[i]
			return fmt.Sprintf("the %s of a for loop must be a number, not a %s value", said, registerValue(L, in.a()+i).Type())
		}
	}
	return text
}

// badArgument completes "bad argument" with the name of the function. For a call with a colon it counts arguments
// as the script does.
func (s *State) badArgument(L *lua.LState, f *callFrame, text, rest string) string {
	num, rest, _ := strings.Cut(rest, " to ")
	n, err := strconv.Atoi(num)
	open := strings.Index(rest, " (")
	if err != nil || open < 0 {
		return text
	}
	name, why := rest[:open], strings.TrimSuffix(rest[open+2:], ")")
	hint := ""
	if f.Fn.IsG {
		if known := s.calledAs(f); known != "" {
			name = known
		}
		if expected, got, ok := strings.Cut(why, ", got "); ok && s.host != nil && n <= L.GetTop() && got == L.Get(n).Type().String() {
			if what, h := s.host.Describe(Mention{Value: L.Get(n), Use: AsArgument, Key: name}); what != "" {
				why = expected + ", got " + what
				if h != "" {
					hint = "; " + h
				}
			}
		}
		if s.calledAsMethod(f) {
			if n--; n == 0 {
				return fmt.Sprintf("bad self of '%s' (%s); call it with a dot, not with a colon", name, why)
			}
		}
	}
	if name == "?" || name == "(anonymous)" || isHidden(name) {
		return fmt.Sprintf("bad argument #%d (%s)%s", n, why, hint)
	}
	return fmt.Sprintf("bad argument #%d to '%s' (%s)%s", n, strings.Trim(name, `"`), why, hint)
}
