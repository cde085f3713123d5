package analysis

import (
	"math"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Signs of zeros. Arithmetic in the interpreter never gives -0 (package kernel says why), so code has to add +0 to
// a result, which turns -0 into 0 and changes no other number. That costs time in a chain of operations. It is left
// out where the sign of a zero makes no difference: where the value is compared, where it is added to a number that
// is not -0, and where it cannot be -0 in the first place.

// Signs says what is known of the signs of zeros in the number registers of a Program. It does not change after it
// was made. Each question costs steps of compiling, which are counted by spend.
type Signs struct {
	matter []bool          // by register: its value is used where the sign of a zero makes a difference
	clean  []bool          // by register: it never holds -0
	spend  func(steps int) // counts the expressions that are visited
}

// SignsOf finds out where the signs of zeros matter in a Program. It repeats its walks until nothing changes. It
// calls spend with the number of expressions that it visits; spend may panic with an [abi.Refusal].
func SignsOf(p *ir.Program, spend func(steps int)) Signs {
	s := Signs{make([]bool, p.Numbers), make([]bool, p.Numbers), spend}
	for i := range s.clean {
		s.clean[i] = true
	}
	for _, in := range p.Inputs {
		if in.Used && in.Type == ir.Number {
			s.clean[in.Reg] = false
		}
	}
	for _, out := range p.Outputs {
		if out.Type == ir.Number {
			s.matter[out.Reg], s.clean[out.Reg] = true, false
		}
	}
	for changed := true; changed; {
		before := slices.Clone(s.matter)
		abi.Walk(p.Body, func(st *ir.Stmt) { s.visit(st) }, func(*ir.Expr) {})
		changed = !slices.Equal(before, s.matter)
	}
	for changed := true; changed; {
		changed = false
		abi.Walk(p.Body, func(st *ir.Stmt) {
			if st.Op == ir.Set && st.A.Type == ir.Number && s.clean[st.I] && !s.NeverNegativeZero(st.A, s.matter[st.I]) {
				s.clean[st.I], changed = false, true
			}
		}, func(*ir.Expr) {})
	}
	return s
}

// Matters reports whether the sign of a zero in a number register makes a difference to anything.
func (s *Signs) Matters(reg int) bool { return s.matter[reg] }

// visit notes which registers matter because of a statement.
func (s *Signs) visit(st *ir.Stmt) {
	switch {
	case st.Op == ir.Set && st.A.Type == ir.Number:
		s.use(st.A, s.matter[st.I])
		return
	case st.Op == ir.Store && st.Field.Type != ecs.F64 && st.Field.Type != ecs.F32 || st.Op == ir.Count:
		s.use(st.A, false)
		s.use(st.B, false)
		s.use(st.C, false)
		return
	}
	for _, x := range append([]*ir.Expr{st.A, st.B, st.C}, st.Args...) {
		s.use(x, true)
	}
}

// use notes the registers whose signs an expression depends on. matters says whether the sign of the expression
// itself matters.
func (s *Signs) use(x *ir.Expr, matters bool) {
	if x == nil {
		return
	}
	s.spend(1)
	if x.Op == ir.Reg && x.Type == ir.Number && matters {
		s.matter[x.I] = true
	}
	for i, a := range [...]*ir.Expr{x.A, x.B, x.C} {
		s.use(a, OperandMatters(x, i, matters))
	}
}

// OperandMatters reports whether the sign of a zero in an operand can make a difference, given whether that of the
// result does.
func OperandMatters(x *ir.Expr, operand int, matters bool) bool {
	switch x.Op {
	case ir.Add, ir.Sub, ir.Mul: // +0 is added to the result if its sign matters
		return false
	case ir.Div:
		return operand == 1
	case ir.Neg, ir.Min, ir.Max:
		return matters
	case ir.Select:
		return operand > 0 && matters
	case ir.Less, ir.LessEqual, ir.Equal:
		return false
	case ir.Call:
		switch x.Func {
		case "abs":
			return false
		case "sqrt", "floor", "ceil", "deg", "rad":
			return matters
		}
		return !strings.HasPrefix(x.Func, "bit.")
	default:
		return true
	}
}

// NeverNegativeZero reports whether the value of an expression can never be -0. made says that +0 is added to the
// results of its operations; otherwise they are as the processor computes them.
func (s *Signs) NeverNegativeZero(x *ir.Expr, made bool) bool {
	s.spend(1)
	switch x.Op {
	case ir.Const:
		return x.N != 0 || !math.Signbit(x.N)
	case ir.Reg:
		return s.clean[x.I]
	case ir.Load:
		return x.Field.Type != ecs.F64 && x.Field.Type != ecs.F32
	case ir.Entity:
		return true
	case ir.Add: // only the sum of -0 and -0 is -0
		return made || s.NeverNegativeZero(x.A, false) || s.NeverNegativeZero(x.B, false)
	case ir.Sub: // only the difference of -0 and 0 is -0
		return made || s.NeverNegativeZero(x.A, false)
	case ir.Mul:
		return made || same(x.A, x.B)
	case ir.Div, ir.Mod, ir.Pow:
		return made
	case ir.Min, ir.Max:
		return s.NeverNegativeZero(x.A, made) && s.NeverNegativeZero(x.B, made)
	case ir.Select:
		return s.NeverNegativeZero(x.B, made) && s.NeverNegativeZero(x.C, made)
	case ir.Call:
		switch x.Func {
		case "abs":
			return true
		case "sqrt", "floor":
			return s.NeverNegativeZero(x.A, made)
		}
		return strings.HasPrefix(x.Func, "bit.")
	default:
		return false
	}
}

// same reports whether two expressions are the same register or the same field.
func same(a, b *ir.Expr) bool {
	return a.Op == b.Op && a.I == b.I && (a.Op == ir.Reg || a.Op == ir.Load && a.Field.Offset == b.Field.Offset)
}
