package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/yuin/gopher-lua/ast"
)

// world:spawn and world:despawn in loops over events, where structure is not locked. The interpreter changes the world at
// once. In a kernel, the call becomes an effect (Effect.Now) that takes place at the end of the row (kernel/structure.go).
// Nobody may notice the difference: so after such a call, the row must not look at the world. refuseLaterReads checks
// that, on the finished body.

// structural lowers world:spawn or world:despawn.
func (c *lowerer) structural(e *ast.FuncCallExpr, wanted int) {
	made := e.Method != "spawn" || len(e.Args) != 1 || isConstructor(e.Args[0])
	switch {
	case c.p.Events == nil && !made, wanted > 0 && !made:
		refuseWith(e, queueLiteral, "calls %s", callee(e))
	case c.p.Events == nil, wanted > 0:
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	case !made:
		refuseWith(e, tableInCall, "spawns from a table that is not made for the call")
	}
	if c.position.exit != nil && !c.t.Open { // few rows reach it: the others stay machine code
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	if e.Method == "spawn" {
		p := c.payload(ir.QueueSpawn, e)
		p.e.Now = true
		if s := c.described(p, e); len(s.Effect.Relations) > 0 {
			refuseWith(e, adviceOnCall(e), "calls %s with a relation", callee(e))
		}
		return
	}
	c.arity(e, 1)
	p := c.payload(ir.QueueDespawn, e)
	p.e.Now = true
	p.handle(e.Args[0])
	p.emit()
}

// isConstructor reports whether an expression is a table constructor.
func isConstructor(e ast.Expr) bool {
	_, ok := e.(*ast.TableExpr)
	return ok
}

// refuseLaterReads refuses a body that looks at the world after a call of world:spawn or world:despawn. It also refuses
// world.commands:spawn beside such a call, because that reserves the next entity when the command is queued.
func (c *lowerer) refuseLaterReads() {
	if !slices.ContainsFunc(c.p.Effects, func(e *ir.Effect) bool { return e.Now }) {
		return
	}
	r := laterReads{p: c.p}
	r.body(c.p.Body)
	if r.found || slices.ContainsFunc(c.p.Effects, func(e *ir.Effect) bool { return e.Op == ir.QueueSpawn && !e.Now }) ||
		slices.ContainsFunc(c.p.Origins, func(o ir.Origin) bool { return o.From == ir.FromCount }) {
		panic(&Reason{whole: true, Line: c.t.Line, Text: "spawns or despawns, and looks at the world afterwards", Advice: queueIt})
	}
}

// loopStatements are the statements whose body runs several times.
var loopStatements = []ir.StmtOp{ir.While, ir.Repeat, ir.Count, ir.Items, ir.Entries, ir.Each, ir.Near, ir.Sources, ir.Recurse}

// laterReads searches for reads of the world after a call that changes its structure.
type laterReads struct {
	p       *ir.Program
	changed bool // such a call comes before this place
	found   bool
}

func (r *laterReads) body(body []*ir.Stmt) {
	for _, s := range body {
		for _, x := range append([]*ir.Expr{s.A, s.B, s.C}, s.Args...) {
			r.expr(x)
		}
		switch s.Op {
		case ir.Set, ir.If, ir.While, ir.Repeat, ir.Count, ir.Break, ir.Jump, ir.Block, ir.Do, ir.Put, ir.PutKey, ir.PutRow, ir.Make, ir.Insert, ir.Remove, ir.Items, ir.Entries, ir.Fit, ir.Return, ir.Leave:
		case ir.Emit:
			r.changed = r.changed || s.Effect.Now
		default: // it looks at components or tags, stores to another entity, or may use a view that a table holds
			r.found = r.found || r.changed
		}
		before := r.changed
		r.body(s.Body)
		if slices.Contains(loopStatements, s.Op) && r.changed && !before { // the next iteration comes after the call
			r.body(s.Body)
			for _, x := range []*ir.Expr{s.A, s.B, s.C} {
				r.expr(x)
			}
		}
		changed := r.changed
		r.changed = before // of an If, only one branch runs
		r.body(s.Else)
		r.changed = r.changed || changed
	}
}

func (r *laterReads) expr(x *ir.Expr) {
	if x == nil || !r.changed {
		return
	}
	switch x.Op {
	case ir.Const, ir.Reg, ir.Entity, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.Pow, ir.Neg, ir.Less, ir.LessEqual, ir.Equal, ir.Not, ir.And, ir.Or, ir.Select, ir.Call, ir.Min, ir.Max,
		ir.Element, ir.Exists, ir.Lookup, ir.HasKey, ir.Pair, ir.As, ir.Wrap, ir.Truth, ir.Length, ir.Join, ir.Shown, ir.Random:
	case ir.Load, ir.Present:
		r.found = r.found || x.I >= r.p.Views
	case ir.Box:
		r.found = r.found || x.A != nil
	default: // it looks at entities or tags, or into a table, which may be a view
		r.found = true
	}
	r.expr(x.A)
	r.expr(x.B)
	r.expr(x.C)
}
