package luabind

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// Layers, an index and a state of random systems: see the others of sameness.

// places declares them.
func (l *landscape) places(w *ecs.World, must func(error)) {
	for _, spec := range []ecs.LayerSpec{
		{Name: "L", Type: ecs.F64, Width: 7, Height: 5, Wrap: true, Default: ecs.Number(1)},
		{Name: "K", Type: ecs.U8, Width: 6, Height: 4, Default: ecs.Number(3)},
		{Name: "M", Type: ecs.I16, Width: 41, Height: 27}, // more cells than a kernel gets at once
	} {
		_, err := w.DeclareLayer(spec)
		must(err)
	}
	_, err := w.DeclareState(ecs.StateSpec{Name: "mode", Values: []string{"day", "night"}})
	must(err)
	if i := l.indexed(); i >= 0 {
		of := l.parts[i].fields
		_, err := w.DeclareIndex(ecs.IndexSpec{Name: "ix", Component: l.parts[i].name, Fields: []string{of[0].Name, of[1].Name}, Width: 8, Height: 8, Wrap: l.seed%2 == 0})
		must(err)
	}
}

// overCells writes the first line of a loop over cells that is no inner one.
func (g *author) overCells() {
	layer, x, y, v := g.pick("world.layers.L", "world.layers.K", "world.layers.L", "world.layers.K", "world.layers.M"), g.names("x"), g.names("y"), g.names("v")
	if g.IntN(2) == 0 {
		g.line("local ground = %s", layer)
		layer = "ground"
	}
	if g.IntN(3) > 0 {
		g.line("for %s, %s, %s in %s:each() do", x, y, v, layer)
	} else {
		g.line("for %s, %s, %s in %s:around(%s, 1, %s%s) do", x, y, v, layer, g.pick("0", "2", "3"), g.pick("1", "2", "3", "30", "4", "dt"), g.pick("", `, "neumann"`))
	}
	g.nums = append(g.nums, x, y, v)
}

// indexed returns the part over whose first fields there is an index, -1 if there is none.
func (l *landscape) indexed() int {
	if l.seed%4 != 0 { // loops that write an indexed component are interpreted
		return -1
	}
	whole := []ecs.FieldType{ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8}
	return slices.IndexFunc(l.parts, func(p part) bool {
		return len(p.fields) > 1 && slices.Contains(whole, p.fields[0].Type) && slices.Contains(whole, p.fields[1].Type)
	})
}

// place is a coordinate, mostly of a place that there is.
func (g *author) place() string {
	return g.pick("0", "1", "3", "2", "-1", "("+g.condition(1)+" and 1 or 3)", "math.min(math.max(floor("+g.variable()+"), 0), 3)")
}

// placed writes to a layer, walks one, or looks who is at a place.
func (g *author) placed(levels int) {
	layer := g.pick("world.layers.L", "world.layers.L", "world.layers.K")
	switch n := g.IntN(6); {
	case n == 0:
		g.line("%s:set(%s, %s, %s)", layer, g.place(), g.place(), g.fitting(ecs.F64))
	case n == 1:
		g.line("%s:add(%s, %s, %s)", layer, g.place(), g.place(), g.pick("1", "2", "0.5", "-1", g.variable()))
	case n == 2 && g.indexed() >= 0:
		v := g.fresh("o")
		g.line(`local %s = world:at("ix", %s, %s)`, v, g.place(), g.place())
		g.line("if %s then total = total + 1 end", v)
	case n == 3:
		g.line(`if world.states.mode == %s then total = total + 1 end`, g.pick(`"day"`, `"night"`))
	case n == 4 && levels > 0:
		was, labels, x, y, v := g.scope, g.labels, g.fresh("x"), g.fresh("y"), g.fresh("c")
		g.line("for %s, %s, %s in %s:around(%s, %s, %s%s) do", x, y, v, layer, g.pick("0", "2"), g.pick("1", "3"), g.pick("1", "2", "0"), g.pick("", `, "neumann"`))
		g.nums = append(g.nums[:len(g.nums):len(g.nums)], x, y, v)
		g.turns(levels)
		g.scope, g.labels = was, labels
	default:
		g.line("total = total + %s:get(%s, %s)", layer, g.place(), g.place())
	}
}
