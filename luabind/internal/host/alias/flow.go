package alias

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Where the functions of a file go: through locals, arguments of local functions, lists, pcall and coroutines.

// An argumentOf is the place of an expression among the arguments of a call.
type argumentOf struct {
	call  *ast.FuncCallExpr
	index int
}

// A target is a function that an expression may be. Resumed says that the expression is a coroutine that runs it.
type target struct {
	fn      *ast.FunctionExpr
	resumed bool
}

// targets returns the functions that an expression may be, as far as the source shows them.
func (a *Names) targets(e ast.Expr) []target {
	var out []target
	seen := map[*syntax.Variable]bool{}
	var find func(e ast.Expr, resumed bool)
	find = func(e ast.Expr, resumed bool) {
		switch e := e.(type) {
		case *ast.FunctionExpr:
			out = append(out, target{e, resumed})
		case *ast.FuncCallExpr:
			if a.makesCoroutine(e) && len(e.Args) > 0 {
				find(e.Args[0], true)
			}
		case *ast.LogicalOpExpr:
			find(e.Lhs, resumed)
			find(e.Rhs, resumed)
		case *ast.IdentExpr:
			if v := a.names.Variable(e); v != nil && !seen[v] {
				seen[v] = true
				for _, source := range a.sources(v) {
					find(source, resumed)
				}
			}
		}
	}
	find(e, false)
	return out
}

// sources returns what a variable gets, as far as the source shows it.
func (a *Names) sources(v *syntax.Variable) []ast.Expr {
	var out []ast.Expr
	switch v.Kind {
	case syntax.Local, syntax.LocalFunction:
		if v.Value != nil {
			out = append(out, v.Value)
		}
		for _, use := range v.Uses {
			if use.Assigned && use.Value != nil {
				out = append(out, use.Value)
			}
		}
	case syntax.LoopVariable: // for _, f in ipairs(list)
		if loop, ok := v.Node.(*ast.GenericForStmt); ok && v.Index == 1 && len(loop.Exprs) == 1 {
			if call, ok := loop.Exprs[0].(*ast.FuncCallExpr); ok && len(call.Args) == 1 && (a.isGlobal(call, "ipairs") || a.isGlobal(call, "pairs")) {
				for _, fn := range a.within(call.Args[0]) {
					out = append(out, fn)
				}
			}
		}
	case syntax.Parameter:
		if fn, ok := v.Node.(*ast.FunctionExpr); ok && a.holders[fn] != nil {
			for _, use := range a.holders[fn].Uses {
				if call := a.calls[use.Ident]; call != nil && v.Index < len(call.Args) {
					out = append(out, call.Args[v.Index])
				}
			}
		}
	}
	return out
}

// away reports whether a function or coroutine goes to where its calls are not seen.
func (a *Names) away(e ast.Expr) bool { return a.leaves(e, map[*syntax.Variable]bool{}) }

func (a *Names) leaves(e ast.Expr, seen map[*syntax.Variable]bool) bool {
	if id, ok := e.(*ast.IdentExpr); ok && (a.calls[id] != nil || a.placed[id] || a.handed[id] != nil) {
		return false
	}
	if a.stands[e] {
		return false
	}
	if v := a.stored[e]; v != nil {
		return a.spreads(v, seen)
	}
	arg, ok := a.arguments[e]
	if !ok {
		return true
	}
	if a.isGlobal(arg.call, "pcall") || a.isGlobal(arg.call, "xpcall") {
		return arg.index > 0
	}
	if _, local := arg.call.Func.(*ast.IdentExpr); local {
		if of := a.names.Function(a.Function(arg.call.Func)); of != nil && arg.index < len(of.Params) {
			return a.spreads(of.Params[arg.index], seen)
		}
	}
	switch {
	case a.isLibrary(arg.call, "coroutine", "resume"), a.isLibrary(arg.call, "coroutine", "status"):
		return arg.index > 0
	case a.makesCoroutine(arg.call):
		return a.leaves(arg.call, seen)
	}
	return true
}

// spreads reports whether one of the uses of a variable leaves.
func (a *Names) spreads(v *syntax.Variable, seen map[*syntax.Variable]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, use := range v.Uses {
		if !use.Assigned && a.leaves(use.Ident, seen) {
			return true
		}
	}
	return false
}

func (a *Names) makesCoroutine(call *ast.FuncCallExpr) bool {
	return a.isLibrary(call, "coroutine", "create") || a.isLibrary(call, "coroutine", "wrap")
}

// isLibrary reports whether a call is that of a function of a library of Lua.
func (a *Names) isLibrary(call *ast.FuncCallExpr, library, name string) bool {
	get, ok := call.Func.(*ast.AttrGetExpr)
	if !ok || call.Method != "" {
		return false
	}
	key, ok := get.Key.(*ast.StringExpr)
	v := a.names.Variable(get.Object)
	return ok && key.Value == name && v != nil && v.IsGlobal(library)
}

// count numbers a function of the file.
func (a *Names) count(fn *ast.FunctionExpr) {
	a.functions = append(a.functions, fn)
	a.number[fn] = len(a.functions)
}

// isGlobal reports whether a call is that of a global function.
func (a *Names) isGlobal(call *ast.FuncCallExpr, name string) bool {
	v := a.names.Variable(call.Func)
	return v != nil && v.IsGlobal(name)
}

// only returns the function that an expression is as soon as it is any: it is written there, or all that a local gets. It is nil if the source does
// not show it.
func (a *Names) only(e ast.Expr) *ast.FunctionExpr {
	for range mostNames {
		v := a.names.Variable(e)
		if v == nil {
			break
		}
		if v.Kind != syntax.Local && v.Kind != syntax.LocalFunction || v.Value == nil {
			return nil
		}
		got := []ast.Expr{v.Value}
		if _, empty := v.Value.(*ast.NilExpr); empty {
			got = nil
		}
		for _, use := range v.Uses {
			if use.Assigned {
				got = append(got, use.Value)
			}
		}
		if len(got) != 1 || got[0] == nil {
			return nil
		}
		e = got[0]
	}
	fn, _ := e.(*ast.FunctionExpr)
	return fn
}

// mostNames is how many locals in a row are followed, which may give each other.
const mostNames = 10

// store notes that a local gets an expression.
func (a *Names) store(v *syntax.Variable, e ast.Expr) {
	switch v.Kind {
	case syntax.Local, syntax.LocalFunction:
		a.stored[e] = v
		if either, ok := e.(*ast.LogicalOpExpr); ok {
			a.store(v, either.Lhs)
			a.store(v, either.Rhs)
		}
	case syntax.Global, syntax.Parameter, syntax.Self, syntax.Arg, syntax.LoopVariable:
	}
}
