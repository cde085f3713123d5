package closures

import "github.com/ecsrun/ecsrun/luabind/internal/compile/ir"

// Which registers an inner call of a function that calls itself has to keep (recursion.go): those that something may read when the
// call has ended. The others may have any value then.

// liveAfter returns the registers that the body of an ir.Recurse may read behind an ir.Again in it. These are the ones that are read
// in statements behind it, and in the loops around it. A function inside that calls itself, too, counts as a loop.
func liveAfter(recurse, again *ir.Stmt) map[ir.Place]bool {
	live := map[ir.Place]bool{}
	var reads func(x *ir.Expr)
	reads = func(x *ir.Expr) {
		if x == nil {
			return
		}
		if x.Op == ir.Reg {
			live[ir.Place{Used: true, Type: x.Type, Reg: x.I}] = true
		}
		reads(x.A)
		reads(x.B)
		reads(x.C)
	}
	behind := false // the walk has met the call
	var walk func(body []*ir.Stmt, inLoop bool)
	walk = func(body []*ir.Stmt, inLoop bool) {
		for _, s := range body {
			around := inLoop || repeats(s) && contains(s, again)
			if behind || around {
				for _, x := range append([]*ir.Expr{s.A, s.B, s.C}, s.Args...) {
					reads(x)
				}
				if s.Op != ir.Set { // what a loop counts with is a register, too
					for _, t := range []ir.Type{ir.Number, ir.Any} {
						live[ir.Place{Used: true, Type: t, Reg: s.I}] = true
						live[ir.Place{Used: true, Type: t, Reg: s.J}] = true
					}
				}
			}
			behind = behind || s == again
			walk(s.Body, around)
			walk(s.Else, around)
		}
	}
	walk(recurse.Body, false)
	return live
}

// repeats reports whether what is in a statement may run again before the function around it ends.
func repeats(s *ir.Stmt) bool {
	switch s.Op {
	case ir.If, ir.Block:
		return false
	default:
		return len(s.Body) > 0
	}
}

// contains reports whether a statement is in another one, or is it.
func contains(s, inner *ir.Stmt) bool {
	if s == inner {
		return true
	}
	for _, list := range [][]*ir.Stmt{s.Body, s.Else} {
		for _, x := range list {
			if contains(x, inner) {
				return true
			}
		}
	}
	return false
}
