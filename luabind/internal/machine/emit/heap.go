package emit

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// What cannot be done with components on Go's heap, whose rows code sees as copies in blocks.

// hasTexts reports whether a body reads or assigns fields that are strings, or looks up tables by strings. Rows of such a body
// are done one by one: package packing knows no strings.
func hasTexts(p *ir.Program) bool {
	found := len(p.Keyed) > 0
	abi.Walk(p.Body, func(s *ir.Stmt) {
		found = found || s.Op == ir.Store && s.Field.Type == ecs.String
	}, func(x *ir.Expr) { found = found || x.Op == ir.Load && x.Type == ir.Text })
	return found
}

// beyondBlocks returns why blocks do not suffice for a loop with components that have strings or tables; nil if they do.
func beyondBlocks(p *ir.Program, schemas []*ecs.Schema) (err error) {
	mirrors := abi.Mirrors(p)
	for _, t := range p.Stores { // their log would be about a copy
		if p.Optional&(1<<t.View) != 0 && !schemas[t.View].PointerFree() && abi.LogsStores(p) && !abi.InMirror(p, mirrors, t.View) {
			return abi.Refusal("it assigns to an optional component with strings or tables, and to a table or to another entity")
		}
	}
	abi.Walk(p.Body, func(s *ir.Stmt) {
		switch {
		case s.Op == ir.Near && s.Grid != nil && storesPointered(p, schemas, s.Grid.Spec().Component):
			err = abi.Refusal("it moves who may be near, in a component with a field of type string or table")
		}
	}, func(*ir.Expr) {})
	return err
}

// storesPointered reports whether rows store a component that is on Go's heap in every world.
func storesPointered(p *ir.Program, schemas []*ecs.Schema, id ecs.ComponentID) bool {
	for _, t := range p.Stores {
		if p.Components[t.View] == id && !schemas[t.View].PointerFree() {
			return true
		}
	}
	for _, ref := range p.Refs {
		if ref.Stored && ref.Component == id && !ref.Schema.PointerFree() {
			return true
		}
	}
	return false
}
