package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Exits: statements that are left to the interpreter while the rest of the body is compiled. A statement that no
// kernel can do does not prevent that, if not every row reaches it. It becomes an ir.Leave: a row that reaches it
// is restored, and the interpreter runs that row as a whole.
//
// Exits are found by trial. Where Prepare or Lower refuses something, it notes the innermost statement around it
// that not every row reaches, and begins again. What follows an exit in its block is not looked at.

// exits are the statements of a body that are left to the interpreter, with the reasons.
type exits map[ast.Stmt]*Reason

// mostExits is the largest number of exits in a body, and so of attempts that they cause.
const mostExits = 24

// add notes a statement as an exit because something in it was refused. It returns false if that does not help;
// then the loop is interpreted.
func (x exits) add(st ast.Stmt, why *Reason) bool {
	if st == nil || why.whole || why.Text == tooLarge || len(x) >= mostExits || x[st] != nil {
		return false
	}
	x[st] = why
	return true
}

// A position is where a pass over a body is, as far as exits are concerned.
type position struct {
	// rare says that not every row reaches this place of the current function: it is in an if, or behind a
	// statement that may jump.
	rare bool
	// exit is the innermost statement around the position that not every row reaches, in this function or one that
	// calls it; nil if every row reaches the position.
	exit ast.Stmt
}

// enter begins a statement. The caller restores the position before when the statement is done. If something in it
// is refused, the position stays, and says which exit would help.
func (p *position) enter(st ast.Stmt) (before position) {
	before = *p
	if p.rare {
		p.exit = st
	}
	return before
}

// pass moves past a statement of a block.
func (p *position) pass(st ast.Stmt) { p.rare = p.rare || jumps(st, true, nil) }

// jumps reports whether a row may leave, inside st, the block that st stands in. breaks says whether a break does
// that: a break inside a loop within st only ends that loop. So does a goto to one of the labels, which are within st.
func jumps(st ast.Stmt, breaks bool, labels []string) bool {
	list := func(stmts []ast.Stmt, breaks bool) bool {
		inside := labels
		for _, st := range stmts {
			if l, ok := st.(*ast.LabelStmt); ok {
				inside = append(inside[:len(inside):len(inside)], l.Name)
			}
		}
		return slices.ContainsFunc(stmts, func(st ast.Stmt) bool { return jumps(st, breaks, inside) })
	}
	switch st := st.(type) {
	case *ast.GotoStmt:
		return !slices.Contains(labels, st.Label)
	case *ast.ReturnStmt:
		return true
	case *ast.BreakStmt:
		return breaks
	case *ast.IfStmt:
		return list(st.Then, breaks) || list(st.Else, breaks)
	case *ast.DoBlockStmt:
		return list(st.Stmts, breaks)
	case *ast.WhileStmt:
		return list(st.Stmts, false)
	case *ast.RepeatStmt:
		return list(st.Stmts, false)
	case *ast.NumberForStmt:
		return list(st.Stmts, false)
	case *ast.GenericForStmt:
		return list(st.Stmts, false)
	}
	return false
}

// leaves emits an exit, and lists it among the departures of the Program.
func (c *lowerer) leaves(why *Reason) {
	c.p.Exact = true
	c.departure(ir.Departure{File: why.File, Line: why.Line, Text: why.Text, Advice: string(why.Advice), Statement: true})
	c.emit(&ir.Stmt{Op: ir.Leave, File: why.File, Line: why.Line})
}

// HasExits reports whether some statements are left to the interpreter whatever the types are.
func (t *Template) HasExits() bool { return len(t.exits) > 0 }

// Writes that somebody observes: see Context.Observers. They are refused, so that they become exits where not every row does
// them.

// unobserved refuses an operation on a component or tag if somebody observes it.
func (c *lowerer) unobserved(at ast.PositionHolder, kind ecs.ObserverKind, id uint32, does, name string) {
	if c.context.Observers == nil {
		return
	}
	if who, ok := c.context.Observers.Observed(kind, id); ok {
		refuseWatched(at, fmt.Sprintf("%s %q", does, name), who)
	}
}

// unobservedStore refuses to store a field of a component if somebody observes that.
func (c *lowerer) unobservedStore(t *target) {
	var id ecs.ComponentID
	switch i := t.view.i; {
	case i >= c.p.Views:
		id = c.p.Refs[i-c.p.Views].Component
	case c.p.Events != nil:
		return
	default:
		id = c.p.Components[i]
	}
	at := c.where
	if t.at != nil { // a change of a table in the field has none
		at = t.at
	}
	c.unobserved(at, ecs.OnSet, uint32(id), "writes", c.context.World.ComponentNames()[id])
}

// unobservedFlip refuses to set or remove a tag if somebody observes it.
func (c *lowerer) unobservedFlip(e *ast.FuncCallExpr, id ecs.TagID) {
	if kind, does := ecs.OnTagged, "sets the tag"; e.Method == "tag" {
		c.unobserved(e, kind, uint32(id), does, c.context.World.TagName(id))
	} else {
		c.unobserved(e, ecs.OnUntagged, uint32(id), "removes the tag", c.context.World.TagName(id))
	}
}

// unobservedChange refuses a change of structure at once if somebody observes any.
func (c *lowerer) unobservedChange(at ast.PositionHolder) {
	if c.context.Observers == nil {
		return
	}
	if who, ok := AnyStructural(c.context.World, c.context.Observers); ok {
		refuseWatched(at, "changes the structure of the world at once", who)
	}
}

// refuseWatched refuses what an observer watches.
func refuseWatched(at ast.PositionHolder, does, who string) {
	text, advice := Watched(does, who)
	refuseWith(at, advice, "%s", text)
}

// Watched says that an observer, or an index, watches what code does.
func Watched(does, who string) (text string, advice Advice) {
	if strings.HasPrefix(who, "index ") {
		return does + ", where " + who + " must follow each write", QueueIndexed
	}
	if who != "" {
		who = " at " + who
	}
	return does + ", which the observer" + who + " watches", QueueObserved
}

// AnyStructural returns an observer of what a change of structure may report: that an entity is spawned or despawned, or gets or loses a component, a
// relation or a tag.
func AnyStructural(w *ecs.World, by Observers) (who string, ok bool) {
	for _, kind := range []ecs.ObserverKind{ecs.OnSpawned, ecs.OnDespawned} {
		if who, ok = by.Observed(kind, 0); ok {
			return who, ok
		}
	}
	for id := range w.ComponentNames() {
		for _, kind := range []ecs.ObserverKind{ecs.OnAdded, ecs.OnRemoved, ecs.OnRelated, ecs.OnUnrelated} {
			if who, ok = by.Observed(kind, uint32(id)); ok {
				return who, ok
			}
		}
	}
	for id := range w.TagNames() {
		for _, kind := range []ecs.ObserverKind{ecs.OnTagged, ecs.OnUntagged} {
			if who, ok = by.Observed(kind, uint32(id)); ok {
				return who, ok
			}
		}
	}
	return "", false
}
