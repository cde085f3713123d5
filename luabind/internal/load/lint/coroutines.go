package lint

import (
	"cmp"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Iterators that outlive a frame: no state can hold them, so a reload loses where they are, and a run that has one cannot be saved. A
// coroutine that outlives a frame has one if it yields in the loop of an iterator. A coroutine of impl: lua cannot be saved at all.

// keptAdvice says what to do about them, by code.
var keptAdvice = map[string][2]string{
	"W302": {"a coroutine that is kept from frame to frame yields in a loop of an iterator: a run that has it suspended there cannot be saved, and a loop of the world is over then", "collect first, then loop over the list"},
	"W303": {"an iterator is kept from frame to frame: a reload loses where it is, and a run that has it cannot be saved", "call it in the loop that uses it"},
}

// ofReference is the advice on a coroutine that is kept by a system with impl: lua.
var ofReference = [2]string{"a coroutine is kept from frame to frame by a system with impl: lua: a run that has it suspended cannot be saved", "use another impl for the system"}

// iterators are the functions of the world and of layers whose results only the turn may use that has called them.
var iterators = func() map[string]bool {
	out := map[string]bool{}
	for _, o := range api.Objects {
		for name, text := range o.Texts {
			if len(text.Returns) > 0 && strings.HasPrefix(text.Returns[0], "fun(") {
				out[o.Prefix+name] = true
			}
		}
	}
	return out
}()

// kept returns the code for what a call returns: a coroutine that cannot be saved, an iterator, or "".
func (f *file) kept(call *ast.FuncCallExpr) string {
	if call.Func == nil {
		if call.Method == "gmatch" || iterators[f.kindOf(call.Receiver)+call.Method] {
			return "W303"
		}
		return ""
	}
	switch text(call.Func) {
	case "coroutine.create", "coroutine.wrap":
		if len(call.Args) > 0 && (f.Reference || f.yieldsInIterator(call.Args[0])) {
			return "W302"
		}
	case "string.gmatch":
		return "W303"
	}
	return ""
}

// kindOf returns the prefix of the functions of an object: "world:", also for what only has the name, or "layer:"; "" for any other.
func (f *file) kindOf(e ast.Expr) string {
	switch kind := f.names.Of(e).Kind; {
	case kind == alias.Layer:
		return "layer:"
	case kind == alias.World, kind == alias.Unclear && text(e) == "world":
		return "world:"
	}
	return ""
}

// yieldsInIterator reports whether a function yields in a loop of an iterator.
func (f *file) yieldsInIterator(e ast.Expr) bool {
	fn, ok := e.(*ast.FunctionExpr)
	if v := f.Chunk.Bindings.Variable(e); !ok && v != nil {
		fn, ok = v.Value.(*ast.FunctionExpr)
	}
	if !ok {
		return false
	}
	inner := func(n ast.PositionHolder) bool { _, is := n.(*ast.FunctionExpr); return is }
	return syntax.Search(fn.Stmts, func(n ast.PositionHolder) syntax.Step {
		loop, ok := n.(*ast.GenericForStmt)
		switch {
		case inner(n):
			return syntax.Past
		case !ok:
			return syntax.Deeper
		}
		if call, ok := loop.Exprs[0].(*ast.FuncCallExpr); !ok || f.kept(call) != "W303" {
			return syntax.Deeper
		}
		if syntax.Search(loop.Stmts, func(n ast.PositionHolder) syntax.Step {
			call, ok := n.(*ast.FuncCallExpr)
			switch {
			case inner(n):
				return syntax.Past
			case ok && call.Func != nil && text(call.Func) == "coroutine.yield":
				return syntax.Found
			}
			return syntax.Deeper
		}) {
			return syntax.Found
		}
		return syntax.Deeper
	})
}

func (c *checker) coroutines(f *file) {
	asked := map[*syntax.Variable]bool{} // variables that are being looked up
	var made func(e ast.Expr) (code string)
	made = func(e ast.Expr) string {
		if either, ok := e.(*ast.LogicalOpExpr); ok {
			return cmp.Or(made(either.Lhs), made(either.Rhs))
		}
		if call, ok := e.(*ast.FuncCallExpr); ok {
			return f.kept(call)
		}
		v := f.Chunk.Bindings.Variable(e)
		if v == nil || v.Kind == syntax.Global || asked[v] {
			return ""
		}
		asked[v] = true
		code := made(v.Value)
		for _, use := range v.Uses { // local co = jobs[e]; if co == nil then co = coroutine.create(f) …
			if use.Assigned {
				code = cmp.Or(code, made(use.Value))
			}
		}
		delete(asked, v)
		return code
	}
	// outlives reports whether what is assigned to an expression, or to an element of it, is there after the function
	// has returned.
	outlives := func(to ast.Expr, element bool, in *ast.FunctionExpr) bool {
		for {
			if v := f.Chunk.Bindings.Variable(to); v != nil {
				return v.Function == nil || v.Function.Node != in || element && (v.Kind == syntax.Self || v.Kind == syntax.Parameter)
			}
			get, ok := to.(*ast.AttrGetExpr)
			if !ok {
				return element
			}
			to, element = get.Object, true
		}
	}
	report := func(code string, line int) {
		advice := keptAdvice[code]
		if code == "W302" && f.Reference {
			advice = ofReference
		}
		c.add(code, f, line, advice[0], advice[1])
	}
	var around []*ast.FunctionExpr
	f.Chunk.Visit(syntax.Visitor{
		Enter: func(s syntax.Scope) {
			if fn, ok := s.Node.(*ast.FunctionExpr); ok {
				around = append(around, fn)
			}
		},
		Leave: func(s syntax.Scope) {
			if _, ok := s.Node.(*ast.FunctionExpr); ok {
				around = around[:len(around)-1]
			}
		},
		Stmt: func(st ast.Stmt) {
			var in *ast.FunctionExpr
			if len(around) > 0 {
				in = around[len(around)-1]
			}
			switch st := st.(type) {
			case *ast.AssignStmt:
				for i, to := range st.Lhs {
					if i >= len(st.Rhs) {
						break
					}
					if code := made(st.Rhs[i]); code != "" && (in == nil || outlives(to, false, in)) {
						report(code, st.Line())
					}
				}
			case *ast.LocalAssignStmt:
				if in != nil {
					return
				}
				for i, e := range st.Exprs {
					if declared := f.Chunk.Bindings.Declared(st); made(e) != "" && i < len(declared) && f.readInFunction(declared[i]) {
						report(made(e), st.Line())
					}
				}
			}
		},
		Expr: func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			if !ok || call.Func == nil || text(call.Func) != "table.insert" || len(call.Args) < 2 || len(around) == 0 {
				return
			}
			if code := made(call.Args[len(call.Args)-1]); code != "" && outlives(call.Args[0], true, around[len(around)-1]) {
				report(code, call.Line())
			}
		},
	})
}
