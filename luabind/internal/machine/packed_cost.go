package machine

import (
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// plainCost is what a row costs number by number.
func (e *emitter) plainCost() (cost int) {
	for _, c := range e.cells {
		n := 1
		if c.field.Type == ecs.F32 {
			n = 2
		}
		if c.read {
			cost += n
		}
		if c.stored {
			cost += n
		}
	}
	return cost + bodyCost(e.p.Body)
}

func bodyCost(body []*kernel.Stmt) (cost int) {
	for _, s := range body {
		cost += exprCost(s.A)
		switch s.Op {
		case kernel.If:
			cost += 4 + bodyCost(s.Body) + bodyCost(s.Else)
		case kernel.Count, kernel.Each:
			cost += turns(s) * (4 + bodyCost(s.Body))
		default:
			cost += bodyCost(s.Body)
		}
	}
	return cost
}

// turns is a guess at how often a loop turns.
func turns(s *kernel.Stmt) int {
	if s.Op == kernel.Count && s.A.Op == kernel.Const && s.B.Op == kernel.Const && s.C.Op == kernel.Const && s.C.N != 0 {
		return int(max(1, min(64, math.Floor((s.B.N-s.A.N)/s.C.N)+1)))
	}
	return 8
}

func exprCost(x *kernel.Expr) int {
	if x == nil {
		return 0
	}
	return opCost(x) + exprCost(x.A) + exprCost(x.B) + exprCost(x.C)
}

// opCost is what an operation costs, for one number or for two at once.
func opCost(x *kernel.Expr) int {
	switch x.Op {
	case kernel.Const, kernel.Reg, kernel.Load:
		return 0
	case kernel.Div:
		return 5
	case kernel.Select:
		return 3
	case kernel.Min, kernel.Max:
		return 2
	case kernel.Entity:
		return 2
	case kernel.Call:
		if x.Func == "sqrt" || x.Func == "deg" {
			return 5
		}
		return 1
	default:
		return 1
	}
}
