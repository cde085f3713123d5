package alias

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// The meaning of variables, expressions and results of calls.

// Variable returns what a variable stands for. One that is assigned after its declaration is unclear, except a local called world to which
// nothing but the world is assigned.
func (a *Names) Variable(v *syntax.Variable) Meaning {
	if m, ok := a.known[v]; ok {
		return m
	}
	if a.open[v] { // a function that calls itself
		return Meaning{}
	}
	a.open[v] = true
	m := a.variable(v)
	delete(a.open, v)
	a.known[v] = m
	return m
}

func (a *Names) variable(v *syntax.Variable) Meaning {
	switch {
	case v.Assigned:
		return a.worldOnly(v)
	case v.Kind == syntax.LoopVariable:
		if loop, ok := v.Node.(*ast.GenericForStmt); ok && len(loop.Exprs) == 1 {
			return a.yielded(loop.Exprs[0], v.Index)
		}
		return Meaning{Kind: Other}
	case v.Kind == syntax.Parameter:
		return a.parameter(v)
	case v.Kind == syntax.Local, v.Kind == syntax.LocalFunction:
		if v.Value != nil {
			return a.Of(v.Value)
		}
		if st, ok := v.Node.(*ast.LocalAssignStmt); ok && v.Index >= len(st.Exprs) {
			last := len(st.Exprs) - 1
			return a.result(st.Exprs[last], v.Index-last)
		}
	}
	return Meaning{}
}

// worldOnly returns the world for a local called world if nothing else is assigned to it.
func (a *Names) worldOnly(v *syntax.Variable) (all Meaning) {
	if v.Name != "world" || v.Kind != syntax.Local {
		return Meaning{}
	}
	if st, ok := v.Node.(*ast.LocalAssignStmt); ok && v.Value == nil && len(st.Exprs) > 0 { // a result of a call
		return Meaning{}
	}
	assigned := []ast.Expr{v.Value}
	for _, use := range v.Uses {
		if use.Assigned {
			assigned = append(assigned, use.Value)
		}
	}
	for i, e := range assigned {
		if _, empty := e.(*ast.NilExpr); i == 0 && (e == nil || empty) {
			continue
		}
		m := Meaning{}
		if e != nil {
			m = a.Of(e)
		}
		if m.Kind != World || all.Kind == World && m != all {
			return Meaning{}
		}
		all = m
	}
	return all
}

// Yielded returns what a variable of a loop stands for when a turn of the loop begins, also if something is assigned to it later.
func (a *Names) Yielded(v *syntax.Variable) Meaning {
	if loop, ok := v.Node.(*ast.GenericForStmt); ok && v.Kind == syntax.LoopVariable && len(loop.Exprs) == 1 {
		return a.yielded(loop.Exprs[0], v.Index)
	}
	return Meaning{}
}

// parameter returns what a parameter of a function stands for: the world in a function of a system; in a local
// function that is only ever called, what all its calls give.
func (a *Names) parameter(v *syntax.Variable) Meaning {
	fn := v.Node.(*ast.FunctionExpr)
	if a.entries[fn] != "" && v.Index == 0 {
		given, _ := a.argument(v)
		return Meaning{Kind: World, Condition: Condition{Entry: true, Given: given}}
	}
	if call := a.given[fn]; call != nil {
		if m := a.observed(call, v.Index); m.Kind != Unclear || v.Name != "world" || call.Method == "on" {
			return m
		}
	}
	if v.Name == "world" {
		if given, ok := a.argument(v); ok {
			return Meaning{Kind: World, Condition: Condition{Given: given}}
		}
		return Meaning{}
	}
	holder := a.holders[fn]
	if a.entries[fn] != "" || holder == nil || len(holder.Uses) == 0 {
		return Meaning{}
	}
	var all Meaning
	for i, use := range holder.Uses {
		call := a.calls[use.Ident]
		if call == nil || v.Index >= len(call.Args) {
			return Meaning{}
		}
		m := a.Of(call.Args[v.Index])
		if m.Kind == Unclear || m.Kind == Other || i > 0 && (m.Kind != all.Kind || m.Name != all.Name) {
			return Meaning{}
		}
		if i > 0 && m.Condition != all.Condition {
			given, _ := a.argument(v)
			m.Condition = Condition{Given: given}
		}
		all = m
	}
	return all
}

// observed returns what parameter i of the function of an observer stands for, which is written as an argument of world:on.
func (a *Names) observed(call *ast.FuncCallExpr, i int) Meaning {
	if call.Method != "on" || len(call.Args) < 2 {
		return Meaning{}
	}
	on := a.Of(call.Receiver)
	switch {
	case on.Kind != World:
	case i == 0:
		return on
	case i == 1:
		return Meaning{Kind: Entity, Condition: on.Condition}
	case i == 2:
		if text, ok := a.Text(call.Args[0]); ok {
			kind, known := ecs.ParseObserverKind(text.Value)
			switch {
			case known && kind.Subject() == "component":
				return a.named(View, call.Args, 1, on)
			case known && kind.Subject() == "relation":
				return Meaning{Kind: Entity, Condition: on.Condition}
			}
		}
	}
	return Meaning{}
}

