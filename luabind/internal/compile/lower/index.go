package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// world:at, and world:count of an index: they read the places of an index with a size where these are, like cells of a layer. Outside
// there is nobody. A store of an indexed field moves the entity at once, so the places are those of now
// in every row. indexwalk.go has the loops.

// indexOf returns the index that a call names; nil if its first argument is no name of one.
func (c *lowerer) indexOf(e *ast.FuncCallExpr) *ecs.Index {
	if len(e.Args) == 0 {
		return nil
	}
	name, ok := c.staticName(e.Args[0])
	if !ok {
		return nil
	}
	return c.context.World.LookupIndex(name)
}

// firstAt lowers world:at: an entity, or nil.
func (c *lowerer) firstAt(e *ast.FuncCallExpr) *symbol {
	x := c.indexOf(e)
	if x == nil {
		refuseWith(e, DeclareIt, "asks an index that is not known before the loop begins")
	}
	s := plain(c.keep(c.placeCell(x, e, ir.FirstAt)))
	s.has = not(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: s.x, B: &ir.Expr{Op: ir.Const}})
	return s
}

// placeCell returns what a place of an index has, 0 if it is outside.
func (c *lowerer) placeCell(x *ecs.Index, e *ast.FuncCallExpr, of ir.Places) *ir.Expr {
	spec := x.Spec()
	if spec.Width == 0 {
		refuseWith(e, "give the index width and height", "asks the index %q, which has no size", spec.Name)
	}
	c.arity(e, 3)
	i := c.places(x, of, e)
	px, inX := c.coordinate(spec, c.number(e.Args[1]), spec.Width)
	py, inY := c.coordinate(spec, c.number(e.Args[2]), spec.Height)
	key := keyOfCell(float64(spec.Width), px, py)
	if of == ir.CountAt {
		key = binary(ir.Add, binary(ir.Mul, key, constantNumber(2)), constantNumber(1))
	}
	cell := func(key *ir.Expr) *ir.Expr {
		return &ir.Expr{Op: ir.Element, I: i, A: key, Member: -1, Field: c.p.Layers[i].Field}
	}
	if spec.Wrap {
		return cell(key)
	}
	inside := all(inX, inY)
	return ifElse(inside, cell(ifElse(inside, key, constantNumber(0))), constantNumber(0))
}

// coordinate returns where a number is in an index with a size, and whether that is inside. Rows with a fraction are left to the interpreter.
func (c *lowerer) coordinate(spec ecs.IndexSpec, x *ir.Expr, n int) (at, inside *ir.Expr) {
	whole := hasNoFraction(x)
	x = c.keep(x)
	if !whole {
		c.guard(compared(ir.Equal, x, floorOf(x)))
	}
	inside = inRange(x, 0, float64(n))
	if !spec.Wrap {
		return x, inside
	}
	c.guard(inRange(x, -farPlace, farPlace)) // within, the remainder is exact
	return ifElse(inside, x, binary(ir.Mod, x, constantNumber(float64(n)))), boolean(true)
}

// places returns the number in Program.Layers of some cells of an index. The first use adds them. Changes of structure come when the row is done, so
// they and an index do not go together.
func (c *lowerer) places(x *ecs.Index, of ir.Places, at ast.PositionHolder) int {
	if slices.ContainsFunc(c.p.Effects, func(e *ir.Effect) bool { return e.Now }) {
		refuse(at, "uses an index in a loop that changes the structure of the world")
	}
	c.p.Exact = true
	spec := x.Spec()
	i := slices.IndexFunc(c.p.Layers, func(o ir.Layer) bool { return o.Name == spec.Name && o.Places == of })
	if i >= 0 {
		return i
	}
	layer := ir.Layer{Name: spec.Name, Field: &ecs.Field{Name: "value", Type: ecs.EntityField}, Cells: spec.Width * spec.Height, Places: of}
	switch of {
	case ir.CountAt:
		layer.Field, layer.Cells = &ecs.Field{Name: "value", Type: ecs.U32}, 2*layer.Cells
	case ir.PlaceOf:
		layer.Field, layer.Stored = &ecs.Field{Name: "value", Type: ecs.U32}, true
	}
	c.p.Layers = append(c.p.Layers, layer)
	return len(c.p.Layers) - 1
}

// follow moves the entity of a view to the place that its fields say, in each index of the component with a size, after one of them was stored.
func (c *lowerer) follow(view *symbol, stored ...*ecs.Field) {
	for _, x := range c.context.World.IndexesOf(view.component) {
		spec := x.Spec()
		if spec.Width == 0 || !slices.ContainsFunc(stored, func(f *ecs.Field) bool { return slices.Contains(spec.Fields, f.Name) }) {
			continue
		}
		entity := view.entity
		switch {
		case view.kept != nil:
			entity = c.keptEntity(view.kept)
		case entity == nil:
			refuse(c.where, "moves an entity that is not known in the index %q", spec.Name)
		}
		c.p.Entity = c.p.Entity || entity.Op == ir.Entity
		i := c.places(x, ir.PlaceOf, c.where)
		coordinate := func(field, n int) (at, inside *ir.Expr) {
			f := &view.schema.Fields()[view.schema.Index(spec.Fields[field])]
			return c.coordinate(spec, &ir.Expr{Op: ir.Load, I: view.i, Field: f}, n)
		}
		px, inX := coordinate(0, spec.Width)
		py, inY := coordinate(1, spec.Height)
		place := binary(ir.Add, keyOfCell(float64(spec.Width), px, py), constantNumber(1))
		if !spec.Wrap {
			place = ifElse(all(inX, inY), place, constantNumber(0))
		}
		c.emit(&ir.Stmt{Op: ir.Put, I: i, A: entity, B: c.keep(place), Member: -1, Field: c.p.Layers[i].Field})
	}
}

// asksIndex refuses a change of structure at once in a loop that asks an index.
func (c *lowerer) asksIndex(at ast.PositionHolder) {
	if slices.ContainsFunc(c.p.Layers, func(l ir.Layer) bool { return l.Places != 0 }) {
		refuse(at, "changes the structure of the world in a loop that uses an index")
	}
}
