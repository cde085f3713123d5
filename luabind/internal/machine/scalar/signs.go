package scalar

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// Arithmetic in the interpreter never gives -0, so +0 is added to a result, which
// turns -0 into 0 and leaves all else. That costs time in the middle of a chain of
// operations, and is left out where the sign of a zero can make no difference:
// where the value is compared, or added to another that is no -0, or where it
// cannot be -0 to begin with.

// signs knows about registers of numbers.
type signs struct {
	matter []bool // somebody looks at the sign of a zero in it
	clean  []bool // it never holds -0
	spend  func(steps int)
}

func signsOf(p *ir.Program, spend func(steps int)) signs {
	s := signs{make([]bool, p.Numbers), make([]bool, p.Numbers), spend}
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
			if st.Op == ir.Set && st.A.Type == ir.Number && s.clean[st.I] && !s.cleanly(st.A, s.matter[st.I]) {
				s.clean[st.I], changed = false, true
			}
		}, func(*ir.Expr) {})
	}
	return s
}

func (s *signs) visit(st *ir.Stmt) {
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

// use notes whose signs an expression looks at when its own matters, or not.
func (s *signs) use(x *ir.Expr, matters bool) {
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

// OperandMatters says whether the sign of a zero in an operand can make a
// difference, when that of the result does or does not.
func OperandMatters(x *ir.Expr, operand int, matters bool) bool {
	switch x.Op {
	case ir.Add, ir.Sub, ir.Mul: // the result is made clean when it matters
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
		return true
	default:
		return true
	}
}

// cleanly reports that the value of an expression is never -0, when it is made
// clean or not.
func (s *signs) cleanly(x *ir.Expr, made bool) bool {
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
	case ir.Add: // -0 is the sum of -0 and -0 only
		return made || s.cleanly(x.A, false) || s.cleanly(x.B, false)
	case ir.Sub: // and the difference of -0 and 0
		return made || s.cleanly(x.A, false)
	case ir.Mul:
		return made || same(x.A, x.B)
	case ir.Div, ir.Mod, ir.Pow:
		return made
	case ir.Min, ir.Max:
		return s.cleanly(x.A, made) && s.cleanly(x.B, made)
	case ir.Select:
		return s.cleanly(x.B, made) && s.cleanly(x.C, made)
	case ir.Call:
		switch x.Func {
		case "abs":
			return true
		case "sqrt", "floor":
			return s.cleanly(x.A, made)
		}
		return false
	default:
		return false
	}
}

// same reports that two expressions have the same value: registers and fields.
func same(a, b *ir.Expr) bool {
	return a.Op == b.Op && a.I == b.I && (a.Op == ir.Reg || a.Op == ir.Load && a.Field.Offset == b.Field.Offset)
}
