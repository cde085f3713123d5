package script

import (
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// What expressions of a script stand for, as far as the source shows it. mention.go uses this to decide whether a
// call is a call on the world. It works on the tree of one file, before any code runs. In doubt the meaning is
// unclear, because a wrong one would report an error in a correct script.

// A meaning is what a variable or an expression of a script stands for.
type meaning uint8

const (
	unclear meaning = iota
	noWorld         // certainly neither the world nor one of its parts
	theWorld
	theCommands
	theResources
	theModule
	theLog
)

// object returns the object whose functions can be called on an expression of that meaning; false if there is none.
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

// An aliases finds the meaning of expressions in one file. It knows each variable called world, locals that were
// given a known value and are never assigned again, and the first parameter of the functions of a system.
type aliases struct {
	names   *syntax.Bindings
	known   map[*syntax.Variable]known
	entries map[*ast.FunctionExpr]bool // the functions of a system
}

// A known is the meaning of a variable that was looked up before.
type known struct {
	meaning meaning
	entry   bool // it follows from the parameter of a system's function, so it holds only in the file of a system
}

// newAliases finds the functions that may be functions of a system: those that the file returns, and those that are
// assigned to a name init or update. Meanings of variables are computed when they are asked for.
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

// method notes a function that is stored under the key init or update: it may be a function of a system.
func (a *aliases) method(key, value ast.Expr) {
	name, ok := key.(*ast.StringExpr)
	if fn, isFunction := value.(*ast.FunctionExpr); ok && isFunction && (name.Value == "init" || name.Value == "update") {
		a.entries[fn] = true
	}
}

// variable returns what a variable stands for. One that is assigned after its declaration is unclear, except one
// called world, which is always taken for the world.
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

// of returns what an expression stands for. entry says that this holds only in the file of a system, where the
// first parameter of a function is the world.
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

// text returns the string that an expression has in every execution: that of a constant, or of a local with a
// constant value that is never assigned again. ok is false if the source does not show it.
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

// maybeWorld reports whether an expression may be the world or its commands: it is one of them, or its meaning is
// unclear.
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
