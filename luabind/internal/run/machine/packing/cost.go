package packing

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/scalar"
)

// Costs, in about the time of one simple instruction. They are for comparing a packing with single rows and with other
// packings; package scalar has the costs of compiling.

// plainCost is what a row costs in scalar code that does what a batch does.
func plainCost(e *scalar.Emitter, body []*ir.Stmt) (cost int) {
	for _, c := range fieldsOf(e, body) {
		n := 1
		if c.Field.Type == ecs.F32 {
			n = 2
		}
		if c.Read {
			cost += n
		}
		if c.Stored {
			cost += n
		}
	}
	return cost + bodyCost(body)
}

// bodyCost is what statements cost in scalar code. Conditions count as if both branches ran.
func bodyCost(body []*ir.Stmt) (cost int) {
	for _, s := range body {
		cost += exprCost(s.A)
		switch s.Op {
		case ir.If:
			cost += 4 + bodyCost(s.Body) + bodyCost(s.Else)
		default:
			cost += bodyCost(s.Body)
		}
	}
	return cost
}

// exprCost is what an expression costs in scalar code.
func exprCost(x *ir.Expr) int {
	if x == nil {
		return 0
	}
	return opCost(x) + exprCost(x.A) + exprCost(x.B) + exprCost(x.C)
}

// opCost is what an operation costs without its operands, on one number or on two at once.
func opCost(x *ir.Expr) int {
	switch x.Op {
	case ir.Const, ir.Reg, ir.Load:
		return 0
	case ir.Div:
		return 5
	case ir.Select:
		return 3
	case ir.Min, ir.Max:
		return 2
	case ir.Entity:
		return 2
	case ir.Call:
		if x.Func == "sqrt" || x.Func == "deg" {
			return 5
		}
		return 1
	default:
		return 1
	}
}
