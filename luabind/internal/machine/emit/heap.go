package emit

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// What cannot be done with components on Go's heap, whose rows code sees as copies in blocks.

// beyondBlocks returns why blocks do not suffice for a loop with components that have strings or tables; nil if they do.
func beyondBlocks(p *ir.Program, schemas []*ecs.Schema) (err error) {
	abi.Walk(p.Body, func(s *ir.Stmt) {
		switch {
		case s.Op == ir.Store && s.Field.Type == ecs.String:
			err = abi.Refusal("it assigns a field of type string")
		case s.Op == ir.Near && s.Grid != nil && storesPointered(p, schemas, s.Grid.Spec().Component):
			err = abi.Refusal("it moves who may be near, in a component with a field of type string or table")
		}
	}, func(x *ir.Expr) {
		if x.Op == ir.Load && x.Field.Type == ecs.String {
			err = abi.Refusal("it reads a field of type string")
		}
	})
	return err
}

// storesPointered reports whether rows store a component that is on Go's heap in every world.
func storesPointered(p *ir.Program, schemas []*ecs.Schema, id ecs.ComponentID) bool {
	for _, t := range p.Stores {
		if p.Components[t.View] == id && !schemas[t.View].PointerFree() {
			return true
		}
	}
	return false
}
