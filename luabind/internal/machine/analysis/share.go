package analysis

import (
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// Whether rows can be shared among cores, and whether that is worth it. The rows of a call can be shared if no row
// sees what another one does, no row can fail, and the fuel of each row is known beforehand. Then the result, and
// the fuel that is left, are the same as on one core.

// Independent reports whether the rows of a Program can be shared, and returns the fuel that each row pays.
// recorded says that rows record effects; direct says that code keeps fields of some views of the query loop in
// memory and not in locals. In both cases rows cannot be shared.
func Independent(p *ir.Program, recorded, direct bool) ([]abi.FuelCheck, bool) {
	if len(p.Outputs) > 0 || p.Random || p.Returns > 0 || recorded || len(p.Tables)+len(p.Keyed) > 0 || direct || LeavesLoop(p) {
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
	fuelChecks := []abi.FuelCheck{{Price: p.Price, Iterations: 1, Walk: -1}}
	return fuelChecks, addFuelChecks(p.Body, &fuelChecks)
}

// addFuelChecks appends the fuel checks of inner loops. It returns false if their number depends on values.
func addFuelChecks(body []*ir.Stmt, fuelChecks *[]abi.FuelCheck) bool {
	for _, s := range body {
		within := append(append([]*ir.Stmt{}, s.Body...), s.Else...)
		switch s.Op {
		case ir.Block:
			if !addFuelChecks(s.Body, fuelChecks) {
				return false
			}
			continue
		case ir.Each:
			*fuelChecks = append(*fuelChecks, abi.FuelCheck{Price: s.Price, Iterations: 0, Walk: s.I})
		case ir.Count:
			n, ok := CountIterations(s)
			if !ok {
				return false
			}
			*fuelChecks = append(*fuelChecks, abi.FuelCheck{Price: s.Price, Iterations: n, Walk: -1})
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

// Nanoseconds estimates the time that statements of a row take. For inner queries it uses their current number of
// rows.
func Nanoseconds(p *ir.Program, body []*ir.Stmt) float64 {
	ns := 0.0
	for _, s := range body {
		inner := Nanoseconds(p, s.Body) + Nanoseconds(p, s.Else)
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
			if n, ok := CountIterations(s); ok {
				inner *= float64(n)
			}
		case ir.Each:
			inner *= math.Max(1, float64(p.Queries[s.I].Query.Count()))
		default:
			own += 0.1
		}
		ns += own + inner
	}
	return ns
}
