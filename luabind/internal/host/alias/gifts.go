package alias

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A Gift is what a call gives as an argument.
type Gift struct {
	To    Argument
	World bool // it is what the parameter is taken for: the world, for a parameter called world
	If    Condition
}

// Gifts lists what the calls of the file give to functions of scripts, in the order of the source, each once.
func (a *Names) Gifts(file *syntax.Chunk) []Gift {
	g := gifts{names: a, seen: map[Gift]bool{}, used: map[ast.Expr]bool{}}
	file.Visit(syntax.Visitor{Stmt: g.statement, Expr: g.expression})
	for _, fn := range a.functions {
		if to, ok := a.called(fn); ok && to.Local != 0 && (len(a.kept[fn]) > 0 || a.away(fn)) {
			g.add(Gift{To: to})
		}
	}
	return g.list
}

type gifts struct {
	names *Names
	list  []Gift
	seen  map[Gift]bool
	used  map[ast.Expr]bool // members that are called, assigned or tested, which gives their functions to nobody
}

func (g *gifts) add(gift Gift) {
	if !g.seen[gift] {
		g.seen[gift] = true
		g.list = append(g.list, gift)
	}
}

// statement notes the members that it assigns or tests. The visitor calls it before the expressions in it.
func (g *gifts) statement(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.AssignStmt:
		for _, to := range st.Lhs {
			g.used[to] = true
		}
	case *ast.FuncDefStmt:
		g.used[st.Name.Func] = true
	case *ast.IfStmt:
		g.used[st.Condition] = true
	case *ast.LocalAssignStmt:
		for i, v := range g.names.names.Declared(st) {
			if i < len(st.Exprs) && g.onlyCalled(v) {
				g.used[st.Exprs[i]] = true
			}
		}
	}
}

// onlyCalled reports whether a variable is never assigned, and only called.
func (g *gifts) onlyCalled(v *syntax.Variable) bool {
	for _, use := range v.Uses {
		if g.names.calls[use.Ident] == nil {
			return false
		}
	}
	return true
}

func (g *gifts) expression(e ast.Expr) {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		if e.Operator == "and" {
			g.used[e.Lhs] = true
		}
	case *ast.UnaryNotOpExpr:
		g.used[e.Expr] = true
	case *ast.RelationalOpExpr:
		g.used[e.Lhs], g.used[e.Rhs] = true, true
	case *ast.FuncCallExpr:
		g.used[e.Func] = true
		g.call(e)
	case *ast.AttrGetExpr:
		if key, ok := e.Key.(*ast.StringExpr); ok && !g.used[e] && !g.ours(e.Object) {
			g.add(Gift{To: Argument{Name: key.Value}}) // whoever gets the function may give it anything
		}
	}
}

// ours reports whether an expression is an object of this program, whose functions no script has made.
func (g *gifts) ours(e ast.Expr) bool {
	switch g.names.Of(e).Kind {
	case Unclear, Other:
		return false
	case World, Commands, Resources, Layers, States, Layer, Module, Log, Entity, View, Event, Query, Events:
	}
	return true
}

func (g *gifts) call(call *ast.FuncCallExpr) {
	args := call.Args
	if call.Method != "" {
		if g.ours(call.Receiver) {
			if call.Method == "on" && len(args) > 0 {
				g.observer(call, args[len(args)-1])
			}
			return
		}
		g.give(Argument{Name: call.Method}, nil, append([]ast.Expr{call.Receiver}, args...))
		return
	}
	if get, ok := call.Func.(*ast.AttrGetExpr); ok {
		if _, named := get.Key.(*ast.StringExpr); !named {
			for _, fn := range g.names.within(get.Object) {
				if to, ok := g.names.called(fn); ok {
					g.give(to, fn, args)
				}
			}
			return
		}
	}
	if g.names.isGlobal(call, "pcall") || g.names.isLibrary(call, "coroutine", "resume") {
		if len(args) > 0 {
			g.used[args[0]] = true
			g.to(args[0], args[1:])
		}
		return
	}
	g.to(call.Func, args)
}

// to adds what a call gives to the functions that an expression may be.
func (g *gifts) to(e ast.Expr, args []ast.Expr) {
	targets := g.names.targets(e)
	if len(targets) == 0 {
		if to, ok := g.elsewhere(e); ok {
			g.give(to, nil, args)
		}
	}
	for _, t := range targets {
		if to, ok := g.names.called(t.fn); ok && !(t.resumed && len(args) == 0) { // a later resume needs no arguments
			g.give(to, t.fn, args)
		}
	}
}

// observer adds what world:on gives to its function: the world, and then no world.
func (g *gifts) observer(on *ast.FuncCallExpr, e ast.Expr) {
	to, ok := g.elsewhere(e)
	if targets := g.names.targets(e); len(targets) > 0 {
		to, ok = g.names.called(targets[0].fn)
	}
	if !ok {
		return
	}
	g.used[e] = true
	world := g.names.Of(on.Receiver)
	to.Index = 1
	g.add(Gift{to, world.Kind == World, world.Condition})
	for to.Index = 2; to.Index < 4; to.Index++ {
		g.add(Gift{To: to})
	}
}

// elsewhere returns the name under which an expression has a function of any file.
func (g *gifts) elsewhere(e ast.Expr) (to Argument, ok bool) {
	if v := g.names.names.Variable(e); v != nil && !v.Assigned && v.Value != nil {
		e = v.Value
	}
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		if key, named := e.Key.(*ast.StringExpr); named && !g.ours(e.Object) {
			return Argument{Name: key.Value}, true
		}
	case *ast.FuncCallExpr:
		if name, ok := g.names.required(e); ok {
			return Argument{Name: moduleName(name)}, true
		}
	}
	return Argument{}, false
}

// give adds the arguments of a call. fn is the function, nil if the name may stand for several.
func (g *gifts) give(to Argument, fn *ast.FunctionExpr, args []ast.Expr) {
	var params []*syntax.Variable
	if of := g.names.names.Function(fn); of != nil {
		params = of.Params
	}
	for i, arg := range args {
		m := g.names.Of(arg)
		is := m.Kind == World
		if to.Local != 0 && i < len(params) && params[i].Name != "world" {
			is = g.names.Variable(params[i]).Kind == m.Kind
		}
		to.Index = i + 1
		g.add(Gift{to, is, m.Condition})
	}
	for i := len(args); i < max(len(params), mostGiven); i++ { // nothing, or what the last call returns
		to.Index = i + 1
		g.add(Gift{To: to})
	}
}

// mostGiven is how many arguments of a call are told at least, as those of functions of other files are not known. The world comes early.
const mostGiven = 3
