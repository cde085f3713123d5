package lint

import (
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A file is a File with what the rules ask of it.
type file struct {
	File
	names     *alias.Names
	functions []*ast.FunctionExpr                      // in the order of the source
	parent    map[*ast.FunctionExpr]*ast.FunctionExpr  // the function around a function; nil: the file
	called    map[*ast.IdentExpr]bool                  // identifiers that are only called there
	given     map[*ast.FunctionExpr]bool               // functions whose arguments somebody else decides
	returned  []ast.Expr                               // what the file returns
	members   map[*syntax.Variable]map[string]ast.Expr // what is assigned to v.NAME, also in a constructor; the first one
	repeated  map[memberName]bool                      // members to which several things are assigned
	met       *alias.Met                               // what the files show together
	doubts
}

func open(f File) *file {
	o := &file{
		File: f, names: alias.New(f.Chunk), parent: map[*ast.FunctionExpr]*ast.FunctionExpr{}, called: map[*ast.IdentExpr]bool{},
		given: map[*ast.FunctionExpr]bool{}, members: map[*syntax.Variable]map[string]ast.Expr{}, repeated: map[memberName]bool{},
	}
	for _, v := range f.Chunk.Bindings.Locals {
		if t, ok := v.Value.(*ast.TableExpr); ok {
			for _, field := range t.Fields {
				if key, ok := field.Key.(*ast.StringExpr); ok {
					o.member(v, key.Value, field.Value)
				}
			}
		}
	}
	var around []*ast.FunctionExpr
	f.Chunk.Visit(syntax.Visitor{
		Enter: func(s syntax.Scope) {
			if fn, ok := s.Node.(*ast.FunctionExpr); ok {
				if len(around) > 0 {
					o.parent[fn] = around[len(around)-1]
				}
				o.functions, around = append(o.functions, fn), append(around, fn)
			}
		},
		Leave: func(s syntax.Scope) {
			if _, ok := s.Node.(*ast.FunctionExpr); ok {
				around = around[:len(around)-1]
			}
		},
		Stmt: func(st ast.Stmt) { o.stmt(st, len(around) == 0) },
		Expr: o.expr,
	})
	o.dispatched()
	o.look()
	return o
}

// meet finds what the files show together about parameters called world.
func (c *checker) meet() {
	var given []alias.Given
	for _, f := range c.files {
		given = append(given, alias.Given{Path: f.Path, Own: f.Own, Gifts: f.names.Gifts(f.Chunk)})
	}
	met := alias.Meet(given)
	for _, f := range c.files {
		f.met = met
	}
}

// holds reports whether a meaning holds in the file.
func (f *file) holds(m alias.Meaning) bool { return f.met.Holds(f.Path, m.Condition) }

func (f *file) stmt(st ast.Stmt, top bool) {
	switch st := st.(type) {
	case *ast.ReturnStmt:
		for _, e := range st.Exprs {
			if fn, ok := e.(*ast.FunctionExpr); ok {
				f.given[fn] = true
			}
		}
		if top {
			f.returned = append(f.returned, st.Exprs...)
		}
	case *ast.FuncDefStmt:
		if st.Name.Func == nil { // a method may be one of several of its name
			f.given[st.Func] = true
		}
		f.assigned(st.Name.Func, st.Func)
		if v := f.Chunk.Bindings.Variable(st.Name.Receiver); v != nil && st.Name.Func == nil {
			f.member(v, st.Name.Method, st.Func)
		}
	case *ast.AssignStmt:
		for i, to := range st.Lhs {
			if i < len(st.Rhs) {
				f.assigned(to, st.Rhs[i])
			}
		}
	}
}

// assigned notes the assignment to a member of a variable.
func (f *file) assigned(to, value ast.Expr) {
	get, ok := to.(*ast.AttrGetExpr)
	if !ok {
		return
	}
	v := f.Chunk.Bindings.Variable(get.Object)
	key, named := get.Key.(*ast.StringExpr)
	if fn, ok := value.(*ast.FunctionExpr); ok && (v == nil || !named || len(key.Value) > 2 && key.Value[:2] == "__" || key.Value == "on_reload") {
		f.given[fn] = true
	}
	if v != nil && named {
		f.member(v, key.Value, value)
	}
}

func (f *file) member(v *syntax.Variable, name string, value ast.Expr) {
	if f.members[v] == nil {
		f.members[v] = map[string]ast.Expr{}
	}
	if f.members[v][name] != nil {
		f.repeated[memberName{v, name}] = true
		return
	}
	f.members[v][name] = value
}

func (f *file) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		if id, ok := e.Func.(*ast.IdentExpr); ok {
			f.called[id] = true
		}
		for _, arg := range e.Args {
			if fn, ok := arg.(*ast.FunctionExpr); ok {
				f.given[fn] = true
			}
		}
	case *ast.TableExpr:
		for _, field := range e.Fields {
			if fn, ok := field.Value.(*ast.FunctionExpr); ok {
				f.given[fn] = true
			}
		}
	}
}

