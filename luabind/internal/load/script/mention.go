package script

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Names that a source mentions. Compiling a file collects them in a pass over its tree (mentionsIn);
// Runtime.Undeclared looks them up in the world after loading. The list of functions in package api says which
// arguments are names.

// A Mention is a name that a file writes as a constant where only a declared name is valid: "Position" in
// world:get(e, "Position"), x in world:set(e, "Position", { x = 1 }). So it can be checked without running the
// line.
type Mention struct {
	Kind   surface.NameKind
	By     string // the function that is given the name, "world:get"; "" if it is none
	Name   string
	Field  string         // if set, the mention is about this field of Name
	Unless string         // if it is an index, the mention says nothing: what follows its name are values of a place
	Err    error          // if set, the mention is wrong whatever is declared, and Name is ""
	Of     surface.Object // if set, the mention is about a member of this object, which Name names
	Line   int            // counted from 1

	If alias.Condition // when the mention counts: whether its world is the world may depend on other files
}

// Wrong returns what is wrong with the mention in a world; nil if the name is declared.
func (m Mention) Wrong(w *ecs.World) error {
	switch {
	case m.Err != nil:
		return m.Err
	case m.Of != "":
		return m.Of.Has(w, m.Name)
	case m.Field != "":
		return surface.KnownField(w, m.Kind, m.Name, m.Field)
	default:
		if m.Unless != "" && w.LookupIndex(m.Unless) != nil {
			return nil
		}
		return surface.Known(w, m.By, m.Kind, m.Name)
	}
}

// mentionsIn returns a pass that appends the mentions of a file to those of its unit, in the order of the source, and
// adds the components that the file may give to world:removed, the events that it gives to world:read, and what it
// observes. Package alias says which variables hold the world.
func mentionsIn(u *Unit) sandbox.Pass {
	return func(file *syntax.Chunk) error {
		depth := -1 // the file itself is a function
		m := mentioner{unit: u, knownAs: alias.New(file), depth: &depth, assigned: map[ast.Expr]bool{}}
		file.Visit(syntax.Visitor{
			Stmt: m.statement, Expr: m.expression,
			Enter: func(s syntax.Scope) {
				if s.Function {
					depth++
				}
			},
			Leave: func(s syntax.Scope) {
				if s.Function {
					depth--
				}
			},
		})
		u.Gifts = m.knownAs.Gifts(file)
		return nil
	}
}

// A mentioner visits one file.
type mentioner struct {
	unit     *Unit
	knownAs  *alias.Names
	depth    *int              // how many functions of the file are around the node that is visited
	assigned map[ast.Expr]bool // members that are assigned: what is wrong with them has been said
	on       alias.Condition   // If of the mentions that are added next
	by       string            // By of these
	unless   string            // Unless of these
}

// statement reports an assignment to a member of the module ecs, of its logs, of the world or of its commands. When the file runs, one to the
// module raises an error only for a new name; an existing function would be replaced for the rest of the file.
func (m mentioner) statement(st ast.Stmt) {
	var targets []ast.Expr
	switch st := st.(type) {
	case *ast.AssignStmt:
		targets = st.Lhs
	case *ast.FuncDefStmt:
		targets = []ast.Expr{st.Name.Func}
	}
	for _, to := range targets {
		get, ok := to.(*ast.AttrGetExpr)
		if !ok {
			continue
		}
		what := m.knownAs.Of(get.Object)
		m.on = what.Condition
		name, named := get.Key.(*ast.StringExpr)
		switch object, _ := what.Object(); {
		case what.Kind == alias.States && named:
			m.wrong(surface.StatesObject.Assigned(name.Value), st.Line())
			m.assigned[to] = true
		case object == surface.ModuleObject || object == surface.LogObject:
			m.wrong(object.Changed(), st.Line())
		case object != "" && named:
			m.wrong(object.Assigned(name.Value), st.Line())
			m.assigned[to] = true
		}
	}
}

