package lint

import (
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// What scripts do to the libraries of Lua, and to the modules that require finds without a file. A library that a script gives away,
// or in which it assigns to a computed key, may have any member afterwards.

// modulesOf are the tables in which require looks before it looks for a file.
var modulesOf = []string{"package.preload", "package.loaded"}

// looking are functions that change nothing in a table.
var looking = []string{"pairs", "ipairs", "next", "type", "tostring", "print", "rawget", "rawequal", "assert"}

// replaced reports whether scripts may have a function of their own as a member of a library.
func (c *checker) replaced(library, name string) bool {
	return c.open[library] || c.changed[library+"."+name]
}

// before returns the library in the name of one of its members.
func before(name string) string {
	library, _, _ := strings.Cut(name, ".")
	return library
}

func (c *checker) patches() {
	for _, f := range c.files {
		p := patches{c: c, f: f, aliases: map[*syntax.Variable]string{}, kept: map[ast.Expr]bool{}}
		for _, v := range f.Chunk.Bindings.Locals {
			if v.Value != nil && !v.Assigned && v.Kind == syntax.Local {
				if name := p.library(v.Value); name != "" {
					p.aliases[v] = name
					p.keep(v.Value)
				}
			}
		}
		f.Chunk.Visit(syntax.Visitor{Stmt: p.stmt, Expr: p.expr})
	}
}

// patches looks at one file.
type patches struct {
	c       *checker
	f       *file
	aliases map[*syntax.Variable]string // locals that hold a library
	kept    map[ast.Expr]bool           // expressions with a library to which nothing happens
}

// library returns the name of the library that an expression is, also of one of modulesOf; "" if it is none.
func (p *patches) library(e ast.Expr) string {
	for _, name := range append([]string{"package"}, libraries...) {
		if p.f.isLibrary(e, name) {
			return name
		}
	}
	if v := p.f.Chunk.Bindings.Variable(e); v != nil {
		return p.aliases[v]
	}
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return ""
	}
	name := member(get)
	if v := p.f.Chunk.Bindings.Variable(get.Object); v != nil && v.IsGlobal("_G") && (name == "package" || slices.Contains(libraries, name)) {
		return name
	}
	if name = p.library(get.Object) + "." + name; slices.Contains(modulesOf, name) {
		return name
	}
	return ""
}

// keep notes that nothing happens to a library, and to what it is made of.
func (p *patches) keep(list ...ast.Expr) {
	for _, e := range list {
		p.kept[e] = true
		if either, ok := e.(*ast.LogicalOpExpr); ok {
			p.keep(either.Lhs, either.Rhs)
		}
	}
}

// change notes an assignment to a member of a library.
func (p *patches) change(table, key ast.Expr) {
	name := p.library(table)
	if name == "" {
		return
	}
	p.keep(table)
	text, ok := key.(*ast.StringExpr)
	switch {
	case !ok && slices.Contains(modulesOf, name):
		p.c.open["package"] = true
	case !ok:
		p.c.open[name] = true
	case slices.Contains(modulesOf, name):
		p.c.changed["package "+text.Value] = true
	default:
		p.c.changed[name+"."+text.Value] = true
	}
}

func (p *patches) stmt(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.AssignStmt:
		for _, to := range st.Lhs {
			if get, ok := to.(*ast.AttrGetExpr); ok {
				p.change(get.Object, get.Key)
			}
		}
	case *ast.FuncDefStmt:
		if get, ok := st.Name.Func.(*ast.AttrGetExpr); ok {
			p.change(get.Object, get.Key)
		} else if st.Name.Func == nil {
			p.change(st.Name.Receiver, &ast.StringExpr{Value: st.Name.Method})
		}
	case *ast.IfStmt:
		p.keep(st.Condition)
	}
}

func (p *patches) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		p.keep(e.Object)
	case *ast.LogicalOpExpr:
		if e.Operator == "and" {
			p.keep(e.Lhs)
		}
	case *ast.UnaryNotOpExpr:
		p.keep(e.Expr)
	case *ast.RelationalOpExpr:
		p.keep(e.Lhs, e.Rhs)
	case *ast.FuncCallExpr:
		if e.Func == nil {
			p.keep(e.Receiver)
		} else if v := p.f.Chunk.Bindings.Variable(e.Func); v != nil && v.Kind == syntax.Global {
			if slices.Contains(looking, v.Name) {
				p.keep(e.Args...)
			}
			if v.Name == "rawset" && len(e.Args) > 1 {
				p.change(e.Args[0], e.Args[1])
			}
		}
	}
	if name := p.library(e); name != "" && !p.kept[e] {
		p.c.open[before(name)] = true
	}
}
