package scalar

import (
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// Rows can be shared out to several cores when nothing one row does is seen by
// another, none can be put back, and the fuel each takes is known beforehand: then
// the end is the same as that of one core, to the unit of fuel.

// independent returns what each row pays; false when rows are not to be shared out.
func (e *Emitter) independent() ([]abi.FuelCheck, bool) {
	p := e.p
	if len(p.Outputs) > 0 || p.Random || p.Returns > 0 || e.out.ring != 0 || len(p.Tables) > 0 || e.own.direct != 0 || e.leavesLoop() {
		return nil, false
	}
	for _, ref := range p.Refs {
		if ref.Query < 0 || ref.Optional {
			return nil, false
		}
	}
	jumps, loops, ok := false, false, true
	abi.Walk(p.Body, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Store:
			ok = ok && (s.Field.Type == ecs.F64 || s.Field.Type == ecs.F32 || s.Field.Type == ecs.Bool)
		case ir.Jump, ir.Break:
			jumps = true
		case ir.Count, ir.Each:
			loops = true
		case ir.Set, ir.If, ir.Block:
		default:
			ok = false
		}
	}, func(*ir.Expr) {})
	if !ok || jumps && loops {
		return nil, false
	}
	fuelChecks := []abi.FuelCheck{{Price: p.Price, Turns: 1, Walk: -1}}
	return fuelChecks, e.fuelChecks(p.Body, &fuelChecks)
}

// fuel checks adds what loops cost; false when that depends on values.
func (e *Emitter) fuelChecks(body []*ir.Stmt, fuelChecks *[]abi.FuelCheck) bool {
	for _, s := range body {
		within := append(append([]*ir.Stmt{}, s.Body...), s.Else...)
		switch s.Op {
		case ir.Block:
			if !e.fuelChecks(s.Body, fuelChecks) {
				return false
			}
			continue
		case ir.Each:
			*fuelChecks = append(*fuelChecks, abi.FuelCheck{Price: s.Price, Turns: 0, Walk: s.I})
		case ir.Count:
			n, ok := CountTurns(s)
			if !ok {
				return false
			}
			*fuelChecks = append(*fuelChecks, abi.FuelCheck{Price: s.Price, Turns: n, Walk: -1})
		case ir.Set, ir.Store, ir.If, ir.Jump, ir.Break:
		default:
			return false
		}
		for _, inner := range within {
			if hasLoop(inner) {
				return false
			}
		}
	}
	return true
}

func hasLoop(s *ir.Stmt) bool {
	found := s.Price > 0
	abi.Walk(append(append([]*ir.Stmt{}, s.Body...), s.Else...), func(s *ir.Stmt) { found = found || s.Price > 0 }, func(*ir.Expr) {})
	return found
}

// CountTurns counts those of a loop between constants.
func CountTurns(s *ir.Stmt) (n int64, ok bool) {
	const most = 1 << 16
	if s.A.Op != ir.Const || s.B.Op != ir.Const || s.C.Op != ir.Const {
		return 0, false
	}
	from, to, by := s.A.N, s.B.N, s.C.N
	for x := from - by + by; by > 0 && x <= to || by <= 0 && x >= to; x += by {
		if n++; n > most {
			return 0, false
		}
	}
	return n, true
}

// nanoseconds is a guess at what a row takes.
func (e *Emitter) nanoseconds(body []*ir.Stmt) float64 {
	ns := 0.0
	for _, s := range body {
		inner := e.nanoseconds(s.Body) + e.nanoseconds(s.Else)
		own := 0.0
		abi.Walk([]*ir.Stmt{{A: s.A, B: s.B, C: s.C}}, func(*ir.Stmt) {}, func(x *ir.Expr) {
			switch x.Op {
			case ir.Const, ir.Reg:
			case ir.Div, ir.Call:
				own += 2
			case ir.Mod, ir.Pow:
				own += 15
			default:
				own += 0.1
			}
		})
		switch s.Op {
		case ir.Count:
			if n, ok := CountTurns(s); ok {
				inner *= float64(n)
			}
		case ir.Each:
			inner *= math.Max(1, float64(e.p.Queries[s.I].Query.Count()))
		default:
			own += 0.1
		}
		ns += own + inner
	}
	return ns
}
