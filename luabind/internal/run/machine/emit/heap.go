package emit

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// What cannot be done with components on Go's heap, whose rows code sees as copies in blocks.

// beyondBlocks returns why blocks do not suffice for a loop with components that have strings or tables; nil if they do.
func beyondBlocks(p *ir.Program, schemas []*ecs.Schema) (err error) {
	mirrors := abi.Mirrors(p)
	for _, t := range p.Stores { // their log would be about a copy
		if p.Optional&(1<<t.View) != 0 && !schemas[t.View].PointerFree() && abi.LogsStores(p) && !abi.InMirror(p, mirrors, t.View) {
			return abi.Refusal("it assigns to an optional component with strings or tables, and to a table or to another entity")
		}
	}
	abi.Walk(p.Body, func(s *ir.Stmt) {
		if s.Op == ir.Near && s.Grid != nil && MovesInGrid(p, s.Grid.Spec(), func(view int) bool { return !schemaOf(p, schemas, view).PointerFree() }) {
			err = abi.Refusal("it moves who may be near, in a component with a field of type string or table")
		}
	}, func(*ir.Expr) {})
	return err
}

// MovesInGrid reports whether rows store what a snapshot of a grid holds, in views of which code has copies: a coordinate, or the field
// that is carried. The host takes the snapshot when a row first asks for it, and does not see what earlier rows have stored in copies.
func MovesInGrid(p *ir.Program, g ecs.GridSpec, copied func(view int) bool) (moves bool) {
	abi.Walk(p.Body, func(s *ir.Stmt) {
		if s.Op != ir.Store || !copied(s.I) {
			return
		}
		id, name := componentOf(p, s.I), s.Field.Name
		moves = moves || id == g.Component && (name == g.X || name == g.Y) || id == g.Carry.Component && name == g.Carry.Field
	}, func(*ir.Expr) {})
	return moves
}

func componentOf(p *ir.Program, view int) ecs.ComponentID {
	if view < p.Views {
		return p.Components[view]
	}
	return p.Refs[view-p.Views].Component
}

// schemaOf returns the schema of a view that rows store.
func schemaOf(p *ir.Program, schemas []*ecs.Schema, view int) *ecs.Schema {
	if view < p.Views {
		return schemas[view]
	}
	return p.Refs[view-p.Views].Schema
}
