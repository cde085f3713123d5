package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Fields that every row stores. Back ends stamp them for all rows together, and do not load them first.

// dropStores takes the fields from the list of stored ones that only statements store which were left out: those under a condition
// that never holds.
func (c *lowerer) dropStores() {
	var stored func(body []*ir.Stmt, t ir.Target) bool
	stored = func(body []*ir.Stmt, t ir.Target) bool {
		return slices.ContainsFunc(body, func(s *ir.Stmt) bool {
			return s.Op == ir.Store && s.I == t.View && s.Field == t.Field || stored(s.Body, t) || stored(s.Else, t)
		})
	}
	c.p.Stores = slices.DeleteFunc(c.p.Stores, func(t ir.Target) bool { return !stored(c.p.Body, t) })
}

// always sets Target.Always for the fields that every finished row stores.
func (c *lowerer) always(body []*ir.Stmt) {
	for _, s := range storedFirst(body, nil) {
		for i := range c.p.Stores {
			if t := &c.p.Stores[i]; t.View == s.I && t.Field == s.Field {
				t.Always = true
			}
		}
	}
}

// storedFirst appends to list the Stores that are executed before anything can leave the body: those of its
// statements, and those of both branches of an If.
func storedFirst(body, list []*ir.Stmt) []*ir.Stmt {
	for _, s := range body {
		if s.Op == ir.Store {
			list = append(list, s)
		}
		if s.Op == ir.Block {
			list = storedFirst(s.Body, list)
		}
		if s.Op == ir.If {
			others := storedFirst(s.Else, nil)
			for _, x := range storedFirst(s.Body, nil) {
				if slices.ContainsFunc(others, func(y *ir.Stmt) bool { return y.I == x.I && y.Field == x.Field }) {
					list = append(list, x)
				}
			}
		}
		if canLeave([]*ir.Stmt{s}) {
			break
		}
	}
	return list
}

// canLeave reports whether some statements contain a jump, a break or a return.
func canLeave(body []*ir.Stmt) bool {
	return slices.ContainsFunc(body, func(s *ir.Stmt) bool {
		return s.Op == ir.Break || s.Op == ir.Jump || s.Op == ir.Return || canLeave(s.Body) || canLeave(s.Else)
	})
}
