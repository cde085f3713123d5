package script

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/api"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A Mention is a name that a file writes out where only a declared one will do:
// "Position" in world:get(e, "Position"), x in world:set(e, "Position", { x = 1 }).
// It can be looked up without running the line.
type Mention struct {
	Kind  surface.NameKind
	Name  string
	Field string // when set, the name's field is meant
	Err   error  // when set, this is wrong whatever is declared, and Name is ""
	Line  int    // counted from 1

	// Entry says that the mention counts only in the file of a system: there the world is the first parameter of the function that the file
	// returns, whatever its name.
	Entry bool
}

// Wrong returns what is wrong with the mention in a world, nil when the name is declared.
func (m Mention) Wrong(w *ecs.World) error {
	switch {
	case m.Err != nil:
		return m.Err
	case m.Field != "":
		return surface.KnownField(w, m.Kind, m.Name, m.Field)
	default:
		return surface.Known(w, m.Kind, m.Name)
	}
}

// mentionsIn returns a pass that collects the mentions of a file, in the order of
// the source. What the script calls world is taken for one, and so are locals that it is given to.
// asked gets the components that the file may give to world:removed.
func mentionsIn(found *[]Mention, asked *Removals) sandbox.Pass {
	return func(file *syntax.Chunk) error {
		m := mentioner{found: found, asked: asked, knownAs: newAliases(file)}
		file.Visit(syntax.Visitor{Stmt: m.statement, Expr: m.expression})
		return nil
	}
}

type mentioner struct {
	found   *[]Mention
	asked   *Removals
	knownAs *aliases
	entry   bool // of the mentions that are added now
}

// statement notes an assignment to a member of the module ecs or of its logs. While the file runs, only new names raise: those that are there would be
// replaced for the rest of the file.
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
		what, entry := m.knownAs.of(get.Object)
		m.entry = entry
		if object, _ := what.object(); object == surface.ModuleObject || object == surface.LogObject {
			m.wrong(object.Changed(), st.Line())
		}
	}
}

// expression notes what one expression names by itself; those in it come later.
func (m mentioner) expression(e ast.Expr) {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		if e.Method != "" {
			if e.Method == "removed" {
				m.asked.add(m.knownAs, e.Args)
			}
			what, entry := m.knownAs.of(e.Receiver)
			m.entry = entry
			if object, ok := what.object(); ok {
				if err := object.Has(e.Method); err != nil {
					m.wrong(err, e.Line())
				}
				if f := object.Function(e.Method); f != nil {
					m.method(f, e.Args)
				}
			}
			return
		}
		m.dotted(e)
	case *ast.AttrGetExpr:
		name, ok := e.Key.(*ast.StringExpr)
		if !ok {
			return
		}
		if name.Value == "removed" && m.knownAs.maybeWorld(e.Object) {
			m.asked.Unknown = true // the function is taken as a value
		}
		what, entry := m.knownAs.of(e.Object)
		m.entry = entry
		if what == theResources {
			m.add(surface.ResourceName, name, nil)
		} else if object, ok := what.object(); ok {
			if err := object.Has(name.Value); err != nil {
				m.wrong(err, e.Line())
			}
		}
	}
}

// dotted notes a method of the world that is called with a dot, unless the world may be its first argument.
func (m mentioner) dotted(e *ast.FuncCallExpr) {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok {
		return
	}
	name, ok := get.Key.(*ast.StringExpr)
	what, entry := m.knownAs.of(get.Object)
	object, isObject := what.object()
	if !ok || !isObject || len(e.Args) > 0 && m.knownAs.maybeWorld(e.Args[0]) {
		return
	}
	m.entry = entry
	if err := object.Dotted(name.Value); err != nil {
		m.wrong(err, e.Line())
	}
}

// wrong notes what is wrong whatever is declared.
func (m mentioner) wrong(err error, line int) {
	*m.found = append(*m.found, Mention{Err: err, Line: line, Entry: m.entry})
}

// add notes e, if it is a constant; with field, that field of it.
func (m mentioner) add(kind surface.NameKind, e, field ast.Expr) {
	name, ok := e.(*ast.StringExpr)
	if !ok {
		return
	}
	if field == nil {
		*m.found = append(*m.found, Mention{Kind: kind, Name: name.Value, Line: e.Line(), Entry: m.entry})
	} else if key, ok := field.(*ast.StringExpr); ok {
		*m.found = append(*m.found, Mention{Kind: kind, Name: name.Value, Field: key.Value, Line: field.Line(), Entry: m.entry})
	}
}

func (m mentioner) fields(kind surface.NameKind, owner, table ast.Expr) {
	if t, ok := table.(*ast.TableExpr); ok {
		for _, f := range t.Fields {
			if f.Key != nil {
				m.add(kind, owner, f.Key)
			}
		}
	}
}

// method notes the names among the arguments of a function.
func (m mentioner) method(f *api.Function, args []ast.Expr) {
	for i, arg := range args {
		switch f.Role(i) {
		case api.Component:
			m.add(surface.ComponentName, arg, nil)
		case api.Tag:
			m.add(surface.TagName, arg, nil)
		case api.Event:
			m.add(surface.EventName, arg, nil)
		case api.Relation:
			m.add(surface.RelationName, arg, nil)
		case api.Grid:
			m.add(surface.GridName, arg, nil)
		case api.Query:
			if _, names := args[0].(*ast.StringExpr); names {
				m.add(surface.ComponentName, arg, nil)
			} else if i == 1 { // after a query come a relation and its target
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

// parts notes the names of an entity that is described in full.
func (m mentioner) parts(e ast.Expr) {
	t, ok := e.(*ast.TableExpr)
	if !ok {
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