// expression collects what one expression mentions by itself. The visitor calls it for the expressions in it, too.
func (m mentioner) expression(e ast.Expr) {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		if e.Method != "" {
			switch {
			case e.Method == "removed":
				m.unit.Removals.add(m.knownAs, e.Args)
			case e.Method == "read" && m.knownAs.MaybeWorld(e.Receiver) && len(e.Args) > 0:
				if name, ok := m.knownAs.Text(e.Args[0]); ok {
					m.unit.Reads = append(m.unit.Reads, name.Value)
				}
			case e.Method == "on" && m.knownAs.MaybeWorld(e.Receiver):
				m.unit.Observes.add(m.knownAs, e)
				m.observing(e.Args)
			}
			what := m.knownAs.Of(e.Receiver)
			m.on = what.Condition
			if object, ok := what.Object(); ok {
				m.member(object, e.Method, e.Line())
				if f := object.Function(e.Method); f != nil {
					m.by = object.Prefix() + f.Name
					m.method(f, e.Args)
				}
			}
			return
		}
		m.dotted(e)
		m.query(e)
		m.data(e)
	case *ast.AttrGetExpr:
		name, ok := e.Key.(*ast.StringExpr)
		if !ok {
			return
		}
		if name.Value == "removed" && m.knownAs.MaybeWorld(e.Object) {
			m.unit.Removals.Unknown = true // the function is taken as a value
		}
		what := m.knownAs.Of(e.Object)
		m.on = what.Condition
		switch what.Kind {
		case alias.Resources:
			m.by = "world.resources"
			m.put(surface.ResourceName, name.Value, "", name.Line())
		case alias.States:
			m.by = "world.states"
			if !m.assigned[e] {
				m.put(surface.StateName, name.Value, "", name.Line())
			}
		case alias.Layers:
			m.by = "world.layers"
			m.put(surface.LayerName, name.Value, "", name.Line())
		case alias.View:
			m.put(surface.ViewName, what.Name, name.Value, name.Line())
		case alias.Event:
			m.put(surface.EventName, what.Name, name.Value, name.Line())
		case alias.World, alias.Commands, alias.Module, alias.Log, alias.Layer:
			object, _ := what.Object()
			if !m.assigned[e] {
				m.member(object, name.Value, e.Line())
			}
		case alias.Unclear, alias.Other, alias.Entity, alias.Query, alias.Events:
		}
	}
}

// data collects the name in a call of ecs.data.
func (m mentioner) data(e *ast.FuncCallExpr) {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok || len(e.Args) == 0 {
		return
	}
	key, ok := get.Key.(*ast.StringExpr)
	if !ok || key.Value != "data" || m.knownAs.Of(get.Object).Kind != alias.Module {
		return
	}
	if name, ok := m.knownAs.Text(e.Args[0]); ok {
		m.unit.DataUses = append(m.unit.DataUses, DataUse{name.Value, e.Line()})
	}
}

// dotted reports a method that is called with a dot, as in world.get(e, "Position"), unless its first argument may
// be the world.
func (m mentioner) dotted(e *ast.FuncCallExpr) {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok {
		return
	}
	name, ok := get.Key.(*ast.StringExpr)
	what := m.knownAs.Of(get.Object)
	object, isObject := what.Object()
	if !ok || !isObject || len(e.Args) > 0 && m.knownAs.MaybeWorld(e.Args[0]) {
		return
	}
	m.on = what.Condition
	if err := object.Dotted(name.Value); err != nil {
		m.wrong(err, e.Line())
	}
}

// wrong adds a mention that is wrong whatever is declared.
func (m mentioner) wrong(err error, line int) {
	m.unit.Mentions = append(m.unit.Mentions, Mention{Err: err, Line: line, If: m.on})
}

// add adds the mention of a name, or of a field of that name, if they are constants.
func (m mentioner) add(kind surface.NameKind, e, field ast.Expr) {
	name, ok := m.knownAs.Text(e)
	if !ok {
		return
	}
	if field == nil {
		m.put(kind, name.Value, "", e.Line())
	} else if key, ok := field.(*ast.StringExpr); ok {
		m.put(kind, name.Value, key.Value, field.Line())
	}
}

// put adds the mention of a name, or of a field of that name.
func (m mentioner) put(kind surface.NameKind, name, field string, line int) {
	m.unit.Mentions = append(m.unit.Mentions, Mention{Kind: kind, By: m.by, Unless: m.unless, Name: name, Field: field, Line: line, If: m.on})
}

