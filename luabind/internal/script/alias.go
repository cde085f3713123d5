package script

import (
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
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

// aliases knows which expressions of a file stand for the world, its commands, its resources or the module ecs: each variable called world,
// locals that were given one of these and are never assigned again, and the first parameter of a system's functions.
type aliases struct {
	names   *syntax.Bindings
	known   map[*syntax.Variable]known
	entries map[*ast.FunctionExpr]bool // the functions of a system
}

type known struct {
	meaning meaning
	entry   bool // by way of the parameter of a system's function
}

func newAliases(file *syntax.Chunk) *aliases {
	a := &aliases{names: file.Bindings, known: map[*syntax.Variable]known{}, entries: map[*ast.FunctionExpr]bool{}}
	for _, st := range file.Stmts {
		ret, ok := st.(*ast.ReturnStmt)
		if !ok {
			continue
		}
		for _, e := range ret.Exprs {
			if v := a.names.Variable(e); v != nil {
				e = v.Value
			}
			if fn, ok := e.(*ast.FunctionExpr); ok {
				a.entries[fn] = true
			}
		}
	}
	file.Visit(syntax.Visitor{
		Stmt: func(st ast.Stmt) {
			switch st := st.(type) {
			case *ast.AssignStmt:
				for i, to := range st.Lhs {
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

// variable is what a variable stands for. One that is assigned may come to mean anything; one that is called world is the world.
func (a *aliases) variable(v *syntax.Variable) known {
	if k, ok := a.known[v]; ok {
		return k
	}
	k := known{}
	switch {
	case v.Name == "world":
		k.meaning = theWorld
	case v.Assigned:
	case v.Kind == syntax.LoopVariable:
		k.meaning = noWorld
	case v.Kind == syntax.Parameter:
		if v.Index == 0 && a.entries[v.Node.(*ast.FunctionExpr)] {
			k = known{theWorld, true}
		}
	case v.Kind == syntax.Local, v.Kind == syntax.LocalFunction:
		k.meaning, k.entry = a.of(v.Value)
	}
	a.known[v] = k
	return k
}

// of is what an expression stands for. entry says that it does in the file of a system only.
func (a *aliases) of(e ast.Expr) (what meaning, entry bool) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		k := a.variable(a.names.Of(e))
		return k.meaning, k.entry
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
		if v := a.names.Variable(e.Func); v != nil && v.IsGlobal("require") && len(e.Args) == 1 {
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

// text is the string that an expression certainly is: a constant, or a local that begins with one and is never assigned.
func (a *aliases) text(e ast.Expr) (text string, ok bool) {
	for {
		v := a.names.Variable(e)
		if v == nil || v.Kind != syntax.Local || v.Assigned {
			break
		}
		e = v.Value
	}
	s, ok := e.(*ast.StringExpr)
	if !ok {
		return "", false
	}
	return s.Value, true
}

// maybeWorld reports whether an expression may be a world or its commands, for all that the source shows.
func (a *aliases) maybeWorld(e ast.Expr) bool {
	switch what, _ := a.of(e); what {
	case noWorld, theResources, theModule, theLog:
		return false
	case unclear, theWorld, theCommands:
		return true
	default:
		panic("script: unknown meaning")
	}
}
