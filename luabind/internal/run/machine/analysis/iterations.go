package analysis

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Questions about the inner loops of a body: whether there are any, how often they run, and how they are left.

// HasLoops reports whether the body of a Program has inner loops. A statement with a price of its own is a loop.
func HasLoops(p *ir.Program) (found bool) {
	abi.Walk(p.Body, func(s *ir.Stmt) { found = found || s.Price > 0 }, func(*ir.Expr) {})
	return found
}

// hasLoop reports whether a statement is a loop or contains one.
func hasLoop(s *ir.Stmt) bool {
	found := s.Price > 0
	abi.Walk(append(append([]*ir.Stmt{}, s.Body...), s.Else...), func(s *ir.Stmt) { found = found || s.Price > 0 }, func(*ir.Expr) {})
	return found
}

// CountIterations returns how often a counting loop between constants runs. ok is false if a bound is not constant, or if
// the loop runs more than 65,536 times.
func CountIterations(s *ir.Stmt) (n int64, ok bool) {
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

// LeavesLoop reports whether the body has a break or return out of the query loop.
func LeavesLoop(p *ir.Program) bool {
	var find func(body []*ir.Stmt, within bool) bool
	find = func(body []*ir.Stmt, within bool) bool {
		for _, s := range body {
			inner := within || s.Price > 0
			if s.Op == ir.Break && !within || s.Op == ir.Return || find(s.Body, inner) || find(s.Else, inner) {
				return true
			}
		}
		return false
	}
	return find(p.Body, false)
}

// Prepayable reports whether the iterations of a loop can be paid for before they begin: nothing else is paid for
// meanwhile, and the only ways out of the loop are a break and a row that fails.
func Prepayable(s *ir.Stmt) bool {
	var blocks []int
	ok := true
	abi.Walk(s.Body, func(s *ir.Stmt) {
		if s.Op == ir.Block {
			blocks = append(blocks, s.I)
		}
	}, func(*ir.Expr) {})
	abi.Walk(s.Body, func(s *ir.Stmt) {
		ok = ok && s.Price == 0 && s.Op != ir.Return && (s.Op != ir.Jump || slices.Contains(blocks, s.I))
	}, func(*ir.Expr) {})
	return ok
}