// dispatched notes the functions in tables that are looked up by a computed key, as in HANDLERS[kind](world, e): all of
// them get the same arguments.
func (f *file) dispatched() {
	f.Chunk.Visit(syntax.Visitor{Expr: func(e ast.Expr) {
		get, ok := e.(*ast.AttrGetExpr)
		if !ok {
			return
		}
		if _, named := get.Key.(*ast.StringExpr); named {
			return
		}
		for _, value := range f.members[f.Chunk.Bindings.Variable(get.Object)] {
			if fn := f.names.Function(value); fn != nil {
				f.given[fn] = true
			}
		}
	}})
}

func (f *file) inside(fn, outer *ast.FunctionExpr) bool {
	for ; fn != nil; fn = f.parent[fn] {
		if fn == outer {
			return true
		}
	}
	return outer == nil
}

// reachable returns the functions of a list, those inside them, and those that they name, and so on.
func (f *file) reachable(from []*ast.FunctionExpr) map[*ast.FunctionExpr]bool {
	out := map[*ast.FunctionExpr]bool{}
	var take func(fn *ast.FunctionExpr)
	take = func(fn *ast.FunctionExpr) {
		if fn == nil || out[fn] {
			return
		}
		out[fn] = true
		syntax.Search(fn.Stmts, func(n ast.PositionHolder) syntax.Step {
			switch n := n.(type) {
			case *ast.FunctionExpr:
				take(n)
				return syntax.Past
			case *ast.FuncDefStmt:
				take(n.Func)
			case *ast.IdentExpr:
				take(f.names.Function(n))
			case *ast.AttrGetExpr:
				if key, ok := n.Key.(*ast.StringExpr); ok {
					take(f.names.Function(f.members[f.Chunk.Bindings.Variable(n.Object)][key.Value]))
				}
			}
			return syntax.Deeper
		})
	}
	for _, fn := range from {
		take(fn)
	}
	return out
}

// of returns the functions of a system of this file, with all that they name: everything in the file, unless the
// file returns a list of systems.
func (f *file) of(s System) map[*ast.FunctionExpr]bool {
	var from []*ast.FunctionExpr
	for _, e := range f.returned {
		list, ok := f.table(e)
		if !ok {
			continue
		}
		for _, item := range list.Fields {
			one, ok := f.table(item.Value)
			if !ok || item.Key != nil {
				continue
			}
			functions, name := []*ast.FunctionExpr{}, ""
			for _, part := range one.Fields {
				if key, ok := part.Key.(*ast.StringExpr); ok {
					if text, ok := f.names.Text(part.Value); ok && key.Value == "name" {
						name = text.Value
					}
					functions = append(functions, f.names.Function(part.Value))
				}
			}
			if name == s.Own {
				from = append(from, functions...)
			}
		}
	}
	if len(from) == 0 {
		from = f.functions
	}
	return f.reachable(from)
}

// table returns the constructor that an expression is, or that the variable it is was declared with.
func (f *file) table(e ast.Expr) (*ast.TableExpr, bool) {
	if v := f.Chunk.Bindings.Variable(e); v != nil {
		e = v.Value
	}
	t, ok := e.(*ast.TableExpr)
	return t, ok
}

// each calls do for the expressions and statements that are directly in one of these functions.
func (f *file) each(in map[*ast.FunctionExpr]bool, stmt func(ast.Stmt), expr func(ast.Expr)) {
	var around []*ast.FunctionExpr
	inside := func() bool { return len(around) > 0 && in[around[len(around)-1]] }
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
			if stmt != nil && inside() {
				stmt(st)
			}
		},
		Expr: func(e ast.Expr) {
			if expr != nil && inside() {
				expr(e)
			}
		},
	})
}
