package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Calls that change the structure of the world at once, in loops over events, where it is not locked: world:spawn, despawn, add, remove, relate
// and unrelate; setfields.go has world:set. In a kernel, such a call becomes an effect (Effect.Now) that takes place at the end of the row
// (kernel/structure.go). Nobody may notice the difference: so before a row looks at the world after such a call, an ir.Untouched asks whether it
// would see the change. The second half of this file puts these into the finished body.

// structural lowers such a call.
func (c *lowerer) structural(e *ast.FuncCallExpr, wanted int) []*symbol {
	c.unobservedChange(e)
	made := e.Method != "spawn" || len(e.Args) == 1 && isConstructor(e.Args[0])
	switch {
	case c.locked():
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	case !made:
		refuseWith(e, tableInCall, "spawns from a table that is not made for the call")
	}
	c.asksIndex(e)
	if e.Method == "spawn" {
		p := c.payload(ir.QueueSpawn, e)
		p.e.Now = true
		s := c.described(p, e, e.Args)
		if wanted == 0 {
			return nil
		}
		x := c.temporary(ir.Number)
		s.I = x.I
		return []*symbol{plain(x)}
	}
	kind := commandKinds()[e.Method]
	if n := len(e.Args) - 1; n < 0 || n < kind.least || n > kind.most {
		refuseWith(e, adviceOnCall(e), "calls %s with %d arguments", callee(e), len(e.Args))
	}
	p := c.payload(kind.op, e)
	p.e.Now = true
	p.handle(e.Args[0])
	kind.parts(p, e.Args[1:])
	for _, id := range slices.Concat(p.e.Components, p.e.Relations) {
		info, _ := c.context.World.ComponentInfo(id)
		if info.Name == ecs.IsA { // it changes what many entities have
			refuseWith(e, adviceOnCall(e), "calls %s with %q", callee(e), ecs.IsA)
		}
		if info.Many { // a target is searched for among many, which costs steps
			refuseWith(e, adviceOnCall(e), "calls %s with %q, which has many targets", callee(e), info.Name)
		}
	}
	p.entity[0] = c.keep(p.entity[0])
	if wanted == 0 {
		p.emit()
		return nil
	}
	given := &ir.Expr{Op: ir.Alive, Type: ir.Bool, A: p.entity[0]}
	if e.Method == "unrelate" {
		given = related(p.e.Relations[0], p.entity[0], true).has
	}
	given = c.keep(given)
	p.emit()
	return []*symbol{plain(given)}
}

// isConstructor reports whether an expression is a table constructor.
func isConstructor(e ast.Expr) bool {
	_, ok := e.(*ast.TableExpr)
	return ok
}

// What a row looks at after a call that changes the structure of the world at once. Such a change takes place at the end of the
// row. So an ir.Untouched comes before each statement that might see it: it leaves rows to the interpreter in which a recorded call concerns the
// entity that is looked at.

// asksUntouched puts an ir.Untouched before statements that look at the world after a change of its structure. Where that does not suffice, Lower begins
// again, and leaves the changes to the interpreter; so it does for world.commands:spawn beside a spawn or despawn at once, because that reserves the next entity when the command is queued.
func (c *lowerer) asksUntouched() {
	now := func(e *ir.Effect) bool { return e.Now }
	if !slices.ContainsFunc(c.p.Effects, now) {
		return
	}
	ends := func(e *ir.Effect) bool { return e.Now && (e.Op == ir.QueueSpawn || e.Op == ir.QueueDespawn) }
	queues := func(e *ir.Effect) bool { return !e.Now && e.Op == ir.QueueSpawn }
	l := later{c: c, looks: map[int]*ir.Expr{}}
	l.finds(c.p.Body)
	c.p.Body = l.block(c.p.Body)
	for _, at := range l.asked {
		c.departure(ir.Departure{File: at.File, Line: at.Line, Text: "an entity is looked at after world:spawn, despawn, add, remove, set or relate has changed it", Advice: string(queueIt)})
	}
	if l.refused || slices.ContainsFunc(c.p.Effects, ends) && slices.ContainsFunc(c.p.Effects, queues) ||
		slices.ContainsFunc(c.p.Origins, func(o ir.Origin) bool { return o.From == ir.FromCount }) {
		c.hints.locked = true
		panic(retry{})
	}
}

// loopStatements are the statements whose body runs several times.
var loopStatements = []ir.StmtOp{ir.While, ir.Repeat, ir.Count, ir.Items, ir.Entries, ir.Each, ir.Near, ir.Sources, ir.Sort}

// A later walks a body, and knows where a change may have been recorded.
type later struct {
	c       *lowerer
	looks   map[int]*ir.Expr // by view: the entity of which it is a component; nil if that is not one expression
	changed bool             // a call that changes structure comes before this place
	each    bool             // this place is in a query loop
	asked   []*ir.Stmt       // what asks
	refused bool
}