// member adds the mention of a name that an object does not have.
func (m mentioner) member(of surface.Object, name string, line int) {
	if of.Has(nil, name) == nil {
		return
	}
	m.unit.Mentions = append(m.unit.Mentions, Mention{Of: of, Name: name, Line: line, If: m.on})
}

// query adds the names in a call of ecs.query inside a function. Those of a call at the top of a file are resolved
// when the file is loaded.
func (m mentioner) query(e *ast.FuncCallExpr) {
	table, ok := m.knownAs.IsQuery(e)
	if !ok || table == nil || *m.depth == 0 {
		return
	}
	m.on, m.by = alias.Condition{}, "ecs.query"
	q := m.knownAs.Table(table)
	for _, list := range [][]*ast.StringExpr{q.All, q.Optional, q.Without, q.Any, q.Changed, q.Added} {
		for _, name := range list {
			m.put(surface.ComponentName, name.Value, "", name.Line())
		}
	}
	for _, list := range [][]*ast.StringExpr{q.Tagged, q.Untagged} {
		for _, name := range list {
			m.put(surface.TagName, name.Value, "", name.Line())
		}
	}
}

// fields adds the fields that a table constructor names, as fields of owner.
func (m mentioner) fields(kind surface.NameKind, owner, table ast.Expr) {
	if t := m.knownAs.Constructor(table); t != nil {
		for _, f := range t.Fields {
			if f.Key != nil {
				m.add(kind, owner, f.Key)
			}
		}
	}
}

// method adds the names among the arguments of a call, according to the roles of the function's arguments.
func (m mentioner) method(f *api.Function, args []ast.Expr) {
	for i, arg := range args {
		switch f.Role(i) {
		case api.Component:
			m.add(surface.ComponentName, arg, nil)
		case api.Tag, api.Filter:
			m.add(surface.TagName, arg, nil)
		case api.Event, api.Waiting:
			m.add(surface.EventName, arg, nil)
		case api.State:
			m.add(surface.StateName, arg, nil)
			if i+1 < len(args) {
				m.value(arg, args[i+1])
			}
		case api.Relation:
			m.add(surface.RelationName, arg, nil)
		case api.Grid:
			m.add(surface.GridName, arg, nil)
		case api.Index:
			m.add(surface.IndexName, arg, nil)
		case api.Prefab:
			m.add(surface.PrefabName, arg, nil)
		case api.Query:
			counts := f.Name == "count" || f.Name == "pick"
			if counts && i == 0 {
				m.add(surface.CountedName, arg, nil)
			} else if first, names := m.knownAs.Text(args[0]); names && counts {
				m.unless = first.Value
				m.add(surface.ComponentName, arg, nil)
				m.unless = ""
			} else if names {
				m.add(surface.ComponentName, arg, nil)
			} else if i == 1 { // a query object may be followed by a relation and its target
				m.add(surface.RelationName, arg, nil)
			}
		case api.Fields:
			kind := surface.ComponentName
			if f.Role(i-1) == api.Event {
				kind = surface.EventName
			}
			m.fields(kind, args[i-1], arg)
		case api.Parts:
			m.parts(arg)
		case api.Nothing, api.Value, api.Entity:
		}
	}
}

// value adds the value of a state, if both are constants.
func (m mentioner) value(state, value ast.Expr) {
	name, ok := m.knownAs.Text(state)
	if of, known := m.knownAs.Text(value); ok && known {
		m.put(surface.StateName, name.Value, of.Value, value.Line())
	}
}

// parts adds the names in a table that describes an entity, as world:spawn takes it.
func (m mentioner) parts(e ast.Expr) {
	m.by = "world:spawn"
	t := m.knownAs.Constructor(e)
	if t == nil {
		return
	}
	for _, f := range t.Fields {
		if f.Key == nil {
			m.add(surface.PartName, f.Value, nil)
			continue
		}
		m.add(surface.ComponentName, f.Key, nil)
		m.fields(surface.ComponentName, f.Key, f.Value)
	}
}
