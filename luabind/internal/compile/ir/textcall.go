package ir

import "slices"

// Calls of functions on strings and numbers: Invoke of one of textFunctions, with arguments that are numbers, booleans, strings or nil, and the
// operations that make strings. Their values depend on their arguments only. Machine code asks its host for them in the middle of a row;
// what they give are registers of type Any that hold no table.

// textFunctions are the functions of package sandbox (PlainFunctions) that are such calls.
var textFunctions = []string{
	"<", "print", "string.byte", "string.char", "string.find", "string.format", "string.len", "string.lower", "string.match", "string.rep", "string.reverse", "string.sub", "string.upper",
	"tonumber", "tostring",
}

// IsTextFunction reports whether calls of a function may be such calls.
func IsTextFunction(name string) bool { return slices.Contains(textFunctions, name) }

// MostTextValues is how many values a call on strings takes at most, and how many it gives.
const MostTextValues = 15

// TextResults are the registers of type Any that only calls on strings set, one after the other, in a body.
type TextResults map[int]bool

// TextResultsOf finds the TextResults of a Program.
func TextResultsOf(p *Program) TextResults {
	t := TextResults{}
	var statements func(body []*Stmt, visit func(s *Stmt))
	statements = func(body []*Stmt, visit func(s *Stmt)) {
		for _, s := range body {
			visit(s)
			statements(s.Body, visit)
			statements(s.Else, visit)
		}
	}
	results := func(s *Stmt, visit func(reg int)) {
		for i := range s.J {
			visit(s.I + i)
		}
	}
	statements(p.Body, func(s *Stmt) {
		if s.Op == Invoke && slices.Contains(textFunctions, s.Func) {
			results(s, func(reg int) { t[reg] = true })
		}
	})
	if len(t) == 0 {
		return t
	}
	for n := -1; n != len(t); {
		n = len(t)
		statements(p.Body, func(s *Stmt) {
			switch {
			case s.Op == Invoke && t.Calls(s):
			case s.Op == Invoke:
				results(s, func(reg int) { delete(t, reg) })
			case s.Op == Set && s.A.Type == Any, s.Op == Make, s.Op == Remove:
				delete(t, s.I)
			case s.Op == Items, s.Op == Entries: // they set others as well
				clear(t)
			}
		})
	}
	return t
}

// Calls reports whether a statement is a call on strings whose arguments are known to be no tables.
func (t TextResults) Calls(s *Stmt) bool {
	return s.Op == Invoke && slices.Contains(textFunctions, s.Func) && len(s.Args) <= MostTextValues && s.J <= MostTextValues && !slices.ContainsFunc(s.Args, func(x *Expr) bool { return !t.Argument(x) })
}

// Argument reports whether an expression of type Any is an argument of such a call: a number, a boolean, a string, nil, or what another
// call has given.
func (t TextResults) Argument(x *Expr) bool {
	switch x.Op {
	case Wrap:
		return x.A.Type != Any
	case Const:
		return x.Type == Any
	case Reg:
		return x.Type == Any && t[x.I]
	default:
		return false
	}
}

// Makes reports whether an operation on values of type Any, or one that makes strings, is about strings and numbers only.
func (t TextResults) Makes(x *Expr) bool {
	switch x.Op {
	case Join:
		return true
	case Shown:
		return x.A.Type == Number || t.Argument(x.A)
	case As, Truth:
		return x.A.Op == Reg && t.Argument(x.A)
	case Equal:
		return t.Argument(x.A) && t.Argument(x.B)
	case Length:
		return x.A.Op == Wrap && x.A.A.Type == Text
	default:
		return false
	}
}
