package lint

import (
	"fmt"
	"math"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/yuin/gopher-lua/ast"
)

// Cells of layers: places outside of one, and values that a cell cannot hold.

// cell returns the cell that an expression reads: layer:get(x, y).
func (c *checker) cell(f *file, e ast.Expr) (out field, ok bool) {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || call.Method != "get" {
		return field{}, false
	}
	on := f.names.Of(call.Receiver)
	if on.Kind != alias.Layer || !f.holds(on) {
		return field{}, false
	}
	l := c.World.LookupLayer(on.Name)
	if l == nil {
		return field{}, false
	}
	return field{"world.layers", on.Name + ":get(…)", l.Spec().Type}, true
}

// cells reports the arguments of a function of a layer that it does not take.
func (c *checker) cells(f *file, call *ast.FuncCallExpr, name string) {
	l := c.World.LookupLayer(c.value(f, call.Receiver).meaning.Name)
	if l == nil {
		return
	}
	at := func(i int) value {
		if i < len(call.Args) {
			return c.value(f, call.Args[i])
		}
		return value{}
	}
	cell := -1 // the argument that is a value of a cell
	switch name {
	case "layer:get", "layer:add":
		c.outside(f, call, l, at(0), at(1))
	case "layer:set":
		c.outside(f, call, l, at(0), at(1))
		cell = 2
	case "layer:fill":
		cell = 0
	case "layer:around":
		c.outside(f, call, l, at(0), at(1))
		c.neighbourhood(f, call, 3)
	}
	if cell >= 0 {
		if why := itemMisfit(l.Spec().Type, at(cell)); why != "" {
			c.add("E204", f, call.Line(), fmt.Sprintf("layer %q: %s", l.Spec().Name, why), at(cell).advice)
		}
	}
}

// outside reports a place that a layer does not have.
func (c *checker) outside(f *file, call *ast.FuncCallExpr, l *ecs.AnyLayer, x, y value) {
	place := [2]int{}
	for i, v := range []value{x, y} {
		switch {
		case v.number == nil: // any number, and so 0
		case *v.number != math.Trunc(*v.number):
			c.add("E205", f, call.Line(), fmt.Sprintf("layer %q: %s must be a whole number, not %s", l.Spec().Name, []string{"x", "y"}[i], v.shown()), "write math.floor")
			return
		default:
			place[i] = int(max(min(*v.number, math.MaxInt32), math.MinInt32))
		}
	}
	_, err := l.Cell(place[0], place[1])
	switch {
	case err == nil:
	case x.number != nil && y.number != nil:
		c.add("E205", f, call.Line(), err.Error(), "")
	case x.number != nil:
		c.add("E205", f, call.Line(), fmt.Sprintf("layer %q: x %d is outside of it; x is 0 to %d", l.Spec().Name, place[0], l.Spec().Width-1), "")
	default:
		c.add("E205", f, call.Line(), fmt.Sprintf("layer %q: y %d is outside of it; y is 0 to %d", l.Spec().Name, place[1], l.Spec().Height-1), "")
	}
}

// neighbourhood reports argument i of around if it is the name of no neighbourhood.
func (c *checker) neighbourhood(f *file, call *ast.FuncCallExpr, i int) {
	if i >= len(call.Args) {
		return
	}
	v := c.value(f, call.Args[i])
	if v.is(unknown, nothing) || v.sort == str && (v.text == nil || *v.text == "moore" || *v.text == "neumann") {
		return
	}
	c.add("E205", f, call.Args[i].Line(), fmt.Sprintf(`"moore" or "neumann" expected, got %s`, v.shown()), "")
}
