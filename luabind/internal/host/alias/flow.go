package alias

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Where the functions of a file go: through locals, arguments of local functions, pcall and coroutines.

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
	if v := a.names.Variable(arg.call.Func); v != nil && arg.call.Method == "" {
		if v.IsGlobal("pcall") || v.IsGlobal("xpcall") {
			return arg.index > 0
		}
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

// store notes that a local gets an expression.
func (a *Names) store(v *syntax.Variable, e ast.Expr) {
	if v != nil && e != nil && (v.Kind == syntax.Local || v.Kind == syntax.LocalFunction) {
		a.stored[e] = v
	}
}
