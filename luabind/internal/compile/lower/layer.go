package lower

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/yuin/gopher-lua/ast"
)

// Calls of layers: get, set and add. A place that is not in the layer has no cell, so the row is left to the interpreter, which raises the error.

// farPlace bounds coordinates under wrap: within it, their remainder is exact.
const farPlace = 1 << 31

// onLayer lowers LAYER:METHOD(…).
func (c *lowerer) onLayer(name string, e *ast.FuncCallExpr, wanted int) []*symbol {
	l := c.context.World.LookupLayer(name)
	if l == nil {
		refuseWith(e, DeclareIt, "there is no layer %q", name)
	}
	t := l.Spec().Type
	switch e.Method {
	case "get":
		c.arity(e, 2)
	case "set", "add":
		c.arity(e, 3)
		if wanted > 0 {
			refuse(e, "uses what layer:%s gives, which is nothing", e.Method)
		}
		if e.Method == "add" && (!t.Numeric() || t == ecs.I64 || t == ecs.U64) {
			refuse(e, "adds to a layer of %s", t)
		}
	default:
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	c.p.Exact = true
	i := c.layer(l)
	field := c.p.Layers[i].Field
	at := c.cellKey(l.Spec(), e)
	if e.Method == "get" {
		return []*symbol{plain(c.cellAt(i, t, at))}
	}
	c.p.Layers[i].Stored = true
	v := c.cellValue(t, e.Args[2])
	key := c.keep(at)
	if e.Method == "add" {
		v = &ir.Expr{Op: ir.Add, A: &ir.Expr{Op: ir.Element, I: i, A: key, Member: -1, Field: field}, B: v}
	}
	c.emit(&ir.Stmt{Op: ir.Put, I: i, A: key, B: v, Member: -1, Field: field})
	return nil
}

// cellAt returns the value of the cell at a key.
func (c *lowerer) cellAt(layer int, t ecs.FieldType, key *ir.Expr) *ir.Expr {
	x := &ir.Expr{Op: ir.Element, I: layer, A: key, Member: -1, Field: c.p.Layers[layer].Field}
	if t == ecs.Bool {
		return not(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: x, B: &ir.Expr{Op: ir.Const}})
	}
	return x
}

// cellValue lowers a value for a cell.
func (c *lowerer) cellValue(t ecs.FieldType, e ast.Expr) *ir.Expr {
	if t == ecs.EntityField {
		x := c.entityOrNone(c.settled(c.operand(e), e), e)
		if x.Type != ir.Number {
			refuse(e, "takes %s for an entity", typeNames[x.Type])
		}
		return x
	}
	if t != ecs.Bool {
		return c.number(e)
	}
	x := c.as(c.expr(e), ir.Bool)
	if x.Type != ir.Bool {
		refuse(e, "puts %s into a layer of booleans", typeNames[x.Type])
	}
	return &ir.Expr{Op: ir.Select, A: x, B: &ir.Expr{Op: ir.Const, N: 1}, C: &ir.Expr{Op: ir.Const}}
}

// layer returns the index of a layer in Program.Layers. The first use adds it.
func (c *lowerer) layer(l *ecs.AnyLayer) int {
	spec := l.Spec()
	if i := slices.IndexFunc(c.p.Layers, func(o ir.Layer) bool { return o.Name == spec.Name && o.Places == 0 }); i >= 0 {
		return i
	}
	f := &ecs.Field{Name: "value", Type: spec.Type}
	if f.Type == ecs.Bool {
		f.Type = ecs.U8
	}
	c.p.Layers = append(c.p.Layers, ir.Layer{Name: spec.Name, Field: f, Cells: l.Len()})
	return len(c.p.Layers) - 1
}

// cellKey returns the key of the cell that the first two arguments of a call name; it is free to evaluate. Rows in which there is none are left to the
// interpreter here, or where the cell is used: with x within its row, a y outside makes a key outside of the layer.
func (c *lowerer) cellKey(spec ecs.LayerSpec, e *ast.FuncCallExpr) *ir.Expr {
	coordinate := func(e ast.Expr, n float64, row bool) *ir.Expr {
		x := c.number(e)
		whole := hasNoFraction(x)
		x = c.keep(x)
		inside := inRange(x, 0, n)
		if !whole {
			c.guard(compared(ir.Equal, x, floorOf(x)))
		}
		switch {
		case spec.Wrap:
			return ifElse(inside, x, ifElse(inRange(x, -farPlace, farPlace), binary(ir.Mod, x, constantNumber(n)), constantNumber(noPlace)))
		case !row:
			c.guard(inside)
		}
		return x
	}
	x := coordinate(e.Args[0], float64(spec.Width), false)
	y := coordinate(e.Args[1], float64(spec.Height), true)
	return keyOfCell(float64(spec.Width), x, y)
}

// noPlace makes the key of a cell, of which it is a coordinate, one that no cell has.
var noPlace = math.Inf(-1)

// hasNoFraction reports whether the source shows that a number is whole or infinite.
func hasNoFraction(x *ir.Expr) bool {
	switch x.Op {
	case ir.Add, ir.Sub, ir.Mod:
		return hasNoFraction(x.A) && hasNoFraction(x.B)
	case ir.Call:
		return x.Func == "floor" || x.Func == "ceil" || isWhole(x)
	default:
		return isWhole(x)
	}
}

func floorOf(x *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.Call, Func: "floor", A: x, One: sandbox.MathOne["floor"]}
}

func keyOfCell(width float64, x, y *ir.Expr) *ir.Expr {
	return binary(ir.Add, binary(ir.Mul, y, constantNumber(width)), x)
}

// inRange returns the condition that a number is at least from and less than to.
func inRange(v *ir.Expr, from, to float64) *ir.Expr {
	return all(compared(ir.LessEqual, constantNumber(from), v), compared(ir.Less, v, constantNumber(to)))
}

func constantNumber(n float64) *ir.Expr { return &ir.Expr{Op: ir.Const, N: n} }

func binary(op ir.Op, a, b *ir.Expr) *ir.Expr { return &ir.Expr{Op: op, A: a, B: b} }

func compared(op ir.Op, a, b *ir.Expr) *ir.Expr { return &ir.Expr{Op: op, Type: ir.Bool, A: a, B: b} }

func ifElse(cond, a, b *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.Select, Type: a.Type, A: cond, B: a, C: b}
}
