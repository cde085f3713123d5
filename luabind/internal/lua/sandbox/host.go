package sandbox

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// This file is the interface to the embedding program for error messages about its own values. text.go asks it.

// A Use says what a script did with a value when it failed.
type Use uint8

// The uses of a value.
const (
	Operand    Use = iota // in arithmetic, a comparison, a length, a concatenation
	Indexed               // its field Key was read or written
	MethodCall            // its method Key was called
	LoopedOver            // it stands after "in" of a for loop
	AsArgument            // it was given to the library function Key
	Called                // it was called
)

// A Mention describes a value that a message speaks of: what the script did with it, and what the source calls it.
type Mention struct {
	Value lua.LValue
	Use   Use
	Name  string // of the variable; "" when it has none
	Key   string // of the field, method or function; "" when it is not known
}

// A Host describes values of the embedding program in messages of the interpreter, so that they speak of views and
// entities, not of userdata and numbers.
type Host interface {
	// Describe returns what a value is, with its article ("a view of Health"), and how to correct the mistake
	// ("use one of its fields"). Both are "" for an ordinary value.
	Describe(m Mention) (what, hint string)
	// Absent returns why the call at a site last returned nil, such as "17v2 has no Health"; "" if that is not
	// known.
	Absent(call Site) string
}

// SetHost sets the Host; nil for none.
func (s *State) SetHost(h Host) { s.host = h }

// described reports whether the host can describe a value.
func (s *State) described(m Mention) bool {
	if s.host == nil {
		return false
	}
	what, hint := s.host.Describe(m)
	return what != "" || hint != ""
}

// mention completes a message about a value. format has one verb, which is replaced by what the value is; the name
// in the source and a hint are added.
func (s *State) mention(format string, m Mention, name naming) string {
	what, hint := m.Value.Type().String()+" value", ""
	if s.host != nil {
		m.Name = name.name
		if known, h := s.host.Describe(m); known != "" {
			what, hint = known, h
			format = strings.Replace(format, "a %s", "%s", 1) // it has its article
		} else {
			hint = h
		}
	}
	text := withName(fmt.Sprintf(format, what), name)
	if hint != "" {
		text += "; " + hint
	}
	return text
}

// absent is the reason, in parentheses' place, why the value in a register is nil: the call that gave it says so.
func (s *State) absent(p *lua.FunctionProto, pc, reg int) string {
	if s.host == nil {
		return ""
	}
	for i := pc - 1; i >= 0; i-- {
		in := instruction(p.Code[i])
		if captures(p, i) || in.a() != reg {
			continue
		}
		switch in.op() {
		case lua.OP_MOVE, lua.OP_MOVEN:
			reg = in.b()
		case lua.OP_CALL:
			return s.host.Absent(Site{p, i + 1})
		case lua.OP_GETGLOBAL, lua.OP_GETUPVAL, lua.OP_GETTABLE, lua.OP_GETTABLEKS, lua.OP_SELF, lua.OP_LOADNIL, lua.OP_LOADK, lua.OP_LOADBOOL, lua.OP_NEWTABLE, lua.OP_CLOSURE:
			return ""
		}
	}
	return ""
}
