package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Loops over who is at a place of an index with a size, or around it: world:all and world:around. They follow the list of each place, which does not
// change meanwhile: a body that moves somebody in the same index is refused.

// indexWalk lowers a loop over entities of an index.
func (c *lowerer) indexWalk(st *ast.GenericForStmt, call *ast.FuncCallExpr) {
	x := c.indexOf(call)
	if x == nil {
		refuseWith(call, DeclareIt, "walks through an index that is not known before the loop begins")
	}
	spec := x.Spec()
	if spec.Width == 0 {
		refuseWith(call, "give the index width and height", "walks through the index %q, which has no size", spec.Name)
	}
	most, args := 1, call.Args[1:]
	if call.Method == "around" {
		most = 3
	}
	if wanted := len(args) == 2; call.Method == "around" && len(args) != 3 && len(args) != 4 || call.Method == "all" && !wanted {
		refuseWith(call, adviceOnCall(call), "calls %s with %d arguments", callee(call), len(call.Args))
	}
	if len(st.Names) > most {
		refuse(st, "has a loop over an index with more than %d variables", most)
	}
	n := len(c.out)
	if call.Method == "all" {
		count := c.keep(c.placeCell(x, call, ir.CountAt))
		c.occupants(st, x, c.keep(c.placeCell(x, call, ir.FirstAt)), count, nil, 0)
	} else {
		first, counts := c.places(x, ir.FirstAt, call), c.places(x, ir.CountAt, call)
		cell := func(layer int, key *ir.Expr) *ir.Expr {
			return &ir.Expr{Op: ir.Element, I: layer, A: key, Member: -1, Field: c.p.Layers[layer].Field}
		}
		c.area(call, area{args, spec.Width, spec.Height, spec.Wrap}, func(px, py *ir.Expr, label int) []*ir.Stmt {
			return c.collect(func() {
				key := c.keep(keyOfCell(float64(spec.Width), px, py))
				count := cell(counts, binary(ir.Add, binary(ir.Mul, key, constantNumber(2)), constantNumber(1)))
				c.occupants(st, x, cell(first, key), count, []*ir.Expr{px, py}, label)
			})
		})
	}
	if moves := slices.IndexFunc(c.p.Layers, func(l ir.Layer) bool { return l.Name == spec.Name && l.Places == ir.PlaceOf }); moves >= 0 && puts(c.out[n:], moves) {
		refuseWith(st, "collect them, and move them after the loop", "moves entities in the index %q while it walks through it", spec.Name)
	}
}

// occupants lowers the loop over the entities at one place: first is the first one, 0 for none, and count is how many there are. So the entry of an entity
// that is alone is not read. A break jumps to the end of the block with the label, unless that is 0.
func (c *lowerer) occupants(st *ast.GenericForStmt, x *ecs.Index, first, count *ir.Expr, place []*ir.Expr, label int) {
	layer := c.places(x, ir.NextAt, st)
	number := func() *ir.Expr { return &ir.Expr{Op: ir.Reg, I: c.register(ir.Number)} }
	at, left := number(), number()
	c.set(at.I, -1, first)
	c.set(left.I, -1, count)
	s := &ir.Stmt{Op: ir.While, A: not(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: at, B: &ir.Expr{Op: ir.Const}})}
	c.iteration(s, func() {
		c.breaks[len(c.breaks)-1] = label
		s.Body = c.collect(func() {
			entity := c.temporary(ir.Number)
			c.entities[entity.I] = true
			c.set(entity.I, -1, at)
			c.set(at.I, -1, constantNumber(0))
			c.set(left.I, -1, binary(ir.Sub, left, constantNumber(1)))
			c.emit(&ir.Stmt{Op: ir.If, A: compared(ir.Less, constantNumber(0), left), Body: c.collect(func() {
				c.set(at.I, -1, &ir.Expr{Op: ir.Element, I: layer, A: entity, Member: -1, Field: c.p.Layers[layer].Field})
			})})
			c.emit(&ir.Stmt{Op: ir.Block, Body: c.block(st.Stmts, func() {
				values := append([]*ir.Expr{entity}, place...)
				for i, v := range c.t.Names.Declared(st) {
					c.loopVariable(v, plain(values[i]), st)
				}
			})})
		})
	})
	c.emit(s)
}

// puts reports whether statements write cells of a layer.
func puts(body []*ir.Stmt, layer int) bool {
	return slices.ContainsFunc(body, func(s *ir.Stmt) bool {
		return s.Op == ir.Put && s.Field != nil && s.I == layer || puts(s.Body, layer) || puts(s.Else, layer)
	})
}
