package analysis

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Random numbers in rows that cores share. If every row draws equally many numbers, the state of the generator at the start
// of each row is known beforehand. A draw below a bound n takes a second number with a probability of less than n / 2^64;
// Draws does not count that, and the host compares the states afterwards.

// Draws returns how many random numbers each row of a Program draws. ok is false if that depends on values.
func Draws(p *ir.Program) (n int64, ok bool) {
	if !p.Random {
		return 0, true
	}
	n, ok = drawsOf(p.Body)
	return n, ok && !(n > 0 && jumps(p.Body))
}

// jumps reports whether statements contain a jump or a break.
func jumps(body []*ir.Stmt) bool {
	for _, s := range body {
		if s.Op == ir.Jump || s.Op == ir.Break || jumps(s.Body) || jumps(s.Else) {
			return true
		}
	}
	return false
}

// drawsOf returns how many random numbers statements draw.
func drawsOf(body []*ir.Stmt) (n int64, ok bool) {
	for _, s := range body {
		own, known := int64(0), true
		for _, x := range append([]*ir.Expr{s.A, s.B, s.C}, s.Args...) {
			more, ok := drawsIn(x)
			own, known = own+more, known && ok
		}
		within, ok := drawsOf(s.Body)
		known = known && ok
		switch s.Op {
		case ir.If:
			otherwise, ok := drawsOf(s.Else)
			known = known && ok && within == otherwise
		case ir.Count:
			if iterations, ok := CountIterations(s); ok {
				within *= iterations
			} else {
				known = known && within == 0
			}
		case ir.While, ir.Repeat: // the condition is evaluated each time
			known = known && own == 0 && within == 0
		case ir.Block:
		default: // loops whose iterations are not known, and statements without a body
			known = known && within == 0
		}
		if !known {
			return 0, false
		}
		n += own + within
	}
	return n, true
}

// drawsIn returns how many random numbers an expression draws.
func drawsIn(x *ir.Expr) (n int64, ok bool) {
	if x == nil {
		return 0, true
	}
	var parts [3]int64
	for i, operand := range [...]*ir.Expr{x.A, x.B, x.C} {
		if parts[i], ok = drawsIn(operand); !ok {
			return 0, false
		}
	}
	switch x.Op {
	case ir.Random:
		return parts[0] + parts[1] + 1, true
	case ir.And, ir.Or: // B may be left out
		return parts[0], parts[1] == 0
	case ir.Select:
		return parts[0] + parts[1], parts[1] == parts[2]
	default:
		return parts[0] + parts[1] + parts[2], true
	}
}
