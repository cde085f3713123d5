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
	c.area(call, area{call.Args, spec.Width, spec.Height, spec.Wrap}, func(x, y *ir.Expr) []*ir.Stmt {
		return c.block(st.Stmts, func() { c.cells(st, spec, layer, x, y) })
	})
}

// An area is where a walk goes around a place.
type area struct {
	args          []ast.Expr // x, y, r and the neighbourhood
	width, height int
	wrap          bool
}

// area lowers a walk around a place. Rows in which a place may come twice, or which ask for a place outside, are left to the interpreter.
func (c *lowerer) area(call *ast.FuncCallExpr, of area, visit func(x, y *ir.Expr) []*ir.Stmt) {
	neumann := false
	if len(of.args) == 4 {
		name, ok := c.staticName(of.args[3])
		if !ok || name != "moore" && name != "neumann" {
			refuse(call, "takes a neighbourhood that is not known before the loop begins")
		}
		neumann = name == "neumann"
	}
	x := c.keep(c.number(of.args[0]))
	y := c.keep(c.number(of.args[1]))
	r := c.keep(c.number(of.args[2]))
	w, h := float64(of.width), float64(of.height)
	for _, v := range []*ir.Expr{x, y, r} {
		if !hasNoFraction(v) {
			c.guard(compared(ir.Equal, v, floorOf(v)))
		}
	}
	if of.wrap {
		c.guard(all(inRange(r, 0, math.Floor((min(w, h)-1)/2)+1), all(inRange(x, -farPlace, farPlace), inRange(y, -farPlace, farPlace))))
	} else {
		c.guard(all(inRange(r, 0, max(w, h)), all(inRange(x, 0, w), inRange(y, 0, h))))
	}
	side := c.keep(binary(ir.Add, binary(ir.Add, r, r), constantNumber(1)))
	offset := c.temporary(ir.Number)
	s := &ir.Stmt{Op: ir.Count, A: constantNumber(0), B: binary(ir.Sub, binary(ir.Mul, side, side), constantNumber(1)), C: constantNumber(1), I: offset.I}
	c.iteration(s, func() {
		s.Body = c.collect(func() {
			column := c.keep(binary(ir.Mod, offset, side))
			dx := c.keep(binary(ir.Sub, column, r))
			dy := c.keep(binary(ir.Sub, binary(ir.Div, binary(ir.Sub, offset, column), side), r))
			zero := constantNumber(0)
			cond := not(all(compared(ir.Equal, dx, zero), compared(ir.Equal, dy, zero)))
			if neumann {
				size := func(d *ir.Expr) *ir.Expr { return ifElse(compared(ir.Less, d, zero), &ir.Expr{Op: ir.Neg, A: d}, d) }
				cond = all(cond, compared(ir.LessEqual, binary(ir.Add, size(dx), size(dy)), r))
			}
			atX, atY := binary(ir.Add, x, dx), binary(ir.Add, y, dy)
			if of.wrap {
				atX, atY = binary(ir.Mod, atX, constantNumber(w)), binary(ir.Mod, atY, constantNumber(h))
			}
			atX, atY = c.keep(atX), c.keep(atY)
			if !of.wrap {
				inside := func(v *ir.Expr, n float64) *ir.Expr {
					return all(compared(ir.LessEqual, zero, v), compared(ir.Less, v, constantNumber(n)))
				}
				cond = all(cond, all(inside(atX, w), inside(atY, h)))
			}
			found := &ir.Stmt{Op: ir.If, A: cond}
			found.Body = visit(atX, atY)
			c.emit(found)
		})
	})
	c.emit(s)
}