// finds fills looks.
func (l *later) finds(body []*ir.Stmt) {
	l.c.eachStatement(body, func(s *ir.Stmt) {
		if s.Op != ir.Look {
			return
		}
		if x, ok := l.looks[s.I]; ok && (x == nil || x.Op != s.A.Op || x.I != s.A.I) || s.A.Op != ir.Reg && s.A.Op != ir.Entity {
			l.looks[s.I] = nil
		} else {
			l.looks[s.I] = s.A
		}
	})
}

// block returns some statements with what asks before them.
func (l *later) block(body []*ir.Stmt) (out []*ir.Stmt) {
	for _, s := range body {
		inner := slices.Contains(loopStatements, s.Op)
		before := l.changed
		l.changed = before || inner && changes(s.Body)
		if l.changed {
			out = append(out, l.asks(s, before)...)
		}
		if s.Op == ir.Emit && s.Effect.Now {
			l.refused = l.refused || l.each
			l.changed = true
		}
		each := l.each
		l.each = each || s.Op == ir.Each
		s.Body = l.block(s.Body)
		l.each = each
		changed := l.changed
		if s.Op == ir.If { // only one branch runs
			l.changed = before
			s.Else = l.block(s.Else)
			l.changed = l.changed || changed
		}
		out = append(out, s)
	}
	return out
}

// changes reports whether statements change structure at once.
func changes(body []*ir.Stmt) bool {
	return slices.ContainsFunc(body, func(s *ir.Stmt) bool {
		return s.Op == ir.Emit && s.Effect.Now || changes(s.Body) || changes(s.Else)
	})
}

// asks returns what asks before a statement whether it would see a change. before says that a change may come before the statement, and not only
// in its body.
func (l *later) asks(s *ir.Stmt, before bool) (out []*ir.Stmt) {
	ask := func(entity *ir.Expr, id int) {
		u := &ir.Stmt{Op: ir.Untouched, A: entity, I: id, File: s.File, Line: s.Line}
		l.asked, out = append(l.asked, u), append(out, u)
	}
	switch s.Op {
	case ir.While, ir.Repeat, ir.Sort:
		l.refused = l.refused || l.looksAround(s) // it is evaluated again and again
		return nil
	case ir.Each:
		if before {
			ask(nil, -1)
			out[len(out)-1].J = s.I + 1
			l.expr(s.A, ask)
		}
		return out
	case ir.Near:
		if before {
			ask(nil, -1)
		}
		return out
	case ir.Sources: // the list of them is complete when the loop begins
		if before {
			id, _ := s.Listed()
			ask(nil, int(id))
			l.expr(s.A, ask)
		}
		return out
	case ir.Store:
		l.view(s.I, ask)
	case ir.Look:
		ask(s.A, int(l.c.p.Refs[s.I-l.c.p.Views].Component))
	case ir.Set, ir.If, ir.Count, ir.Break, ir.Jump, ir.Block, ir.Do, ir.Put, ir.PutKey, ir.Make, ir.PutItem, ir.Insert, ir.Remove, ir.Items, ir.Entries, ir.Invoke, ir.Fit, ir.Emit, ir.Return, ir.Leave:
	default:
		l.refused = true
	}
	if before {
		for _, x := range append([]*ir.Expr{s.A, s.B, s.C}, s.Args...) {
			l.expr(x, ask)
		}
	}
	return out
}

// view asks for the view of another entity.
func (l *later) view(i int, ask func(entity *ir.Expr, id int)) {
	if i < l.c.p.Views {
		return // the event
	}
	if entity := l.looks[i]; entity != nil {
		ask(entity, int(l.c.p.Refs[i-l.c.p.Views].Component))
		return
	}
	ask(nil, -1)
}

// expr asks for what an expression looks at.
func (l *later) expr(x *ir.Expr, ask func(entity *ir.Expr, id int)) {
	if x == nil {
		return
	}
	of := x.A
	if of != nil && hasEffect(of) {
		of = nil // it cannot be evaluated twice
	}
	switch x.Op {
	case ir.Load, ir.Present:
		l.view(x.I, ask)
	case ir.Has, ir.Related:
		ask(of, int(x.ID))
	case ir.Alive, ir.Tagged:
		ask(of, -1)
	case ir.Tag, ir.Untag:
		ask(of, ir.TagOrder)
	case ir.Const, ir.Reg, ir.Entity, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.Pow, ir.Neg, ir.Less, ir.LessEqual, ir.Equal, ir.Not, ir.And, ir.Or, ir.Select, ir.Call, ir.Min, ir.Max,
		ir.Element, ir.Exists, ir.Lookup, ir.HasKey, ir.Pair, ir.As, ir.Wrap, ir.Truth, ir.Length, ir.Join, ir.Shown, ir.Random:
	case ir.Item: // where it is a field of a view, closures ask
	default:
		l.refused = true
	}
	l.expr(x.A, ask)
	l.expr(x.B, ask)
	l.expr(x.C, ask)
}

// looksAround reports whether the expressions of a statement look at the world.
func (l *later) looksAround(s *ir.Stmt) (found bool) {
	for _, x := range []*ir.Expr{s.A, s.B, s.C} {
		l.expr(x, func(*ir.Expr, int) { found = true })
	}
	return found
}