// Of returns what an expression stands for.
func (a *Names) Of(e ast.Expr) Meaning {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return a.Variable(a.names.Of(e))
	case *ast.AttrGetExpr:
		m := a.Of(e.Object)
		key, ok := e.Key.(*ast.StringExpr)
		switch {
		case !ok:
		case m.Kind == World && key.Value == "commands":
			return Meaning{Kind: Commands, Condition: m.Condition}
		case m.Kind == World && key.Value == "resources":
			return Meaning{Kind: Resources, Condition: m.Condition}
		case m.Kind == World && key.Value == "layers":
			return Meaning{Kind: Layers, Condition: m.Condition}
		case m.Kind == World && key.Value == "states":
			return Meaning{Kind: States, Condition: m.Condition}
		case m.Kind == Layers:
			return Meaning{Kind: Layer, Name: key.Value, Condition: m.Condition}
		case m.Kind == Module && key.Value == "log":
			return Meaning{Kind: Log, Condition: m.Condition}
		case m.Kind == Module && key.Value == "none":
			return Meaning{Kind: Entity, Condition: m.Condition}
		}
	case *ast.FuncCallExpr:
		return a.result(e, 0)
	case *ast.Comma3Expr: // of a function of a system: its first argument
		if fn := a.rest[e]; a.entries[fn] != "" && len(fn.ParList.Names) == 0 {
			given, _ := a.called(fn)
			given.Index = 1
			return Meaning{Kind: World, Condition: Condition{Entry: true, Given: given}}
		}
	case *ast.StringExpr, *ast.NumberExpr, *ast.TableExpr, *ast.FunctionExpr, *ast.NilExpr, *ast.TrueExpr, *ast.FalseExpr:
		return Meaning{Kind: Other}
	}
	return Meaning{}
}

// result returns what result i of a call stands for.
func (a *Names) result(e ast.Expr, i int) Meaning {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok {
		return Meaning{}
	}
	if a.requires(call) && i == 0 {
		return Meaning{Kind: Module}
	}
	if call.Method == "" {
		if _, ok := a.IsQuery(call); ok && i == 0 {
			return Meaning{Kind: Query}
		}
		return Meaning{}
	}
	on := a.Of(call.Receiver)
	if on.Kind != World && on.Kind != Commands {
		return Meaning{}
	}
	m := Meaning{Kind: Other, Condition: on.Condition} // no method gives a world
	switch call.Method {
	case "spawn", "instance", "prefab", "child", "related", "at", "nearest":
		m.Kind = Entity
	case "get":
		m = a.named(View, call.Args, 1, on)
	case "first", "pick":
		m = a.yield(call.Args, i, on)
	case "read", "peek", "drain":
		m = a.named(Events, call.Args, 0, on)
	}
	return m
}

// requires reports whether a call is require("ecs").
func (a *Names) requires(call *ast.FuncCallExpr) bool {
	name, ok := a.required(call)
	return ok && name == "ecs"
}

// required returns the name of the module that a call requires.
func (a *Names) required(call *ast.FuncCallExpr) (name string, ok bool) {
	v := a.names.Variable(call.Func)
	if v == nil || !v.IsGlobal("require") || len(call.Args) != 1 {
		return "", false
	}
	text, ok := call.Args[0].(*ast.StringExpr)
	if !ok {
		return "", false
	}
	return text.Value, true
}

// yielded returns what variable i of a loop over e stands for.
func (a *Names) yielded(e ast.Expr, i int) Meaning {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || call.Method == "" {
		if m := a.Of(e); m.Kind == Events && i == 0 {
			return Meaning{Kind: Event, Name: m.Name, Condition: m.Condition}
		}
		return Meaning{Kind: Other}
	}
	on := a.Of(call.Receiver)
	if on.Kind != World {
		return Meaning{Kind: Other}
	}
	switch call.Method {
	case "each":
		return a.yield(call.Args, i, on)
	case "read", "peek", "drain":
		if i == 0 {
			return a.named(Event, call.Args, 0, on)
		}
	case "near":
		if i > 1 && len(call.Args) > 4 {
			if _, ok := a.IsQuery(a.value(call.Args[4])); ok {
				return a.yield(call.Args[4:], i-1, on)
			}
		}
		fallthrough
	case "removed", "sources", "targets", "all", "around":
		if i == 0 {
			return Meaning{Kind: Entity, Condition: on.Condition}
		}
	}
	return Meaning{Kind: Other}
}

// yield returns what a query gives as its value i: the entity, then the views.
func (a *Names) yield(args []ast.Expr, i int, on Meaning) Meaning {
	if i == 0 {
		return Meaning{Kind: Entity, Condition: on.Condition}
	}
	q := a.Asked(args)
	if q == nil {
		return Meaning{Kind: Other}
	}
	if list := append(append([]*ast.StringExpr{}, q.All...), q.Optional...); i <= len(list) && q.Listed {
		return Meaning{Kind: View, Name: list[i-1].Value, Condition: on.Condition}
	}
	return Meaning{Kind: Other}
}

// named returns a meaning whose name is argument i of a call.
func (a *Names) named(kind Kind, args []ast.Expr, i int, on Meaning) Meaning {
	if i < len(args) {
		if name, ok := a.Text(args[i]); ok {
			return Meaning{Kind: kind, Name: name.Value, Condition: on.Condition}
		}
	}
	return Meaning{Kind: Other}
}

// Text returns the string that an expression is in every execution: a constant, or that of a local with a constant
// value that is never assigned again. ok is false if the source does not show it.
func (a *Names) Text(e ast.Expr) (text *ast.StringExpr, ok bool) {
	for {
		v := a.names.Variable(e)
		if v == nil || v.Kind != syntax.Local || v.Assigned {
			break
		}
		e = v.Value
	}
	text, ok = e.(*ast.StringExpr)
	return text, ok
}

// MaybeWorld reports whether an expression may be the world or its commands: it is one of them, or its meaning is
// unclear.
func (a *Names) MaybeWorld(e ast.Expr) bool {
	switch a.Of(e).Kind {
	case Other, Resources, Layers, States, Layer, Module, Log, Entity, View, Event, Query, Events:
		return false
	case Unclear, World, Commands:
		return true
	default:
		panic("alias: unknown kind")
	}
}
