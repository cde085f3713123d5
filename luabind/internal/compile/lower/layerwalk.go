package lower

import (
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Loops over cells: LAYER:each() and LAYER:around(x, y, r, …) become one loop over numbers, so that a break leaves it.

// layerWalk lowers a loop over cells of a layer.
func (c *lowerer) layerWalk(st *ast.GenericForStmt, call *ast.FuncCallExpr, name string) {
	l := c.context.World.LookupLayer(name)
	if l == nil {
		refuseWith(call, DeclareIt, "there is no layer %q", name)
	}
	if len(st.Names) > 3 {
		refuse(st, "has a loop over cells with more than three variables")
	}
	c.p.Exact = true
	i := c.layer(l)
	if call.Method == "each" {
		c.arity(call, 0)
		c.eachCell(st, l.Spec(), i)
		return
	}
	if len(call.Args) != 3 && len(call.Args) != 4 {
		refuseWith(call, adviceOnCall(call), "calls %s with %d arguments", callee(call), len(call.Args))
	}
	c.around(st, call, l.Spec(), i)
}

// cells declares the variables of a loop over cells, for a cell inside.
func (c *lowerer) cells(st *ast.GenericForStmt, spec ecs.LayerSpec, layer int, x, y *ir.Expr) {
	variables := c.t.Names.Declared(st)
	values := []*ir.Expr{x, y, c.reached(spec, layer, x, y, len(variables) > 2)}
	for i, v := range variables {
		c.loopVariable(v, plain(values[i]), st)
	}
}

// reached reads the cell that a walk reaches, if the loop has a variable for it. An integer that a Lua number does not hold is an error also where it has
// none.
func (c *lowerer) reached(spec ecs.LayerSpec, layer int, x, y *ir.Expr, named bool) *ir.Expr {
	if !named && spec.Type != ecs.I64 && spec.Type != ecs.U64 {
		return nil
	}
	return c.keep(c.cellAt(layer, spec.Type, keyOfCell(float64(spec.Width), x, y)))
}

// walkedCell declares the variables of a loop over cells that is no inner loop. Its rows are x and y; what is left over is nil.
func (c *lowerer) walkedCell() {
	c.p.Events, c.p.Components, c.p.Exact = c.context.Events, []ecs.ComponentID{ir.NoComponent}, true
	c.p.Cells, c.p.Uses = true, 1
	spec := c.context.Cells.Spec()
	var values []*ir.Expr
	fields := c.context.Events.Fields()
	for i := range fields {
		values = append(values, &ir.Expr{Op: ir.Load, Type: ir.Number, Field: &fields[i]})
	}
	variables := c.t.Variables
	values = append(values, c.reached(spec, c.layer(c.context.Cells), values[0], values[1], len(variables) > 2))
	for i, v := range variables {
		switch {
		case i >= len(values):
			c.declare(v, &symbol{kind: nilSymbol})
		case c.t.assigned[v]:
			own := &symbol{typ: values[i].Type, i: c.register(values[i].Type), mark: -1}
			c.set(own.i, -1, values[i])
			c.declare(v, own)
		default:
			c.declare(v, plain(values[i]))
		}
	}
}

// eachCell lowers LAYER:each().
func (c *lowerer) eachCell(st *ast.GenericForStmt, spec ecs.LayerSpec, layer int) {
	w := constantNumber(float64(spec.Width))
	cell := c.temporary(ir.Number)
	s := &ir.Stmt{Op: ir.Count, A: constantNumber(0), B: constantNumber(float64(spec.Width*spec.Height - 1)), C: constantNumber(1), I: cell.I}
	c.iteration(s, func() {
		s.Body = c.block(st.Stmts, func() {
			x := c.keep(binary(ir.Mod, cell, w))
			y := c.keep(binary(ir.Div, binary(ir.Sub, cell, x), w))
			c.cells(st, spec, layer, x, y)
		})
	})
	c.emit(s)
}

// around lowers LAYER:around(…).
func (c *lowerer) around(st *ast.GenericForStmt, call *ast.FuncCallExpr, spec ecs.LayerSpec, layer int) {
	c.area(call, area{call.Args, spec.Width, spec.Height, spec.Wrap}, func(x, y *ir.Expr, label int) []*ir.Stmt {
		c.breaks[len(c.breaks)-1] = label
		return c.block(st.Stmts, func() { c.cells(st, spec, layer, x, y) })
	})
}

// An area is where a walk goes around a place.
type area struct {
	args          []ast.Expr // x, y, r and the neighbourhood
	width, height int
	wrap          bool
}

// area lowers a walk around a place. Rows in which a place may come twice, or which ask for a place outside, are left to the interpreter. The walk is
// two loops, so what visit lowers must jump to the label where it leaves the walk.
func (c *lowerer) area(call *ast.FuncCallExpr, of area, visit func(x, y *ir.Expr, label int) []*ir.Stmt) {
	neumann := false
	if len(of.args) == 4 {
		name, ok := c.staticName(of.args[3])
		if !ok || name != "moore" && name != "neumann" {
			refuse(call, "takes a neighbourhood that is not known before the loop begins")
		}
		neumann = name == "neumann"
	}
	w, h := constantNumber(float64(of.width)), constantNumber(float64(of.height))
	place := c.list(of.args[:3], c.number)
	for i, v := range place {
		if place[i] = c.keep(v); !hasNoFraction(v) {
			c.guard(compared(ir.Equal, place[i], floorOf(place[i])))
		}
	}
	x, y, r := place[0], place[1], place[2]
	if of.wrap {
		c.guard(all(inRange(r, 0, math.Floor((min(w.N, h.N)-1)/2)+1), all(inRange(x, -farPlace, farPlace), inRange(y, -farPlace, farPlace))))
		x = c.keep(ifElse(inRange(x, 0, w.N), x, binary(ir.Mod, x, w)))
		y = c.keep(ifElse(inRange(y, 0, h.N), y, binary(ir.Mod, y, h)))
	} else {
		c.guard(all(inRange(r, 0, max(w.N, h.N)), all(inRange(x, 0, w.N), inRange(y, 0, h.N))))
	}
	c.jumps++
	label := c.jumps
	body := c.collect(func() {
		c.offsets(y, r, h, of.wrap, func(dy, py *ir.Expr) {
			reach := r
			if neumann {
				reach = c.keep(binary(ir.Sub, r, ifElse(compared(ir.Less, dy, constantNumber(0)), &ir.Expr{Op: ir.Neg, A: dy}, dy)))
			}
			c.offsets(x, reach, w, of.wrap, func(dx, px *ir.Expr) {
				itself := all(compared(ir.Equal, dx, constantNumber(0)), compared(ir.Equal, dy, constantNumber(0)))
				found := &ir.Stmt{Op: ir.If, A: not(itself)}
				found.Body = visit(px, py, label)
				c.emit(found)
			})
		})
	})
	c.emit(&ir.Stmt{Op: ir.Block, I: label, Body: body})
}

// offsets lowers a loop over the offsets from -r to r of a coordinate at, with the coordinate of each. Those outside are left out, or are on the other side.
func (c *lowerer) offsets(at, r, size *ir.Expr, wrap bool, visit func(offset, place *ir.Expr)) {
	first, last := &ir.Expr{Op: ir.Neg, A: r}, r
	if !wrap {
		back, on := &ir.Expr{Op: ir.Neg, A: at}, binary(ir.Sub, binary(ir.Sub, size, constantNumber(1)), at)
		first, last = ifElse(compared(ir.Less, first, back), back, first), ifElse(compared(ir.Less, on, last), on, last)
	}
	offset := c.temporary(ir.Number)
	s := &ir.Stmt{Op: ir.Count, A: first, B: last, C: constantNumber(1), I: offset.I}
	c.iteration(s, func() {
		s.Body = c.collect(func() {
			place := c.keep(binary(ir.Add, at, offset))
			if wrap {
				place = c.keep(ifElse(compared(ir.Less, place, constantNumber(0)), binary(ir.Add, place, size), ifElse(compared(ir.LessEqual, size, place), binary(ir.Sub, place, size), place)))
			}
			visit(offset, place)
		})
	})
	c.emit(s)
}
