package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// looksBeyond reports whether code reads what lies in the memory of the world
// beside the rows of its query.
func (u *unit) looksBeyond() bool {
	for _, w := range u.words {
		switch w.kind {
		case wordSlots, wordTag, wordColumns, wordWalk:
			return true
		}
	}
	return len(u.nears) > 0
}

// beyondBlocks says why blocks do not do for the components of a loop that have
// strings or tables; nil when they do.
func beyondBlocks(p *ir.Program, schemas []*ecs.Schema) (err error) {
	walk(p.Body, func(s *ir.Stmt) {
		switch {
		case s.Op == ir.Store && s.Field.Type == ecs.String:
			err = refusal("it assigns a field of type string")
		case s.Op == ir.Near && s.Grid != nil && storesPointered(p, schemas, s.Grid.Spec().Component):
			err = refusal("it moves who may be near, in a component with a field of type string or table")
		}
	}, func(x *ir.Expr) {
		if x.Op == ir.Load && x.Field.Type == ecs.String {
			err = refusal("it reads a field of type string")
		}
	})
	return err
}

// storesPointered reports whether rows store a component that lies on Go's heap in
// any world.
func storesPointered(p *ir.Program, schemas []*ecs.Schema, id ecs.ComponentID) bool {
	for _, t := range p.Stores {
		if p.Components[t.View] == id && !schemas[t.View].PointerFree() {
			return true
		}
	}
	return false
}
