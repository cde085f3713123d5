package loops

import (
	"fmt"
	"strconv"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Loops over the cells of a layer: LAYER:each() and LAYER:around(x, y, r, …). They run as loops over events do.

// walksCells reports whether a for … in is a loop over cells. The layer is world.layers.NAME, or any local, if the arguments are those that only the
// functions of a layer take. A loop of which the source shows that it walks a few cells is none: a kernel for it alone would not be worth it.
func (l *Loop) walksCells(st *ast.GenericForStmt) bool {
	if len(st.Exprs) != 1 {
		return false
	}
	call, ok := st.Exprs[0].(*ast.FuncCallExpr)
	if !ok || call.Func != nil || call.Method != "each" && call.Method != "around" {
		return false
	}
	if call.Method == "around" && showsFew(call.Args) {
		return false
	}
	if _, world := l.layerIn(call.Receiver); world != nil {
		return true
	}
	if l.names.Variable(call.Receiver) == nil {
		return false
	}
	if call.Method == "each" {
		return len(call.Args) == 0 && len(st.Names) > 1 // each() of a world gives entities only
	}
	switch len(call.Args) {
	case 3:
		return true
	case 4:
		_, kind := call.Args[3].(*ast.StringExpr)
		return kind
	}
	return false
}

// fewCells is why no kernel runs over a few cells.
var fewCells = refusal{fmt.Sprintf("it walks fewer than %d cells, which takes less time than to begin with a kernel", surface.FewCells), "within a compiled loop it is a part of that"}

// showsFew reports whether the arguments of around show that there are a few cells.
func showsFew(args []ast.Expr) bool {
	if len(args) < 3 {
		return false
	}
	number, ok := args[2].(*ast.NumberExpr)
	if !ok {
		return false
	}
	kind := ecs.Moore
	if len(args) > 3 {
		switch name, _ := args[3].(*ast.StringExpr); {
		case name == nil:
			return false
		case name.Value == "neumann":
			kind = ecs.Neumann
		}
	}
	r, err := strconv.ParseFloat(number.Value, 64)
	return err == nil && surface.MostAround(r, kind) < surface.FewCells
}

// few reports whether the walk that open has found is over a few cells.
func (s *site) few() bool {
	w, ok := s.events.(*surface.CellWalk)
	return ok && w.Few()
}

// layerIn returns the layer that an expression stands for, and the variable that holds its world: WORLD.layers.NAME, or a local that holds it, also
// by way of a local that holds WORLD.layers. The name is "" if it is computed; the variable is nil if the source does not show a layer.
func (l *Loop) layerIn(e ast.Expr) (name string, world *syntax.Variable) {
	layer, ok := l.held(e).(*ast.AttrGetExpr)
	if !ok {
		return "", nil
	}
	layers, ok := l.held(layer.Object).(*ast.AttrGetExpr)
	if !ok || keyOf(layers) != "layers" {
		return "", nil
	}
	if world = l.names.Variable(layers.Object); world == nil || l.madeHere(world) {
		return "", nil
	}
	return keyOf(layer), world
}

// Given reports whether a loop walks the cells of a layer that the source does not show, such as one that a function is given, and has not begun. Then
// nobody knows what it becomes: it may only run as a part of other loops.
func (r *Runner) Given(l *Loop) bool {
	if l.Cells == "" || r.siteOf(l) != nil {
		return false
	}
	name, _ := l.layerIn(l.layer)
	return name == ""
}

// held returns the expression with which the variable that an expression is was declared, or the expression itself.
func (l *Loop) held(e ast.Expr) ast.Expr {
	if v := l.names.Variable(e); v != nil {
		return l.origin(v).Value
	}
	return e
}

// cellContext returns the context for which the body will probably be lowered.
func (l *Loop) cellContext(w *ecs.World) (lower.Context, *Reason) {
	name, _ := l.layerIn(l.layer)
	if name == "" {
		return lower.Context{}, &Reason{Line: l.Line, Text: "the source does not show which layer it walks, so that is not known before the loop begins"}
	}
	layer := w.LookupLayer(name)
	if layer == nil {
		return lower.Context{}, &Reason{Line: l.Line, Text: fmt.Sprintf("there is no layer %q", name), Advice: lower.DeclareIt}
	}
	return lower.Context{World: w, Events: surface.CellSchema, Cells: layer, Loose: true}, nil
}
