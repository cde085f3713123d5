package packing

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/scalar"
)

// What batches do: bodies that only compute with numbers and booleans of their own row.

// packable returns the body of a Program without blocks; ok is false if batches do not do all of it.
func packable(e *scalar.Emitter) (body []*ir.Stmt, ok bool) {
	ok = true
	abi.Walk(e.Program().Body, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Set, ir.If, ir.Block:
		case ir.Store:
			ok = ok && e.Cached(s.I) && (s.Field.Type == ecs.F64 || s.Field.Type == ecs.F32 || s.Field.Type == ecs.Bool)
		default:
			ok = false
		}
	}, func(x *ir.Expr) { ok = ok && computes(e, x) })
	return flat(e.Program().Body), ok
}

// computes reports whether batches compute an expression, apart from its operands.
func computes(e *scalar.Emitter, x *ir.Expr) bool {
	if x.Type == ir.Text || x.Type == ir.Any {
		return false
	}
	switch x.Op {
	case ir.Const, ir.Reg, ir.Entity, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.Less, ir.LessEqual, ir.Equal, ir.Not, ir.And, ir.Or,
		ir.Select, ir.Min, ir.Max:
		return true
	case ir.Load:
		return e.Cached(x.I)
	case ir.Call:
		return vectorCalls[x.Func] != nil
	default:
		return false
	}
}

// flat returns a body without blocks. Nothing jumps out of them, because batches do no jumps.
func flat(body []*ir.Stmt) (out []*ir.Stmt) {
	for _, s := range body {
		if s.Op == ir.Block {
			out = append(out, flat(s.Body)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}
