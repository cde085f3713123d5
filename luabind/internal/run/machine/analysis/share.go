package analysis

import (
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Whether the rows of a call can be shared among cores, and whether that is worth it. Rows can be shared if no row reads
// what another one writes; effects and random numbers do not count, because the host puts them in order. draws.go counts
// the random numbers of a row.

// OneCore says why the rows of a Program run on one core: a phrase for `ecsrun explain`. It is "" if they can be shared.
func OneCore(p *ir.Program) string {
	switch {
	case p.Cells:
		return "it is a loop over cells"
	case p.Events != nil:
		return "it is a loop over events"
	case LeavesLoop(p):
		return "a row can leave the loop by break or return"
	case len(p.Outputs) > 0:
		return "rows assign a variable or resource from around the loop"
	}
	for _, t := range p.Tables {
		if t.Stored {
			return "rows change a table from around the loop that they may read"
		}
	}
	for _, t := range p.Keyed {
		if t.Stored {
			return "rows change a table from around the loop that they may read"
		}
	}
	for _, l := range p.Layers {
		switch {
		case l.Stored && l.Places != 0:
			return "rows move entities in an index"
		case l.Stored:
			return "rows write a layer"
		}
	}
	for _, l := range p.Layers {
		if l.Places != 0 && leavesRows(p) {
			return "rows ask an index that rows before them may have changed"
		}
	}
	if asks, _ := AsksFlipped(p); asks {
		return "rows ask for a tag that rows before them may have changed"
	}
	stored := map[ecs.ComponentID]bool{}
	for _, t := range p.Stores {
		stored[p.Components[t.View]] = true
	}
	for _, ref := range p.Refs {
		switch {
		case ref.Stored:
			return "rows write components of other entities"
		case stored[ref.Component]:
			return "it reads components of other entities that it also writes"
		}
	}
	moves, sources := false, false
	abi.Walk(p.Body, func(s *ir.Stmt) {
		sources = sources || s.Op == ir.Sources
		moves = moves || s.Op == ir.Near && s.Grid != nil && stored[s.Grid.Spec().Component]
	}, func(*ir.Expr) {})
	switch {
	case moves:
		return "it writes the positions of a grid that it searches"
	case sources:
		return "it walks the sources of an entity"
	}
	if _, ok := Draws(p); !ok {
		return "how many random numbers a row draws depends on its values"
	}
	return ""
}

// KnownFuel returns the fuel that each row pays, if that is known beforehand and no row can fail or record effects. Then
// rows that are shared need not be undone. ok is false otherwise. recorded says that rows record effects; direct says that code
// keeps fields of some views of the query loop in memory and not in locals.
func KnownFuel(p *ir.Program, recorded, direct bool) (checks []abi.FuelCheck, ok bool) {
	if p.Random || recorded || direct || len(p.Tables)+len(p.Layers)+len(p.Keyed) > 0 {
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
	checks = []abi.FuelCheck{{Price: p.Price, Iterations: 1, Walk: -1}}
	if !addFuelChecks(p.Body, &checks) {
		return nil, false
	}
	return checks, true
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
// rows. Iterations of a loop whose number depends on values count once.
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

// leavesRows reports whether some rows are left to the interpreter, which may do anything there.
func leavesRows(p *ir.Program) (leaves bool) {
	abi.Walk(p.Body, func(s *ir.Stmt) { leaves = leaves || s.Op == ir.Leave }, func(*ir.Expr) {})
	return leaves
}
