package loops

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// What differs between loops over entities, over events and over cells. A site walks either through a [surface.Walk] or through something stepped; the
// rest of this package uses the functions here and does not distinguish them.

// A stepped is a walk that has no cursor: a [surface.EventWalk] or a [surface.CellWalk].
type stepped interface {
	kernel.Events
	Open(L *lua.LState, method string) bool
	Reopen(head []lua.LValue, method string) bool
	World() *surface.World
	Begin() (rows int)
	None() bool
	HandOver(L *lua.LState, done int, once bool) *lua.LFunction
	Resume(of *lua.LFunction) (rows int, ok bool)
	End()
}

// eventCall returns the call of read, peek or drain that a loop runs over; nil if it is not a loop over events.
func eventCall(st *ast.GenericForStmt) *ast.FuncCallExpr {
	if len(st.Exprs) != 1 {
		return nil
	}
	call, ok := st.Exprs[0].(*ast.FuncCallExpr)
	if !ok || call.Func != nil || len(call.Args) != 1 || !slices.Contains([]string{"read", "peek", "drain"}, call.Method) {
		return nil
	}
	return call
}

// eventContext returns the context for which the body will probably be lowered, given the name of the event in the
// source.
func (l *Loop) eventContext(w *ecs.World) (lower.Context, *Reason) {
	arg := l.Args[0]
	if id, ok := arg.(*ast.IdentExpr); ok {
		arg = l.origin(l.names.Of(id)).Value
	}
	name, ok := arg.(*ast.StringExpr)
	if !ok {
		return lower.Context{}, &Reason{Line: l.Line, Text: "the event is not named in quotes, so it is not known before the loop begins"}
	}
	id, ok := w.LookupEvent(name.Value)
	if !ok {
		return lower.Context{}, &Reason{Line: l.Line, Text: fmt.Sprintf("there is no event %q", name.Value), Advice: lower.DeclareIt}
	}
	return lower.Context{World: w, Events: w.EventSchema(id), Loose: true}, nil
}

// open takes the world and the arguments from the stack, and finds out what the loop walks. It returns false if the
// loop must run as it is written.
func (s *site) open(L *lua.LState) bool {
	if s.over != "" {
		return s.events.Open(L, s.over)
	}
	return s.walk.Open(L)
}

// reopen is open for the values of the world and the arguments, without a stack. It returns false if only open can
// tell.
func (s *site) reopen(head []lua.LValue) bool {
	if s.over != "" {
		return s.events.Reopen(head, s.over)
	}
	return s.walk.Reopen(head)
}

// context returns what the body is lowered for. It is valid after open.
func (s *site) context() lower.Context {
	if s.over != "" {
		c := lower.Context{World: s.events.World().ECS()}
		switch w := s.events.(type) {
		case *surface.EventWalk:
			c.Events = w.Schema()
		case *surface.CellWalk:
			c.Events, c.Cells = surface.CellSchema, w.Layer()
		}
		return c
	}
	return lower.Context{World: s.walk.World().ECS(), Query: s.walk.Query(), Narrowed: s.walk.Narrowed()}
}

// query returns the query whose entities the loop walks; nil if it walks no entities, or the sources of one target.
func (s *site) query() *ecs.Query {
	if s.over != "" || s.walk.Narrowed() {
		return nil
	}
	return s.walk.Query()
}

// resume takes a walk back that was handed over for one row. ok is false if the walk is over, because the body has
// left the loop.
func (s *site) resume(generator *lua.LFunction) (rows int, ok bool) {
	if s.over != "" {
		return s.events.Resume(generator)
	}
	return s.walk.Resume(generator)
}

// begin begins the walk that open has found. It returns the number of rows.
func (s *site) begin() (rows int) {
	if s.over != "" {
		return s.events.Begin()
	}
	return s.walk.Begin()
}

// handOver leaves the rest of the walk, or one row of it, to the loop as it is written: see
// [surface.Walk.HandOver].
func (s *site) handOver(L *lua.LState, done int, once, here bool) *lua.LFunction {
	if s.over != "" {
		return s.events.HandOver(L, done, once)
	}
	return s.walk.HandOver(L, done, once, here)
}

// world returns the world that is walked. It is valid after open.
func (s *site) world() *surface.World {
	if s.over != "" {
		return s.events.World()
	}
	return s.walk.World()
}

// walk runs the kernel over rows that raise the budget. The raise is lent to the kernel before it runs, and what is
// not used is taken back. So the result is the same for all kernels, in whatever order they process the rows.
func (v *variant) walk(s *site, rows int, budget *sandbox.Budget) (how kernel.Ending) {
	s.world().Surface().Hand()
	all := int64(rows)
	if len(v.p.Queries) > 0 {
		all = v.p.Rows(rows)
	}
	loan := budget.Lend(all * sandbox.RowInstructions)
	if s.over == "" {
		how = v.kernel.Run(&s.walk.Cursor)
	} else {
		how = v.kernel.(kernel.EventKernel).RunEvents(v.context.World, s.events)
	}
	budget.TakeBack(loan)
	if s.over != "" && !how.Leaves() {
		s.events.End()
	}
	return how
}
