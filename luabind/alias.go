package luabind

import (
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	"github.com/yuin/gopher-lua/ast"
)

// A meaning is what a variable or a field of a script stands for, as far as the source shows it.
type meaning uint8

const (
	unclear meaning = iota
	noWorld         // certainly none of those below
	theWorld
	theCommands
	theResources
	theModule
	theLog
)

// object is what has named functions.
func (m meaning) object() (surface.Object, bool) {
	switch m {
	case theWorld:
		return surface.WorldObject, true
	case theCommands:
		return surface.CommandsObject, true
	case theModule:
		return surface.ModuleObject, true
	case theLog:
		return surface.LogObject, true
	case unclear, noWorld, theResources:
	}
	return "", false
}

// aliases knows, while a file is visited, which of its variables stand for the world, its commands, its resources or the module ecs:
// each variable called world, locals that were given one of these and are never assigned again, and the first parameter of a system's
// functions.
type aliases struct {
	scopes   []map[string]known
	assigned map[string]bool // names that something is assigned to
	entries  map[*ast.FunctionExpr]bool
}

type known struct {
	meaning meaning
	entry   bool // by way of the parameter of a system's function
}

func newAliases(chunk []ast.Stmt) *aliases {
	a := &aliases{assigned: map[string]bool{}, entries: map[*ast.FunctionExpr]bool{}}
	named := map[string]*ast.FunctionExpr{} // local functions of the file
	for _, st := range chunk {
		switch st := st.(type) {
		case *ast.LocalAssignStmt:
			for i, name := range st.Names {
				if i < len(st.Exprs) {
					if fn, ok := st.Exprs[i].(*ast.FunctionExpr); ok {
						named[name] = fn
					}
				}
			}
		case *ast.ReturnStmt:
			for _, e := range st.Exprs {
				if id, ok := e.(*ast.IdentExpr); ok && named[id.Value] != nil {
					a.entries[named[id.Value]] = true
				} else if fn, ok := e.(*ast.FunctionExpr); ok {
					a.entries[fn] = true
				}
			}
		}
	}
	sandbox.Visit(chunk, sandbox.Visitor{
		Stmt: func(st ast.Stmt) {
			switch st := st.(type) {
			case *ast.AssignStmt:
				for i, to := range st.Lhs {
					if id, ok := to.(*ast.IdentExpr); ok {
						a.assigned[id.Value] = true
					}
					if get, ok := to.(*ast.AttrGetExpr); ok && i < len(st.Rhs) {
						a.method(get.Key, st.Rhs[i])
					}
				}
			case *ast.FuncDefStmt:
				if get, ok := st.Name.Func.(*ast.AttrGetExpr); ok {
					a.method(get.Key, st.Func)
				}
			}
		},
		Expr: func(e ast.Expr) {
			if t, ok := e.(*ast.TableExpr); ok {
				for _, f := range t.Fields {
					a.method(f.Key, f.Value)
				}
			}
		},
	})
	return a
}

// method makes a function that is called init or update an entry.
func (a *aliases) method(key, value ast.Expr) {
	name, ok := key.(*ast.StringExpr)
	if fn, isFunction := value.(*ast.FunctionExpr); ok && isFunction && (name.Value == "init" || name.Value == "update") {
		a.entries[fn] = true
	}
}

// visitor keeps the scopes.
func (a *aliases) visitor() sandbox.Visitor {
	return sandbox.Visitor{
		Open:  func() { a.scopes = append(a.scopes, nil) },
		Close: func() { a.scopes = a.scopes[:len(a.scopes)-1] },
		Loop:  func(name string, _ int) { a.bind(name, known{meaning: noWorld}) },
		Param: func(fn *ast.FunctionExpr, position int, name string) {
			if position == 0 && a.entries[fn] {
				a.bind(name, known{theWorld, true})
			} else {
				a.bind(name, known{})
			}
		},
		Local: func(name string, value ast.Expr) {
			what, entry := a.of(value)
			a.bind(name, known{what, entry})
		},
	}
}

// bind makes a name visible. One that is assigned to somewhere may come to mean anything; one that is called world is the world.
func (a *aliases) bind(name string, k known) {
	switch {
	case name == "world":
		k = known{meaning: theWorld}
	case a.assigned[name]:
		k = known{}
	}
	scope := &a.scopes[len(a.scopes)-1]
	if *scope == nil {
		*scope = map[string]known{}
	}
	(*scope)[name] = k
}

// of is what an expression stands for. entry says that it does in the file of a system only.
func (a *aliases) of(e ast.Expr) (what meaning, entry bool) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		for i := len(a.scopes) - 1; i >= 0; i-- {
			if k, ok := a.scopes[i][e.Value]; ok {
				return k.meaning, k.entry
			}
		}
		if e.Value == "world" {
			return theWorld, false
		}
	case *ast.AttrGetExpr:
		what, entry = a.of(e.Object)
		key, ok := e.Key.(*ast.StringExpr)
		switch {
		case !ok:
		case what == theWorld && key.Value == "commands":
			return theCommands, entry
		case what == theWorld && key.Value == "resources":
			return theResources, entry
		case what == theModule && key.Value == "log":
			return theLog, entry
		}
	case *ast.FuncCallExpr:
		if id, ok := e.Func.(*ast.IdentExpr); ok && id.Value == "require" && len(e.Args) == 1 {
			if name, ok := e.Args[0].(*ast.StringExpr); ok && name.Value == "ecs" {
				return theModule, false
			}
		}
		if e.Method != "" {
			if what, _ := a.of(e.Receiver); what == theWorld || what == theCommands {
				return noWorld, false // no method gives a world
			}
		}
	case *ast.StringExpr, *ast.NumberExpr, *ast.TableExpr, *ast.FunctionExpr, *ast.NilExpr, *ast.TrueExpr, *ast.FalseExpr:
		return noWorld, false
	}
	return unclear, false
}

// maybeWorld reports whether an expression may be a world or its commands, for all that the source shows.
func (a *aliases) maybeWorld(e ast.Expr) bool {
	switch what, _ := a.of(e); what {
	case noWorld, theResources, theModule, theLog:
		return false
	case unclear, theWorld, theCommands:
		return true
	default:
		panic("luabind: unknown meaning")
	}
}
