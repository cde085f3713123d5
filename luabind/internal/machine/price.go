package machine

import (
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// Rows can be shared out to several cores when nothing one row does is seen by
// another, none can be put back, and the fuel each takes is known beforehand: then
// the end is the same as that of one core, to the unit of fuel.

// A fuel check is fuel that each row pays: for a number of turns, or for all rows that a
// query within walks.
type fuelCheck struct {
	price int64
	turns int64
	walk  int // number of the query, -1 for turns
}

// independent returns what each row pays; false when rows are not to be shared out.
func (e *emitter) independent() ([]fuelCheck, bool) {
	p := e.p
	if len(p.Outputs) > 0 || p.Random || p.Returns > 0 || e.ring != 0 || len(p.Tables) > 0 || e.direct != 0 || e.leavesLoop() {
		return nil, false
	}
	for _, ref := range p.Refs {
		if ref.Query < 0 || ref.Optional {
			return nil, false
		}
	}
	jumps, loops, ok := false, false, true
	walk(p.Body, func(s *kernel.Stmt) {
		switch s.Op {
		case kernel.Store:
			ok = ok && (s.Field.Type == ecs.F64 || s.Field.Type == ecs.F32 || s.Field.Type == ecs.Bool)
		case kernel.Jump, kernel.Break:
			jumps = true
		case kernel.Count, kernel.Each:
			loops = true
		case kernel.Set, kernel.If, kernel.Block:
		default:
			ok = false
		}
	}, func(*kernel.Expr) {})
	if !ok || jumps && loops {
		return nil, false
	}
	fuelChecks := []fuelCheck{{p.Price, 1, -1}}
	return fuelChecks, e.fuelChecks(p.Body, &fuelChecks)
}

// fuel checks adds what loops cost; false when that depends on values.
func (e *emitter) fuelChecks(body []*kernel.Stmt, fuelChecks *[]fuelCheck) bool {
	for _, s := range body {
		within := append(append([]*kernel.Stmt{}, s.Body...), s.Else...)
		switch s.Op {
		case kernel.Block:
			if !e.fuelChecks(s.Body, fuelChecks) {
				return false
			}
			continue
		case kernel.Each:
			*fuelChecks = append(*fuelChecks, fuelCheck{s.Price, 0, s.I})
		case kernel.Count:
			n, ok := countTurns(s)
			if !ok {
				return false
			}
			*fuelChecks = append(*fuelChecks, fuelCheck{s.Price, n, -1})
		case kernel.Set, kernel.Store, kernel.If, kernel.Jump, kernel.Break:
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

func hasLoop(s *kernel.Stmt) bool {
	found := s.Price > 0
	walk(append(append([]*kernel.Stmt{}, s.Body...), s.Else...), func(s *kernel.Stmt) { found = found || s.Price > 0 }, func(*kernel.Expr) {})
	return found
}

// countTurns counts those of a loop between constants.
func countTurns(s *kernel.Stmt) (n int64, ok bool) {
	const most = 1 << 16
	if s.A.Op != kernel.Const || s.B.Op != kernel.Const || s.C.Op != kernel.Const {
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
func (e *emitter) nanoseconds(body []*kernel.Stmt) float64 {
	ns := 0.0
	for _, s := range body {
		inner := e.nanoseconds(s.Body) + e.nanoseconds(s.Else)
		own := 0.0
		walk([]*kernel.Stmt{{A: s.A, B: s.B, C: s.C}}, func(*kernel.Stmt) {}, func(x *kernel.Expr) {
			switch x.Op {
			case kernel.Const, kernel.Reg:
			case kernel.Div, kernel.Call:
				own += 2
			case kernel.Mod, kernel.Pow:
				own += 15
			default:
				own += 0.1
			}
		})
		switch s.Op {
		case kernel.Count:
			if n, ok := countTurns(s); ok {
				inner *= float64(n)
			}
		case kernel.Each:
			inner *= math.Max(1, float64(e.p.Queries[s.I].Query.Count()))
		default:
			own += 0.1
		}
		ns += own + inner
	}
	return ns
}
