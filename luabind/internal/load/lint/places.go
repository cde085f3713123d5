package lint

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Calls at a place where they are not possible, and functions of a system that get other arguments than they are written for.

func (c *checker) places(f *file) {
	if !f.Own {
		return
	}
	for _, fn := range f.functions {
		c.parameters(f, fn)
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
			def, ok := st.(*ast.FuncDefStmt)
			if ok && def.Name.Func == nil && (def.Name.Method == "update" || def.Name.Method == "init") && f.names.IsSystem(def.Name.Receiver) {
				c.asMethod(f, def)
			}
		},
		Expr: func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			if !ok || len(around) == 0 {
				return
			}
			for _, fn := range around {
				if call.Method == "on" && f.names.Entry(fn) == "update" && c.isWorld(f, call.Receiver) {
					c.add("E207", f, call.Line(), surface.OutsideInit, "declare observers in the init of a system")
					return
				}
			}
			if f.names.Entry(around[len(around)-1]) == "" {
				return
			}
			if c.yields(f, call) != "" {
				c.add("E207", f, call.Line(), "attempt to yield outside a coroutine: init and update run in none", "keep in state what comes next, and return")
			} else if fn := f.function(call); fn != nil {
				if at := c.surely(f, fn, c.yields); at != nil {
					c.add("E207", f, call.Line(), fmt.Sprintf("%s yields (line %d) outside a coroutine: init and update run in none", called(call), at.line), "keep in state what comes next, and return")
				}
			}
		},
	})
}

// yields returns "yield" for a call of coroutine.yield.
func (c *checker) yields(f *file, call *ast.FuncCallExpr) string {
	get, ok := call.Func.(*ast.AttrGetExpr)
	if !ok || member(get) != "yield" || c.replaced("coroutine", "yield") {
		return ""
	}
	if v := f.Chunk.Bindings.Variable(get.Object); v == nil || !v.IsGlobal("coroutine") {
		return ""
	}
	return "yield"
}

// parameters reports a parameter called world that gets something else.
func (c *checker) parameters(f *file, fn *ast.FunctionExpr) {
	entry := f.names.Entry(fn)
	if entry == "" || f.methods[fn] != "" {
		return
	}
	for i, name := range fn.ParList.Names {
		if name == "world" && i > 0 {
			c.add("E207", f, fn.Line(), fmt.Sprintf("the world is the first argument of %s, not argument %d", entry, i+1), fmt.Sprintf("write function(%s)", arguments[entry]))
		}
	}
}

// arguments are what the functions of a system get.
var arguments = map[string]string{"update": "world, dt", "init": "world"}

// asMethod reports a function of a system that is defined with a colon, and so gets the world as self.
func (c *checker) asMethod(f *file, def *ast.FuncDefStmt) {
	params := def.Func.ParList.Names
	if len(params) < 2 && (len(params) == 0 || params[0] != "world") {
		return
	}
	table, name := text(def.Name.Receiver), def.Name.Method
	c.add("E207", f, def.Line(), fmt.Sprintf("function %s:%s, with a colon, gets the world as self", table, name), fmt.Sprintf("write function %s.%s(%s)", table, name, arguments[name]))
}

// observes reports a call of world:on with arguments that it does not take.
func (c *checker) observes(f *file, call *ast.FuncCallExpr) {
	const form = `write world:on("added", "Name", function(world, e, view) … end)`
	if len(call.Args) == 0 {
		c.add("E205", f, call.Line(), "world:on needs a kind, a name and a function", form)
		return
	}
	kind := c.value(f, call.Args[0])
	if kind.sort != unknown && kind.sort != str {
		c.unfit(f, call.Args[0], kind, "argument 1 of world:on", "the kind of observer", form)
		return
	}
	if kind.text == nil {
		return
	}
	if several(call.Args) {
		return
	}
	name := value{}
	if len(call.Args) > 1 {
		name = c.value(f, call.Args[1])
	}
	at, err := surface.Observed(c.World, *kind.text, name.text)
	switch {
	case err != nil:
		c.add("E205", f, call.Line(), err.Error(), "")
		return
	case at == 2 && name.sort != str && (name.sort != unknown || len(call.Args) < 2):
		c.add("E205", f, call.Line(), fmt.Sprintf("world:on(%q) needs a name", *kind.text), form)
		return
	case at == 1 && name.sort == nothing && len(call.Args) > 2:
		at = 2
	}
	if len(call.Args) <= at {
		c.add("E205", f, call.Line(), "world:on needs a function", form)
	} else if fn := c.value(f, call.Args[at]); fn.sort != unknown && fn.sort != function {
		c.unfit(f, call.Args[at], fn, fmt.Sprintf("argument %d of world:on", at+1), "a function", form)
	}
}
