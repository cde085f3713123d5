package luabind

import (
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	"github.com/yuin/gopher-lua/ast"
)

// A mention is a name that a file writes out where only a declared one will do:
// "Position" in world:get(e, "Position"), x in world:set(e, "Position", { x = 1 }).
// It can be looked up without running the line.
type mention struct {
	kind  surface.NameKind
	name  string
	field string // when set, the name's field is meant
	line  int
}

// mentionsIn returns a pass that collects the mentions of a file, in the order of
// the source. What the script calls world is taken for one.
func mentionsIn(found *[]mention) sandbox.Pass {
	return func(chunk []ast.Stmt) ([]ast.Stmt, error) {
		m := mentioner{found}
		sandbox.Visit(chunk, func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.FuncCallExpr:
				if e.Method != "" && (isWorld(e.Receiver) || isCommands(e.Receiver)) {
					m.method(e.Method, e.Args)
				}
			case *ast.AttrGetExpr:
				if name, ok := e.Key.(*ast.StringExpr); ok && isPart(e.Object, "resources") {
					m.add(surface.ResourceName, name, nil)
				}
			}
		})
		return chunk, nil
	}
}

func isWorld(e ast.Expr) bool {
	id, ok := e.(*ast.IdentExpr)
	return ok && id.Value == "world"
}

func isCommands(e ast.Expr) bool { return isPart(e, "commands") }

// isPart reports whether e is world.NAME.
func isPart(e ast.Expr, name string) bool {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok || !isWorld(get.Object) {
		return false
	}
	key, ok := get.Key.(*ast.StringExpr)
	return ok && key.Value == name
}

type mentioner struct{ found *[]mention }

// add notes e, if it is a constant; with field, that field of it.
func (m mentioner) add(kind surface.NameKind, e, field ast.Expr) {
	name, ok := e.(*ast.StringExpr)
	if !ok {
		return
	}
	if field == nil {
		*m.found = append(*m.found, mention{kind: kind, name: name.Value, line: e.Line()})
	} else if key, ok := field.(*ast.StringExpr); ok {
		*m.found = append(*m.found, mention{kind: kind, name: name.Value, field: key.Value, line: field.Line()})
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

// method notes the names among the arguments of world:NAME(…).
func (m mentioner) method(name string, args []ast.Expr) {
	all := func(kind surface.NameKind, from int) {
		for i := from; i < len(args); i++ {
			m.add(kind, args[i], nil)
		}
	}
	switch name {
	case "get", "has", "add", "remove":
		all(surface.ComponentName, 1)
	case "each", "count", "first":
		if len(args) > 0 {
			if _, ok := args[0].(*ast.StringExpr); ok {
				all(surface.ComponentName, 0)
			} else if len(args) > 1 { // after a query come a relation and its target
				m.add(surface.RelationName, args[1], nil)
			}
		}
	case "relate", "unrelate", "related":
		if len(args) > 1 {
			m.add(surface.RelationName, args[1], nil)
		}
	case "sources":
		if len(args) > 0 {
			m.add(surface.RelationName, args[0], nil)
		}
	case "removed":
		all(surface.ComponentName, 0)
	case "set":
		if len(args) > 1 {
			m.add(surface.ComponentName, args[1], nil)
		}
		if len(args) > 2 {
			m.fields(surface.ComponentName, args[1], args[2])
		}
	case "tag", "untag", "tagged":
		all(surface.TagName, 1)
	case "send", "read", "peek", "drain":
		if len(args) > 0 {
			m.add(surface.EventName, args[0], nil)
		}
		if name == "send" && len(args) > 1 {
			m.fields(surface.EventName, args[0], args[1])
		}
	case "spawn", "spawn_many":
		for _, arg := range args {
			m.parts(arg)
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

// misnamed returns the mentions of a file that nothing declares.
func (r *Runtime) misnamed(file string) []error {
	var errs []error
	for _, m := range r.mentions[file] {
		err := surface.Known(r.world, m.kind, m.name)
		if m.field != "" {
			err = surface.KnownField(r.world, m.kind, m.name, m.field)
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
