package loops

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// eventCall is the call of read, peek or drain that a loop runs over, nil if it is
// no loop over events.
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

// eventContext is what the body of the loop seems to be lowered for.
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

// open finds out what the loop walks; false when it must run as it is written.
func (s *site) open(L *lua.LState) bool {
	if s.over != "" {
		return s.events.Open(L, s.over)
	}
	return s.walk.Open(L)
}

// context is what the body of the loop is lowered for, from open on.
func (s *site) context() lower.Context {
	if s.over != "" {
		return lower.Context{World: s.events.World().ECS(), Events: s.events.Schema()}
	}
	return lower.Context{World: s.walk.World().ECS(), Query: s.walk.Query(), Narrowed: s.walk.Narrowed()}
}

// walk runs the kernel. What the rows of the loop add to the budget is lent to it
// beforehand, and what it has not used is taken back: that is the same whatever the
// kernel is, and in whatever order it does the rows.
func (v *variant) walk(s *site, budget *sandbox.Budget) kernel.Ending {
	if s.over == "" {
		rest := budget.Lend(v.p.Rows(s.walk.Begin()) * sandbox.RowInstructions)
		how := v.kernel.Run(&s.walk.Cursor)
		budget.TakeBack(rest)
		if how == kernel.Bailout {
			s.walk.HandOver()
		}
		return how
	}
	rest := budget.Lend(v.p.Rows(s.events.Begin()) * sandbox.RowInstructions)
	how := v.kernel.(kernel.EventKernel).RunEvents(v.context.World, &s.events)
	budget.TakeBack(rest)
	if how == kernel.Bailout {
		s.events.HandOver()
	} else {
		s.events.End()
	}
	return how
}
