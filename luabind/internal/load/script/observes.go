package script

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/yuin/gopher-lua/ast"
)

// What a file observes, as far as its source shows. Observers are declared when init runs, and reports about loops are
// made before; so mention.go collects the calls of world:on.

// Observes are the observers that a file may declare.
type Observes struct {
	List    []Observe // calls of world:on whose kind and name are constants, or locals that hold them
	Unknown bool      // some call computes its kind or name
}

// An Observe is one call of world:on.
type Observe struct {
	Kind ecs.ObserverKind
	Name string // "" for kinds without a name
	Line int
}

// Any reports whether the file may declare observers.
func (o *Observes) Any() bool { return o.Unknown || len(o.List) > 0 }

// add notes one call of world:on.
func (o *Observes) add(names *alias.Names, call *ast.FuncCallExpr) {
	if len(call.Args) < 2 {
		return
	}
	text, ok := names.Text(call.Args[0])
	if !ok {
		o.Unknown = true
		return
	}
	kind, known := ecs.ParseObserverKind(text.Value)
	switch {
	case !known:
		return
	case kind.Subject() == "":
		o.List = append(o.List, Observe{Kind: kind, Line: call.Line()})
		return
	}
	name, ok := names.Text(call.Args[1])
	if !ok {
		o.Unknown = true
		return
	}
	o.List = append(o.List, Observe{Kind: kind, Name: name.Value, Line: call.Line()})
}

// observing adds the name in a call of world:on, whose kind says what it is a name of.
func (m mentioner) observing(args []ast.Expr) {
	if len(args) < 2 {
		return
	}
	text, ok := m.knownAs.Text(args[0])
	if !ok {
		return
	}
	kind, known := ecs.ParseObserverKind(text.Value)
	if !known {
		return
	}
	m.by = "world:on"
	switch kind.Subject() {
	case "component":
		m.add(surface.ComponentName, args[1], nil)
	case "tag":
		m.add(surface.TagName, args[1], nil)
	case "relation":
		m.add(surface.RelationName, args[1], nil)
	}
}
