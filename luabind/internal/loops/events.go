package loops

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
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

// eventScene is what the loop seems to walk.
func (l *Loop) eventScene(w *ecs.World) (kernel.Scene, *Reason) {
	arg := l.Args[0]
	if id, ok := arg.(*ast.IdentExpr); ok {
		arg = l.origin(l.names.Of(id)).Value
	}
	name, ok := arg.(*ast.StringExpr)
	if !ok {
		return kernel.Scene{}, &Reason{Line: l.Line, Text: "the event is not named in quotes, so it is not known before the loop begins"}
	}
	id, ok := w.LookupEvent(name.Value)
	if !ok {
		return kernel.Scene{}, &Reason{Line: l.Line, Text: fmt.Sprintf("there is no event %q", name.Value), Advice: kernel.DeclareIt}
	}
	return kernel.Scene{World: w, Events: w.EventSchema(id), Loose: true}, nil
}

// open finds out what the loop walks; false when it must run as it is written.
func (s *site) open(L *lua.LState) bool {
	if s.over != "" {
		return s.events.Open(L, s.over)
	}
	return s.walk.Open(L)
}

// scene is what the loop walks, from open on.
func (s *site) scene() kernel.Scene {
	if s.over != "" {
		return kernel.Scene{World: s.events.World().ECS(), Events: s.events.Schema()}
	}
	return kernel.Scene{World: s.walk.World().ECS(), Query: s.walk.Query(), Narrowed: s.walk.Narrowed()}
}

// walk runs the kernel. What the rows of the loop add to the budget is lent to it
// beforehand, and what it has not used is taken back: that is the same whatever the
// kernel is, and in whatever order it does the rows.
func (v *variant) walk(s *site, budget *sandbox.Budget) kernel.Ending {
	if s.over == "" {
		rest := budget.Lend(v.p.RowInstructions(s.walk.Begin()))
		how := v.kernel.Run(&s.walk.Cursor)
		budget.TakeBack(rest)
		if how == kernel.Left {
			s.walk.HandOver()
		}
		return how
	}
	rest := budget.Lend(v.p.RowInstructions(s.events.Begin()))
	how := v.kernel.(kernel.EventCode).RunEvents(v.scene.World, &s.events)
	budget.TakeBack(rest)
	if how == kernel.Left {
		s.events.HandOver()
	} else {
		s.events.End()
	}
	return how
}
