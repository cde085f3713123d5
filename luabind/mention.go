package luabind

import (
	"github.com/ecsrun/ecsrun/luabind/internal/api"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A mention is a name that a file writes out where only a declared one will do:
// "Position" in world:get(e, "Position"), x in world:set(e, "Position", { x = 1 }).
// It can be looked up without running the line.
type mention struct {
	kind  surface.NameKind
	name  string
	field string // when set, the name's field is meant
	err   error  // when set, this is wrong whatever is declared, and name is ""
	line  int

	entry bool // it counts in the file of a system alone: the world is a parameter of the function that the file returns, under another name
}

// mentionsIn returns a pass that collects the mentions of a file, in the order of
// the source. What the script calls world is taken for one, and so are locals that it is given to.
// asked gets the components that the file may give to world:removed.
func mentionsIn(found *[]mention, asked *removals) sandbox.Pass {
	return func(file *syntax.Chunk) error {
		m := mentioner{found: found, asked: asked, knownAs: newAliases(file)}
		file.Visit(syntax.Visitor{Expr: m.expression})
		return nil
	}
}

type mentioner struct {
	found   *[]mention
	asked   *removals
	knownAs *aliases
	entry   bool // of the mentions that are added now
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
			m.asked.unknown = true // the function is taken as a value
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
	*m.found = append(*m.found, mention{err: err, line: line, entry: m.entry})
}

// add notes e, if it is a constant; with field, that field of it.
func (m mentioner) add(kind surface.NameKind, e, field ast.Expr) {
	name, ok := e.(*ast.StringExpr)
	if !ok {
		return
	}
	if field == nil {
		*m.found = append(*m.found, mention{kind: kind, name: name.Value, line: e.Line(), entry: m.entry})
	} else if key, ok := field.(*ast.StringExpr); ok {
		*m.found = append(*m.found, mention{kind: kind, name: name.Value, field: key.Value, line: field.Line(), entry: m.entry})
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

// misnamed returns the mentions of a file that nothing declares. entry says that the file is a system's.
func (r *Runtime) misnamed(file string, entry bool) []error {
	var errs []error
	for _, m := range r.mentions[file] {
		if m.entry && !entry {
			continue
		}
		err := m.err
		switch {
		case err != nil:
		case m.field != "":
			err = surface.KnownField(r.world, m.kind, m.name, m.field)
		default:
			err = surface.Known(r.world, m.kind, m.name)
		}
		if err == nil {
			continue
		}
		se := r.loadError(file, "", "%w", err)
		se.Line, se.Excerpt = m.line, r.chunks[file].Excerpt(m.line)
		errs = append(errs, se)
	}
	return errs
}
